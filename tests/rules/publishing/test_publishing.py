"""Publishing: which rows become a release, under which version, and what stops it."""

import datetime
import hashlib
import threading
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import rfc8785
from django.db import connection

from catalog.airlines.actions import record_airlines
from catalog.models import Country, Source
from catalog.sources.actions import record_sources, reread_source
from rules.cases import Case, Expect, Given
from rules.engine.document import builtins, decode
from rules.models import Release
from rules.publishing.actions.releases import ClockBehindLedger, NoteMissing, NothingToPublish, NotPublishable
from tests.rules.rows import AIRLINE, CONTENT, write_down
from tests.support.factories import a_user
from tests.support.releasing import DAY, NOON, Desk, elsewhere


def test_a_release_is_the_canonical_text_of_what_was_approved_and_its_digest(desk: Desk) -> None:
    desk.record("FR", "DE")

    release = desk.publish(note="  The first one. ")

    document = decode(release.document.encode())
    assert [country.code for country in document.content.countries] == ["DE", "FR"]
    assert release.document == rfc8785.dumps(builtins(document)).decode()
    assert release.sha256 == hashlib.sha256(release.document.encode()).hexdigest()
    assert release.content_sha256 == hashlib.sha256(rfc8785.dumps(builtins(document.content))).hexdigest()
    assert (release.note, release.published_at, release.published_by) == ("The first one.", NOON, desk.editor)


def test_versions_count_the_releases_of_a_day_and_start_again_with_the_next(desk: Desk) -> None:
    times = [NOON, NOON, NOON + DAY / 4, NOON + DAY, NOON + DAY, NOON + 3 * DAY]

    versions = [desk.publish_news(now=now).ruleset_version for now in times]

    assert versions == [
        "2026-11-20", "2026-11-20.2", "2026-11-20.3", "2026-11-21", "2026-11-21.2", "2026-11-23",
    ]  # fmt: skip


def test_the_tenth_release_of_a_day_follows_the_ninth(desk: Desk) -> None:
    versions = [desk.publish_news().ruleset_version for _ in range(11)]

    assert versions[-2:] == ["2026-11-20.10", "2026-11-20.11"]
    assert str(Release.objects.current()) == "2026-11-20.11"


def test_the_version_is_the_date_in_utc(desk: Desk) -> None:
    in_tokyo = datetime.datetime(2026, 11, 21, 8, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=9)))

    assert desk.publish_news(now=in_tokyo).ruleset_version == "2026-11-20"


def test_each_release_holds_the_digest_of_the_one_before(desk: Desk) -> None:
    first, second, third = (desk.publish_news() for _ in range(3))

    assert [release.sequence for release in (first, second, third)] == [1, 2, 3]
    assert [decode(release.document.encode()).predecessor for release in (first, second, third)] == [
        None,
        first.sha256,
        second.sha256,
    ]
    assert (second.predecessor, third.predecessor) == (first, second)
    assert Release.objects.current() == third


def test_nothing_is_published_where_nothing_has_changed(desk: Desk) -> None:
    first = desk.publish_news()

    with pytest.raises(NothingToPublish, match="nothing has changed since release 2026-11-20") as refusal:
        desk.publish(now=NOON + DAY)

    assert refusal.value.current == first
    assert Release.objects.count() == 1


def test_going_back_to_older_content_is_a_new_release(desk: Desk) -> None:
    desk.record("FR")
    first = desk.publish()
    desk.record("DE")
    desk.publish()
    Country.objects.filter(code="DE").delete()

    third = desk.publish()

    assert third.content_sha256 == first.content_sha256
    assert third.sha256 != first.sha256
    assert third.ruleset_version == "2026-11-20.3"


@pytest.mark.parametrize("note", ["", " \n"])
def test_a_release_needs_a_note(desk: Desk, note: str) -> None:
    with pytest.raises(NoteMissing):
        desk.publish(note=note)


def test_a_clock_that_runs_behind_the_ledger_is_refused(desk: Desk) -> None:
    desk.publish_news(now=NOON)

    with pytest.raises(ClockBehindLedger, match=r"2026-11-19.*before release 2026-11-20"):
        desk.publish_news(now=NOON - DAY)


def test_all_problems_of_the_rows_are_named_and_nothing_is_published(desk: Desk) -> None:
    write_down(CONTENT, by=desk.editor)
    Source.objects.update(basis="general_knowledge")

    with pytest.raises(NotPublishable) as refusal:
        desk.publish()

    assert refusal.value.reasons == (
        "rule 7c.permit: rests on no source that was read, so it could not be cited",
        "rule fr.dgac.max-two: rests on no source that was read, so it could not be cited",
        "recall fr-2026-1: rests on no source that was read, so it could not be cited",
    )
    for reason in refusal.value.reasons:
        assert reason in str(refusal.value)
    assert not Release.objects.exists()


def test_all_failing_cases_are_named_and_nothing_is_published(desk: Desk) -> None:
    desk.record("FR")
    cases = [
        Case(
            file="routes.yaml",
            name=name,
            given=Given(on=NOON.date(), model_id="lynx-10k", route=("FR", "FR"), airline="7C"),
            expect=Expect(verdict="allowed"),
        )
        for name in ("A small unit flies at home.", "A small unit flies abroad.")
    ]

    with pytest.raises(NotPublishable) as refusal:
        desk.publish(cases=cases)

    assert len(refusal.value.reasons) == 2
    assert refusal.value.reasons[0].startswith(
        "routes.yaml, “A small unit flies at home.”: expected the verdict"
    )
    assert "A small unit flies abroad." in str(refusal.value)
    assert not Release.objects.exists()


def test_the_project_s_own_cases_are_run_unless_others_are_given(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case(
        file="own.yaml",
        name="Nobody knows this model.",
        given=Given(on=NOON.date(), model_id="unknown-model", route=("AA", "AA"), airline="7C"),
        expect=Expect(verdict="allowed"),
    )
    monkeypatch.setattr("rules.publishing.candidate.cases_in_force", lambda: (case,))

    desk.record("FR")
    with pytest.raises(NotPublishable, match=r"own\.yaml"):
        desk.publish(cases=None)


def test_of_two_publishers_the_second_waits_and_continues_the_chain(committing_desk: Desk) -> None:
    desk = committing_desk
    desk.record("FR")
    inside, go_on = threading.Event(), threading.Event()

    def slow_cases() -> Iterator[Case]:
        inside.set()
        assert go_on.wait(20)
        yield from ()

    first = elsewhere(lambda: desk.publish(cases=slow_cases()))
    assert inside.wait(20)
    # The first has read its rows; what comes now is for the second.
    desk.record("DE")
    second = elsewhere(lambda: desk.publish(now=NOON + DAY / 24))
    with pytest.raises(TimeoutError):
        second.result(timeout=0.5)
    go_on.set()

    assert first.result(20).ruleset_version == "2026-11-20"
    assert second.result(20).ruleset_version == "2026-11-20.2"
    assert second.result().predecessor_id == first.result().sha256
    assert len(decode(first.result().document.encode()).content.countries) == 1
    assert len(decode(second.result().document.encode()).content.countries) == 2


def test_of_two_starts_at_once_one_publishes_the_first_release(committing_desk: Desk) -> None:
    desk = committing_desk
    desk.record("FR")
    start = threading.Barrier(2)

    def publish() -> Release:
        start.wait(20)
        return desk.publish(only_first=True)

    one, other = elsewhere(publish), elsewhere(publish)

    assert one.result(20) == other.result(20)
    assert Release.objects.count() == 1


def test_a_release_never_holds_half_of_what_is_saved_meanwhile(committing_desk: Desk) -> None:
    desk = committing_desk
    desk.record("FR")
    saved = False

    def save_more() -> None:
        desk.record("DE")
        record_sources(by=desk.editor, sources=CONTENT.sources)
        unread = msgspec.structs.replace(AIRLINE, country="DE", confidence="unverified")
        record_airlines(by=a_user("cataloger"), airlines=[unread])

    def save_more_once_countries_are_read(execute: Any, sql: str, *rest: Any) -> Any:
        nonlocal saved
        if not saved and 'FROM "catalog_jurisdiction"' in sql:
            saved = True
            elsewhere(save_more).result(20)
        return execute(sql, *rest)

    with connection.execute_wrapper(save_more_once_countries_are_read):
        first = desk.publish()

    assert saved
    reread_source(by=a_user("reader"), source_id="regulator-page", read_on=NOON.date())
    assert decode(first.document.encode()).content.airlines == ()
    assert len(decode(desk.publish().document.encode()).content.airlines) == 1
