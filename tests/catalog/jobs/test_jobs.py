"""Long jobs: one run of each at a time, whatever becomes of its process, and its outcome to read."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.db import connection
from django.utils import timezone

from catalog.jobs.actions import AlreadyRunning, LockLost, bury, forget_runs, revive, running
from catalog.models import DeadLetter, Run

JOB = "a long job"

HOLDER = """
import os, sys, django
django.setup()
from django.db import connection
connection.settings_dict["NAME"] = sys.argv[1]
from catalog.jobs.actions import running
with running("a long job") as progress:
    progress.expect(3)
    progress.count("done")
    print("holding", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(committing_db: None) -> Iterator["subprocess.Popen[str]"]:
    """Another process in the middle of a run, one of three things done. It ends when its input does."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(connection.settings_dict["NAME"])],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "compliance.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "holding\n"
        yield process
        process.kill()


@pytest.mark.django_db
def test_a_run_shows_its_progress_and_then_its_outcome() -> None:
    with running(JOB) as progress:
        progress.expect(2)
        progress.count("new")
        progress.count("new", "late")
        seen = Run.objects.get()
        assert (seen.outcome, seen.total, seen.counts) == ("running", 2, {"late": 1, "new": 2})
    assert Run.objects.get().outcome == "done"


@pytest.mark.django_db
def test_a_run_that_fails_says_why_and_lets_the_next_one_run() -> None:
    with pytest.raises(ValueError, match="an odd answer"), running(JOB):
        raise ValueError("an odd answer")
    assert [(run.outcome, run.note) for run in Run.objects.all()] == [("failed", "an odd answer")]
    with running(JOB):
        pass


@pytest.mark.django_db
def test_a_run_that_is_stopped_is_interrupted_and_not_done() -> None:
    with pytest.raises(KeyboardInterrupt), running(JOB):
        raise KeyboardInterrupt
    assert Run.objects.get().outcome == "interrupted"


def test_no_job_runs_twice_at_a_time_and_others_run_next_to_it(holder: "subprocess.Popen[str]") -> None:
    with pytest.raises(AlreadyRunning), running(JOB):
        pass
    with running("another job"):
        pass
    holder.communicate("")
    with running(JOB):
        pass


def test_a_killed_run_is_seen_as_interrupted_and_holds_no_one_up(holder: "subprocess.Popen[str]") -> None:
    holder.kill()
    holder.wait()
    assert Run.objects.get().outcome == "running"
    with running(JOB):
        old = Run.objects.earliest("id")
        assert (old.outcome, old.counts, old.total) == ("interrupted", {"done": 1}, 3)
        assert old.ended == old.seen


def test_a_run_ends_when_the_connection_that_holds_its_lock_is_gone(committing_db: None) -> None:
    def lose_it() -> None:
        with running(JOB) as progress:
            connection.close()
            progress.count("done")

    with pytest.raises(LockLost):
        lose_it()
    assert Run.objects.get().counts == {}


@pytest.mark.django_db
def test_what_a_job_gave_up_on_stands_once_with_its_last_reason_until_it_is_tried_again() -> None:
    first, second = timezone.now(), timezone.now()
    bury(JOB, "the third page", "It is odd.", now=first)
    bury(JOB, "the third page", "It is odder.", now=second)
    letter = DeadLetter.objects.get()
    assert (letter.reason, letter.tries, letter.first_tried, letter.last_tried) == (
        "It is odder.",
        2,
        first,
        second,
    )
    revive(JOB, "the third page")
    assert not DeadLetter.objects.exists()


@pytest.mark.django_db
def test_of_runs_that_found_nothing_to_do_only_the_last_one_is_kept() -> None:
    for total in (3, 0, 0, 0):
        with running(JOB) as progress:
            progress.expect(total)
    assert list(Run.objects.order_by("id").values_list("total", flat=True)) == [3, 0]


@pytest.mark.django_db
def test_old_runs_are_forgotten_and_one_that_runs_is_not() -> None:
    with running(JOB):
        pass
    with running("another job"):
        assert forget_runs(timezone.now()) == 1
        assert Run.objects.get().name == "another job"
