"""Lists the identifiers of a simple pattern, so that people need not read the pattern.

Called by the pages of recalls.
"""

import itertools
from collections.abc import Iterator

from recalls.languages.syntax import Choice, Letters, NotSupported, Repeat, Sequence, Tree, read


class _TooMany(Exception):
    """A pattern with more identifiers than can be listed."""


def identifiers(pattern: str, most: int) -> tuple[str, ...]:
    """Return all that a pattern matches, in order; empty if it is more than `most`, or not supported."""
    try:
        return tuple(sorted(_listed(read(pattern), most)))
    except (NotSupported, _TooMany):
        return ()


def _listed(tree: Tree, most: int) -> set[str]:
    match tree:
        case Letters(listed, others):
            found = None if others else set(listed)
        case Sequence(parts):
            found = _joined((_listed(part, most) for part in parts), most)
        case Choice(options):
            found = set().union(*(_listed(option, most) for option in options))
        case Repeat(part, least, times):
            found = set()
            for count in range(least, least if times is None else times + 1):
                found |= _joined(itertools.repeat(_listed(part, most), count), most)
            found = None if times is None else found
    if found is None or len(found) > most:
        raise _TooMany
    return found


def _joined(parts: Iterator[set[str]], most: int) -> set[str]:
    """Return each combination of some parts, one after the other."""
    found = {""}
    for part in parts:
        found = {before + after for before in found for after in part}
        if len(found) > most:
            raise _TooMany
    return found
