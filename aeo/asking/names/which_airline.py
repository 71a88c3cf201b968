"""Which airline a text means: by IATA or ICAO code, by a name in any of eight languages, by a flight number.

The one finder for fields of the site (`aeo.asking.meaning`), the API (`compliance.api.reads`) and agents
(`compliance.channels.mcp`). Nothing is guessed: an exact name wins over longer names that contain it, and a
text that may mean several airlines, a misspelled name or a flight number only offers airlines.
"""

from typing import Literal, NamedTuple

from aeo.asking.names import airlines
from aeo.asking.names.folding import fold, says_more
from aeo.asking.names.near import near_airlines
from rules.corpus import Published
from rules.engine.document import AIRLINE_CODE
from rules.engine.facts import Airline

MOST = 8
"""The maximum number of airlines that are offered."""

Unsettled = Literal["flight", "several", "near", "unknown"]
"""Why a text means no airline yet: it is a flight number, and another airline may operate the flight; it may
mean one of several, or more than the airline; it is misspelled; no airline has a name like it."""


class MeantAirline(NamedTuple):
    """What a text means.

    `code` is an IATA code, empty if that is unclear. A text in the form of an IATA code is one, whether the
    release has the airline or not. `offered` are the airlines that may be meant, best first.
    """

    code: str
    offered: tuple[Airline, ...] = ()
    why: Unsettled | None = None


def meant_airline(release: Published, text: str) -> MeantAirline:
    """Return the airline that a text means, or the airlines that it may mean and why."""
    written = text.strip()
    # Only ASCII, because the upper case of `ß` is `SS`, a code.
    if written.isascii() and AIRLINE_CODE.fullmatch(written.upper()):
        return MeantAirline(written.upper())
    named = _by_icao(release, written) or airlines.certain(release, written)
    if named and not says_more(written):
        return MeantAirline(named.airline, (named,))
    if flown := airlines.of_flight(release, written):
        return MeantAirline("", (flown,), "flight")
    if found := airlines.find(release, written, MOST):
        return MeantAirline("", tuple(found), "several")
    near = near_airlines(release, written, MOST)
    return MeantAirline("", near, "near" if near else "unknown")


def _by_icao(release: Published, text: str) -> Airline | None:
    """Return the airline with an ICAO code, unless the code is also a name of another airline."""
    asked = fold(text)
    bearers = [
        one
        for one in release.shelf.airlines.values()
        if asked == one.icao.lower() or asked in airlines.spellings(one.airline, one.name)
    ]
    alone = bearers[0] if len(bearers) == 1 else None
    return alone if alone and asked == alone.icao.lower() else None
