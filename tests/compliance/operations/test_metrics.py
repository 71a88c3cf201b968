"""GET /metrics: what was counted, by fixed names, and what stands elsewhere, looked up while it is asked."""

import datetime
import re

import pytest
from django.test import Client
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families as families
from pytest_django import Settings

from catalog.jobs import actions
from compliance.health import facts, prometheus
from compliance.health.facts import RedisFacts
from compliance.operations.job_counts import Job
from compliance.records.verdict_log.backlog import Backlog
from compliance.services.embedded import REPOSITORY
from rules.corpus import CorpusStatus, Published

VALID = {"model_id": "anker-a1289", "trip": {"origin": "JP", "destination": "SG", "airline": "SQ"}}
NOW = datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC)
OPERATIONS = (REPOSITORY / "docs" / "operations.md").read_text()
ALERTS = (REPOSITORY / "docs" / "deployment" / "prometheus-alerts.yml").read_text()


@pytest.fixture(autouse=True)
def _fresh_facts() -> None:
    facts.database.forget()
    facts.records.forget()


def samples(client: Client) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Return every figure of a scrape."""
    text = client.get("/metrics").content.decode()
    return {
        (one.name, frozenset(one.labels.items())): one.value
        for family in families(text)
        for one in family.samples
    }


def figure(client: Client, name: str, **labels: str) -> float:
    return samples(client).get((name, frozenset(labels.items())), 0.0)


@pytest.mark.usefixtures("starter_release")
def test_a_verdict_is_counted_by_value_and_kind_and_timed_by_route(client: Client) -> None:
    labels = {"kind": "leg", "channel": "api"}
    route = {"route": "/api/verify", "status": "200"}
    given = client.post("/api/verify", VALID, content_type="application/json").json()["verdict"]
    verdicts = figure(client, "compliance_verdicts_total", verdict=given, **labels)
    timed = figure(client, "compliance_request_seconds_count", **route)
    client.post("/api/verify", VALID, content_type="application/json")
    assert figure(client, "compliance_verdicts_total", verdict=given, **labels) == verdicts + 1
    assert figure(client, "compliance_request_seconds_count", **route) == timed + 1


@pytest.mark.usefixtures("starter_release")
def test_no_address_makes_a_name_of_its_own(client: Client) -> None:
    client.get("/api/devices/anker-a1289")
    before = {key for key in samples(client) if key[0].startswith("compliance_request")}
    for number in range(20):
        client.get(f"/made-up-{number}")
        client.get(f"/api/devices/made-up-{number}")
        client.get(f"/admin/made-up-{number}/")
    added = {key for key in samples(client) if key[0].startswith("compliance_request")} - before
    routes = {dict(labels)["route"] for _, labels in added}
    assert routes <= {"(none)", "/api/devices/{model_id}", "/admin/", "/metrics"}


@pytest.mark.usefixtures("starter_release")
def test_a_scrape_never_fails_and_tells_nothing_that_is_not_known(client: Client) -> None:
    # Tests that do not ask for the database get none.
    found = samples(client)
    assert found["compliance_up", frozenset({("server", "database")})] == 0
    names = {name for name, _ in found}
    assert "compliance_release_info" in names
    assert "compliance_migrations_unapplied" not in names


@pytest.mark.usefixtures("committing_db")
def test_the_database_is_asked(client: Client, starter_release: Published) -> None:
    actions.bury("a job", "a subject", "it never worked", now=NOW)
    with actions.running("a job", clock=lambda: NOW) as progress:
        progress.expect(1)
    assert figure(client, "compliance_up", server="database") == 1
    found = samples(client)
    assert found["compliance_dead_letters", frozenset({("job", "a job")})] == 1
    done = frozenset({("job", "a job"), ("outcome", "done")})
    assert found["compliance_runs", done] == 1
    assert found["compliance_run_last_end_timestamp_seconds", done] == NOW.timestamp()
    assert found["compliance_migrations_unapplied", frozenset()] == 0
    labels = {"ruleset_version": starter_release.ruleset_version, "sha256": starter_release.sha256}
    assert found["compliance_release_info", frozenset(labels.items())] == 1


def all_names(release: Published) -> set[str]:
    """Return the name of every metric that there can be, as alerts name it."""
    looked_up = CollectorRegistry()
    found = [
        *prometheus._of_redis(RedisFacts(0, {"celery": 1}, 0, {"a": Job({"success": 1}, 1, 1)})),
        *prometheus._of_release(CorpusStatus(release, 1.0, None, None, None)),
        *prometheus._of_records(Backlog(0, 0, 0, 0, is_full=False)),
    ]
    database = facts.DatabaseFacts(
        0, 0, NOW, 1, 1, NOW, {"x": 1}, (facts.Runs("a", "done", 1, NOW),), {"a": 1}, 0
    )
    found += prometheus._of_database(database)
    looked_up.register(prometheus.Facts())
    text = generate_latest(REGISTRY).decode() + generate_latest(looked_up).decode()
    names = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    names |= {one.name + ("_total" if one.type == "counter" else "") for one in found}
    return {name for name in names if name.startswith("compliance_") and not name.endswith("_created")}


def test_every_metric_is_explained(settings: Settings, starter_release: Published) -> None:
    settings.WATCH_SOURCES = True
    missing = [name for name in sorted(all_names(starter_release)) if f"`{name}`" not in OPERATIONS]
    assert not missing


def test_alerts_ask_for_metrics_that_there_are_and_each_is_explained(
    settings: Settings, starter_release: Published
) -> None:
    settings.WATCH_SOURCES = True
    asked = {re.sub(r"_(bucket|count|sum)$", "", name) for name in re.findall(r"\bcompliance_\w+", ALERTS)}
    assert asked
    assert asked <= all_names(starter_release)
    alerts = re.findall(r"- alert: (\w+)", ALERTS)
    assert len(alerts) == len(set(alerts)) == ALERTS.count("severity:") == ALERTS.count("summary:")
    for alert in alerts:
        assert f"**{alert}**" in OPERATIONS
