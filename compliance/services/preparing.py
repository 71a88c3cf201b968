"""What a database needs before the service can answer from it; `make run` and `make up` begin with it.

Standard library only: each step is a command in a process of its own.
"""

import subprocess
import sys

from compliance.services import ServiceError
from compliance.services.embedded import REPOSITORY

# What is printed, and the command it stands for. Each one is quick when there is nothing to do.
STEPS = (
    ("Migrating the database", ["migrate", "--verbosity", "0"]),
    ("Seeding the starter corpus", ["seed"]),
    ("Publishing the first release", ["release", "publish", "--note", "Starter corpus", "--first"]),
    ("Working out the indexed pages", ["pages", "recompute", "--first"]),
    ("Making the files of the datasets", ["datasets", "keep"]),
)


def prepare() -> None:
    """Bring the database of DATABASE_URL up to date, and say each step.

    Raises:
        ServiceError: A step failed; the command has said why on its own.

    """
    for title, command in STEPS:
        say(title)
        # In a session of its own: Ctrl-C is for us, the command would answer with a traceback.
        done = subprocess.run(
            [sys.executable, "manage.py", *command], cwd=REPOSITORY, check=False, start_new_session=True
        )
        if done.returncode:
            raise ServiceError(f"`manage.py {' '.join(command)}` failed")


def say(line: str) -> None:
    """Print one line of progress."""
    print(line, flush=True)
