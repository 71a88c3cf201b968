"""Quotes in files of rules: whatever they hold comes back exactly, and no file takes one away unasked."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from catalog.bulk import files
from rules.editing.actions import draft_rule
from rules.editing.bulk import RULES, RuleEntry
from rules.engine.facts import Quote, Rule
from tests.catalog.bulk.test_files import read_back
from tests.catalog.bulk.test_revisions import newest, run
from tests.support.factories import a_rule, a_user
from tests.support.quotes import a_quote, quotes_of
from tests.support.reading_here import reading_here
from tests.support.thoroughness import examples

pytestmark = pytest.mark.usefixtures("world_rows")

PAGES = ("northwing-page", "xa-page")
AWKWARD = '=SUM(A1), "two" | units; \\n 最多两个充电宝\nand no more\\'
NAME = "n1.quoted"


def entry(*quotes: Quote) -> RuleEntry:
    rule = a_rule(rule_id=NAME, sources=PAGES, quotes=quotes)
    fields = {name: getattr(rule, name) for name in rule.__struct_fields__}
    return RuleEntry(**fields, revision=1, state="draft")


@pytest.mark.parametrize("file_format", ["csv", "xlsx", "json"])
@given(rules=st.lists(quotes_of(PAGES), min_size=1, max_size=10))
@settings(max_examples=examples(15, thorough=100))
@example(
    rules=[
        (a_quote(words=AWKWARD, where="-1 | \\e"), a_quote(source="xa-page", words="' 160", where="")),
        (a_quote(words="a |", where="| b"),),
    ]
)
def test_whatever_a_quote_holds_reads_back_the_same(file_format: str, rules: list[tuple[Quote, ...]]) -> None:
    entries = [entry(*quotes) for quotes in rules]
    with reading_here():
        assert read_back(file_format, entries) == entries


@pytest.fixture
def editor(db: None) -> User:
    """Who has a draft with two quotes open."""
    editor = a_user("importer")
    draft_rule(by=editor, rule=quoted())
    return editor


def quoted() -> Rule:
    quotes = (a_quote(), a_quote(source="xa-page", words=AWKWARD, where=""))
    return a_rule(rule_id=NAME, sources=PAGES, quotes=quotes)


@pytest.mark.parametrize("file_format", ["csv", "xlsx", "json"])
def test_an_export_that_is_imported_changes_nothing(editor: User, file_format: str) -> None:
    content = files.write(file_format, [RULES.entry(newest(NAME))], RuleEntry)
    plan = run(editor, content, f"rules.{file_format}")
    assert [row.kind for row in plan.outcomes] == ["same"]


def test_a_file_without_the_column_takes_no_quote_away(editor: User) -> None:
    run(editor, f"rule_id,summary\n{NAME},Another summary.\n")
    assert newest(NAME).to_record() == replace(quoted(), summary="Another summary.")
    content = json.dumps([{"rule_id": NAME, "summary": "A third one."}])
    run(editor, content, "rules.json")
    assert newest(NAME).to_record() == replace(quoted(), summary="A third one.")


def test_a_rule_that_no_longer_rests_on_a_page_cannot_keep_its_quote_unnoticed(editor: User) -> None:
    plan = run(editor, f"rule_id,sources\n{NAME},northwing-page\n")
    assert [row.reason for row in plan.outcomes] == ["has a quote of what is none of its sources: `xa-page`"]
    assert newest(NAME).to_record() == quoted()


def test_an_empty_cell_empties_them(editor: User) -> None:
    run(editor, f"rule_id,quotes\n{NAME},\n")
    assert newest(NAME).to_record().quotes == ()


@pytest.mark.parametrize(
    ("line", "quote"),
    [
        (
            "xa-page | up to 160 Wh | third line",
            Quote(source="xa-page", words="up to 160 Wh", where="third line"),
        ),
        ("xa-page | up to 160 Wh", Quote(source="xa-page", words="up to 160 Wh")),
        ("xa-page | up to 160 Wh | ", Quote(source="xa-page", words="up to 160 Wh")),
        (r"xa-page | 100 \| 160 Wh", Quote(source="xa-page", words="100 | 160 Wh")),
    ],
)
def test_a_quote_is_one_line_and_may_leave_out_where_it_stands(editor: User, line: str, quote: Quote) -> None:
    run(editor, f"rule_id,quotes\n{NAME},{line}\n")
    assert newest(NAME).to_record().quotes == (quote,)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("xa-page", "has source | words | where on each line"),
        ("xa-page | 100 | 160 Wh | top", "has source | words | where on each line"),
        ("nowhere | up to 160 Wh", "has a quote of what is none of its sources: `nowhere`"),
        ("xa-page | no", "has a quote of 2 characters, not 3 to 300: of `xa-page`"),
    ],
)
def test_a_line_that_is_no_quote_is_an_error_of_its_row(editor: User, line: str, reason: str) -> None:
    plan: Any = run(editor, f"rule_id,quotes\n{NAME},{line}\n")
    assert reason in plan.outcomes[0].reason
    assert newest(NAME).to_record() == quoted()
