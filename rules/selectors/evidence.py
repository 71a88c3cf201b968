"""Evidence as answers show it. Called by the views of the API."""

from collections.abc import Iterable
from functools import lru_cache

from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import Source
from rules.selectors.shelf import Shelf


def citations(published: Published, source_ids: Iterable[str]) -> tuple[Citation, ...]:
    """Return the citations of some sources in their order, each once.

    A source that nobody read is never cited.
    """
    known = _citations(published.shelf)
    return tuple(dict.fromkeys([known[name] for name in source_ids if name in known]))


# One release answers at a time.
@lru_cache(maxsize=1)
def _citations(shelf: Shelf) -> dict[str, Citation]:
    """Return the citations of all sources that were read, by the ids of the sources."""
    return {name: citation(source) for name, source in shelf.sources.items() if source.citable}


def citation(source: Source) -> Citation:
    """Return a source that was read as an answer cites it."""
    return Citation(source.kind, source.authority, source.jurisdiction, source.url, source.read_on)
