"""Whether the database of this process answers, as the thread that follows the ledger last saw it.

That thread asks twice a second. While it gets an error, or has waited for the answer to one query for
`SILENT_SECONDS`, the database counts as unavailable, and a request for a connection fails at once instead of
waiting for a dead server. In a process without that thread (a command, a worker) it never counts as
unavailable, and callers wait as usual.

Set by `rules.corpus`; read by `compliance.database`. Imports nothing of Django: the database engine is loaded
before any application.
"""

import contextlib
import os
from collections.abc import Iterator
from time import monotonic

SILENT_SECONDS = 2.0
"""The database answers such a question from memory in less than a millisecond."""

_asking_since: float | None = None
_failed = False


def is_away() -> bool:
    """Return whether callers should not wait for the database now."""
    since = _asking_since
    return _failed or (since is not None and monotonic() - since > SILENT_SECONDS)


@contextlib.contextmanager
def asking() -> Iterator[None]:
    """Note that a question is under way, and how it ended: with an answer, or with a connection error."""
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
    """Forget the state: in a child after a fork, and when the thread stops asking."""
    global _asking_since, _failed
    _asking_since, _failed = None, False


os.register_at_fork(after_in_child=forget)
