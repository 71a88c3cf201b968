"""Every process swaps to a new release by itself, and a database that goes away stops none of them."""

import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from django.db import connection
from pytest_django import Settings

from catalog.database import availability
from compliance.services.embedded import REPOSITORY
from rules import corpus
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.models import Release
from tests.support.releasing import Desk

pytestmark = pytest.mark.usefixtures("fresh_process")


def wait_until(condition: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"still not true after {seconds} seconds"
        time.sleep(0.01)


def followers() -> list[int]:
    """Return the server's processes that serve a follower of this database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity "
            "WHERE application_name = 'corpus-follower' AND datname = current_database()"
        )
        return [pid for (pid,) in cursor.fetchall()]


@pytest.fixture
def following(committing_desk: Desk, settings: Settings) -> Desk:
    """A desk, and this process following its releases."""
    settings.CORPUS_POLL_SECONDS = 0.02
    committing_desk.publish_news()
    corpus.current()
    return committing_desk


def test_a_release_answers_soon_after_it_was_published(following: Desk) -> None:
    release = following.publish_news()

    wait_until(lambda: corpus.current().sha256 == release.sha256)


def test_while_a_new_release_is_built_the_database_does_not_count_as_away(
    following: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = []

    def build_slowly(content: Content) -> Corpus:
        time.sleep(0.5)
        away.append(availability.is_away())
        return Corpus(content)

    monkeypatch.setattr(availability, "SILENT_SECONDS", 0.1)
    monkeypatch.setattr("rules.corpus.Corpus", build_slowly)
    release = following.publish_news()

    wait_until(lambda: corpus.current().sha256 == release.sha256)
    assert away == [False]


def test_one_daemon_thread_follows_on_one_connection_of_its_own(following: Desk) -> None:
    for _ in range(3):
        corpus.current()
        corpus.refresh()

    threads = [thread for thread in threading.enumerate() if thread.name == "corpus-follower"]
    assert [thread.daemon for thread in threads] == [True]
    wait_until(followers)
    assert len(followers()) == 1


def test_stopping_closes_the_connection_and_keeps_the_release(following: Desk) -> None:
    wait_until(followers)
    cached = corpus.current()

    corpus.stop_following()

    wait_until(lambda: not followers())
    assert corpus.current() is cached


@pytest.fixture
def outage() -> Iterator[Callable[[bool], None]]:
    """Switch the database off (and on again) for whoever has no connection; followers lose theirs."""
    name = connection.settings_dict["NAME"]

    def switch(off: bool) -> None:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"ALTER DATABASE {connection.ops.quote_name(name)} ALLOW_CONNECTIONS {not off}")
        if off:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s) AS pid", [followers()])

    yield switch
    switch(False)


def test_while_the_database_is_away_the_process_answers_from_memory_and_then_catches_up(
    following: Desk, outage: Callable[[bool], None], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="rules.corpus")
    cached = corpus.current()
    wait_until(followers)

    outage(True)
    wait_until(lambda: "The ledger cannot be read" in caplog.text)
    release = following.publish_news()
    # A dozen more tries in vain.
    time.sleep(0.25)
    assert corpus.current() is cached
    corpus_status = corpus.status()
    assert corpus_status.release is cached
    # Since when, not since the last try.
    assert corpus_status.away_seconds is not None
    assert corpus_status.away_seconds >= 0.25
    assert corpus_status.read_seconds is not None
    assert corpus_status.read_seconds >= corpus_status.away_seconds

    outage(False)
    wait_until(lambda: corpus.current().sha256 == release.sha256)
    wait_until(lambda: "The ledger can be read again" in caplog.text)
    wait_until(lambda: corpus.status().away_seconds is None)
    assert [record.levelname for record in caplog.records if "ledger cannot be read" in record.message] == [
        "WARNING"
    ]


def test_a_corrupt_release_is_logged_once_and_a_sound_one_after_it_answers(
    following: Desk, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = corpus.current()
    with monkeypatch.context() as patch:
        patch.setattr(corpus, "digest", lambda text: "another digest")
        following.publish_news()
        wait_until(lambda: "was altered" in caplog.text)
        time.sleep(0.25)
        assert corpus.current() is cached
        # Other followers of the database may say something too.
        of_corpus = [record for record in caplog.records if record.name == corpus.logger.name]
        assert [record.levelname for record in of_corpus] == ["CRITICAL"]
        assert corpus.status().refused == Release.objects.latest("sequence").sha256

    wait_until(lambda: corpus.current().ruleset_version == "2026-11-20.2")
    assert corpus.status().refused is None


class Line(NamedTuple):
    """What another process printed when another release began to answer."""

    who: str
    version: str
    countries: int
    instant: float


class Process:
    """Another process that follows the ledger."""

    def __init__(self, *arguments: str, **variables: str) -> None:
        database = str(connection.settings_dict["NAME"])
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.rules.following", database, *arguments],
            cwd=REPOSITORY,
            env=os.environ | variables,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> Line:
        """Return the next line, which must come soon."""
        who, version, countries, instant = self._lines.get(timeout=60).split()
        return Line(who, version, int(countries), float(instant))

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)


@pytest.fixture
def start() -> Iterator[Callable[..., Process]]:
    started: list[Process] = []

    def start_one(*arguments: str, **variables: str) -> Process:
        started.append(Process(*arguments, **variables))
        return started[-1]

    yield start_one
    for one in started:
        with one.process:
            one.process.kill()


def test_another_process_answers_from_a_new_release_within_a_second(
    committing_desk: Desk, start: Callable[..., Process]
) -> None:
    committing_desk.publish_news()
    # As the web server runs: with a pool, of which following must not take a place for ever.
    process = start(DATABASE_POOL="1")
    assert process.next()[:3] == ("parent", "2026-11-20", 1)

    delays = []
    for number in (2, 3, 4):
        time.sleep(0.2)
        release = committing_desk.publish_news()
        published = time.monotonic()
        line = process.next()
        assert line[:3] == ("parent", release.ruleset_version, number)
        delays.append(line.instant - published)

    assert len(followers()) == 1
    # On a busy machine one of them may be late.
    assert sorted(delays)[1] < 1, delays


def test_a_forked_process_inherits_the_release_and_follows_by_itself(
    committing_desk: Desk, start: Callable[..., Process]
) -> None:
    committing_desk.publish_news()
    process = start("fork")
    assert {process.next()[:3] for _ in range(2)} == {("parent", "2026-11-20", 1), ("child", "2026-11-20", 1)}

    committing_desk.publish_news()

    assert {process.next()[:3] for _ in range(2)} == {
        ("parent", "2026-11-20.2", 2),
        ("child", "2026-11-20.2", 2),
    }
    assert len(followers()) == 2
