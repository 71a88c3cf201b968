"""`python -m compliance.publisher`: the one process of the service that signs releases and adds them.

It carries out what people request at the desk, and plans that are due, one after the other. It has
RELEASE_KEY, which no process has that answers requests or runs jobs. Any number may run: they take turns.
SIGTERM stops it after what it is doing.
"""

import logging
import os
import signal
import sys
import threading

import django

POLL_SECONDS = 0.5

logger = logging.getLogger(__name__)


def main() -> None:
    """Publish what is requested, until SIGTERM."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
    django.setup()
    from django.conf import settings

    if not settings.RELEASE_KEY:
        sys.exit("publisher: RELEASE_KEY is not set, and without it nothing can be signed")
    stopping = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stopping.set())
    work_until(stopping)


def work_until(stopping: threading.Event) -> None:
    """Carry out one request or plan after the other; while the database is away, try again."""
    from django.db import Error as DatabaseFailure
    from django.db import connection

    is_away = False
    while not stopping.is_set():
        try:
            is_idle = not _work()
        except DatabaseFailure as error:
            if not is_away:
                logger.warning("The database does not answer; requests wait: %s", error)
            is_away, is_idle = True, True
            connection.close()
        else:
            is_away = False
        if is_idle:
            stopping.wait(POLL_SECONDS)


def _work() -> bool:
    """Do what is due first, and say whether there was anything."""
    # Models can be imported only after the set-up.
    from django.utils import timezone

    from rules.publishing.actions.plans import carry_out_plans
    from rules.publishing.actions.requests import carry_out_request
    from rules.publishing.presence import announce
    from rules.publishing.trusting import note_last

    if announce():
        # A publisher that was killed may have published without noting it.
        note_last()
    ended = carry_out_request(now=timezone.now()) or carry_out_plans(now=timezone.now())
    if ended is None:
        return False
    logger.info("The %s has ended: %s.", ended, ended.state)
    return True


if __name__ == "__main__":
    main()
