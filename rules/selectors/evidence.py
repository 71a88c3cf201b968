"""Evidence as answers show it. Called by the views of the API."""

from collections.abc import Iterable

from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import Source


def citations(published: Published, source_ids: Iterable[str]) -> tuple[Citation, ...]:
    """Return the citations of some sources in their order, each once.

    A source that nobody read is never cited.
    """
    sources = published.shelf.sources
    named = [sources[name] for name in source_ids if name in sources]
    return tuple(dict.fromkeys(citation(source) for source in named if source.citable))


def citation(source: Source) -> Citation:
    """Return a source that was read as an answer cites it."""
    return Citation(source.kind, source.authority, source.jurisdiction, source.url, source.read_on)
