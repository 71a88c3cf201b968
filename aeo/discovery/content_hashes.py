"""The content hashes of the indexed pages, in parts that any process can compute.

A part is a list of subjects: the kinds and ids of what pages are about. The same subjects of the same edition
give the same hashes in any process. Called by the action that keeps page records.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence

from aeo.articles.article import article
from aeo.editions import Edition
from aeo.page_records.register import Combination, Indexed
from aeo.reference.indexing import reference_pages

PART = 50
"""The number of pages in a part: a tenth of a second of work."""

VERDICT = "verdict"

Subject = tuple[str, ...]
"""The kind of a page, and the ids of what it is about: `("verdict", "anker-a1263", "EK", "AE")`."""


def parts(subjects: Iterable[Subject]) -> Iterator[list[Subject]]:
    """Divide subjects into parts, in order."""
    left = iter(subjects)
    while part := list(itertools.islice(left, PART)):
        yield part


def hashes(
    edition: Edition, combinations: Sequence[Combination], subjects: Iterable[Subject]
) -> Iterator[tuple[str, str]]:
    """Yield the address and the content hash of each page; `combinations` are all indexed verdict pages."""
    others: list[tuple[str, str]] = []
    for kind, *ids in subjects:
        if kind == VERDICT:
            shown = article(edition, *ids)
            yield shown.path, shown.content_hash
        else:
            others.append((kind, ids[0]))
    for page in reference_pages(edition, Indexed(combinations), others):
        yield page.path, page.content_hash
