"""The counts of a run, in words. Pure: called by the screens and by the commands that report runs."""

from collections.abc import Mapping


def in_words(counts: Mapping[str, int]) -> str:
    """Return the counts in words, the highest first: `488 unchanged, 12 changed`; empty for none."""
    most_first = sorted(counts.items(), key=lambda counted: -counted[1])
    return ", ".join(f"{count:,} {word.replace('_', ' ')}" for word, count in most_first)
