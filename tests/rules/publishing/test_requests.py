"""Requests to publish: what the desk asks for is carried out exactly once, or refused with a sentence."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import IntegrityError, OperationalError, connection, transaction
from pytest_django import Settings

from compliance.signin.groups import PUBLISHER
from rules.models import PublishRequest, Release, RequestState
from rules.next_release import compile_content
from rules.publishing.actions import requests
from rules.publishing.actions.failing import FAILURE, TRIES
from rules.publishing.actions.releases import Shown, publish_release
from rules.publishing.actions.requests import (
    carry_out_request,
    request_publishing,
    request_publishing_alone,
    request_rolling_back,
)
from rules.publishing.chosen import Chosen
from rules.publishing.presence import announce, publishers
from rules.publishing.refusals import NoteMissing, NoteUnfit, ReleaseRefused
from rules.releases.ledger import canonical_text, digest
from tests.support.processes import wait_until
from tests.support.releasing import DAY, NOON, Desk, elsewhere


@pytest.fixture(autouse=True)
def _no_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.publishing.candidate.cases_in_force", lambda: ())


def publisher(name: str = "a publisher") -> User:
    user = User.objects.create_user(name)
    user.groups.add(Group.objects.get_or_create(name=PUBLISHER)[0])
    user.is_superuser = True
    user.save()
    return user


def shown() -> Shown:
    current = Release.objects.current()
    return Shown(str(current or ""), digest(canonical_text(compile_content())))


def ask(by: User, note: str = "News.") -> PublishRequest:
    return request_publishing(by=by, note=note, shown=shown(), now=NOON)


def test_what_was_shown_is_published_in_the_name_of_the_person(desk: Desk) -> None:
    by = publisher()
    desk.record("FR")
    asked = ask(by, " One country. ")
    assert not Release.objects.exists()

    ended = carry_out_request(now=NOON)

    release = Release.objects.get()
    assert ended == asked
    assert (ended.state, ended.release, ended.finished) == (RequestState.DONE, release, NOON)
    assert (release.published_by, release.note) == (by, "One country.")
    assert carry_out_request(now=NOON) is None


def test_what_changed_meanwhile_is_not_published(desk: Desk) -> None:
    desk.record("FR")
    ask(publisher())
    desk.record("DE")

    ended = carry_out_request(now=NOON)

    assert ended is not None
    assert (ended.state, ended.release) == (RequestState.REFUSED, None)
    assert ended.refusal.startswith("rows have changed since this page was shown")
    assert not Release.objects.exists()


def test_of_two_requests_for_the_same_the_second_is_told_who_was_faster(desk: Desk) -> None:
    desk.record("FR")
    first, second = ask(publisher("ann")), ask(publisher("bob"))

    assert carry_out_request(now=NOON) == first
    refused = carry_out_request(now=NOON)

    assert refused == second
    assert refused.refusal.startswith("ann published release 2026-11-20 at ")
    assert Release.objects.count() == 1


def test_a_person_who_may_no_longer_publish_is_refused(desk: Desk) -> None:
    by = publisher()
    desk.record("FR")
    ask(by)
    User.objects.filter(pk=by.pk).update(is_superuser=False)
    by.groups.clear()

    ended = carry_out_request(now=NOON)

    assert ended is not None
    assert ended.refusal == "a publisher may no longer publish"
    assert not Release.objects.exists()


@pytest.mark.parametrize("kind", ["publish", "alone", "roll back"])
def test_an_account_that_is_switched_off_meanwhile_publishes_nothing(desk: Desk, kind: str) -> None:
    first, second = desk.publish_news(), desk.publish_news()
    by = publisher()
    desk.record("FR")
    asking: dict[str, Callable[[], PublishRequest]] = {
        "publish": lambda: ask(by),
        "alone": lambda: request_publishing_alone(
            by=by, reason="Hurry.", shown=Shown(str(second), ""), now=NOON, chosen=Chosen()
        ),
        "roll back": lambda: request_rolling_back(
            by=by, to=str(first), reason="Back.", shown=str(second), now=NOON
        ),
    }
    asking[kind]()
    User.objects.filter(pk=by.pk).update(is_active=False)

    ended = carry_out_request(now=NOON)

    assert ended is not None
    assert (ended.state, ended.refusal) == (RequestState.REFUSED, "a publisher may no longer publish")
    assert Release.objects.current() == second


def test_a_roll_back_is_carried_out_and_a_stale_one_is_refused(desk: Desk) -> None:
    first, second = desk.publish_news(), desk.publish_news()
    by = publisher()
    stale = request_rolling_back(by=by, to=str(first), reason="Back.", shown=str(first), now=NOON)
    assert carry_out_request(now=NOON) == stale
    request_rolling_back(by=by, to=str(first), reason="Back.", shown=str(second), now=NOON)

    ended = carry_out_request(now=NOON)

    stale.refresh_from_db()
    assert stale.refusal.startswith("editor published release 2026-11-20.2 at ")
    assert ended is not None
    assert ended.release is not None
    assert ended.release.content_sha256 == first.content_sha256


@pytest.mark.parametrize(
    ("note", "error", "sentence"),
    [
        ("", NoteMissing, "a release needs a "),
        (" \n", NoteMissing, "a release needs a "),
        ("\u200b\ufeff", NoteMissing, "a release needs a "),
        ("News\x0bof models.", NoteUnfit, "has a control character, U\\+000B, after “News”"),
        ("x" * 2001, NoteUnfit, "has 2,001 characters, and 2,000 are the most"),
    ],
)
def test_a_request_has_a_note_that_can_be_read(
    desk: Desk, note: str, error: type[ReleaseRefused], sentence: str
) -> None:
    by = publisher()
    for asking in (
        partial(request_publishing, note=note, shown=Shown("", "")),
        partial(request_publishing_alone, reason=note, shown=Shown("", ""), chosen=Chosen()),
        partial(request_rolling_back, to="2026-11-20", reason=note, shown=""),
    ):
        with pytest.raises(error, match=sentence):
            asking(by=by, now=NOON)
    assert not PublishRequest.objects.exists()


def test_an_error_of_the_program_ends_its_request_and_no_other(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.record("FR")
    by = publisher()
    ask(by), ask(by)
    with monkeypatch.context() as patch:
        patch.setattr(requests, "publish_release", lambda **options: 1 / 0)
        ended = carry_out_request(now=NOON)

    assert ended is not None
    assert ended.refusal == FAILURE
    ended = carry_out_request(now=NOON)
    assert ended is not None
    assert ended.state == RequestState.DONE


def test_a_statement_that_fails_ends_its_request_and_no_other(
    committing_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    committing_desk.record("FR")
    by = publisher()
    first, second = ask(by), ask(by)

    def take_too_long(**options: Any) -> None:
        # An `OperationalError`, as that of a lost connection is.
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 1; SELECT pg_sleep(5)")

    with monkeypatch.context() as patch:
        patch.setattr(requests, "publish_release", take_too_long)
        assert carry_out_request(now=NOON) == first
    assert carry_out_request(now=NOON) == second

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, first.refusal) == (RequestState.REFUSED, FAILURE)
    assert second.state == RequestState.DONE


def test_an_error_at_the_commit_ends_its_request(
    committing_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    committing_desk.record("FR")
    asked = ask(publisher())

    def fail_later(**options: Any) -> Release:
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE TEMPORARY TABLE pair (one int UNIQUE DEFERRABLE INITIALLY DEFERRED);"
                "INSERT INTO pair VALUES (1), (1)"
            )
        return publish_release(**options)

    with monkeypatch.context() as patch:
        patch.setattr(requests, "publish_release", fail_later)
        assert carry_out_request(now=NOON) == asked

    asked.refresh_from_db()
    assert (asked.state, asked.refusal) == (RequestState.REFUSED, FAILURE)
    assert not Release.objects.exists()


def test_what_loses_each_connection_is_tried_three_times(
    committing_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    committing_desk.record("FR")
    by = publisher()
    first, second = ask(by), ask(by)

    def lose_it(**options: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    def work() -> list[str]:
        found = []
        for _ in range(TRIES):
            try:
                carry_out_request(now=NOON)
            except OperationalError:
                # As the publisher does.
                connection.close()
            first.refresh_from_db()
            found.append(first.state)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(requests, "publish_release", lose_it)
        assert elsewhere(work).result(60) == ["waiting", "waiting", "refused"]

    assert carry_out_request(now=NOON) == second
    first.refresh_from_db()
    assert first.refusal == FAILURE
    assert Release.objects.count() == 1


def test_without_a_key_a_request_is_refused(desk: Desk, settings: Settings) -> None:
    settings.RELEASE_KEY = ""
    desk.record("FR")
    ask(publisher())

    ended = carry_out_request(now=NOON)

    assert ended is not None
    assert "no RELEASE_KEY" in ended.refusal


def test_two_publishers_never_publish_twice(committing_desk: Desk) -> None:
    committing_desk.record("FR")
    asked = ask(publisher())

    both = [elsewhere(lambda: carry_out_request(now=NOON)) for _ in range(2)]
    ended = [one.result(60) for one in both]

    assert sorted(one is None for one in ended) == [False, True]
    asked.refresh_from_db()
    assert asked.state == RequestState.DONE
    assert Release.objects.count() == 1


def test_what_a_lost_publisher_began_waits_for_the_next(
    committing_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    committing_desk.record("FR")
    asked = ask(publisher())

    def lose(*arguments: Any, **options: Any) -> None:
        # As if the process were killed: PostgreSQL ends its transaction.
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    def work() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(requests, "_end", lose)
            carry_out_request(now=NOON)

    assert elsewhere(work).exception(60) is not None
    asked.refresh_from_db()
    assert asked.state == RequestState.WAITING
    assert not Release.objects.exists()

    assert carry_out_request(now=NOON + DAY) == asked
    assert Release.objects.count() == 1


def test_a_publisher_is_seen_while_its_connection_lives(committing_desk: Desk) -> None:
    def work() -> list[Any]:
        return [announce(), announce(), publishers()]

    assert elsewhere(work).result(60) == [True, False, 1]
    # A process of PostgreSQL takes a moment to end after its connection.
    wait_until(lambda: publishers() == 0)


def writes(row: Any, release: Release) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Return writes past every action, each with what the database says to it."""
    yield "state_is_known", partial(row.update, state="lost", finished=NOON)
    yield "ends_once", partial(row.update, finished=NOON)
    yield "done_has_its_release", partial(row.update, state="done", finished=NOON)
    yield "refused_says_why", partial(row.update, state="refused", finished=NOON)
    yield "stays as it was", partial(row.update, note="Another.")
    yield "stays as it was", partial(row.update, created_by=release.published_by)
    yield "never deleted", lambda: row._raw_delete("default")


def test_the_database_refuses_what_no_action_does(desk: Desk) -> None:
    release = desk.publish_news()
    desk.record("FR")
    asked = ask(publisher())
    row = PublishRequest.objects.filter(pk=asked.pk)
    for said, write in writes(row, release):
        with pytest.raises(IntegrityError, match=said), transaction.atomic():
            write()
    carry_out_request(now=NOON)
    with pytest.raises(IntegrityError, match="what became of a request"), transaction.atomic():
        row.update(finished=NOON + DAY)
