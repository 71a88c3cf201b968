"""A process that gives verdicts until it is killed: `python -m` and its name, with `fork` or without.

Prints the id of each one once it is given, from two threads; with `fork`, a child gives some as well. Its
settings come from its environment.
"""

import os
import sys
import threading
import time

import django

LIFE_SECONDS = 60
"""After so long a child ends whose parent was killed."""


def main(*, fork: bool) -> None:
    """Give verdicts until killed, or until whoever started this is gone."""
    django.setup()
    # Models can be imported only now.
    from compliance.records.verdict_log.recording import record
    from tests.compliance.records.verdict_log.answers import a_leg

    starter, end = os.getppid(), time.monotonic() + LIFE_SECONDS

    def give() -> None:
        while (os.getppid() == starter or is_child) and time.monotonic() < end:
            answer = a_leg(quantity=os.getpid() % 20 + 1)
            record(answer, channel="api", language="en")
            # In one piece, so that two threads do not write into each other's lines.
            os.write(1, f"{answer.verdict_id}\n".encode())

    # The child inherits a spool that is in use.
    record(a_leg(), channel="api", language="en")
    is_child = fork and os.fork() == 0
    threading.Thread(target=give, daemon=True).start()
    give()


if __name__ == "__main__":
    main(fork="fork" in sys.argv[1:])
