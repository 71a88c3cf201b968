"""Evidence as answers show it. Called by the views of the API."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

import msgspec
from django.utils.text import slugify

from catalog.records import SourceBasis
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import Device, Rule, Source
from rules.releases.shelf import Shelf

BEST_READ_FIRST: tuple[SourceBasis, ...] = get_args(SourceBasis)


class Excerpt(msgspec.Struct, frozen=True):
    """A quote of a rule as answers show it: words of a page, whose page it is, and where they are on it.

    The language of the words is not recorded. `where` is written by an editor in English, null if it is
    obvious.
    """

    source_id: str
    authority: str
    url: str
    words: str
    where: str | None


class Cited(Citation, frozen=True, kw_only=True, cache_hash=True):
    """A citation as pages show it, with what was read: the page, a dated copy of it, or a report about it."""

    basis: SourceBasis


class RatedBy(NamedTuple):
    """Who states the rating of a model: its maker, another source by name, or none that was read."""

    whose: Literal["maker", "other", "unread"]
    authority: str


def rated_by(published: Published, device: Device) -> RatedBy:
    """Return who states the rating of a model: its maker only if a page of the brand itself was read."""
    read = [source for name in device.sources if (source := published.shelf.sources[name]).citable]
    brand = slugify(device.brand)
    for source in read:
        if source.kind == "manufacturer" and slugify(source.authority) == brand:
            return RatedBy("maker", source.authority)
    return RatedBy("other", read[0].authority) if read else RatedBy("unread", "")


def citations(published: Published, source_ids: Iterable[str]) -> tuple[Citation, ...]:
    """Return the citations of some sources in their order, each once.

    A source that no one read is never cited.
    """
    known = _citations(published.shelf)
    return tuple(dict.fromkeys([known[name] for name in source_ids if name in known]))


def cited(published: Published, source_ids: Iterable[str]) -> tuple[Cited, ...]:
    """Return the citations of some sources as in `citations`, with what was read for each."""
    return with_basis(published, citations(published, source_ids))


def with_basis(published: Published, found: Iterable[Citation]) -> tuple[Cited, ...]:
    """Return citations of a release, each once, with what was read for them."""
    known = _cited(published.shelf)
    return tuple(known[one] for one in dict.fromkeys(found))


@lru_cache(maxsize=2)
def _cited(shelf: Shelf) -> dict[Citation, Cited]:
    """Return all citations of a release. Where sources share one, the weakest reading counts."""
    found: dict[Citation, Cited] = {}
    for one in sorted(shelf.sources.values(), key=lambda one: BEST_READ_FIRST.index(one.basis)):
        found[citation(one)] = Cited(
            one.kind, one.authority, one.jurisdiction, one.url, one.read_on, basis=one.basis
        )
    return found


# One release answers at a time; a tool may have a second one.
@lru_cache(maxsize=2)
def _citations(shelf: Shelf) -> dict[str, Citation]:
    """Return the citations of all sources that were read, by the ids of the sources."""
    return {name: citation(source) for name, source in shelf.sources.items() if source.citable}


def excerpts(published: Published, rule: Rule) -> tuple[Excerpt, ...]:
    """Return the words of its pages that carry a rule, in the editors' order; most rules have none."""
    found = ((quote, published.shelf.sources[quote.source]) for quote in rule.quotes)
    return tuple(
        Excerpt(source.id, source.authority, source.url, quote.words, quote.where or None)
        for quote, source in found
    )


def citation(source: Source) -> Citation:
    """Return a source that was read as an answer cites it."""
    return Citation(source.kind, source.authority, source.jurisdiction, source.url, source.read_on)
