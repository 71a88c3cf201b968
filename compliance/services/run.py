"""`make run`: claim the port, start the database, bring it up to date, serve, run the jobs.

Environment: PORT (8000), DATA_DIR (var/), WEB_WORKERS (2), WEB_THREADS (4).
SIGINT and SIGTERM stop everything that it started.
"""

import os
import signal
import subprocess
import sys
from contextlib import AbstractContextManager

from compliance.services import ServiceError, embedded, jobs, ports, web

# What is printed, and the command it stands for. Each one is quick when there is nothing to do.
STEPS = (
    ("Migrating the database", ["migrate", "--verbosity", "0"]),
    ("Seeding the starter corpus", ["seed"]),
    ("Publishing the first release", ["release", "publish", "--note", "Starter corpus", "--first"]),
    ("Working out the indexed pages", ["pages", "recompute", "--first"]),
    ("Making the files of the datasets", ["datasets", "keep"]),
)


def main() -> None:
    """Run the service until it is stopped."""
    # Shell scripts start background jobs with SIGINT ignored. This one is to be stopped by it all the same.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        listener = ports.claim(ports.parse(os.environ.get("PORT") or "8000"))
        # Pages name the address under which they are read. Of port 0, the system makes one that is free.
        host, port = listener.getsockname()
        os.environ.setdefault("SITE_URL", f"http://{host}:{port}")
        with listener, _database():
            for title, command in STEPS:
                say(title)
                # In a session of its own: Ctrl-C is for us, the command would answer with a traceback.
                subprocess.run(
                    [sys.executable, "manage.py", *command],
                    cwd=embedded.REPOSITORY,
                    check=True,
                    start_new_session=True,
                )
            with jobs.running():
                web.serve(listener)
    except ServiceError as error:
        sys.exit(f"make run: {error}")
    except subprocess.CalledProcessError as error:
        # The command has said why on its own.
        sys.exit(f"make run: `manage.py {' '.join(error.cmd[2:])}` failed")
    except KeyboardInterrupt:
        sys.exit(130)


def _database() -> AbstractContextManager[None]:
    """Say which database is used, and join it."""
    folder = embedded.data_dir()
    if os.environ.get("DATABASE_URL"):
        say("Using the database of DATABASE_URL")
    else:
        say(f"Starting PostgreSQL in {folder}")
    return embedded.join(folder)


def say(line: str) -> None:
    """Print one line of progress."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
