"""/readyz: 200 while verdicts can be given, and why it is worse than it should be in words and figures."""

import datetime
import json
import time
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from compliance.health import facts
from compliance.health.facts import DatabaseFacts, RedisFacts
from compliance.health.readiness import Readiness, readiness
from compliance.operations.job_counts import Job
from compliance.records.verdict_log.backlog import Backlog
from rules.corpus import CorpusStatus, Published
from tests.support.starter import NOW, starter_release

WELL = CorpusStatus(None, 0.5, None, None, None)
DATABASE = DatabaseFacts(0.001, 0, NOW, 10, 0, None, {}, (), {})
REDIS = RedisFacts(0.001, {"celery": 3}, 1, {"a.job": Job({"success": 1}, 0.1, NOW.timestamp() - 5)})
HOURS_AGO = NOW - datetime.timedelta(hours=7)
RECORDS = Backlog(pending_bytes=0, oldest_seconds=0, lost=0, stream_length=0, is_full=False)


def judged(release: Published | None, **changed: Any) -> Readiness:
    """Judge a service that is well but for what is changed."""
    parts = {
        "corpus_status": WELL._replace(release=release),
        "database": DATABASE,
        "redis": REDIS,
        "records": RECORDS,
        "now": NOW,
        "uses_redis": True,
        "watches": True,
        "follows": True,
    }
    return readiness(**{**parts, **changed})


@pytest.fixture(scope="module")
def release() -> Published:
    return starter_release()


def test_a_service_that_is_well_is_ready(release: Published) -> None:
    found = judged(release)
    assert (found.status, found.reasons) == ("ready", [])
    assert found.release.sha256 == release.sha256
    assert found.release.age_seconds == int((NOW - release.published_at).total_seconds())
    assert (found.jobs.queued, found.jobs.last_ended_seconds_ago) == (3, 5)


def test_a_request_to_publish_that_a_publisher_works_on_is_no_fault(release: Published) -> None:
    working = DATABASE._replace(asked_to_publish=HOURS_AGO, publishers=1)
    just_asked = DATABASE._replace(asked_to_publish=NOW, publishers=0)
    for database in (working, just_asked, DATABASE):
        assert judged(release, database=database).status == "ready"


def test_without_a_release_nothing_can_be_answered() -> None:
    found = judged(None)
    assert found.status == "unavailable"
    assert found.release.status == "failed"


def test_a_wrong_answer_that_a_proof_found_is_a_reason_and_verdicts_go_on(release: Published) -> None:
    found = judged(release, database=DATABASE._replace(proof_findings=2))
    assert found.status == "degraded"
    assert found.reasons == ["The proof of a release found a wrong answer; the desk shows it."]
    assert judged(release, database=DATABASE._replace(proof_findings=0)).status == "ready"


@pytest.mark.parametrize(
    ("part", "changed"),
    [
        ("database", {"database": None}),
        ("migrations", {"database": DATABASE._replace(unapplied=2)}),
        ("cache", {"redis": None}),
        ("jobs", {"redis": REDIS._replace(jobs={})}),
        ("jobs", {"redis": REDIS._replace(jobs={"a.job": Job({}, 0, NOW.timestamp() - 500)})}),
        ("publisher", {"database": DATABASE._replace(asked_to_publish=HOURS_AGO)}),
        ("watch", {"database": DATABASE._replace(due=1, due_since=HOURS_AGO)}),
        ("verdict_log", {"records": None}),
        ("verdict_log", {"records": Backlog(1, 0, 0, 0, is_full=True)}),
        ("verdict_log", {"records": Backlog(1, 0, lost=4, stream_length=None, is_full=False)}),
        ("verdict_log", {"records": Backlog(1, 3600, 0, None, is_full=False)}),
    ],
)
def test_what_is_away_degrades_it_with_a_reason(
    release: Published, part: str, changed: dict[str, Any]
) -> None:
    found = judged(release, **changed)
    assert found.status == "degraded"
    assert found.reasons
    assert getattr(found, part).status == "failed"


@pytest.mark.parametrize(
    "changed",
    [
        {"refused": "a" * 64, "refused_because": "unreadable"},
        {"away_seconds": 1.0},
        {"read_seconds": 31.0},
        {"read_seconds": None},
    ],
)
def test_a_release_that_may_be_an_old_one_degrades_it(release: Published, changed: dict[str, Any]) -> None:
    found = judged(release, corpus_status=WELL._replace(release=release, **changed))
    assert (found.status, found.release.status) == ("degraded", "failed")
    assert found.release.refused_sha256 == changed.get("refused")


@pytest.mark.parametrize(
    ("why", "sentence"), [("not_signed", "not signed by a known key"), ("removed", "lacks a release")]
)
def test_it_says_why_the_end_of_the_ledger_is_not_used(release: Published, why: Any, sentence: str) -> None:
    found = judged(release, corpus_status=WELL._replace(release=release, refused="", refused_because=why))
    assert (found.status, found.release.status, found.release.refused_because) == ("degraded", "failed", why)
    assert sentence in found.reasons[0]


def test_what_the_settings_do_not_ask_for_is_not_missed(release: Published) -> None:
    found = judged(release, redis=None, uses_redis=False, watches=False)
    assert found.status == "ready"
    assert [found.cache.status, found.jobs.status, found.watch.status] == ["not_used"] * 3


@pytest.fixture
def _fresh_facts() -> None:
    facts.database.forget()
    facts.records.forget()


@pytest.mark.usefixtures("committing_db", "starter_release", "_fresh_facts")
def test_the_address_tells_it(client: Client) -> None:
    # No follower reads the ledger in this process.
    answer = client.get("/readyz")
    body = answer.json()
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert (body["database"]["status"], body["migrations"]) == ("ok", {"status": "ok", "unapplied": 0})
    assert body["release"]["ruleset_version"]
    assert client.head("/readyz").content == b""


@pytest.mark.usefixtures("starter_release", "_fresh_facts")
def test_without_a_database_it_still_answers_soon_and_names_no_server(client: Client) -> None:
    # Tests that do not ask for the database get none.
    before = time.monotonic()
    answer = client.get("/readyz")
    assert time.monotonic() - before < 10
    assert answer.status_code == 200
    assert answer.json()["status"] == "degraded"
    assert "The database does not answer." in answer.json()["reasons"]
    assert "127.0.0.1" not in json.dumps(answer.json())


@pytest.mark.usefixtures("fresh_process", "_fresh_facts")
def test_without_a_release_it_sends_no_requests_here(client: Client) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")


def test_a_process_that_answers_is_alive(client: Client) -> None:
    assert (client.get("/healthz").status_code, client.get("/healthz").content) == (200, b"ok\n")


@pytest.mark.usefixtures("starter_release")
def test_a_probe_may_ask_by_an_address_and_nothing_else_may(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = [".batteries.example"]
    by_address: dict[str, Any] = {"HTTP_HOST": "10.0.0.7:8000"}
    assert client.get("/healthz", **by_address).status_code == 200
    assert client.get("/readyz", **by_address).status_code == 200
    assert client.get("/metrics", **by_address).status_code == 200
    assert client.get("/api/airlines", **by_address).status_code == 400
    assert client.get("/about", **by_address).status_code == 400
