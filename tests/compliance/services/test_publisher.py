"""The publisher as a process: it alone has the key, carries requests out soon, and may be killed."""

import datetime
import os
import signal
import subprocess
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.utils import timezone

from compliance.health.facts import read_database_facts
from rules.models import PublishRequest, Release, RequestState
from rules.next_release import compile_content
from rules.publishing.actions.plans import plan_release
from rules.publishing.actions.releases import Shown
from rules.publishing.actions.requests import request_publishing
from rules.publishing.presence import publishers
from rules.releases.ledger import canonical_text, digest
from tests.support.factories import a_user
from tests.support.processes import Start, wait_until
from tests.support.releasing import Desk
from tests.support.roles import url_of


@pytest.fixture
def desk(committing_db: None) -> Desk:
    """A desk whose editor may publish."""
    desk = Desk()
    desk.editor.is_superuser = True
    desk.editor.save()
    return desk


@pytest.fixture
def publisher(start: Start, tmp_path: Path) -> "subprocess.Popen[str]":
    return _publisher(start, tmp_path)


def _publisher(start: Start, folder: Path, **variables: str) -> "subprocess.Popen[str]":
    kept = ("RELEASE_KEY", "RELEASE_PUBLIC_KEYS", "RELEASE_HEAD_FILE", "SECRET_KEY", "VERDICT_KEY")
    return start(
        *("-m", "tests.compliance.services.caseless_publisher"),
        **{name: os.environ[name] for name in kept}
        | {"DJANGO_SETTINGS_MODULE": "compliance.settings", "DATABASE_URL": url_of("publisher")}
        | {"DATA_DIR": str(folder), "LOG_LEVEL": "ERROR"}
        | variables,
    )


def ask(desk: Desk) -> PublishRequest:
    shown = Shown(str(Release.objects.current() or ""), digest(canonical_text(compile_content())))
    return request_publishing(by=desk.editor, note="News.", shown=shown, now=timezone.now())


def state(asked: PublishRequest) -> str:
    asked.refresh_from_db()
    return asked.state


def test_a_request_is_carried_out_and_signed(desk: Desk, publisher: "subprocess.Popen[str]") -> None:
    wait_until(lambda: publishers() == 1)
    desk.record("FR")
    asked = ask(desk)

    wait_until(lambda: state(asked) != RequestState.WAITING)

    assert (asked.state, asked.refusal) == (RequestState.DONE, "")
    assert Release.objects.get().signatures.count() == 1
    publisher.terminate()
    assert publisher.wait(60) == 0


def test_a_plan_is_carried_out_when_it_is_due(
    desk: Desk, publisher: "subprocess.Popen[str]", monkeypatch: pytest.MonkeyPatch
) -> None:
    # As in the publisher of these tests.
    monkeypatch.setattr("rules.publishing.candidate.cases_in_force", tuple)
    desk.record("FR")
    now = timezone.now()
    shown = Shown("", digest(canonical_text(compile_content())))
    plan = plan_release(
        by=desk.editor, note="News.", due=now, shown=shown, now=now - datetime.timedelta(hours=1)
    )

    wait_until(lambda: Release.objects.exists())

    wait_until(lambda: type(plan).objects.get().state == "done")


def test_a_request_waits_and_says_so_while_no_publisher_runs(
    desk: Desk, start: Start, tmp_path: Path
) -> None:
    first = _publisher(start, tmp_path)
    wait_until(lambda: publishers() == 1)
    first.send_signal(signal.SIGKILL)
    first.wait(60)
    wait_until(lambda: publishers() == 0)
    desk.record("FR")
    asked = ask(desk)
    facts = read_database_facts()
    assert (facts.publishers, facts.asked_to_publish) == (0, asked.created_at)

    _publisher(start, tmp_path)

    wait_until(lambda: state(asked) == RequestState.DONE)
    assert read_database_facts().asked_to_publish is None


def is_stopped_in_the_middle() -> bool:
    """Return whether a publisher has the ledger, and waits to write the log of its release."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks AS waits JOIN pg_locks AS holds USING (pid) "
            "WHERE NOT waits.granted AND waits.relation = 'catalog_auditentry'::regclass "
            "AND holds.granted AND holds.mode = 'ExclusiveLock' "
            "AND holds.relation = 'rules_release'::regclass"
        )
        (count,) = cursor.fetchone()
    return bool(count)


def test_a_publisher_that_is_killed_before_its_commit_loses_nothing_and_publishes_nothing_twice(
    desk: Desk, start: Start, tmp_path: Path
) -> None:
    desk.record("FR")
    asked = ask(desk)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE catalog_auditentry IN SHARE MODE")
        killed = _publisher(start, tmp_path)
        wait_until(is_stopped_in_the_middle)
        # Another one waits for the ledger meanwhile.
        other = _publisher(start, tmp_path)
        wait_until(lambda: publishers() == 2)
        killed.send_signal(signal.SIGKILL)
        killed.wait(60)

    wait_until(lambda: state(asked) != RequestState.WAITING)

    assert (asked.state, asked.refusal) == (RequestState.DONE, "")
    assert Release.objects.get() == asked.release
    assert other.poll() is None


def test_two_publishers_carry_out_each_request_once(desk: Desk, start: Start, tmp_path: Path) -> None:
    for _ in range(2):
        _publisher(start, tmp_path)
    wait_until(lambda: publishers() == 2)
    published = []
    for code in ("FR", "DE", "IT", "JP"):
        desk.record(code)
        # The second one asks for the same, and is told who was faster.
        asked = [ask(desk), ask(desk)]
        wait_until(lambda: RequestState.WAITING not in map(state, asked))  # noqa: B023
        assert [one.state for one in asked] == [RequestState.DONE, RequestState.REFUSED]
        assert asked[1].refusal.startswith("editor published release ")
        published.append(asked[0].release)

    assert list(Release.objects.order_by("sequence")) == published
    assert not PublishRequest.objects.filter(state=RequestState.WAITING).exists()


def test_without_the_key_there_is_no_publisher(start: Start, tmp_path: Path, committing_db: None) -> None:
    a_user()
    process = _publisher(start, tmp_path, RELEASE_KEY="")

    assert "RELEASE_KEY is not set" in process.communicate(timeout=60)[1]
    assert process.returncode == 1


def test_a_web_server_is_not_given_the_key(start: Start, tmp_path: Path) -> None:
    process = start(
        *("-m", "compliance.services.serve"), RELEASE_KEY=os.environ["RELEASE_KEY"], DATA_DIR=str(tmp_path)
    )

    assert "only the publisher may have it" in process.communicate(timeout=60)[1]
    assert process.returncode == 1
