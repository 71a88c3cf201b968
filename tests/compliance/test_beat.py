"""The clock of the jobs without a queue: mails and webhooks never wait behind a long job."""

import threading
from collections.abc import Iterator

import pytest
from celery import shared_task
from celery.beat import Service

from compliance.beat import PROMPT, OtherJobs, PromptJobs, prompt_jobs
from compliance.celery import app

_mail_was_sent = threading.Event()
_sent_meanwhile: list[bool] = []


@shared_task(name="tests.beat.long_job")
def long_job() -> None:
    """Take as long as it takes until a mail is sent."""
    _mail_was_sent.clear()
    _sent_meanwhile.append(_mail_was_sent.wait(30))


@shared_task(name="tests.beat.mail")
def mail() -> None:
    """Send the mail."""
    _mail_was_sent.set()


def jobs(scheduler: type[OtherJobs] | type[PromptJobs]) -> set[str]:
    """Return the jobs that a clock runs."""
    return {entry.task for entry in Service(app, scheduler_cls=scheduler).scheduler.schedule.values()}


def test_each_job_has_one_clock() -> None:
    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert jobs(PromptJobs) == PROMPT
    assert jobs(OtherJobs) | PROMPT >= scheduled
    assert not jobs(OtherJobs) & PROMPT


@pytest.fixture
def _without_a_queue() -> Iterator[None]:
    """Run jobs where they are sent from, as without Redis."""
    before = app.conf.task_always_eager
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = before


@pytest.mark.usefixtures("_without_a_queue")
def test_a_mail_is_sent_while_a_long_job_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = {True: "tests.beat.mail", False: "tests.beat.long_job"}
    monkeypatch.setattr(
        "compliance.beat._part", lambda *, prompt: {"one": {"task": jobs[prompt], "schedule": 0.1}}
    )
    other = Service(app, scheduler_cls=OtherJobs, remote_control=False)
    with prompt_jobs():
        while not _sent_meanwhile:
            # It runs the long job in this thread, once it is due.
            other.scheduler.tick()
    assert _sent_meanwhile == [True]
