"""Quotes of rules in the API: the words, the page and the place, as far as editors recorded them."""

import msgspec
import pytest
import rfc8785
from django.test import Client

from rules.corpus import Published
from rules.engine.document import Content, builtins
from rules.releases.ledger import digest
from tests.compliance.api.reading import answer_from, read, walk
from tests.support.factories import a_country, a_jurisdiction, a_rule, a_source, an_airline
from tests.support.partner_depth import ask_as_partner
from tests.support.quotes import a_quote

PLAIN = a_rule(rule_id="n1.plain")
QUOTED = a_rule(rule_id="n1.quoted", quotes=(a_quote(), a_quote(words="最多两个\n充电宝", where="")))
PAGE = a_source()


@pytest.fixture
def _world(asked_now: Published, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_from(
        monkeypatch,
        countries=(a_country(),),
        jurisdictions=(a_jurisdiction(),),
        sources=(PAGE,),
        airlines=(an_airline(),),
        rules=(PLAIN, QUOTED),
    )


SHOWN = [
    {"source_id": PAGE.id, "url": PAGE.url, "words": a_quote().words, "where": a_quote().where},
    {"source_id": PAGE.id, "url": PAGE.url, "words": "最多两个\n充电宝", "where": None},
]


@pytest.mark.usefixtures("_world")
def test_a_rule_shows_its_quotes_wherever_it_is_read(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(client, "/api/rules/n1.quoted")["quotes"] == SHOWN
    assert read(client, "/api/rules/n1.plain")["quotes"] == []
    listed = {rule["rule_id"]: rule["quotes"] for rule in walk(client, "/api/rules", "rules")}
    assert listed == {"n1.plain": [], "n1.quoted": SHOWN}
    ask_as_partner(monkeypatch)
    full = {rule["rule_id"]: rule["quotes"] for rule in read(client, "/api/airlines/N1")["rules"]}
    assert full == listed


@pytest.mark.usefixtures("_world")
def test_every_quote_leads_to_a_page_that_the_rule_cites(client: Client) -> None:
    rule = read(client, "/api/rules/n1.quoted")
    known = {source["source_id"]: source["url"] for source in walk(client, "/api/sources", "sources")}
    for quote in rule["quotes"]:
        assert known[quote["source_id"]] == quote["url"]
        assert quote["url"] in [citation["url"] for citation in rule["citations"]]


def fingerprint(client: Client, monkeypatch: pytest.MonkeyPatch) -> str:
    ask_as_partner(monkeypatch)
    (row,) = walk(client, "/api/policy-changes", "source_watch")
    assert isinstance(row["fingerprint"], str)
    return row["fingerprint"]


@pytest.mark.usefixtures("asked_now")
def test_the_fingerprint_of_a_page_without_quotes_is_what_it_was_before_rules_had_any(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_from(monkeypatch, sources=(PAGE,), rules=(PLAIN,))
    (source,) = builtins(Content(sources=(PAGE,)))["sources"]
    rule = msgspec.to_builtins(PLAIN, builtin_types=())
    del source["read_on"], rule["quotes"]
    assert fingerprint(client, monkeypatch) == digest(
        rfc8785.dumps({"source": source, "rules": [rule]}).decode()
    )


@pytest.mark.usefixtures("asked_now")
def test_the_fingerprint_moves_with_a_quote(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_from(monkeypatch, sources=(PAGE,), rules=(PLAIN,))
    before = fingerprint(client, monkeypatch)
    answer_from(monkeypatch, sources=(PAGE,), rules=(a_rule(rule_id="n1.plain", quotes=(a_quote(),)),))
    assert fingerprint(client, monkeypatch) != before
