"""The corpus in memory: loaded once, swapped whole, never for something that cannot be trusted."""

import gc
import hashlib
import logging
import sys
import threading
import time
import weakref
from typing import Any

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from catalog.database import cached_values
from rules import corpus
from rules.engine.corpus import Corpus
from rules.engine.document import Content
from rules.engine.facts import Country
from rules.models import Release
from tests.support.releasing import NOON, Desk, alter, elsewhere, sign_again, unguarded

pytestmark = pytest.mark.usefixtures("fresh_process")


def identity(published: corpus.Published) -> tuple[Any, ...]:
    return (
        published.ruleset_version,
        published.sha256,
        published.published_at,
        tuple(published.corpus.countries),
    )


def test_the_published_release_answers(desk: Desk) -> None:
    desk.record("FR", "DE")
    release = desk.publish()

    assert identity(corpus.current()) == ("2026-11-20", release.sha256, NOON, ("DE", "FR"))
    assert corpus.current().corpus.countries["FR"] == Country(code="FR", name="Land of FR")


def test_once_loaded_the_database_is_not_asked(
    desk: Desk, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    desk.publish_news()
    first = corpus.current()

    with django_assert_num_queries(0):
        assert all(corpus.current() is first for _ in range(100))
        corpus.check_version(first, "2026-11-20")


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[Content]:
    """The contents that a corpus was built from; building takes its time."""
    contents: list[Content] = []

    def build(content: Content) -> Corpus:
        contents.append(content)
        time.sleep(0.2)
        return Corpus(content)

    monkeypatch.setattr(corpus, "Corpus", build)
    return contents


def test_four_threads_that_ask_first_share_one_corpus(committing_desk: Desk, built: list[Content]) -> None:
    committing_desk.publish_news()
    start = threading.Barrier(4)

    def ask() -> corpus.Published:
        start.wait(20)
        return corpus.current()

    answers = [future.result(20) for future in [elsewhere(ask) for _ in range(4)]]

    assert all(answer is answers[0] for answer in answers)
    assert len(built) == 1


def test_while_a_new_corpus_is_being_built_the_old_one_answers(
    committing_desk: Desk, built: list[Content]
) -> None:
    committing_desk.publish_news()
    cached = corpus.current()
    committing_desk.publish_news()

    refreshing = elsewhere(corpus.refresh)
    while len(built) < 2:
        assert corpus.current() is cached
    assert corpus.current() is cached

    assert refreshing.result(20) is corpus.current() is not cached


def test_a_process_that_started_before_the_first_release_serves_it(desk: Desk) -> None:
    with pytest.raises(corpus.NoReleasePublished):
        corpus.current()

    desk.publish_news()

    assert corpus.current().ruleset_version == "2026-11-20"


def test_a_pin_is_met_or_refused_with_the_current_version(desk: Desk) -> None:
    desk.publish_news()
    desk.publish_news()

    corpus.check_version(corpus.current(), None)
    corpus.check_version(corpus.current(), "2026-11-20.2")
    for pin in ("2026-11-20", "2026-11-20.3", ""):
        with pytest.raises(corpus.RulesetVersionNotCurrent) as refusal:
            corpus.check_version(corpus.current(), pin)
        assert (refusal.value.asked, refusal.value.current) == (pin, "2026-11-20.2")


def test_refresh_swaps_and_leaves_what_a_caller_holds_as_it_was(desk: Desk) -> None:
    desk.publish_news()
    cached = corpus.current()
    before = identity(cached)
    desk.publish_news()

    assert corpus.current() is cached
    assert corpus.refresh() is corpus.current() is not cached
    assert corpus.current().ruleset_version == "2026-11-20.2"
    assert identity(cached) == before


def test_refresh_keeps_the_corpus_while_the_release_is_the_same(desk: Desk) -> None:
    desk.publish_news()

    assert corpus.refresh() is corpus.refresh() is corpus.current()


def test_a_replaced_corpus_is_freed(desk: Desk) -> None:
    """It is kept from the garbage collector, so a reference to itself would keep every release for ever."""
    desk.publish_news()
    replaced = weakref.ref(corpus.current().corpus)
    desk.publish_news()
    gc.disable()
    try:
        corpus.refresh()
        assert replaced() is None
    finally:
        gc.enable()


def test_a_release_is_prepared_before_the_first_answer_comes_from_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    monkeypatch.setattr(cached_values, "is_renewed", lambda: True)
    monkeypatch.setattr(
        corpus,
        "_preparers",
        [lambda release: seen.append((release.ruleset_version, corpus.current().ruleset_version))],
    )
    desk.publish_news()
    corpus.refresh()
    assert seen == []
    desk.publish_news()
    corpus.refresh()
    corpus.refresh()
    assert seen == [("2026-11-20.2", "2026-11-20")]


def test_a_release_that_cannot_be_prepared_is_used_all_the_same(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(release: corpus.Published) -> None:
        raise ValueError

    seen: list[str] = []
    monkeypatch.setattr(cached_values, "is_renewed", lambda: True)
    monkeypatch.setattr(corpus, "_preparers", [broken, lambda release: seen.append(release.ruleset_version)])
    desk.publish_news()
    corpus.refresh()
    desk.publish_news()
    assert corpus.refresh().ruleset_version == "2026-11-20.2"
    assert seen == ["2026-11-20.2"]
    assert "Release 2026-11-20.2 is used unprepared." in caplog.text


def test_no_thread_waits_until_the_garbage_collector_has_visited_all_objects(desk: Desk) -> None:
    """A whole collection takes a tenth of a second, in which no request goes on."""
    desk.publish_news()
    corpus.current()
    desk.publish_news()
    collections: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        collections.append(info["generation"])

    gc.callbacks.append(note)
    try:
        loaded = corpus.refresh()
    finally:
        gc.callbacks.remove(note)
    assert 2 not in collections
    assert not any(one is loaded.corpus for one in gc.get_objects())


def test_the_garbage_collector_goes_on_also_after_a_release_that_cannot_be_used(desk: Desk) -> None:
    desk.publish_news()
    corpus.current()
    assert gc.isenabled()
    alter(desk.publish_news(), document="{}")
    corpus.refresh()
    assert corpus.status().refused is not None
    assert gc.isenabled()


def test_four_threads_that_never_stop_asking_see_whole_releases_in_order(desk: Desk) -> None:
    releases = {}
    seen: list[list[tuple[Any, ...]]] = [[] for _ in range(4)]
    done = threading.Event()

    def ask(answers: list[tuple[Any, ...]]) -> None:
        while not done.is_set():
            answer = identity(corpus.current())
            if not answers or answers[-1] != answer:
                answers.append(answer)

    def publish() -> None:
        release = desk.publish_news()
        releases[identity(corpus.refresh())] = release.sequence

    publish()
    threads = [threading.Thread(target=ask, args=(answers,)) for answers in seen]
    usual = sys.getswitchinterval()
    # Threads take turns at nearly every instruction, so that a swap in two steps would be seen between them.
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for _ in range(10):
            publish()
    finally:
        done.set()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(usual)

    assert [len(answer[3]) for answer in releases] == list(range(1, 12))
    for answers in seen:
        # An answer that mixes two releases is none of these.
        order = [releases[answer] for answer in answers]
        assert order == sorted(order)
        assert len(order) > 1


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("text", "with_its_digest", "reason"),
    [
        ("{}", False, "its document was altered"),
        ("", False, "its document was altered"),
        ("{}", True, "it cannot be read"),
        ("no JSON", True, "it cannot be read"),
    ],
)
def test_a_release_that_cannot_be_used_is_refused_and_the_one_before_answers(
    desk: Desk, caplog: pytest.LogCaptureFixture, text: str, with_its_digest: bool, reason: str
) -> None:
    desk.publish_news()
    cached = corpus.current()
    broken = desk.publish_news()
    alter(broken, document=text, **({"sha256": _digest(text)} if with_its_digest else {}))
    sign_again(broken)

    assert corpus.refresh() is corpus.refresh() is corpus.current() is cached
    (record,) = [record for record in caplog.records if record.levelno == logging.CRITICAL]
    assert f"Release 2026-11-20.2 is not used: {reason}" in record.message


def test_a_release_that_this_program_cannot_index_is_refused(
    desk: Desk, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.publish_news()
    cached = corpus.current()
    desk.publish_news()

    with monkeypatch.context() as patch:
        patch.setattr(corpus, "Corpus", lambda content: content.rules[0])
        assert corpus.refresh() is cached
    assert "Release 2026-11-20.2 is not used: it cannot be read" in caplog.text

    assert corpus.refresh().ruleset_version == "2026-11-20.2"


def test_without_one_before_it_a_release_that_cannot_be_used_is_an_error(desk: Desk) -> None:
    release = desk.publish_news()
    alter(release, document="{}")

    for ask in (corpus.current, corpus.refresh, corpus.current):
        with pytest.raises(corpus.ReleaseUnusable, match="was altered"):
            ask()

    alter(release, document=release.document)
    assert corpus.current().ruleset_version == "2026-11-20"


def test_a_ledger_that_was_emptied_is_not_believed(desk: Desk) -> None:
    desk.publish_news()
    kept = corpus.current()
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM rules_release")

    assert corpus.refresh() is corpus.current() is kept
    assert (corpus.status().refused, corpus.status().refused_because) == ("", "removed")
    assert not Release.objects.exists()


def test_with_a_poll_of_zero_no_thread_is_started(desk: Desk) -> None:
    desk.publish_news()
    corpus.current()
    corpus.refresh()

    assert not [thread for thread in threading.enumerate() if thread.name == "corpus-follower"]
