"""`python -m compliance.beat`: Celery's beat without a queue, which runs each job itself.

`make run` starts it. A job that was missed while it was not running is due again soon.
"""

import logging

from celery.signals import task_postrun, task_prerun
from django.db import close_old_connections

from compliance.celery import app


def main() -> None:
    """Run the jobs when they are due, until SIGTERM."""
    # A job is due every two seconds, and the output shares the terminal of `make run`.
    logging.getLogger("celery").setLevel(logging.WARNING)
    for moment in (task_prerun, task_postrun):
        # A worker does this too: a broken connection must not affect the next job.
        moment.connect(_close_broken_connections)
    # The default scheduler would keep a file.
    app.Beat(scheduler="celery.beat:Scheduler", loglevel="WARNING", quiet=True).run()


def _close_broken_connections(**sent: object) -> None:
    close_old_connections()


if __name__ == "__main__":
    main()
