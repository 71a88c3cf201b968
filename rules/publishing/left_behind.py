"""What a choice leaves behind, although the chosen changes are less strict without it.

Two people may have approved a higher limit because a cap was approved with it. So what is chosen is also
compared with all that is approved: no answer may become less strict that stays as strict if all goes out. It
is enough that airline, countries and models of such answers are the same: then what stays behind has to come
along. Pure.
"""

import datetime
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from rules.engine.corpus import Corpus
from rules.engine.document import ID_FIELD, Content
from rules.impact.measurements import SMALL
from rules.impact.survey import Changed, Result, Survey, Tally, tally
from rules.impact.survey.tally import Ways, is_lenient
from rules.publishing.named import lenient, name_of

Whose = tuple[str, str]
"""An airline, a place or a model."""


class Companions(NamedTuple):
    """The records that have to come along; `too_large` if finding them takes too long."""

    names: list[str]
    too_large: bool = False


def companions(
    before: Content, chosen: Content, everything: Content, result: Result, *, today: datetime.date
) -> Companions:
    """Return what stays behind and has to come along.

    `before` is what the current release says, `result` what the chosen changes do.
    """
    if not result.causes and not result.lenient:
        return Companions([])
    choice, without = (Survey(Corpus(one), Corpus(chosen), today=today) for one in (before, everything))
    airlines = [one for one in _airlines(choice, result) if one in without.airlines]
    if sum(map(without.size, airlines)) > SMALL:
        return Companions([], too_large=True)
    milder = {one: found for one in airlines if (found := tally(without, one)).causes}
    if sum(map(choice.size, milder)) > SMALL:
        return Companions([], too_large=True)
    kept = {
        cause.record
        for airline, found in milder.items()
        if _meet(_lenient(without, found), _lenient(choice, tally(choice, airline)))
        for cause in found.causes
    }
    contents = chosen, everything
    issuers = _issuers([cause.record for cause in result.causes], contents)
    hidden = without.beyond_questions()
    kept |= {one for one in hidden if not issuers.isdisjoint(_issuers([one], contents))}
    return Companions([name_of(one) for one in sorted(kept)])


def _airlines(choice: Survey, result: Result) -> Iterator[str]:
    """Yield the airlines with answers which the chosen changes make less strict, or some more."""
    if choice.size_of_all <= SMALL:
        yield from (one for one in choice.airlines if tally(choice, one).causes)
        return
    about = lenient(result.airlines)
    unlisted = any(way.lenient for way in result.unlisted)
    yield from (one for one in choice.airlines if about is None or unlisted or one in about)


class _Lenient(NamedTuple):
    """Countries and models of answers of one airline that become less strict; and units in no catalog."""

    countries: set[str]
    models: set[str]
    unlisted: bool


def _lenient(survey: Survey, found: Tally) -> _Lenient:
    models = {model.names[0]: model.names for model in survey.models}
    countries = {group[0]: group for group in survey.flights.countries}
    return _Lenient(
        countries={name for one in _milder(found.countries) for name in countries.get(one, (one,))},
        models={name for one in _milder(found.models) for name in models.get(one, (one,))},
        unlisted=is_lenient(found.unlisted),
    )


def _milder(groups: Mapping[str, Ways]) -> Iterator[str]:
    yield from (name for name, ways in groups.items() if is_lenient(ways))


def _meet(one: _Lenient, other: _Lenient) -> bool:
    """Return whether both may make the same answers less strict."""
    if one.unlisted and other.unlisted:
        return True
    return not one.countries.isdisjoint(other.countries) and not one.models.isdisjoint(other.models)


def _issuers(records: Collection[Changed], contents: Iterable[Content]) -> set[Whose]:
    """Return whose some records are."""
    names = {(record.kind, record.record_id) for record in records}
    return {
        _whose(kind, one)
        for content in contents
        for kind in {kind for kind, _ in names}
        for one in getattr(content, kind)
        if (kind, getattr(one, ID_FIELD[kind])) in names
    }


def _whose(kind: str, record: Any) -> Whose:
    match kind:
        case "rules":
            return ("airline", record.airline) if record.airline else ("place", record.jurisdiction)
        case "recalls" | "devices":
            return "model", record.model_id
        case "airlines":
            return "airline", record.airline
    return "place", record.code
