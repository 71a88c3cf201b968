"""The sum of a survey as editors read it.

Its lists have a maximum length and say how many rows there are. Only the list of records that make answers
less strict is complete, because publishing depends on it.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from rules.engine.corpus import Corpus
from rules.engine.facts import Rule
from rules.impact.survey.changes import Changed
from rules.impact.survey.outcomes import Outcome, milder
from rules.impact.survey.samples import Sample
from rules.impact.survey.survey import Survey
from rules.impact.survey.tally import Cause, Tally, Ways, add, ordered, tally

MOST_ROWS = 300
"""How many airlines, countries or models of a result are listed, those with the most flips first."""


class Count(msgspec.Struct, frozen=True, array_like=True):
    """How many answers go one way: from `before` to `after`."""

    before: Outcome
    after: Outcome
    count: int

    @property
    def lenient(self) -> bool:
        """Whether the answers become less strict."""
        return milder(self.before, self.after)


class Row(msgspec.Struct, frozen=True):
    """An airline, a country or a model, and how its answers flip."""

    name: str
    ways: tuple[Count, ...]

    @property
    def flipped(self) -> int:
        """Return how many answers flip."""
        return sum(way.count for way in self.ways)

    @property
    def lenient(self) -> int:
        """Return how many of them become less strict."""
        return sum(way.count for way in self.ways if way.lenient)


class Rows(msgspec.Struct, frozen=True):
    """The first rows of `total`."""

    total: int
    rows: tuple[Row, ...]


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a change would do: see `Tally` for the counts. `unlisted` are units that no catalog lists.

    `rules_before` and `rules_after` are the rules in the samples' paths. Unchanged rules are only in the
    first.
    """

    questions: int
    evaluated: int
    ways: tuple[Count, ...]
    unlisted: tuple[Count, ...]
    airlines: Rows
    countries: Rows
    models: Rows
    causes: tuple[Cause, ...]
    kinds_of_flips: int
    samples: tuple[Sample, ...]
    changed: tuple[Changed, ...]
    changed_total: int
    rules_before: dict[str, Rule]
    rules_after: dict[str, Rule]

    @property
    def flipped(self) -> int:
        """Return how many answers flip."""
        return sum(way.count for way in self.ways)

    @property
    def lenient(self) -> int:
        """Return how many of them become less strict."""
        return sum(way.count for way in self.ways if way.lenient)


def measure(survey: Survey) -> Result:
    """Measure everything at once."""
    return result_of(survey, add(tally(survey, airline) for airline in survey.airlines))


def result_of(survey: Survey, whole: Tally, *, most: int | None = MOST_ROWS) -> Result:
    """Return the sum of all parts of a survey as editors read it, with `most` rows of each kind."""
    ways: Ways = {}
    for of_airline in whole.airlines.values():
        for way, count in of_airline.items():
            ways[way] = ways.get(way, 0) + count
    models = {model.names[0]: model.names for model in survey.models}
    countries = {countries[0]: countries for countries in survey.flights.countries}
    changed = list(survey.changed)
    before, after = (_rules_in(whole.samples, corpus) for corpus in survey.corpora)
    return Result(
        questions=whole.questions,
        evaluated=whole.evaluated,
        ways=_counts(ways),
        unlisted=_counts(whole.unlisted),
        airlines=_rows(whole.airlines, {}, most),
        countries=_rows(whole.countries, countries, most),
        models=_rows(whole.models, models, most),
        causes=_with_beyond(whole.causes, survey.beyond_questions()),
        kinds_of_flips=whole.kinds_of_flips,
        samples=whole.samples,
        changed=tuple(changed[:MOST_ROWS]),
        changed_total=len(changed),
        rules_before=before,
        rules_after={name: rule for name, rule in after.items() if before.get(name) != rule},
    )


def _with_beyond(causes: Iterable[Cause], beyond: Mapping[Changed, str]) -> tuple[Cause, ...]:
    """Return causes together with what no single question shows."""
    known = {cause.record: cause for cause in causes}
    for record, what in beyond.items():
        known.setdefault(record, Cause(record, 0, 0, beyond=what))
    return ordered(known.values())


def _rules_in(samples: Iterable[Sample], corpus: Corpus) -> dict[str, Rule]:
    """Return the rules of a ruleset that are in the paths of samples."""
    steps = {step for sample in samples for step in (*sample.before_path, *sample.after_path)}
    return {rule.rule_id: rule for rule in corpus.content.rules if rule.rule_id in steps}


def _counts(ways: Ways) -> tuple[Count, ...]:
    """Return counts, those that become less strict first, then by size."""
    ends = {way: way.split(" ") for way in ways}
    counts = [msgspec.convert((*ends[way], count), Count) for way, count in ways.items()]
    return tuple(sorted(counts, key=lambda one: (not one.lenient, -one.count, one.before, one.after)))


def _rows(groups: Mapping[str, Ways], alike: Mapping[str, Sequence[str]], most: int | None) -> Rows:
    """Return the first rows; a name in `alike` represents several that have the same counts each."""
    largest = sorted(groups.items(), key=lambda group: (-sum(group[1].values()), group[0]))
    rows = [Row(name, _counts(ways)) for first, ways in largest for name in alike.get(first, (first,))]
    return Rows(len(rows), tuple(rows[:most]))
