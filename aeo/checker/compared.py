"""The airlines that a question names, where it may be about them and not about a flight.

"Emirates or Qatar" has a name of a place that people also use for its airline. It is never taken for the
airline of a flight; it only leads to pages about airlines. Called by the views of the checker and of an
itinerary.
"""

from collections.abc import Iterable

from aeo.asking import Asked
from aeo.asking.free_text.understood import Unused
from aeo.asking.names import airlines
from aeo.asking.names.folding import fold
from rules.corpus import Published


def named(release: Published, parts: Iterable[Asked], unused: Iterable[Unused]) -> list[str]:
    """Return the codes of the airlines that fields or unused words name, each once."""
    of_words = [code for one in unused if (code := _meant(release, one))]
    of_fields = [asked.airline for asked in parts if asked.airline in release.shelf.airlines]
    return list(dict.fromkeys([*of_words, *of_fields]))


def compares(release: Published, asked: Asked) -> bool:
    """Tell whether a question is about several airlines, and not about a flight."""
    return len(named(release, [asked], asked.unused)) > 1 and not is_of_flight(release, asked)


def is_of_flight(release: Published, asked: Asked) -> bool:
    """Tell whether a question names a place: one of its flight, or one that no airline is called after."""
    of_words = (one for one in asked.unused if one.about == "place")
    return any(point.spelled for point in asked.places) or not all(_meant(release, one) for one in of_words)


def _meant(release: Published, one: Unused) -> str:
    """Return the code of the airline that unused words mean; empty if they mean none, or several."""
    if one.about == "airline":
        airline = airlines.certain(release, one.words)
        return airline.airline if airline else ""
    if one.about != "place":
        return ""
    found = [
        code
        for code, record in release.shelf.airlines.items()
        if fold(one.words) in map(airlines.short, airlines.spellings(code, record.name))
    ]
    return found[0] if len(found) == 1 else ""
