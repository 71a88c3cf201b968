"""The day on which many pages change, watched by real processes that are killed in the middle."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from catalog.actions import record_airlines, record_countries, record_jurisdictions, record_sources
from catalog.models import Run
from rules.actions.rules import approve_rules, draft_rules, submit_rules
from rules.engine.facts import Quote
from rules.models import Snapshot, Visit, WatchedPage, WatchSignal
from tests.factories import a_country, a_jurisdiction, a_rule, a_source, a_user, an_airline
from tests.watch.change_day import (
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

REPOSITORY = Path(__file__).resolve().parents[2]
MEMORY_BYTES = 300 * 2**20

WATCH = """
import sys, django
django.setup()
from django.db import connection
connection.settings_dict["NAME"] = sys.argv[1]
from django.core.management import call_command
call_command("watch", "run", "--once")
"""


class Watcher:
    """A process that visits what is due, and ends when nothing is."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WATCH, str(connection.settings_dict["NAME"])],
            cwd=REPOSITORY,
            env=os.environ
            | {
                "DJANGO_SETTINGS_MODULE": "compliance.settings",
                "FETCH_TEST_NETWORKS": "127.0.1.0/24,127.0.2.0/24",
                "FETCH_HOST_PAUSE_SECONDS": "0.01",
                "FETCH_SECONDS": "2",
            },
        )

    def kill(self) -> None:
        """End it at once, whatever it is at."""
        self._process.kill()
        self._process.wait()

    def wait(self) -> int:
        """Wait for its end, which must be a good one, and return the most memory that it had, in bytes."""
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        assert self._process.returncode == 0
        return usage.ru_maxrss * 1024


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
    memory = Watcher().wait()
    assert WatchedPage.objects.count() == PAGES
    assert not WatchSignal.objects.exists()
    assert server.requests == dict.fromkeys(range(PAGES), 1)
    first_day = Visit.objects.count()

    server.change_day = True
    server.requests.clear()
    WatchedPage.objects.update(due=timezone.now())
    for requests in (100, 300):
        watcher = Watcher()
        server.wait_for_requests(requests)
        watcher.kill()
    memory = max(memory, Watcher().wait())

    def pages(kind: str) -> set[str]:
        return set(WatchSignal.objects.filter(kind=kind, outcome="").values_list("page__url", flat=True))

    def urls(numbers: range) -> set[str]:
        return {url_of(number, server.port) for number in numbers}

    assert pages("quote_gone") == urls(QUOTE_GONE)
    assert pages("text_changed") == urls(CHANGED)
    assert WatchSignal.objects.count() == len(QUOTE_GONE) + len(CHANGED)
    for signal in WatchSignal.objects.filter(kind="quote_gone"):
        [gone] = signal.quotes
        assert gone["words"] == WORDS
        assert signal.page.url == url_of(int(gone["rule_id"].partition("-")[2]), server.port)
    # What was killed lost nothing and repeated nothing but what it was at.
    assert Visit.objects.count() == first_day + PAGES
    assert set(server.requests) == set(range(PAGES))
    again = sum(count - 1 for number, count in server.requests.items() if number not in HANGING)
    assert again <= 2 * 8
    assert [run.outcome for run in Run.objects.order_by("id")][1:4] == ["done", "interrupted", "interrupted"]
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
