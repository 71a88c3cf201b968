"""The compact sum of a survey: counts, the records behind lenient flips, and some samples.

A `Tally` is one part of the work, so that parts can be measured separately, kept as JSON and added up. A
`Result` is what editors read: its lists have a maximum length and say how many rows there are. Only the list
of records that make answers less strict is complete, because publishing depends on it.
"""

import datetime
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple, TypeVar

import msgspec

from rules.engine.corpus import Corpus
from rules.engine.errors import AirlineNotCovered, ModelNotFound, UnknownCountry
from rules.engine.evaluate import evaluate_leg
from rules.engine.facts import Rule
from rules.engine.vocabulary import Compartment, MarkIndication
from rules.impact.survey.changes import Changed
from rules.impact.survey.flips import Direction, Flip, Outcome, Survey, strictness
from rules.impact.survey.leniency import Leniency

MOST_ROWS = 300
"""How many airlines, countries or models of a result are listed, those with the most flips first."""

MOST_SAMPLES = 300
"""How many samples a result keeps. Each airline has one before any has two, as long as there is room."""

MOST_SAMPLES_OF_A_PART = 30
MOST_MODELS_NAMED = 30


class Count(msgspec.Struct, frozen=True, array_like=True):
    """How many answers go one way: from `before` to `after`."""

    before: Outcome
    after: Outcome
    count: int

    @property
    def lenient(self) -> bool:
        """Whether the answers become less strict."""
        return strictness(self.after) < strictness(self.before)


Ways = dict[str, int]
"""How many answers go each way, by `before after`: JSON has no pairs as keys."""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A flip with both paths to its answers, which are empty if there is no answer.

    `models` are the first of `model_count`; `causes` are named if it is lenient.
    """

    airline: str
    home: str
    direction: Direction
    countries: tuple[str, ...]
    models: tuple[str, ...]
    model_count: int
    compartment: Compartment
    quantity: int
    ccc_mark: MarkIndication = "unknown"
    travel_date: datetime.date
    before: Outcome
    after: Outcome
    count: int
    before_path: tuple[str, ...]
    after_path: tuple[str, ...]
    causes: tuple[Changed, ...]

    @property
    def lenient(self) -> bool:
        """Whether the answers become less strict."""
        return strictness(self.after) < strictness(self.before)


class Paths(NamedTuple):
    """A flip, and the path to its answer before and after; a path without an answer is empty."""

    flip: Flip
    before: tuple[str, ...]
    after: tuple[str, ...]


AnyFlip = TypeVar("AnyFlip", Flip, Sample)


class Cause(msgspec.Struct, frozen=True):
    """A record that makes `answers` answers less strict."""

    record: Changed
    count: int


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """What some airlines contribute. Models of one class are counted under the first of them."""

    questions: int = 0
    evaluated: int = 0
    kinds_of_flips: int = 0
    airlines: dict[str, Ways] = {}
    countries: dict[str, Ways] = {}
    models: dict[str, Ways] = {}
    causes: tuple[Cause, ...] = ()
    samples: tuple[Sample, ...] = ()


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
    """What a change would do. All counts but `kinds_of_flips` are of questions.

    `rules_before` and `rules_after` are the rules in the samples' paths. Unchanged rules are only in the
    first.
    """

    questions: int
    evaluated: int
    ways: tuple[Count, ...]
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


def tally(survey: Survey, leniency: Leniency, airline: str) -> Tally:
    """Measure one airline."""
    part = survey.part(airline)
    countries: dict[str, Ways] = {}
    models: dict[str, Ways] = {}
    ways: Ways = {}
    causes: Counter[Changed] = Counter()
    causes_of: dict[Flip, tuple[Changed, ...]] = {}
    for flip in part.flips:
        way = _way(flip)
        ways[way] = ways.get(way, 0) + flip.count
        for country in flip.countries:
            of_country = countries.setdefault(country, {})
            of_country[way] = of_country.get(way, 0) + len(flip.models)
        of_model = models.setdefault(flip.models[0], {})
        of_model[way] = of_model.get(way, 0) + len(flip.countries)
        if flip.lenient:
            causes_of[flip] = tuple(sorted(leniency.causes(flip)))
            causes.update(dict.fromkeys(causes_of[flip], flip.count))
    return Tally(
        questions=part.questions,
        evaluated=part.evaluated,
        kinds_of_flips=len(part.flips),
        airlines={airline: ways} if ways else {},
        countries=countries,
        models=models,
        causes=_causes(causes),
        samples=tuple(
            _sample(flip, causes_of.get(flip, ()), survey)
            for flip in _picked(part.flips, MOST_SAMPLES_OF_A_PART, [_by_way, _by_models, _by_countries])
        ),
    )


def add(tallies: Iterable[Tally]) -> Tally:
    """Add up parts."""
    parts = list(tallies)
    causes: Counter[Changed] = Counter()
    for part in parts:
        causes.update({cause.record: cause.count for cause in part.causes})
    samples = list(chain.from_iterable(part.samples for part in parts))
    return Tally(
        questions=sum(part.questions for part in parts),
        evaluated=sum(part.evaluated for part in parts),
        kinds_of_flips=sum(part.kinds_of_flips for part in parts),
        airlines=_added(part.airlines for part in parts),
        countries=_added(part.countries for part in parts),
        models=_added(part.models for part in parts),
        causes=_causes(causes),
        samples=tuple(
            _picked(
                samples, MOST_SAMPLES, [_by_way, _by_airline, _by_airline_and_way, _by_models, _by_countries]
            )
        ),
    )


def result_of(survey: Survey, whole: Tally, changed: Iterable[Changed]) -> Result:
    """Return the sum of all parts of a survey as editors read it."""
    ways: Ways = {}
    for of_airline in whole.airlines.values():
        for way, count in of_airline.items():
            ways[way] = ways.get(way, 0) + count
    alike = {models[0]: models for models in survey.models}
    records = list(changed)
    before, after = (_rules_in(whole.samples, corpus) for corpus in survey.corpora)
    return Result(
        questions=whole.questions,
        evaluated=whole.evaluated,
        ways=_counts(ways),
        airlines=_rows(whole.airlines, {}),
        countries=_rows(whole.countries, {}),
        models=_rows(whole.models, alike),
        causes=whole.causes,
        kinds_of_flips=whole.kinds_of_flips,
        samples=whole.samples,
        changed=tuple(records[:MOST_ROWS]),
        changed_total=len(records),
        rules_before=before,
        rules_after={name: rule for name, rule in after.items() if before.get(name) != rule},
    )


def _rules_in(samples: Iterable[Sample], corpus: Corpus) -> dict[str, Rule]:
    """Return the rules of a ruleset that are in the paths of samples."""
    steps = {step for sample in samples for step in (*sample.before_path, *sample.after_path)}
    return {rule.rule_id: rule for rule in corpus.content.rules if rule.rule_id in steps}


def measure(survey: Survey) -> Result:
    """Measure everything at once."""
    leniency = Leniency(survey)
    whole = add(tally(survey, leniency, airline) for airline in survey.airlines)
    return result_of(survey, whole, leniency.changed)


def samples(
    flips: Iterable[Flip], before: Corpus, after: Corpus, *, today: datetime.date, most: int | None
) -> Iterator[Paths]:
    """Return the most frequent flip of each airline and way with its paths, up to a limit."""
    first: dict[tuple[str, str, str], Flip] = {}
    for flip in flips:
        first.setdefault((flip.airline, flip.before, flip.after), flip)
    for flip in islice(first.values(), most):
        yield Paths(flip, _path(before, flip, today), _path(after, flip, today))


def _way(flip: Flip | Sample) -> str:
    return f"{flip.before} {flip.after}"


def _counts(ways: Ways) -> tuple[Count, ...]:
    """Return counts, those that become less strict first, then by size."""
    ends = {way: way.split(" ") for way in ways}
    counts = [msgspec.convert((*ends[way], count), Count) for way, count in ways.items()]
    return tuple(sorted(counts, key=lambda one: (not one.lenient, -one.count, one.before, one.after)))


def _causes(counts: Mapping[Changed, int]) -> tuple[Cause, ...]:
    causes = [Cause(record, count) for record, count in counts.items()]
    return tuple(sorted(causes, key=lambda one: (-one.count, one.record)))


def _added(parts: Iterable[Mapping[str, Ways]]) -> dict[str, Ways]:
    total: dict[str, Ways] = {}
    for part in parts:
        for name, ways in part.items():
            known = total.setdefault(name, {})
            for way, count in ways.items():
                known[way] = known.get(way, 0) + count
    return total


def _rows(groups: Mapping[str, Ways], alike: Mapping[str, Sequence[str]]) -> Rows:
    """Return the first rows; a name in `alike` represents several that have the same counts each."""
    ordered = sorted(groups.items(), key=lambda group: (-sum(group[1].values()), group[0]))
    rows = [Row(name, _counts(ways)) for first, ways in ordered for name in alike.get(first, (first,))]
    return Rows(len(rows), tuple(rows[:MOST_ROWS]))


def _by_airline(one: Flip | Sample) -> Hashable:
    return one.airline


def _by_way(one: Flip | Sample) -> Hashable:
    return one.before, one.after


def _by_airline_and_way(one: Flip | Sample) -> Hashable:
    return one.airline, one.before, one.after


def _by_models(one: Flip | Sample) -> Hashable:
    return one.models[0], one.before, one.after


def _by_countries(one: Flip | Sample) -> Hashable:
    return one.countries[0], one.before, one.after


def _picked(
    flips: Iterable[AnyFlip], most: int, facets: Sequence[Callable[[Flip | Sample], Hashable]]
) -> list[AnyFlip]:
    """Pick the greatest flips of each kind by the first facet, then by the next; lenient ones come first."""
    ordered = sorted(flips, key=lambda one: (not one.lenient, -one.count, one.airline, one.countries))
    picked: dict[int, AnyFlip] = {}
    seen: set[Hashable] = set()
    for number, facet in enumerate(facets):
        for at, one in enumerate(ordered):
            if len(picked) == most:
                break
            if (number, facet(one)) not in seen and at not in picked:
                picked[at] = one
                seen.update((later, name(one)) for later, name in enumerate(facets))
    return list(picked.values())


def _sample(flip: Flip, causes: tuple[Changed, ...], survey: Survey) -> Sample:
    before, after = survey.corpora
    return Sample(
        airline=flip.airline,
        home=flip.home,
        direction=flip.direction,
        countries=flip.countries,
        models=flip.models[:MOST_MODELS_NAMED],
        model_count=len(flip.models),
        compartment=flip.compartment,
        quantity=flip.quantity,
        ccc_mark=flip.ccc_mark,
        travel_date=flip.travel_date,
        before=flip.before,
        after=flip.after,
        count=flip.count,
        before_path=_path(before, flip, survey.today),
        after_path=_path(after, flip, survey.today),
        causes=causes,
    )


def _path(corpus: Corpus, flip: Flip, today: datetime.date) -> tuple[str, ...]:
    try:
        return evaluate_leg(corpus, flip.sample, today=today).path
    except (AirlineNotCovered, ModelNotFound, UnknownCountry):
        return ()
