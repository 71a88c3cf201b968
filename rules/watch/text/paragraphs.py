"""Pages of a PDF file to paragraphs: what every page repeats is read once, broken lines are joined.

A file has the positions of characters but no paragraphs, so this is a guess by the lengths of lines. A wrong
guess does no harm: in fingerprints and quotes, the end of a line is only formatting.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(
    r"\b(?:page|seite|p\.)\s*\d+(?:\s*(?:of|/|von)\s*\d+)?|^\W*\d+(?:\s*(?:of|/|von)\s*\d+)?\W*$",
    re.IGNORECASE,
)
_EDGE = 2
_FEWEST_PAGES = 3
_FULL = 0.7
_ENDS = (".", ":", ";", "!", "?", "\u3002", "\uff1a", "\uff1b")


def paragraphs_of(pages: Iterable[str]) -> str:
    """Return the text of a file, one paragraph per line."""
    lines = [[" ".join(line.split()) for line in page.split("\n") if line.strip()] for page in pages]
    repeated = _repeated(lines)
    read: set[str] = set()
    found: list[str] = []
    for page in lines:
        full = _FULL * sorted(map(len, page))[9 * len(page) // 10] if page else 0.0
        goes_on = False
        for position, line in enumerate(page):
            title = _NUMBER.sub("", line).strip()
            if title in repeated and (position < _EDGE or position >= len(page) - _EDGE):
                if title and title not in read:
                    found.append(title)
                read.add(title)
                continue
            if goes_on and not line[0].isupper() and not line[0].isdigit():
                found[-1] += line if found[-1].endswith("-") else f" {line}"
            else:
                found.append(line)
            goes_on = len(line) >= full and not line.endswith(_ENDS)
    return "\n".join(found)


def _repeated(pages: Sequence[Sequence[str]]) -> frozenset[str]:
    """The lines at the edge of most pages, apart from the page number."""
    if len(pages) < _FEWEST_PAGES:
        return frozenset()
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({_NUMBER.sub("", line).strip() for line in [*page[:_EDGE], *page[-_EDGE:]]})
    return frozenset(title for title, count in counts.items() if 2 * count > len(pages))
