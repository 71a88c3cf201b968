"""`python -m compliance.beat`: Celery's beat where there is no queue, so that it runs each job itself.

`make run` starts it. Jobs that are missed while it is not running are due again soon enough.
"""

import logging

from celery.signals import task_postrun, task_prerun
from django.db import close_old_connections

from compliance.celery import app


def main() -> None:
    """Run the jobs when they are due, until SIGTERM."""
    # One is due every two seconds, and it shares the terminal of `make run`.
    logging.getLogger("celery").setLevel(logging.WARNING)
    for moment in (task_prerun, task_postrun):
        # A worker does this by itself: a connection that broke is not the next job's concern.
        moment.connect(_close_broken_connections)
    # The default scheduler would keep a file.
    app.Beat(scheduler="celery.beat:Scheduler", loglevel="WARNING", quiet=True).run()


def _close_broken_connections(**sent: object) -> None:
    close_old_connections()


if __name__ == "__main__":
    main()
