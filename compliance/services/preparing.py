"""Brings the database up to date, for `make run` and `make up`. Standard library only."""

import os
import subprocess
import sys

from compliance.services import ServiceError
from compliance.services.embedded import REPOSITORY
from compliance.services.environments import for_process


def prepare(*, adopts: bool) -> None:
    """Bring the database of DATABASE_URL up to date; the command prints each step.

    With `adopts`, releases from before there was a key are signed, once.

    Raises:
        ServiceError: A step failed; the command itself has printed why.

    """
    # In its own session: Ctrl-C is for us, and the command would print a traceback.
    done = subprocess.run(
        [sys.executable, "manage.py", "prepare", *(["--adopt"] if adopts else [])],
        cwd=REPOSITORY,
        env=for_process("prepare", os.environ),
        check=False,
        start_new_session=True,
    )
    if done.returncode:
        raise ServiceError("`manage.py prepare` failed")


def say(line: str) -> None:
    """Print one line of progress."""
    print(line, flush=True)
