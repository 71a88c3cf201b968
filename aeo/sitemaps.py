"""Sitemaps, written as plain strings, piece by piece: a million addresses take no more memory than one.

An index names shards of at most 50,000 addresses (the protocol's limit). `lastmod` is the instant at which a
page's content last changed, and is left out where nobody kept it. Called by the views.
"""

import datetime
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple
from xml.sax.saxutils import escape

MOST_IN_SHARD = 50_000

MOST_IN_PIECE = 100

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


class Place(NamedTuple):
    """An address, and when what is there last changed."""

    url: str
    changed: datetime.datetime | None = None


def urlset(places: Iterable[Place]) -> Iterator[str]:
    """Write one shard."""
    yield from _document("urlset", "url", places)


def index(shards: Iterable[Place]) -> Iterator[str]:
    """Write the index of shards."""
    yield from _document("sitemapindex", "sitemap", shards)


def shards(pages: int) -> int:
    """Return how many shards so many pages need."""
    return -(-pages // MOST_IN_SHARD)


def _document(root: str, element: str, places: Iterable[Place]) -> Iterator[str]:
    yield f'{_HEAD}<{root} xmlns="{_NAMESPACE}">\n'
    written = (_entry(element, place) for place in places)
    # Each piece is sent by itself.
    while piece := "".join(islice(written, MOST_IN_PIECE)):
        yield piece
    yield f"</{root}>\n"


def _entry(element: str, place: Place) -> str:
    changed = "" if place.changed is None else f"<lastmod>{_instant(place.changed)}</lastmod>"
    return f"<{element}><loc>{escape(place.url)}</loc>{changed}</{element}>\n"


def _instant(instant: datetime.datetime) -> str:
    return instant.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
