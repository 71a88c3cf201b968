"""Whether the database of this process answers, as the thread that follows the ledger last saw it.

That thread asks twice a second. While it gets an error, or has waited for an answer for `SILENT_SECONDS`,
the database counts as away, and whoever wants a connection is told at once instead of waiting for a dead
server. A process without that thread (a command, a worker) never counts it as away and waits as usual.

Told by `rules.corpus`; asked by `compliance.database`. Imports nothing of Django: the engine of the database
is loaded before any application.
"""

import contextlib
import os
from collections.abc import Iterator
from time import monotonic

SILENT_SECONDS = 2.0
"""A question that the database answers from memory takes less than a millisecond."""

_asking_since: float | None = None
_failed = False


def is_away() -> bool:
    """Tell whether nobody should wait for the database now."""
    since = _asking_since
    return _failed or (since is not None and monotonic() - since > SILENT_SECONDS)


@contextlib.contextmanager
def asking() -> Iterator[None]:
    """Note that a question is under way, and how it ended: with an answer, or an error of the connection."""
    global _asking_since, _failed
    _asking_since = monotonic()
    try:
        yield
    except Exception:
        _failed = True
        raise
    else:
        _failed = False
    finally:
        _asking_since = None


def forget() -> None:
    """Know nothing: in a child after a fork, and once nobody asks any longer."""
    global _asking_since, _failed
    _asking_since, _failed = None, False


os.register_at_fork(after_in_child=forget)
