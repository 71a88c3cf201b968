"""Does the answer of a feed look normal? One that has lost or changed too much is not trusted.

Pure. Called by `recalls.feeds.syncing` before anything is written. A broken feed looks like one that takes
back most of its recalls, and a program must not act on either: an editor decides.
"""

from collections.abc import Collection

FEWEST = 5
"""With this few notices, losing some means nothing; losing all does."""

MOST_LOST = 0.2
MOST_CORRECTED = 0.2
CORRECTIONS_AT_ANY_RATE = 10
"""Up to this many corrections at once are never suspicious."""


def suspicion(
    *,
    rows: int | None,
    rows_before: int | None,
    expected: Collection[str],
    came: Collection[str],
    corrected: int,
) -> str | None:
    """Return why an answer is not trusted, in a sentence; None if it is.

    `rows` and `rows_before` are the sizes of this answer and of the last, if the feed is answered as a whole;
    `expected` are the notices that should have come again, `came` all that did, `corrected` how many of them
    say something else than before.
    """
    if rows is not None and rows_before is not None and rows < (1 - MOST_LOST) * rows_before:
        return f"The answer has {rows:,} rows; the last one had {rows_before:,}."
    lost = set(expected) - set(came)
    if lost and (
        len(lost) == len(set(expected)) or (len(expected) >= FEWEST and len(lost) > MOST_LOST * len(expected))
    ):
        return f"{len(lost)} of {len(expected)} earlier notices are missing."
    if corrected > max(CORRECTIONS_AT_ANY_RATE, MOST_CORRECTED * len(came)):
        return f"{corrected} of {len(came)} notices were corrected at once."
    return None
