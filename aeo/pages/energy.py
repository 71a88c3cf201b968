"""A unit against its limits: its watt-hours, and what each issuer in play says of them, drawn and in words.

The limits are those of `rules.answers.limits_in_play`, and what they mean for the unit is said as the engine
weighs it. In the active language. Called by pages of answers, of models, and by cards.
"""

import datetime
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

import msgspec

from aeo.drawing.gauge import Amount, Kind, Stretch, Track, gauge
from aeo.pages import parts
from aeo.pages.record import Bullets, Drawing, Paragraph
from aeo.texts import active, airline_name, country_name, say
from aeo.web.formatting import above, apart, comma, listed, up_to
from catalog.energy import Bound
from rules.answers.limits_in_play import (
    MOST_KEPT,
    LimitsOf,
    limits_in_play,
    limits_together,
    strictest_of,
    words_of,
)
from rules.corpus import Published
from rules.engine.corpus import highest_figure
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import INTERNATIONAL, Device, Leg
from rules.engine.matching import plain
from rules.selectors.policy_fields import EnergySpan

KINDS: tuple[Kind, ...] = ("free", "approval", "refused", "silent")
"""In the order of the legend."""


class Carried(msgspec.Struct, frozen=True):
    """A unit, and its name if there are several."""

    device: Device
    name: str = ""


class Row(msgspec.Struct, frozen=True):
    """Issuers that set the same limits, and the limits."""

    names: tuple[str, ...]
    spans: tuple[EnergySpan, ...]


def on_flights(
    release: Published, carried: Sequence[Carried], flights: Iterable[tuple[Leg, datetime.date]]
) -> Drawing:
    """Return units against the limits on flights, each with its day; it says which have no coverage."""
    found = [_in_play(release, leg, day) for leg, day in flights]
    uncovered = [str(number) for number, issuers in enumerate(found, start=1) if not issuers]
    said = [say("energy.uncovered", numbers=listed(uncovered), count=len(uncovered))] if uncovered else []
    return against(carried, _rows(release, found), said)


def at_a_glance(
    release: Published, device: Device, flights: Iterable[tuple[Leg, datetime.date]]
) -> Drawing | None:
    """Return a unit against the strictest limits on flights; None if a flight has no coverage."""
    try:
        row = Row((say("energy.strictest"),), strictest(release, flights))
    except AirlineNotCovered:
        return None
    return _glance(row, _amount(Carried(device)), _here(row, device), active())


def strictest(release: Published, flights: Iterable[tuple[Leg, datetime.date]]) -> tuple[EnergySpan, ...]:
    """Return the strictest limits on flights, each with its day. Raises `AirlineNotCovered`."""
    return strictest_of(limits_together(leg, limits_in_play(release, leg, day)) for leg, day in flights)


# Many models have the same figure, and on most flights the same limits are the strictest.
@lru_cache(maxsize=MOST_KEPT)
def _glance(row: Row, amount: Amount, here: str, _language: str) -> Drawing:
    """Return a unit against limits in the given language, which is the active one."""
    return Drawing(_gauge([amount], [_track(row, here)]), Paragraph((_row(row, here),)))


def against(carried: Sequence[Carried], rows: Sequence[Row], more: Iterable[str] = ()) -> Drawing:
    """Return units against some limits, with a legend. `more` is said after the limits."""
    said = [_row(row, listed(_named(row, one) for one in carried)) for row in rows]
    lines = [*in_words(carried), *said, *more, say("energy.only")]
    tracks = [_track(row, _shared(row, carried)) for row in rows]
    drawn = _gauge(list(map(_amount, carried)), tracks, tuple(_legend(rows)))
    return Drawing(drawn, Bullets(tuple((line,) for line in lines)))


def _amount(one: Carried) -> Amount:
    return Amount(_unit(one), *span(one.device))


def _track(row: Row, here: str) -> Track:
    return Track(row.names, tuple(map(stretch, row.spans)), here)


def _gauge(
    amounts: Sequence[Amount], tracks: Sequence[Track], legend: Sequence[tuple[Kind, str]] = ()
) -> str:
    return gauge(
        amounts,
        tracks,
        label=say("energy.label"),
        figure=lambda figure: say("watt_hour", watt_hour=plain(figure)),
        comma=comma(),
        legend=legend,
    )


def name_of(release: Published, issuer: LimitsOf) -> str:
    """Return who sets a limit: an airline, a country or a region, or the international rules."""
    if issuer.airline is not None:
        return airline_name(release.shelf.airlines[issuer.airline], coded=False)
    if issuer.jurisdiction == INTERNATIONAL:
        return say("energy.international")
    code = issuer.jurisdiction
    known = release.corpus.countries.get(code) or release.shelf.jurisdictions[code]
    return country_name(code, known.name)


def _in_play(release: Published, leg: Leg, day: datetime.date) -> tuple[LimitsOf, ...]:
    try:
        return limits_in_play(release, leg, day)
    except AirlineNotCovered:
        return ()


def _rows(release: Published, flights: Sequence[Sequence[LimitsOf]]) -> list[Row]:
    """Return the limits on flights, each kind once. Issuers say on which flights, if these differ.

    An issuer that says nothing on some flights is not repeated for these.
    """
    by_name: dict[str, dict[tuple[EnergySpan, ...], list[int]]] = {}
    for number, issuers in enumerate(flights, start=1):
        for issuer in issuers:
            by_name.setdefault(name_of(release, issuer), {}).setdefault(issuer.spans, []).append(number)
    rows: dict[tuple[EnergySpan, ...], list[str]] = {}
    for name, kinds in by_name.items():
        said = {spans: numbers for spans, numbers in kinds.items() if not _is_silent(spans)}
        for spans, numbers in (said or kinds).items():
            rows.setdefault(spans, []).append(name if len(kinds) == 1 else _on(name, numbers))
    return [Row(tuple(names), spans) for spans, names in rows.items()]


def _is_silent(spans: Sequence[EnergySpan]) -> bool:
    return len(spans) == 1 and spans[0].word == "silent"


def _on(name: str, numbers: Sequence[int]) -> str:
    return say("energy.flights", name=name, numbers=listed(map(str, numbers)), count=len(numbers))


def _unit(one: Carried) -> str:
    figure = parts.figure(one.device)
    return say("named", name=one.name, value=figure) if one.name else say("energy.unit", figure=figure)


def span(device: Device) -> tuple[Decimal | None, Decimal | None]:
    """Return the watt-hours of a unit as shown, and up to which the engine weighs them."""
    if device.watt_hour is None:
        return None, None
    return device.watt_hour, max(device.watt_hour, Decimal(highest_figure(device)) / 100)


def stretch(span: EnergySpan) -> Stretch:
    """Return what is said of some ratings, to be drawn."""
    if span.until is None:
        return Stretch(span.word)
    return Stretch(span.word, span.until.watt_hour, span.until.inclusive)


def _here(row: Row, device: Device) -> str:
    """Return in a word what limits mean for a unit."""
    match words_of(row.spans, device):
        case ():
            return say("energy.here.unknown")
        case (word,):
            return say(f"energy.here.{word}")
    return say("energy.here.doubtful")


def _shared(row: Row, carried: Iterable[Carried]) -> str:
    words = {_here(row, one.device) for one in carried}
    return words.pop() if len(words) == 1 else ""


def _legend(rows: Iterable[Row]) -> Iterator[tuple[Kind, str]]:
    used = {span.word for row in rows for span in row.spans}
    for kind in KINDS:
        if kind in used:
            yield kind, say(f"energy.legend.{kind}")


def in_words(carried: Iterable[Carried]) -> Iterator[str]:
    """Yield the figures of units, and how sure they are."""
    for one in carried:
        low, high = span(one.device)
        if low is None or high is None:
            yield say("energy.unknown", unit=_unit(one))
        elif high != low:
            yield say("energy.computed", unit=_unit(one), watt_hour=plain(high))
        else:
            yield _unit(one)


def _named(row: Row, one: Carried) -> str:
    here = _here(row, one.device)
    return say("named", name=one.name, value=here) if one.name else here


def _row(row: Row, here: str) -> str:
    return say("energy.row", names=listed(row.names), limits=apart(_limits(row.spans)), here=here)


def _limits(spans: Sequence[EnergySpan]) -> Iterator[str]:
    """Yield what is said of the figures, in words."""
    if len(spans) == 1:
        yield say(f"energy.any.{spans[0].word}")
        return
    before: Bound | None = None
    for span in spans:
        yield say(f"energy.{span.word}", range=_range(span, before))
        before = span.until


def _range(span: EnergySpan, before: Bound | None) -> str:
    """Return a range by its limits. What is permitted up to a limit needs no lower one."""
    end = "" if span.until is None else up_to(span.until)
    start = "" if before is None else above(Bound(before.watt_hour, inclusive=not before.inclusive))
    if end and start and span.word in {"refused", "silent"}:
        return say("energy.between", low=start, high=end)
    return end or start
