"""The limits of watt-hours that are in play on a flight: of the baseline, of each country, of the airline.

They are read from the rules that the engine weighs for the flight on its day, whatever the unit is. Called by
pages that draw a unit next to its limits.
"""

import datetime
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import lru_cache

import msgspec

from catalog.energy import Bound, bound, hundredths
from rules.corpus import Published
from rules.engine.corpus import figure, highest_figure
from rules.engine.document import MAX_AMOUNT
from rules.engine.facts import INTERNATIONAL, Device, Leg
from rules.selectors.policy_fields import EnergySpan, EnergyWord, energy_spans

Ids = tuple[str, ...]
"""Rules by their ids."""

_Said = frozenset[tuple[EnergySpan, ...]]
"""What some issuers, or several flights, say of all ratings."""

MOST_KEPT = 4096


class LimitsOf(msgspec.Struct, frozen=True):
    """What one issuer says of each rating: an airline, or the authorities of a jurisdiction.

    An issuer that says nothing of watt-hours has one span, `silent` or without a limit.
    """

    jurisdiction: str
    airline: str | None
    spans: tuple[EnergySpan, ...]


def limits_in_play(release: Published, leg: Leg, day: datetime.date) -> tuple[LimitsOf, ...]:
    """Return the limits on a flight, by issuer: the baseline, the countries and regions, the airline.

    What the baseline asks for also counts where an issuer permits more: an airline that takes units up to
    160 Wh has to approve those above 100 Wh. A country at an end of the flight is there even if no rule of it
    is in play. Raises `AirlineNotCovered` or `UnknownCountry`.
    """
    in_play, rules = release.corpus.in_play(leg), release.shelf.rules
    by_issuer: dict[tuple[str, str | None], list[str]] = {}
    for _, compiled in in_play.on(day.toordinal()):
        rule = rules[compiled.rule_id]
        issuer = ("", rule.airline) if rule.airline is not None else (rule.jurisdiction, None)
        by_issuer.setdefault(issuer, []).append(rule.rule_id)
    baseline, spans = tuple(by_issuer.get((INTERNATIONAL, None), ())), _spans_of(release)
    said = [LimitsOf(*issuer, spans(baseline, tuple(found))) for issuer, found in by_issuer.items()]
    places = {one.jurisdiction for one in said}
    silent = [
        LimitsOf(country, None, energy_spans([]))
        for country in dict.fromkeys((leg.origin, leg.destination))
        if places.isdisjoint({country, *release.corpus.places(country)})
    ]
    of_airline = [one for one in said if one.airline is not None]
    return (*[one for one in said if one.airline is None], *silent, *of_airline)


# One release answers at a time.
@lru_cache(maxsize=1)
def _spans_of(release: Published) -> Callable[[Ids, Ids], tuple[EnergySpan, ...]]:
    """Return what gives the limits of rules within those of the baseline's: few rules are on many flights."""
    rules = release.shelf.rules

    @lru_cache(maxsize=MOST_KEPT)
    def spans(baseline: Ids, own: Ids) -> tuple[EnergySpan, ...]:
        said = energy_spans([rules[rule_id] for rule_id in own])
        return said if own == baseline else _within(spans(baseline, baseline), said)

    return spans


def _within(baseline: Sequence[EnergySpan], own: Sequence[EnergySpan]) -> tuple[EnergySpan, ...]:
    """Return what an issuer says, but nothing permitted without what the baseline asks for."""

    def word(at: int) -> EnergyWord:
        said = word_at(own, at)
        return max(said, word_at(baseline, at), key=STRICTNESS.index) if said == "free" else said

    return _by_rating([own, baseline], word)


def word_at(spans: Sequence[EnergySpan], in_hundredths: int) -> EnergyWord:
    """Return what is said of a rating, in hundredths of a watt-hour."""
    for span in spans:
        if span.until is None:
            break
        limit = hundredths(span.until.watt_hour)
        if in_hundredths < limit or (span.until.inclusive and in_hundredths == limit):
            return span.word
    return spans[-1].word


def words_of(spans: Sequence[EnergySpan], device: Device) -> tuple[EnergyWord, ...]:
    """Return what is said of a unit: two words if its figure can hide a limit, none if it is unknown."""
    if device.watt_hour is None:
        return ()
    figures = (figure(device), highest_figure(device))
    return tuple(dict.fromkeys(word_at(spans, one) for one in figures))


def limits_together(leg: Leg, limits: Sequence[LimitsOf]) -> tuple[EnergySpan, ...]:
    """Return what the issuers on a flight say together of each rating, as the engine weighs them.

    A refusal of any of them decides. If the airline permits nothing, or no authority does, nothing is known.
    The baseline is an authority on flights between countries. Approval is needed if any of them asks for it.
    """
    airline = frozenset(one.spans for one in limits if one.airline is not None)
    authorities = frozenset(
        one.spans
        for one in limits
        if one.airline is None and not (leg.domestic and one.jurisdiction == INTERNATIONAL)
    )
    return _together(airline, authorities, frozenset(one.spans for one in limits))


@lru_cache(maxsize=MOST_KEPT)
def _together(airline: _Said, authorities: _Said, everyone: _Said) -> tuple[EnergySpan, ...]:
    def word(at: int) -> EnergyWord:
        said = {word_at(spans, at) for spans in everyone}
        if "refused" in said:
            return "refused"
        permitted = [
            any(word_at(spans, at) != "silent" for spans in issuers) for issuers in (airline, authorities)
        ]
        if not all(permitted):
            return "silent"
        return "approval" if "approval" in said else "free"

    return _by_rating(everyone, word)


def strictest_of(flights: Iterable[tuple[EnergySpan, ...]]) -> tuple[EnergySpan, ...]:
    """Return the strictest word of several flights on each rating."""
    return _strictest_of(frozenset(flights))


@lru_cache(maxsize=MOST_KEPT)
def _strictest_of(flights: _Said) -> tuple[EnergySpan, ...]:
    return _by_rating(
        flights, lambda at: max((word_at(spans, at) for spans in flights), key=STRICTNESS.index)
    )


def _by_rating(
    limits: Iterable[Sequence[EnergySpan]], word: Callable[[int], EnergyWord]
) -> tuple[EnergySpan, ...]:
    """Return a word for each rating between some limits. It is asked for in hundredths of a watt-hour."""
    ends = sorted({_highest(one.until) for spans in limits for one in spans if one.until is not None})
    found: list[EnergySpan] = []
    for end in (*ends, None):
        said = word(BEYOND if end is None else end)
        if found and found[-1].word == said:
            found.pop()
        found.append(EnergySpan(said, None if end is None else bound(Decimal(end) / 100)))
    return tuple(found)


STRICTNESS: tuple[EnergyWord, ...] = ("free", "approval", "silent", "refused")

BEYOND = MAX_AMOUNT * 100 + 1
"""A rating beyond every limit, in hundredths of a watt-hour."""


def _highest(limit: Bound) -> int:
    """Return the highest rating within a limit, in hundredths of a watt-hour."""
    figure = hundredths(limit.watt_hour)
    return figure if limit.inclusive else figure - 1
