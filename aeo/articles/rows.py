"""The verdicts of indexed verdict pages, as model, airline and country pages show them.

Each verdict is computed again, from the edition of the page that shows it. The page records only say which
pages are indexed. So a table never shows the verdict of an earlier release.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from aeo.articles.article import path
from aeo.articles.flights import flights
from aeo.editions import Edition
from aeo.page_records.register import MOST_ROWS, Combination
from aeo.pages.record import Link, Mark, Section, Table
from aeo.texts import airline_name, country_name, model_name, say
from aeo.web.formatting import listed, verdict_word
from rules.engine.errors import Unanswerable
from rules.engine.vocabulary import Verdict, strictest

Side = Literal["model_id", "airline", "country"]


def verdict_section(
    edition: Edition, heading: str, pages: Sequence[Combination], *, about: Side
) -> tuple[Section, ...]:
    """Return the first of some verdict pages as a table; nothing if none can be answered.

    The table is on a page about one side of the verdict pages, `about`. Each row names the other two sides.
    """
    rows = [
        ((flights_link(edition, page, about),), (Mark(verdict, verdict_word(verdict)),))
        for page in pages[:MOST_ROWS]
        if (verdict := verdict_of(edition, page)) is not None
    ]
    return (
        (Section(heading, (Table((say("label.flights"), say("label.verdict")), tuple(rows)),)),)
        if rows
        else ()
    )


# The pages about a model, an airline and a country show the same verdicts.
@lru_cache(maxsize=4096)
def verdict_of(edition: Edition, page: Combination, *, abroad: bool = False) -> Verdict | None:
    """Return the strictest verdict of the flights of a page; None if they cannot be answered.

    `abroad`: only of those to and from other countries. Not every airline has flights within its country.
    """
    try:
        found = [one for one in flights(edition, *page) if not (abroad and one.leg.domestic)]
        return strictest(flight.answer.outcome.verdict for flight in found)
    except Unanswerable:
        # For a moment after each publishing, the records belong to an earlier release.
        return None


def flights_link(edition: Edition, page: Combination, about: Side) -> Link:
    """Return a link to a verdict page, with the names of its two other sides.

    For a moment after publishing, the release may not contain one of them. Then its id or code is shown.
    """
    release = edition.release
    device = release.shelf.devices.get(page.model_id)
    airline = release.shelf.airlines.get(page.airline)
    country = release.corpus.countries.get(page.country)
    words = {
        "model_id": page.model_id if device is None else model_name(device),
        "airline": page.airline if airline is None else airline_name(airline),
        "country": page.country if country is None else country_name(page.country, country.name),
    }
    return Link(listed(word for side, word in words.items() if side != about), path(*page))
