"""Page records are worked out by several workers: the same records, each part once, whoever is killed."""

import datetime
from typing import Any

import pytest

from aeo import editions
from aeo.discovery import actions, content_hashes, curation, tasks
from aeo.editions import Edition
from aeo.page_records.models import Curation, IndexedPage, Recomputation, ReferencePage
from aeo.page_records.register import Combination
from catalog.chunks.actions import ChunkFailed
from catalog.models import ChunkedWork
from tests.support import starter
from tests.support.releasing import elsewhere

pytestmark = pytest.mark.usefixtures("starter_release", "_few")

FEW, PART = 60, 7
LATER = starter.NOW + datetime.timedelta(minutes=1)


def few(edition: Edition, _: Curation | None = None) -> list[Combination]:
    """Return the most important pages."""
    return curation.curated(edition, Curation(most_pages=FEW))


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Few pages in small parts, and no queue: the tests call the workers themselves."""
    monkeypatch.setattr(actions, "curated", few)
    monkeypatch.setattr(content_hashes, "PART", PART)
    monkeypatch.setattr(tasks.work_on_pages, "delay", lambda work_id: None)


def records() -> tuple[list[Any], list[Any]]:
    return (
        list(IndexedPage.objects.order_by("rank").values()),
        list(ReferencePage.objects.order_by("path").values()),
    )


@pytest.mark.django_db
def test_parts_come_to_the_same_as_the_whole(edition: Edition) -> None:
    whole = actions.recompute_pages(edition=edition, now=starter.NOW)
    expected = records()
    IndexedPage.objects.all().delete()
    ReferencePage.objects.all().delete()
    done = tasks.share_pages(edition=edition, now=starter.NOW)
    assert done is not None
    assert records() == expected
    assert (done.pages, done.changed, done.day) == (whole.pages, whole.changed, whole.day)
    assert not ChunkedWork.objects.exists()


def test_each_part_is_worked_out_once_however_many_come(
    committing_db: None, edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[Any] = []
    hashes = content_hashes.hashes

    def counted(edition: Edition, combinations: Any, subjects: Any) -> Any:
        worked.extend(subjects)
        return hashes(edition, combinations, subjects)

    monkeypatch.setattr(content_hashes, "hashes", counted)
    workers = [elsewhere(lambda: tasks.share_pages(edition=edition, now=starter.NOW)) for _ in range(3)]
    done = [worker.result() for worker in workers]
    # Who comes when all is over begins once more, and so does everybody who calls after that.
    assert 1 <= len([one for one in done if one is not None]) == Recomputation.objects.count()
    assert len(worked) == len(set(worked)) * Recomputation.objects.count()
    assert not ChunkedWork.objects.exists()


@pytest.mark.django_db
def test_a_part_that_fails_is_told_of_and_all_begins_again(
    edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(content_hashes, "hashes", lambda *of: 1 / 0)
        with pytest.raises(ChunkFailed, match="ZeroDivisionError"):
            tasks.share_pages(edition=edition, now=starter.NOW)
    assert not Recomputation.objects.exists()
    assert tasks.share_pages(edition=edition, now=LATER) is not None


@pytest.mark.django_db
def test_workers_are_sent_for_and_again_when_they_got_lost(
    edition: Edition, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.work_on_pages, "delay", sent.append)
    monkeypatch.setattr(actions, "work_on_pages", lambda work_id: None)

    def after(seconds: int) -> int:
        sent.clear()
        now = starter.NOW + datetime.timedelta(seconds=seconds)
        with django_capture_on_commit_callbacks(execute=True):
            assert tasks.share_pages(edition=edition, now=now) is None
        return len(sent)

    assert [after(seconds) for seconds in (0, 10, 25, 30)] == [4, 0, 4, 0]


@pytest.mark.django_db
def test_parts_of_an_earlier_release_are_given_up(edition: Edition, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as paused:
        paused.setattr(actions, "work_on_pages", lambda work_id: None)
        tasks.share_pages(edition=edition, now=starter.NOW)
    [old] = ChunkedWork.objects.all()
    newer = starter.published(starter.starter_content(), "2026-11-21")
    monkeypatch.setattr("rules.corpus._current", newer)
    done = tasks.share_pages(edition=editions.of(newer, LATER), now=LATER)
    assert done is not None
    assert done.release_sha256 == newer.sha256
    assert actions.work_on_pages(old.pk) is None
    assert Recomputation.objects.count() == 1
