"""What partners and the public rely on about changes of policies: whole counts, whole lists, true signals."""

import datetime
from collections import Counter
from typing import Any

import pytest
import time_machine
from django.test import Client
from msgspec.structs import replace

from catalog.cadence import Cadence
from rules.corpus import Published
from rules.engine.document import Content
from rules.engine.facts import PolicyChange, Rule
from rules.policy_history import selectors
from tests.compliance.api.reading import pages, read, walk
from tests.support.api_requests import errors, problem
from tests.support.factories import READ_ON, a_country, a_jurisdiction, a_rule, a_source, an_airline
from tests.support.partner_depth import ask_as_partner
from tests.support.starter import NOW, published

CHANGES = "/api/policy-changes"
TODAY = NOW.date()

COUNTS = {"ruleset_version", "depth", "total_changes", "counts", "history", "watch"}
LISTS = {
    "changes": "total_changes",
    "source_watch": "source_watch_total",
    "review_queue": "review_queue_total",
}
"""Each list and where its total stands."""

DEEP = {*LISTS, "source_watch_total", "review_queue_total", "next_cursor"}

pytestmark = pytest.mark.usefixtures("asked_now")


def days(count: int) -> datetime.timedelta:
    return datetime.timedelta(days=count)


def a_change(date: datetime.date = READ_ON, **changes: Any) -> PolicyChange:
    return replace(PolicyChange(date=date, what="One unit.", source="northwing-page"), **changes)


def a_release(**records: Any) -> Published:
    """A release of one airline and one rule, and of what the test is about."""
    content = {
        "countries": (a_country(),),
        "jurisdictions": (a_jurisdiction(),),
        "sources": (a_source(),),
        "airlines": (an_airline(),),
        "rules": (a_rule(),),
    }
    return published(Content(**content | records))


def answer_from(monkeypatch: pytest.MonkeyPatch, **records: Any) -> None:
    """Let the process answer from `a_release`, and everybody see it in full."""
    release = a_release(**records)
    monkeypatch.setattr("rules.corpus._current", release)
    selectors.starts_with(release)
    ask_as_partner(monkeypatch)


def fingerprints(client: Client) -> dict[str, str]:
    return {row["source_id"]: row["fingerprint"] for row in walk(client, CHANGES, "source_watch")}


def signals(client: Client, **query: Any) -> list[tuple[str, str | None, str | None, str | None]]:
    queue = walk(client, CHANGES, "review_queue", **query)
    return [(one["signal"], one["airline"], one["rule_id"], one["date"]) for one in queue]


# --- Counts -----------------------------------------------------------------------------------------------


def test_no_one_without_a_key_sees_more_than_counts(client: Client, asked_now: Published) -> None:
    for query in ({}, {"airline": "EK"}, {"since": "2026-01-01"}, {"limit": "200"}):
        answered = read(client, CHANGES, **query)
        assert set(answered) == COUNTS
        assert answered["depth"] == "counts"
        assert answered["ruleset_version"] == asked_now.ruleset_version


@pytest.mark.parametrize("airline", ["EK", "7C", "3U", "SQ", "NK", None])
@pytest.mark.parametrize("since", ["2020-01-01", "2025-10-01", "2026-03-27", "2027-01-01", None])
def test_counts_are_those_of_the_changes_in_the_release(
    client: Client, asked_now: Published, airline: str | None, since: str | None
) -> None:
    expected = Counter(
        record.airline
        for record in asked_now.corpus.content.airlines
        for change in record.changes
        if airline in (None, record.airline) and (since is None or change.date.isoformat() >= since)
    )
    query = {name: value for name, value in {"airline": airline, "since": since}.items() if value}
    answered = read(client, CHANGES, **query)
    assert answered["total_changes"] == expected.total()
    assert answered["counts"]["by_airline"] == expected
    assert sum(answered["counts"]["by_status"].values()) == expected.total()


def test_a_change_is_upcoming_until_its_day_has_come(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    dates = [TODAY - days(1), TODAY, TODAY + days(1), TODAY + days(90)]
    answer_from(monkeypatch, airlines=(an_airline(changes=tuple(map(a_change, dates))),))
    answered = read(client, CHANGES)
    assert answered["counts"]["by_status"] == {"in_effect": 2, "upcoming": 2}
    shown = {change["date"]: change["status"] for change in answered["changes"]}
    assert shown == {day.isoformat(): "in_effect" if day <= TODAY else "upcoming" for day in dates}


def test_the_watch_counts_every_source_that_a_rule_or_a_policy_rests_on(
    client: Client, asked_now: Published
) -> None:
    content = asked_now.corpus.content
    names = {name for rule in content.rules for name in rule.sources}
    for airline in content.airlines:
        names |= {*airline.sources, *(change.source for change in airline.changes)}
    sources = [source for source in content.sources if source.id in names]
    read_on = [source.read_on for source in sources if source.basis != "general_knowledge"]
    watched = read(client, CHANGES)["watch"]
    assert {name: watched[name] for name in watched if name not in {"pages", "open_signals"}} == {
        "sources_watched": len(sources),
        "by_basis": Counter(source.basis for source in sources),
        "oldest_read_on": min(read_on).isoformat(),
        "newest_read_on": max(read_on).isoformat(),
    }
    # Pages about devices are not watched for policies.
    assert len(sources) < len(content.sources)


# --- The lists --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [40, 100, 200])
def test_a_walk_goes_through_all_three_lists_once(
    client: Client, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    ask_as_partner(monkeypatch)
    turned = list(pages(client, CHANGES, limit=limit))
    assert set(turned[0]) == COUNTS | DEEP
    assert len({str((page["counts"], page["watch"])) for page in turned}) == 1
    for records, total in LISTS.items():
        walked = [str(record) for page in turned for record in page[records]]
        assert len(walked) == len(set(walked)) == turned[0][total] > 0
        assert all(len(page[records]) <= limit for page in turned)


def test_the_lists_hold_as_much_as_the_counts_say(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    anonymous = read(client, CHANGES)
    ask_as_partner(monkeypatch)
    full = read(client, CHANGES)
    assert {name: full[name] for name in ("total_changes", "counts", "watch")} == {
        name: anonymous[name] for name in ("total_changes", "counts", "watch")
    }
    assert Counter(one["airline"] for one in walk(client, CHANGES, "changes")) == full["counts"]["by_airline"]
    rows = walk(client, CHANGES, "source_watch")
    assert len(rows) == full["watch"]["sources_watched"]
    assert Counter(row["basis"] for row in rows) == full["watch"]["by_basis"]


def test_changes_begin_with_the_newest_and_are_cited(
    client: Client, asked_now: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_as_partner(monkeypatch)
    changes = walk(client, CHANGES, "changes")
    assert [one["date"] for one in changes] == sorted((one["date"] for one in changes), reverse=True)
    source_of = {
        (record.airline, change.what): asked_now.shelf.sources[change.source]
        for record in asked_now.corpus.content.airlines
        for change in record.changes
    }
    for one in changes:
        source = source_of[one["airline"], one["what"]]
        assert one["citation"]["url"] == source.url
        assert one["citation"]["pulled_at"] == source.read_on.isoformat()


def test_a_change_that_no_one_read_about_has_no_citation(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_from(
        monkeypatch,
        sources=(a_source(), a_source(id="never", basis="general_knowledge")),
        airlines=(an_airline(changes=(a_change(source="never"),)),),
    )
    assert read(client, CHANGES)["changes"][0]["citation"] is None


def test_one_airline_narrows_all_three_lists(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ask_as_partner(monkeypatch)
    everything, own = read(client, CHANGES, limit=200), read(client, CHANGES, airline="3U", limit=200)
    assert {one["airline"] for one in own["changes"]} == {"3U"}
    assert [one["signal"] for one in own["review_queue"]] == ["policy_unverified"]
    evidence = walk(client, "/api/sources", "sources", airline="3U")
    assert [row["source_id"] for row in own["source_watch"]] == [source["source_id"] for source in evidence]
    assert own["watch"]["sources_watched"] == len(evidence) < everything["watch"]["sources_watched"]


def test_a_page_that_only_a_dated_change_names_is_watched_and_is_evidence(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_from(
        monkeypatch,
        sources=(a_source(), a_source(id="of-a-change")),
        airlines=(an_airline(changes=(a_change(source="of-a-change"),)),),
    )
    for query in ({}, {"airline": "N1"}):
        rows = {row["source_id"]: row["airlines"] for row in walk(client, CHANGES, "source_watch", **query)}
        assert rows == {"northwing-page": ["N1"], "of-a-change": ["N1"]}
    evidence = walk(client, "/api/sources", "sources", airline="N1")
    assert {source["source_id"] for source in evidence} == set(rows)


def test_a_date_narrows_the_changes_alone(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ask_as_partner(monkeypatch)
    everything, late = read(client, CHANGES), read(client, CHANGES, since="2026-03-27")
    assert 0 < late["total_changes"] < everything["total_changes"]
    for total in ("source_watch_total", "review_queue_total"):
        assert late[total] == everything[total]


def test_an_airline_that_is_not_there_is_an_error(client: Client) -> None:
    response = client.get(CHANGES, {"airline": "XX"})
    assert response.status_code == 404
    assert problem(response)["code"] == "AIRLINE_NOT_COVERED"
    assert errors(client.get(CHANGES, {"airline": "ek"})) == {"airline": "invalid_format"}


def test_a_cursor_that_is_none_of_ours_is_an_error_at_either_depth(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert errors(client.get(CHANGES, {"cursor": "MjA"})) == {"cursor": "stale_cursor"}
    ask_as_partner(monkeypatch)
    assert errors(client.get(CHANGES, {"cursor": "MjA"})) == {"cursor": "stale_cursor"}


# --- The source watch -------------------------------------------------------------------------------------


def test_a_watched_source_tells_its_age_and_what_rests_on_it(
    client: Client, asked_now: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_as_partner(monkeypatch)
    content = asked_now.corpus.content
    for row in walk(client, CHANGES, "source_watch"):
        source = asked_now.shelf.sources[row["source_id"]]
        was_read = source.basis != "general_knowledge"
        assert row["last_read"] == (source.read_on.isoformat() if was_read else None)
        assert row["age_days"] == ((TODAY - source.read_on).days if was_read else None)
        assert set(row["rule_ids"]) == {rule.rule_id for rule in content.rules if source.id in rule.sources}
        assert set(row["airlines"]) == {
            airline.airline
            for airline in content.airlines
            if source.id in airline.sources or source.id in [change.source for change in airline.changes]
        }


def test_every_source_has_a_fingerprint_of_its_own(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ask_as_partner(monkeypatch)
    found = fingerprints(client)
    assert len(set(found.values())) == len(found)
    assert {len(fingerprint) for fingerprint in found.values()} == {64}


OTHER_RULE = a_rule(rule_id="n1.other", sources=("other-page",))
BOTH_SOURCES = (a_source(), a_source(id="other-page"))


@pytest.mark.parametrize(
    ("records", "moved"),
    [
        ({"sources": (a_source(title="New"), BOTH_SOURCES[1])}, {"northwing-page"}),
        ({"sources": (a_source(url="https://new.example/"), BOTH_SOURCES[1])}, {"northwing-page"}),
        ({"rules": (a_rule(summary="New."), OTHER_RULE)}, {"northwing-page"}),
        ({"rules": (a_rule(), a_rule(rule_id="n1.new"), OTHER_RULE)}, {"northwing-page"}),
        ({"rules": (OTHER_RULE,)}, {"northwing-page"}),
        ({"rules": (a_rule(), replace(OTHER_RULE, summary="New."))}, {"other-page"}),
        ({"sources": (a_source(read_on=TODAY), BOTH_SOURCES[1])}, set()),
        ({"airlines": (an_airline(summary="New."),)}, set()),
    ],
    ids=[
        "the page has another title",
        "it has moved",
        "a rule that rests on it changed",
        "a rule came",
        "a rule went",
        "a rule that rests on another page changed",
        "it was read again",
        "something else changed",
    ],
)
def test_a_fingerprint_moves_with_a_page_and_the_rules_that_rest_on_it_alone(
    client: Client, monkeypatch: pytest.MonkeyPatch, records: dict[str, Any], moved: set[str]
) -> None:
    before: dict[str, Any] = {
        "sources": BOTH_SOURCES,
        "rules": (a_rule(), OTHER_RULE),
        "airlines": (an_airline(),),
    }
    answer_from(monkeypatch, **before)
    old = fingerprints(client)
    answer_from(monkeypatch, **before | records)
    new = fingerprints(client)
    assert {name for name in old if old[name] != new[name]} == moved


# --- The review queue -------------------------------------------------------------------------------------


def a_regulator_rule(**changes: Any) -> Rule:
    return a_rule(
        **{"rule_id": "xa.rule", "issuer": "regulator", "airline": None, "applies": ("departure",)} | changes
    )


@pytest.mark.parametrize(
    ("dates", "signal"),
    [
        ({"effective_until": TODAY - days(1)}, None),
        ({"effective_until": TODAY}, "rule_expires_soon"),
        ({"effective_until": TODAY + days(30)}, "rule_expires_soon"),
        ({"effective_until": TODAY + days(31)}, None),
        ({"effective_from": TODAY}, None),
        ({"effective_from": TODAY + days(1)}, "rule_starts_soon"),
        ({"effective_from": TODAY + days(30)}, "rule_starts_soon"),
        ({"effective_from": TODAY + days(31)}, None),
    ],
)
def test_a_rule_is_to_be_looked_at_within_thirty_days_of_its_end_or_start(
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    dates: dict[str, datetime.date],
    signal: str | None,
) -> None:
    answer_from(monkeypatch, rules=(a_rule(**dates), a_regulator_rule(**dates)))
    [day] = dates.values()
    expected = [(signal, None, "xa.rule", day.isoformat()), (signal, "N1", a_rule().rule_id, day.isoformat())]
    assert signals(client) == (expected if signal else [])


@pytest.mark.parametrize(
    ("cadence", "age", "stale"),
    [
        (None, 90, False),
        (None, 91, True),
        ("daily", 31, True),
        ("quarterly", 365, False),
        ("quarterly", 366, True),
    ],
)
def test_a_rule_is_to_be_looked_at_when_all_its_evidence_is_older_than_its_cadence_allows(
    client: Client, monkeypatch: pytest.MonkeyPatch, cadence: Cadence | None, age: int, stale: bool
) -> None:
    read_on = TODAY - days(age)
    sources = (
        a_source(read_on=read_on, cadence=cadence),
        a_source(id="older", read_on=TODAY - days(900)),
        # Nobody read it, so it makes nothing younger.
        a_source(id="never", basis="general_knowledge", read_on=TODAY),
    )
    rule = a_rule(sources=("older", "northwing-page", "never"))
    over = a_rule(rule_id="n1.over", sources=("older",), effective_until=TODAY - days(60))
    answer_from(monkeypatch, sources=sources, rules=(rule, over))
    expected = [("evidence_stale", "N1", rule.rule_id, read_on.isoformat())]
    assert signals(client) == (expected if stale else [])


def test_evidence_grows_stale_in_the_queue_on_the_day_on_which_verdicts_begin_to_say_so(
    client: Client, asked_now: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_as_partner(monkeypatch)
    days_to_come = (NOW + days(ahead) for ahead in range(1000))
    first = next(day for day in days_to_come if asked_now.corpus.freshness(day.date()) != "fresh")
    for day, stale in ((first - days(1), False), (first, True)):
        with time_machine.travel(day, tick=False):
            listed = {signal for signal, *_ in signals(client, limit=200)}
            assert ("evidence_stale" in listed) is stale


def test_every_unverified_policy_is_to_be_looked_at(
    client: Client, asked_now: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_as_partner(monkeypatch)
    unverified = [one.airline for one in asked_now.shelf.airlines.values() if one.confidence == "unverified"]
    assert unverified
    assert [airline for signal, airline, *_ in signals(client) if signal == "policy_unverified"] == unverified


def test_what_has_a_date_comes_first_and_in_its_order(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_from(
        monkeypatch,
        airlines=(an_airline(confidence="unverified"),),
        rules=(
            a_rule(rule_id="n1.later", effective_until=TODAY + days(9)),
            a_rule(rule_id="n1.sooner", effective_from=TODAY + days(3)),
            a_rule(rule_id="n1.always"),
        ),
    )
    assert [(signal, rule_id) for signal, _, rule_id, _ in signals(client)] == [
        ("rule_starts_soon", "n1.sooner"),
        ("rule_expires_soon", "n1.later"),
        ("policy_unverified", None),
    ]
