"""`make run`: claim the port, start the database, bring it up to date, serve, run jobs and publisher.

Environment: PORT (8000), DATA_DIR (var/), WEB_WORKERS (2), WEB_THREADS (4). SIGINT and SIGTERM stop
everything that it started.
"""

import os
import signal
import sys
from contextlib import AbstractContextManager

from compliance.services import ServiceError, embedded, environments, jobs, ports, private_files, web
from compliance.services.preparing import prepare, say


def main() -> None:
    """Run the service until it is stopped."""
    private_files.begin()
    # Shell scripts start background jobs with SIGINT ignored. SIGINT must stop this one too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        listener = ports.claim(ports.parse(os.environ.get("PORT") or "8000"))
        # Pages name the address at which they are read. For port 0 the system picks a free port.
        host, port = listener.getsockname()
        os.environ.setdefault("SITE_URL", f"http://{host}:{port}")
        elsewhere = bool(os.environ.get("DATABASE_URL"))
        with listener, _database():
            prepare(adopts=not elsewhere)
            with jobs.running():
                # From here on this process answers requests: it is no owner of tables and signs nothing.
                environments.become("web")
                web.serve(listener)
    except ServiceError as error:
        sys.exit(f"make run: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def _database() -> AbstractContextManager[None]:
    """Print which database is used, and join it."""
    folder = embedded.data_dir()
    if os.environ.get("DATABASE_URL"):
        say("Using the database of DATABASE_URL")
    else:
        say(f"Starting PostgreSQL in {folder}")
    return embedded.join(folder, publishes=True)


if __name__ == "__main__":
    main()
