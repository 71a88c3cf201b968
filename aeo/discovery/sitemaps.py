"""Sitemaps, written as plain strings. No shard takes more than 2 MB, however many pages there are.

An index names shards. A page in several languages is listed once for each language, with the addresses of all
of them. `lastmod` is when a page's content last changed; it is left out if that is not recorded. Called by
the views.
"""

import datetime
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from catalog.free_text import writable

MOST_IN_SHARD = 150
"""How many pages a shard contains. In eight languages that is 1,200 addresses in some 1.5 MB.

The protocol allows 50,000 addresses and 50 MB, and 50,000 shards.
"""

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'

InLanguages = Sequence[tuple[str, str]]
"""The addresses of a page, each with the tag of its language."""


class Place(NamedTuple):
    """An address, when its content last changed, and its address in each language, its own included."""

    url: str
    changed: datetime.datetime | None = None
    languages: InLanguages = ()


def urlset(places: Iterable[Place]) -> str:
    """Write one shard."""
    return _document("urlset", "url", places)


def index(shards: Iterable[Place]) -> str:
    """Write the index of shards."""
    return _document("sitemapindex", "sitemap", shards)


def shards(pages: int) -> int:
    """Return the number of shards for so many pages."""
    return -(-pages // MOST_IN_SHARD)


def _document(root: str, element: str, places: Iterable[Place]) -> str:
    written = "".join(_entry(element, place) for place in places)
    return writable(f"{_HEAD}<{root} {_NAMESPACES}>\n{written}</{root}>\n")


def _entry(element: str, place: Place) -> str:
    changed = "" if place.changed is None else f"<lastmod>{_instant(place.changed)}</lastmod>"
    if len(place.languages) < 2:
        return f"<{element}><loc>{escape(place.url)}</loc>{changed}</{element}>\n"
    others = _links((*place.languages, ("x-default", place.url)))
    return "".join(
        f"<{element}><loc>{escape(url)}</loc>{changed}{others}</{element}>\n" for _, url in place.languages
    )


def _links(languages: InLanguages) -> str:
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{tag}" href={quoteattr(url)}/>' for tag, url in languages
    )


def _instant(instant: datetime.datetime) -> str:
    return instant.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
