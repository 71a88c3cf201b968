"""Pages of a PDF file to paragraphs: what every page repeats goes, lines that were broken to fit are joined.

A file knows where characters are printed and nothing of paragraphs, so this is a guess by the lengths of
lines. A wrong one costs nothing: where a line ends is looks, in fingerprints and in quotes.
"""

import re
from collections import Counter
from collections.abc import Sequence

from rules.watch.text.batteries import gives_a_limit

_FIGURES = re.compile(r"\d+")
_EDGE = 2
_FEWEST_PAGES = 3
_FULL = 0.7
_ENDS = (".", ":", ";", "!", "?", "\u3002", "\uff1a", "\uff1b")


def paragraphs_of(pages: Sequence[str]) -> str:
    """Return the text of a file, one paragraph a line."""
    lines = [[" ".join(line.split()) for line in page.split("\n") if line.strip()] for page in pages]
    repeated = _repeated(lines)
    found: list[str] = []
    for page in lines:
        width = _FULL * sorted(map(len, page))[9 * len(page) // 10] if page else 0.0
        open_line = False
        for position, line in enumerate(page):
            at_edge = position < _EDGE or position >= len(page) - _EDGE
            if at_edge and _FIGURES.sub("#", line) in repeated:
                continue
            if open_line and found and (line[0].islower() or not line[0].isupper()) and not line[0].isdigit():
                found[-1] += line if found[-1].endswith("-") else f" {line}"
            else:
                found.append(line)
            open_line = len(line) >= width and not line.endswith(_ENDS)
    return "\n".join(found)


def _repeated(pages: Sequence[Sequence[str]]) -> frozenset[str]:
    """Lines at the edge of most pages, whatever figures are in them: titles and page numbers."""
    if len(pages) < _FEWEST_PAGES:
        return frozenset()
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({_FIGURES.sub("#", line) for line in [*page[:_EDGE], *page[-_EDGE:]]})
    return frozenset(
        line
        for line, count in counts.items()
        if 2 * count > len(pages) and not gives_a_limit(line.replace("#", "1"))
    )
