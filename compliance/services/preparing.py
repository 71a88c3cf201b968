"""Brings the database up to date, for `make run` and `make up`. Standard library only."""

import subprocess
import sys

from compliance.services import ServiceError
from compliance.services.embedded import REPOSITORY


def prepare() -> None:
    """Bring the database of DATABASE_URL up to date; the command prints each step.

    Raises:
        ServiceError: A step failed; the command itself has printed why.

    """
    # In its own session: Ctrl-C is for us, and the command would print a traceback.
    done = subprocess.run(
        [sys.executable, "manage.py", "prepare"], cwd=REPOSITORY, check=False, start_new_session=True
    )
    if done.returncode:
        raise ServiceError("`manage.py prepare` failed")


def say(line: str) -> None:
    """Print one line of progress."""
    print(line, flush=True)
