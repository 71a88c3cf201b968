"""What an error does, other than a refusal, to the request or plan that the publisher carries out.

An error of the program, or of a statement, would come again each time. So it ends what it came from, and the
others go on. A lost connection is nobody's mistake and is tried again; but only a few times, because
something that makes PostgreSQL end each connection must not stay first forever.
"""

import logging
from collections import Counter
from collections.abc import Iterator

import psycopg

from rules.publishing.models import PlannedRelease, PublishRequest

logger = logging.getLogger(__name__)

TRIES = 3
"""How often one publisher tries what loses its connection."""

FAILURE = "the publisher failed; its log says why"
"""The sentence for the people who asked for it."""

CONFLICT = ("40",)
"""PostgreSQL's class of errors after which it asks to try again: a deadlock, or another's change."""

LOST = ("08", "57P")
"""Its classes for a connection that it ended. What only the client sees has no class."""

_tries: Counter[str] = Counter()


def is_tried_again(task: PublishRequest | PlannedRelease, error: Exception) -> bool:
    """Return whether something is tried again after an error. If not, log the error: the task has failed."""
    key = f"{type(task).__name__} {task.pk}"
    if is_connection_lost(error) or _is_of(error, CONFLICT):
        _tries[key] += 1
        if _tries[key] < TRIES:
            return True
    _tries.pop(key, None)
    logger.error("The %s cannot be carried out.", task, exc_info=error)
    return False


def is_connection_lost(error: Exception) -> bool:
    """Return whether an error came from a connection to the database that has ended."""
    kinds = psycopg.OperationalError | psycopg.InterfaceError
    states = (link.sqlstate for link in _chain(error) if isinstance(link, kinds))
    return any(state is None or state.startswith(LOST) for state in states)


def _is_of(error: Exception, classes: tuple[str, ...]) -> bool:
    found = (link.sqlstate for link in _chain(error) if isinstance(link, psycopg.Error))
    return any(state is not None and state.startswith(classes) for state in found)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what caused it."""
    link: BaseException | None = error
    while link is not None:
        yield link
        link = link.__cause__ or link.__context__
