"""Page records: what is indexed is written down, and a page is new only when it says something else."""

import datetime
from io import StringIO
from typing import Any

import msgspec
import pytest
import time_machine
from django.core.management import call_command
from django.db import OperationalError
from pytest_django.fixtures import Settings

from aeo import editions, tasks
from aeo.discovery import actions, curation
from aeo.editions import Edition
from aeo.page_records import register
from aeo.page_records.models import Curation, IndexedPage, Recomputation, ReferencePage
from rules.corpus import Published
from rules.models import Release
from tests.support import starter
from tests.support.factories import a_user
from tests.support.releasing import Desk

pytestmark = pytest.mark.django_db

LATER = starter.NOW + datetime.timedelta(hours=3)
FEW = 60


def few(edition: Edition, _: Curation | None = None) -> list[register.Combination]:
    """Return the most important pages."""
    return curation.curated(edition, Curation(most_pages=FEW))


@pytest.fixture(autouse=True)
def _few_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty pages tell as much as a thousand, and the register forgets what other tests knew."""
    monkeypatch.setattr(actions, "curated", few)
    monkeypatch.setattr(actions, "reference_subjects", few_references)
    register.forget()


def few_references(edition: Edition) -> list[tuple[str, str]]:
    """Two airlines, of which one will say something else."""
    return [("airline", "EK"), ("airline", "VN")]


def whole(instant: datetime.datetime) -> datetime.datetime:
    """Return the second that an instant falls into."""
    return instant.replace(microsecond=0)


def changed() -> Edition:
    """The starter corpus with Vietnam Airlines saying nothing of the seat pocket."""
    content = starter.starter_content()
    rules = tuple(rule for rule in content.rules if rule.rule_id != "vn.on-person-or-seat-pocket")
    assert len(rules) == len(content.rules) - 1
    return editions.of(starter.published(msgspec.structs.replace(content, rules=rules), "2026-11-21"), LATER)


def test_the_records_are_the_curated_pages_in_their_order(edition: Edition) -> None:
    done = actions.recompute_pages(edition=edition, now=starter.NOW)
    pages = list(IndexedPage.objects.all())
    assert [(page.model_id, page.airline, page.country) for page in pages] == few(edition)
    assert [page.rank for page in pages] == list(range(1, FEW + 1))
    assert (done.pages, done.changed, done.day) == (FEW, FEW, datetime.date(2026, 11, 21))
    assert {page.last_changed for page in pages} == {whole(starter.NOW)}


def test_doing_it_again_changes_nothing(edition: Edition) -> None:
    actions.recompute_pages(edition=edition, now=starter.NOW)
    done = actions.recompute_pages(edition=edition, now=LATER)
    assert done.changed == 0
    assert set(IndexedPage.objects.values_list("last_changed", flat=True)) == {whole(starter.NOW)}


def test_only_pages_that_say_something_else_are_new(edition: Edition) -> None:
    actions.recompute_pages(edition=edition, now=starter.NOW)
    before = dict(IndexedPage.objects.values_list("path", "content_hash"))
    done = actions.recompute_pages(edition=changed(), now=LATER)
    after = {page.path: page for page in IndexedPage.objects.all()}
    new = {path for path, page in after.items() if before.get(path) != page.content_hash}
    assert {path for path, page in after.items() if page.last_changed == whole(LATER)} == new
    assert done.changed == len(new)
    assert any(page.airline == "VN" for path, page in after.items() if path in new)
    assert any(page.last_changed == whole(starter.NOW) for page in after.values())


def test_the_instant_of_a_change_is_a_whole_second_as_pages_can_spell_it(edition: Edition) -> None:
    actions.recompute_pages(edition=edition, now=starter.NOW.replace(microsecond=123_456))
    assert set(IndexedPage.objects.values_list("last_changed", flat=True)) == {whole(starter.NOW)}


def test_the_instant_at_which_a_page_was_first_published_stays_when_it_changes(edition: Edition) -> None:
    actions.recompute_pages(edition=edition, now=starter.NOW)
    assert set(IndexedPage.objects.values_list("first_published", flat=True)) == {whole(starter.NOW)}
    actions.recompute_pages(edition=changed(), now=LATER)
    since = dict(IndexedPage.objects.values_list("path", "first_published"))
    before = IndexedPage.objects.filter(first_published=whole(starter.NOW), last_changed=whole(LATER))
    assert before.exists()
    assert set(since.values()) <= {whole(starter.NOW), whole(LATER)}


def test_a_page_from_before_that_was_kept_gets_no_instant_that_no_one_knows(edition: Edition) -> None:
    actions.recompute_pages(edition=edition, now=starter.NOW)
    IndexedPage.objects.update(first_published=None)
    actions.recompute_pages(edition=changed(), now=LATER)
    known = IndexedPage.objects.filter(first_published__isnull=True, last_changed=whole(LATER))
    assert known.exists()


def test_the_other_pages_are_dated_in_the_same_way(edition: Edition) -> None:
    actions.recompute_pages(edition=edition, now=starter.NOW)
    actions.recompute_pages(edition=changed(), now=LATER)
    assert dict(ReferencePage.objects.values_list("path", "last_changed")) == {
        "/airlines/ek": whole(starter.NOW),
        "/airlines/vn": whole(LATER),
    }
    assert register.current().references["/airlines/vn"] == whole(LATER)


def test_reading_a_source_again_dates_no_page_again(edition: Edition) -> None:
    actions.recompute_pages(edition=edition, now=starter.NOW)
    content = starter.starter_content()
    tomorrow = starter.NOW.date()
    sources = tuple(msgspec.structs.replace(source, read_on=tomorrow) for source in content.sources)
    again = starter.published(msgspec.structs.replace(content, sources=sources), "2026-11-21")
    actions.recompute_pages(edition=editions.of(again, LATER), now=LATER)
    assert set(ReferencePage.objects.values_list("last_changed", flat=True)) == {whole(starter.NOW)}


def test_a_page_that_is_indexed_no_more_leaves(edition: Edition) -> None:
    actions.recompute_pages(edition=edition, now=starter.NOW)
    content = starter.starter_content()
    rules = tuple(rule for rule in content.rules if rule.airline != "VN")
    without = editions.of(starter.published(msgspec.structs.replace(content, rules=rules)), LATER)
    actions.recompute_pages(edition=without, now=LATER)
    assert IndexedPage.objects.count() == FEW
    assert not IndexedPage.objects.filter(airline="VN").exists()


def test_the_register_holds_the_records_and_follows_them(
    edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert register.current().pages == {}
    actions.recompute_pages(edition=edition, now=starter.NOW)
    assert register.current().pages == {}
    monkeypatch.setattr(register._cached, "seconds", 0)
    cached = register.current()
    assert list(cached.pages) == list(IndexedPage.objects.values_list("path", flat=True))
    actions.recompute_pages(edition=edition, now=LATER)
    assert register.current().version > cached.version


def test_while_the_database_is_away_the_register_keeps_what_it_has(
    edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(register._cached, "seconds", 0)
    actions.recompute_pages(edition=edition, now=starter.NOW)
    cached = register.current()

    def away(*args: object, **named: object) -> None:
        raise OperationalError

    monkeypatch.setattr(Recomputation.objects, "values_list", away)
    assert register.current() is cached


def test_the_task_and_the_command_do_it_from_the_current_release(
    starter_release: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rules.corpus.refresh", lambda: starter_release)
    out = StringIO()
    with time_machine.travel(starter.NOW, tick=False):
        tasks.catch_up()
        call_command("pages", "recompute", stdout=out)
        call_command("pages", "list", stdout=out)
    assert f"{FEW} pages are indexed; 0 of them are new or changed." in out.getvalue()
    assert out.getvalue().count("/p/") == FEW
    assert Recomputation.objects.count() == 2


def test_the_job_works_out_pages_where_they_are_behind_and_only_then(
    starter_release: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rules.corpus.refresh", lambda: starter_release)

    def done_after_the_job(instant: datetime.datetime) -> int:
        with time_machine.travel(instant, tick=False):
            tasks.catch_up()
        return Recomputation.objects.count()

    assert done_after_the_job(starter.NOW) == 1
    assert done_after_the_job(LATER) == 1
    # Another day, another choice, another release.
    assert done_after_the_job(LATER + datetime.timedelta(days=1)) == 2
    chosen = LATER + datetime.timedelta(days=1, minutes=1)
    Curation.objects.create(most_pages=7, reason="Few.", created_by=a_user(), created_at=chosen)
    assert done_after_the_job(chosen) == 3
    monkeypatch.setattr("rules.corpus.refresh", lambda: changed().release)
    monkeypatch.setattr("rules.corpus._current", changed().release)
    assert done_after_the_job(chosen) == 4
    assert done_after_the_job(chosen) == 4


def test_before_the_first_release_the_job_has_nothing_to_do() -> None:
    tasks.catch_up()
    assert not Recomputation.objects.exists()


@pytest.mark.usefixtures("starter_release")
def test_the_first_time_is_enough_where_only_the_first_is_asked_for() -> None:
    out = StringIO()
    with time_machine.travel(LATER, tick=False):
        call_command("pages", "recompute", "--first", stdout=out)
        call_command("pages", "recompute", "--first", stdout=out)
    assert out.getvalue().splitlines() == [
        f"{FEW} pages are indexed; {FEW} of them are new or changed.",
        "The indexed pages were worked out before.",
    ]
    assert Recomputation.objects.count() == 1


def test_publishing_asks_for_the_pages_to_be_worked_out_once_it_is_committed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    asked: list[str] = []
    settings.CELERY_TASK_ALWAYS_EAGER = False
    monkeypatch.setattr(tasks.catch_up, "delay", lambda: asked.append("now"))
    with django_capture_on_commit_callbacks(execute=True):
        Desk().publish_news()
        assert asked == []
    assert asked == ["now"]


def test_where_there_is_no_queue_no_one_waits_for_pages_when_they_publish(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    settings.CELERY_TASK_ALWAYS_EAGER = True
    monkeypatch.setattr("aeo.discovery.tasks.share_pages", lambda **given: pytest.fail("the clock does that"))
    with django_capture_on_commit_callbacks(execute=True):
        release = Desk().publish_news()
    assert Release.objects.current() == release


def test_a_release_stands_even_where_no_one_takes_the_job(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def away() -> None:
        raise OperationalError("no broker")

    settings.CELERY_TASK_ALWAYS_EAGER = False
    monkeypatch.setattr(tasks.catch_up, "delay", away)
    with django_capture_on_commit_callbacks(execute=True):
        release = Desk().publish_news()
    assert Release.objects.current() == release
