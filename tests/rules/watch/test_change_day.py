"""The day on which many pages change, watched by Celery workers, two of which are killed in the middle."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from catalog.airlines.actions import record_airlines
from catalog.models import Run
from catalog.places.actions import record_countries, record_jurisdictions
from catalog.sources.actions import record_sources
from compliance.services.embedded import REPOSITORY
from rules.editing.actions import approve_rules, draft_rules, submit_rules
from rules.engine.facts import Quote
from rules.models import Rule, Snapshot, Visit, WatchedPage, WatchSignal
from rules.tasks import watch_sources
from tests.rules.watch.change_day import (
    BOMB,
    CHANGED,
    HANGING,
    PAGES,
    QUOTE_GONE,
    QUOTED,
    REDIRECTED,
    WORDS,
    ChangeDay,
    url_of,
)
from tests.support import roles
from tests.support.factories import a_country, a_jurisdiction, a_rule, a_source, a_user, an_airline
from tests.support.processes import wait_until

MEMORY_BYTES = 300 * 2**20


class Worker:
    """A Celery worker that is sent to visit what is due."""

    def __init__(self) -> None:
        self._began = timezone.now()
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "celery", "--app=compliance", "worker", "--concurrency=1"),
                *("--loglevel=WARNING", "--hostname=watcher@localhost", "--without-mingle"),
            ],
            cwd=REPOSITORY,
            env=os.environ
            | {
                "DATABASE_URL": roles.url_of("worker"),
                "FETCH_TEST_NETWORKS": "127.0.1.0/24,127.0.2.0/24",
                "FETCH_HOST_PAUSE_SECONDS": "0.01",
                "FETCH_SECONDS": "8",
            },
            start_new_session=True,
        )
        watch_sources.delay()

    def kill(self) -> None:
        """End it at once with all its processes, whatever they are at."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def finish(self) -> int:
        """Wait until its round is over, end it, and return the most memory that a process of it had."""
        wait_until(lambda: Run.objects.filter(outcome="done", started__gt=self._began).exists(), seconds=300)
        memory = max(most_memory(process) for process in processes_of(self._process.pid))
        self._process.terminate()
        assert self._process.wait(60) == 0
        return memory


def processes_of(group: int) -> list[Path]:
    """Return the folders in `/proc` of the processes of a group."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            # The name, in parentheses, may hold anything; the state, the parent and the group follow it.
            if int((folder / "stat").read_text().rpartition(")")[2].split()[2]) == group:
                found.append(folder)
    return found


def most_memory(process: Path) -> int:
    """Return the most memory that a process ever had, in bytes."""
    [line] = [line for line in (process / "status").read_text().splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024


@pytest.fixture
def server() -> Iterator[ChangeDay]:
    with ChangeDay() as running:
        yield running


@pytest.fixture
def editor(committing_db: None, server: ChangeDay) -> User:
    """Five hundred sources, and a rule for each quote of one of them, agreed."""
    editor = a_user()
    record_countries(by=editor, countries=[a_country()])
    record_jurisdictions(by=editor, jurisdictions=[a_jurisdiction()])
    sources = [a_source(id=f"page-{number}", url=url_of(number, server.port)) for number in range(PAGES)]
    record_sources(by=editor, sources=sources)
    record_airlines(by=editor, airlines=[an_airline(policy_url=url_of(8, server.port), sources=("page-8",))])
    rules = [
        a_rule(
            rule_id=f"n1.rule-{number}",
            sources=(f"page-{number}",),
            quotes=(Quote(source=f"page-{number}", words=WORDS, where="first paragraph"),),
        )
        for number in QUOTED
    ]
    draft_rules(by=editor, rules=rules)
    names = [rule.rule_id for rule in rules]
    submit_rules(by=editor, rule_ids=names)
    approve_rules(by=a_user("approver"), rule_ids=names)
    return editor


def test_a_day_of_changes_gives_exactly_the_right_signals(server: ChangeDay, editor: User) -> None:
    memory = Worker().finish()
    assert WatchedPage.objects.count() == PAGES
    assert not WatchSignal.objects.exists()
    assert server.requests == dict.fromkeys(range(PAGES), 1)
    first_day = Visit.objects.count()
    rules = list(Rule.objects.order_by("pk").values())

    server.change_day = True
    server.requests.clear()
    WatchedPage.objects.update(due=timezone.now())
    for requests in (100, 300):
        worker = Worker()
        server.wait_for_requests(requests)
        worker.kill()
    memory = max(memory, Worker().finish())

    def pages(kind: str) -> set[str]:
        return set(WatchSignal.objects.filter(kind=kind, outcome="").values_list("page__url", flat=True))

    def urls(numbers: range) -> set[str]:
        return {url_of(number, server.port) for number in numbers}

    assert pages("quote_gone") == urls(QUOTE_GONE)
    assert pages("text_changed") == urls(CHANGED)
    assert WatchSignal.objects.count() == len(QUOTE_GONE) + len(CHANGED)
    for review in WatchSignal.objects.filter(kind="quote_gone"):
        [gone] = review.quotes
        assert gone["words"] == WORDS
        assert review.page.url == url_of(int(gone["rule_id"].partition("-")[2]), server.port)
    # People change rules, the watch never does.
    assert list(Rule.objects.order_by("pk").values()) == rules
    # What was killed lost nothing and repeated nothing but what it was at.
    assert Visit.objects.count() == first_day + PAGES
    assert set(server.requests) == set(range(PAGES))
    again = sum(count - 1 for number, count in server.requests.items() if number not in HANGING)
    assert again <= 2 * 8
    outcomes = [run.outcome for run in Run.objects.order_by("id")]
    assert outcomes == ["done", "interrupted", "interrupted", "done"]
    # Nobody was asked twice at a time.
    assert server.most == 1
    # What fails says why, and opens nothing on its first day.
    troubles = dict(Visit.objects.filter(outcome="failed").values_list("page__url", "trouble"))
    expected = {
        **dict.fromkeys(urls(HANGING), "timed_out"),
        **dict.fromkeys(urls(REDIRECTED), "forbidden_address"),
        **dict.fromkeys(urls(BOMB), "too_large"),
    }
    assert troubles == expected
    # One text for each page that says something of its own, and one more for each that changed.
    assert Snapshot.objects.count() == PAGES + len(CHANGED) + len(QUOTE_GONE)
    assert memory < MEMORY_BYTES
