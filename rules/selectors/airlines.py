"""Airlines as lists show them: found by code or name, with the day on which they were last checked.

Called by the views of the API and by public pages.
"""

import datetime

from catalog.search.words import pieces
from rules.corpus import Published
from rules.engine.facts import Airline


def find(
    published: Published, *, q: str | None = None, confidence: str | None = None, country: str | None = None
) -> list[Airline]:
    """Return the airlines that match the request: by code, or the best match of `q` first.

    The airline's codes or name must contain each word of `q`; letter case, accents, spaces and punctuation
    make no difference. An exact IATA code comes first, then the ICAO code, then the beginning of the name.
    """
    found = [
        airline
        for airline in published.shelf.airlines.values()
        if confidence in (None, airline.confidence) and country in (None, airline.country)
    ]
    if q is None:
        return found
    ranked = [(rank, airline) for airline in found if (rank := _rank(airline, q)) is not None]
    return [airline for _, airline in sorted(ranked, key=lambda ranked: (ranked[0], ranked[1].airline))]


def last_checked(published: Published, airline: Airline) -> datetime.date | None:
    """Return the newest day on which a source of an airline's record was read; None if there is none."""
    sources = [published.shelf.sources[name] for name in airline.sources]
    return max((source.read_on for source in sources if source.citable), default=None)


def _rank(airline: Airline, q: str) -> int | None:
    """Return how well an airline matches a search, 0 best; None if it does not."""
    words, name = pieces(q), pieces(airline.name)
    asked, code, icao = "".join(words), airline.airline.lower(), airline.icao.lower()
    if not words:
        return None
    if asked == code:
        return 0
    if asked == icao:
        return 1
    if "".join(name).startswith(asked):
        return 2
    text = " ".join([code, icao, *name, "".join(name)])
    return 3 if all(word in text for word in words) else None
