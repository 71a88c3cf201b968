"""A process of its own that follows the ledger: `python -m tests.rules.following DATABASE [fork]`.

Prints one line whenever another release answers: who (`parent`, or `child` after a fork), the version, the
number of its countries, and the instant on the clock that all processes share.
"""

import os
import sys
import time

import django
from django.conf import settings


def main(database: str, *, fork: bool) -> None:
    """Follow until killed, or until whoever started this is gone."""
    settings.DATABASES["default"]["NAME"] = database
    settings.CORPUS_POLL_SECONDS = 0.5
    django.setup()
    # Models can be imported only now.
    from rules import corpus

    corpus.current()
    who = "child" if fork and os.fork() == 0 else "parent"
    starter, cached = os.getppid(), None
    while os.getppid() == starter:
        published = corpus.current()
        if published is not cached:
            cached = published
            countries = len(published.corpus.countries)
            line = f"{who} {published.ruleset_version} {countries} {time.monotonic()}\n"
            # One write for each line: parent and child share the pipe, and `print` may write word by word.
            os.write(sys.stdout.fileno(), line.encode())
        time.sleep(0.005)


if __name__ == "__main__":
    main(sys.argv[1], fork="fork" in sys.argv[2:])
