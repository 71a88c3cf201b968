"""What a page says to search engines as JSON-LD: questions with their answers, and articles.

Only used if the page itself says nothing without its scripts.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

_MOST = 500
_DEEPEST = 12
_TEXT_KEYS = ("name", "headline", "text", "articleBody")
_TYPES = frozenset({"FAQPage", "QAPage", "Question", "Answer", "Article", "NewsArticle", "TechArticle"})


def structured_texts(notes: Iterable[str]) -> list[str]:
    """Return pieces of markup in the order of the page; a broken note gives nothing."""
    texts: list[str] = []
    for note in notes:
        try:
            said = msgspec.json.decode(note)
        except (msgspec.DecodeError, RecursionError, ValueError):
            continue
        for piece in _texts(said, _DEEPEST):
            if len(texts) == _MOST:
                return texts
            texts.append(piece)
    return texts


def _texts(said: Any, deep: int) -> Iterator[str]:
    if not deep:
        return
    if isinstance(said, list):
        for one in said:
            yield from _texts(one, deep - 1)
    elif isinstance(said, dict):
        types = said.get("@type")
        if not _TYPES.isdisjoint(
            one for one in (types if isinstance(types, list) else [types]) if isinstance(one, str)
        ):
            yield from (said[name] for name in _TEXT_KEYS if isinstance(said.get(name), str))
        for name, one in said.items():
            if name in ("@graph", "mainEntity", "acceptedAnswer", "suggestedAnswer"):
                yield from _texts(one, deep - 1)
