"""`python -m compliance.beat`: Celery's beat without a queue, which runs each job itself.

`make run` starts it. A job that was missed while it was not running is due again soon. There are two clocks:
mails and webhooks, which are short, have a thread of their own, so that they never wait behind a long job.
"""

import contextlib
import logging
import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

from celery.beat import Scheduler, Service
from celery.signals import task_postrun, task_prerun
from django.db import close_old_connections

from compliance.celery import app

PROMPT = frozenset(
    {
        "compliance.notices.tasks.send",
        "compliance.signin.tasks.mail_the_locked",
        "compliance.teamwork.news.tasks.tell_people",
        "compliance.teamwork.webhooks.tasks.tell_webhooks",
        "compliance.webhooks.tasks.announce",
        "compliance.webhooks.tasks.deliver",
    }
)
"""The jobs that people and programs outside wait for. Each takes seconds at most."""


class OtherJobs(Scheduler):
    """Runs all jobs that are not prompt, one after the other."""

    def setup_schedule(self) -> None:
        """Take their part of the schedule."""
        self.install_default_entries(self.data)
        self.update_from_dict(_part(prompt=False))


class PromptJobs(Scheduler):
    """Runs the prompt jobs, one after the other."""

    def setup_schedule(self) -> None:
        """Take their part of the schedule."""
        self.update_from_dict(_part(prompt=True))


def main() -> None:
    """Run the jobs when they are due, until SIGTERM."""
    # A job is due every two seconds, and the output shares the terminal of `make run`.
    logging.getLogger("celery").setLevel(logging.WARNING)
    for moment in (task_prerun, task_postrun):
        # A worker does this too: a broken connection must not affect the next job.
        moment.connect(_close_broken_connections)
    with prompt_jobs():
        # The default scheduler would keep a file.
        app.Beat(scheduler=OtherJobs, loglevel="WARNING", quiet=True).run()


@contextlib.contextmanager
def prompt_jobs() -> Iterator[None]:
    """Run the prompt jobs in a thread. At the end one that has begun is completed."""
    # Otherwise it would look for jobs before they are known.
    app.loader.init_worker()
    clock = Service(app, max_interval=1, scheduler_cls=PromptJobs, remote_control=False)
    ending = threading.Event()

    def run() -> None:
        try:
            clock.start()
        finally:
            if not ending.is_set():
                # Without its mails the whole process is to be started again.
                os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Thread(target=run, name="prompt jobs", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        clock.stop()
        thread.join()


def _part(*, prompt: bool) -> dict[str, dict[str, Any]]:
    """Return the entries of the schedule whose jobs are prompt, or those whose jobs are not."""
    schedule: dict[str, dict[str, Any]] = app.conf.beat_schedule
    return {name: entry for name, entry in schedule.items() if (entry["task"] in PROMPT) is prompt}


def _close_broken_connections(**sent: object) -> None:
    close_old_connections()


if __name__ == "__main__":
    main()
