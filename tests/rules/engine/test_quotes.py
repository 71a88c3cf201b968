"""Quotes that make a release unpublishable, and releases from before there were any."""

from typing import Any

import msgspec
import pytest
from hypothesis import given

from rules.engine.document import Content, ReleaseDocument, builtins, decode, problems
from rules.engine.facts import Quote
from rules.releases.comparison import compare
from rules.releases.ledger import canonical_text, digest
from tests.rules.rows import CONTENT, RULE
from tests.support.quotes import a_quote, quotes_of
from tests.support.starter import starter_content

replace = msgspec.structs.replace
PAGE = "regulator-page"


def quoting(*quotes: Quote) -> Content:
    return replace(CONTENT, rules=(CONTENT.rules[0], replace(RULE, quotes=quotes)))


@given(quotes_of([PAGE]))
def test_short_words_of_a_page_that_was_read_can_be_published(quotes: tuple[Quote, ...]) -> None:
    assert problems(quoting(*quotes)) == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"source": "nowhere"}, "has a quote of what is none of its sources: `nowhere`"),
        ({"source": "hearsay"}, "has a quote of a page that was not read: `hearsay`"),
        ({"words": ""}, "a quote of 0 characters, not 3 to 300"),
        ({"words": " \n "}, "a quote of 0 characters, not 3 to 300"),
        ({"words": "no"}, "a quote of 2 characters, not 3 to 300"),
        ({"words": "w" * 301}, "a quote of 301 characters, not 3 to 300"),
        ({"words": " 160 Wh"}, "spaces around its words"),
        ({"words": "160\u2028Wh"}, "an invisible character: U+2028 in the words"),
        ({"words": "160\x00Wh"}, "an invisible character: U+0000 in the words"),
        ({"words": "160\r\nWh"}, "an invisible character: U+000D in the words"),
        ({"where": "w" * 121}, "takes 121 characters, and 120 are the most"),
        ({"where": "third line "}, "spaces around its place"),
        ({"where": "third\nline"}, "an invisible character: U+000A in the place"),
    ],
)
def test_a_quote_that_proves_nothing_keeps_a_release_from_going_out(
    changes: dict[str, str], reason: str
) -> None:
    content = quoting(a_quote(**{"source": PAGE} | changes))
    assert any(one.where == f"rule {RULE.rule_id}" and reason in one.reason for one in problems(content))


@pytest.mark.parametrize("changes", [{"words": "w" * 300}, {"words": "100"}, {"where": "w" * 120}])
def test_a_quote_may_be_as_long_and_as_short_as_is_said(changes: dict[str, str]) -> None:
    assert problems(quoting(a_quote(source=PAGE, **changes))) == []


def test_a_rule_has_five_quotes_at_most_and_none_of_them_twice() -> None:
    five = [a_quote(source=PAGE, words=f"words {number}") for number in range(5)]
    assert problems(quoting(*five)) == []
    (too_many,) = problems(quoting(*five, a_quote(source=PAGE)))
    assert too_many.reason == "has 6 quotes, and 5 are the most"
    (twice,) = problems(quoting(five[0], replace(five[0], where="elsewhere")))
    assert twice.reason == f"has the same quote 2 times: of `{PAGE}`"


def test_a_release_from_before_quotes_is_read_and_keeps_its_bytes() -> None:
    content = starter_content()
    document = ReleaseDocument(ruleset_version="2026.11.1", predecessor=None, content=content)
    text = canonical_text(document)
    assert '"quotes"' not in text
    read = decode(text.encode())
    assert read == document
    assert all(rule.quotes == () for rule in read.content.rules)
    assert digest(canonical_text(read)) == digest(text)


def test_a_release_keeps_the_quotes_of_its_rules() -> None:
    content = quoting(a_quote(source=PAGE), a_quote(source=PAGE, words="上限100瓦时", where=""))
    document = ReleaseDocument(ruleset_version="2026.11.1", predecessor=None, content=content)
    assert decode(canonical_text(document).encode()) == document
    assert decode(msgspec.json.encode(builtins(document))) == document


def test_only_a_rule_that_gets_a_quote_differs_from_what_it_was() -> None:
    old = _as_before_quotes(CONTENT)
    assert compare(old, CONTENT) == []
    (change,) = compare(old, quoting(a_quote(source=PAGE)))
    (field,) = change.fields
    assert (change.id, field.field, field.before) == (RULE.rule_id, "quotes", None)
    assert [one["words"] for one in field.after] == [a_quote().words]


def _as_before_quotes(content: Content) -> Content:
    """Return content as it is read from a text of a time when no rule had the field."""
    plain: dict[str, Any] = msgspec.to_builtins(content, builtin_types=())
    for rule in plain["rules"]:
        del rule["quotes"]
    return msgspec.json.decode(msgspec.json.encode(plain), type=Content)
