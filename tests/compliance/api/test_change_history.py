"""What releases changed, as the API tells it: counts for anybody, all of it for partners, never stale."""

import datetime
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.db import OperationalError
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from compliance.api.reads.policy_changes import PolicyChangesView
from rules import corpus
from rules.engine.document import Content
from rules.engine.facts import PolicyChange, When
from rules.models import PolicyEntry, PolicyHistory
from rules.policy_history import selectors
from rules.policy_history.actions import keep_policy_history
from tests.compliance.api.reading import pages, read, walk
from tests.support.api_requests import errors
from tests.support.factories import a_country, a_jurisdiction, a_rule, a_source, an_airline
from tests.support.ledger import DAY, FIRST, publish
from tests.support.partner_depth import ask_as_partner

CHANGES = "/api/policy-changes"
AIRLINE = "/api/airlines/N1"
TODAY = FIRST.date() + 3 * DAY

RECORDED = PolicyChange(date=datetime.date(2026, 11, 21), what="One unit.", source="northwing-page")
STRICTER = a_rule(
    when=When(watt_hour_up_to=Decimal(100)),
    summary="Up to 100 Wh travel in the cabin.",
    effective_from=TODAY + DAY,
)
OF_AN_AUTHORITY = a_rule(
    rule_id="xa.cabin-only", issuer="regulator", airline=None, authority="Northland Aviation"
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_ledger")]


def content(*rules: Any) -> Content:
    return Content(
        countries=(a_country(),),
        jurisdictions=(a_jurisdiction(),),
        sources=(a_source(),),
        airlines=(an_airline(changes=(RECORDED,)),),
        rules=rules,
    )


@pytest.fixture
def _ledger(fresh_process: None) -> Iterator[None]:
    """Three releases on three days: the second makes a rule stricter and adds one; the third goes back."""
    first, second = content(a_rule()), content(STRICTER, OF_AN_AUTHORITY)
    for number, one in enumerate((first, second, first)):
        publish(one, now=FIRST + number * DAY)
    keep_policy_history(now=FIRST + 2 * DAY)
    with time_machine.travel(FIRST + 3 * DAY, tick=False):
        yield


def test_anyone_gets_counts_by_status_kind_airline_and_authority(client: Client) -> None:
    answered = read(client, CHANGES)
    assert (answered["depth"], answered["total_changes"]) == ("counts", 5)
    assert answered["counts"] == {
        "by_status": {"in_effect": 4, "upcoming": 1},
        "by_kind": {"recorded": 1, "release": 4},
        "by_airline": {"N1": 3},
        "by_authority": {"XA": 2},
    }
    assert answered["history"] == {
        "begins_with": "2026-11-20",
        "begins_on": "2026-11-20",
        "until": "2026-11-22",
    }
    assert "changes" not in answered
    one = read(client, AIRLINE)
    assert one["total_changes"] == 3
    assert one["change_counts"] == {
        "by_status": {"in_effect": 2, "upcoming": 1},
        "by_kind": {"recorded": 1, "release": 2},
    }
    assert "change_log" not in one


def test_a_partner_reads_what_changed_in_plain_words(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ask_as_partner(monkeypatch)
    changes = walk(client, CHANGES, "changes", limit=2)
    assert [
        (one["date"], one["kind"], one["change"], one["airline"], one["rule_ids"]) for one in changes
    ] == [
        ("2026-11-22", "release", "changed", "N1", ["n1.cabin-up-to-160wh"]),
        ("2026-11-22", "release", "removed", None, ["xa.cabin-only"]),
        ("2026-11-21", "recorded", None, "N1", []),
        ("2026-11-21", "release", "changed", "N1", ["n1.cabin-up-to-160wh"]),
        ("2026-11-21", "release", "added", None, ["xa.cabin-only"]),
    ]
    assert [one["back_to"] for one in changes] == ["2026-11-20", "2026-11-20", None, None, None]
    back, _, recorded, stricter, _ = changes
    assert back["what"].startswith("Ruleset 2026-11-22 restored ruleset 2026-11-20. A rule was changed.")
    assert stricter["what"] == (
        "A rule was changed. It now says: Up to 100 Wh travel in the cabin. It previously said: Up to "
        "160 Wh travel in the cabin. It applies from 24 November 2026."
    )
    assert stricter["status"] == "upcoming"
    assert "when.watt_hour_up_to" in stricter["fields"]
    assert stricter["citation"] == stricter["citations"][0]
    assert (recorded["what"], recorded["ruleset_version"]) == ("One unit.", None)
    assert {one["jurisdiction"] for one in changes} == {"XA"}
    log = read(client, AIRLINE)["change_log"]
    assert log == [one for one in changes if one["airline"] == "N1"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"airline": "N1"}, 3),
        ({"jurisdiction": "XA"}, 5),
        ({"jurisdiction": "INTL"}, None),
        ({"since": "2026-11-22"}, 2),
        ({"since": "2026-11-23"}, 0),
        ({"airline": "N1", "since": "2026-11-22"}, 1),
    ],
)
def test_filters_narrow_counts_and_changes_alike(
    client: Client, monkeypatch: pytest.MonkeyPatch, query: dict[str, str], expected: int | None
) -> None:
    ask_as_partner(monkeypatch)
    if expected is None:
        assert errors(client.get(CHANGES, query)) == {"jurisdiction": "unknown_jurisdiction"}
        return
    for page in pages(client, CHANGES, limit=1, **query):
        assert page["total_changes"] == expected
    assert len(walk(client, CHANGES, "changes", limit=1, **query)) == expected


def test_a_full_answer_takes_one_query_and_counts_take_none(
    client: Client, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    read(client, CHANGES)
    with django_assert_num_queries(0):
        read(client, CHANGES)
        read(client, AIRLINE)
    ask_as_partner(monkeypatch)
    with django_assert_num_queries(1):
        read(client, CHANGES)


def test_a_304_is_sent_without_any_work(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    tag = client.get(CHANGES)["ETag"]
    monkeypatch.setattr(PolicyChangesView, "answer", None)
    assert client.get(CHANGES, headers={"if-none-match": tag}).status_code == 304


def test_what_was_kept_while_the_history_was_behind_is_not_taken_for_the_whole(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "PATIENCE_SECONDS", 0)
    publish(content(), now=FIRST + 3 * DAY - DAY / 2)
    corpus.refresh()
    behind = client.get(CHANGES)
    assert behind.json()["history"]["until"] == "2026-11-22"
    keep_policy_history(now=FIRST + 3 * DAY)
    for condition in (
        {"if-none-match": behind["ETag"]},
        {"if-modified-since": behind["Last-Modified"]},
    ):
        whole = client.get(CHANGES, headers=condition)
        assert whole.status_code == 200
        assert whole.json()["history"]["until"] == "2026-11-23"


def test_counts_of_the_release_are_answered_while_the_database_is_away(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.current()

    def away(*args: Any, **kwargs: Any) -> Any:
        raise OperationalError

    for table in (PolicyHistory, PolicyEntry):
        monkeypatch.setattr(table.objects, "filter", away)
    answered = client.get(CHANGES)
    assert answered.json()["counts"]["by_kind"] == {"recorded": 1, "release": None}
    assert answered.json()["total_changes"] == 1
    assert client.get(AIRLINE).json()["change_counts"]["by_kind"]["release"] is None
    monkeypatch.undo()
    selectors.forget()
    assert client.get(CHANGES)["ETag"] != answered["ETag"]


def test_a_partner_gets_the_policy_while_the_database_is_away_and_no_list_with_holes(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(client, CHANGES)

    def away(*args: Any, **kwargs: Any) -> Any:
        raise OperationalError

    monkeypatch.setattr(PolicyEntry.objects, "filter", away)
    ask_as_partner(monkeypatch)
    full = read(client, AIRLINE)
    assert full["change_counts"]["by_kind"] == {"recorded": 1, "release": None}
    assert [one["what"] for one in full["change_log"]] == ["One unit."]
    assert client.get(CHANGES).status_code == 503


def test_the_changes_of_a_release_that_is_in_no_ledger_are_not_made_up(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "_current", replace_release(corpus.current()))
    answered = read(client, CHANGES)
    assert answered["history"] == {"begins_with": None, "begins_on": None, "until": None}
    assert answered["counts"]["by_kind"] == {"recorded": 1, "release": 0}


def replace_release(published: Any) -> Any:
    return type(published)("2026-11-30", "0" * 64, published.published_at, published.corpus)
