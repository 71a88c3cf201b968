"""Quotes on the screen of a rule: filled in block by block, told apart where wrong, read by everybody."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from msgspec.structs import replace

from checks.hostile.forms import Form
from compliance.celery import app
from rules.editing import actions as rule_actions
from rules.engine.facts import Quote
from rules.models import Rule
from rules.publishing.actions.releases import publish_release
from tests.rules.editing.test_screens import ONE_UNIT, RULES, address, errors_of, newest, text_of
from tests.support.desk.filling_in import fields_of, save
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_rule, a_user
from tests.support.partners import NOON
from tests.support.quotes import a_quote
from tests.support.world import APPROVER

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


WORDS = a_quote().words
WHERE = a_quote().where
TWO_PAGES: dict[str, Any] = {"evidence-source": ["northwing-page", "xa-page"]}


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


def typed(*quotes: tuple[str, str, str]) -> dict[str, Any]:
    """Return blocks as a browser sends them, the empty one at the end included."""
    columns = zip(*quotes, ("", "", ""), strict=True)
    names = ("quotes-source", "quotes-where", "quotes-words")
    return {name: list(column) for name, column in zip(names, columns, strict=True)}


def drafted(*quotes: Quote, sources: tuple[str, ...] = ("northwing-page",)) -> Rule:
    author = a_user()
    rule_actions.draft_rule(by=author, rule=a_rule(rule_id="n1.quoted", quotes=quotes, sources=sources))
    return newest("n1.quoted")


def test_a_rule_is_quoted_by_what_an_editor_fills_in(editor: Visitor) -> None:
    quotes = typed(("xa-page", WHERE, f"  {WORDS} "), ("northwing-page", "", "最多两个\r\n充电宝"))
    response = save(editor, f"{RULES}add/", **ONE_UNIT | TWO_PAGES | quotes)

    assert response.status_code == 302, errors_of(response)
    assert newest("n1.one-unit").to_record().quotes == (
        Quote(source="xa-page", words=WORDS, where=WHERE),
        Quote(source="northwing-page", words="最多两个\n充电宝"),
    )


def test_a_rule_of_one_page_is_quoted_from_that(editor: Visitor) -> None:
    assert save(editor, f"{RULES}add/", **ONE_UNIT | typed(("", "", WORDS))).status_code == 302
    assert newest("n1.one-unit").to_record().quotes == (a_quote(where=""),)


def test_saving_what_the_form_shows_keeps_every_quote(editor: Visitor) -> None:
    quotes = (a_quote(), a_quote(source="xa-page", words='Two lines,\n"both" | of it', where=""))
    rule_actions.draft_rule(
        by=editor.user, rule=a_rule(rule_id="n1.quoted", quotes=quotes, sources=("northwing-page", "xa-page"))
    )
    response = save(editor, address("n1.quoted"), summary="Another summary.")
    assert response.status_code == 302, errors_of(response)
    assert newest("n1.quoted").to_record().quotes == quotes


def test_an_emptied_block_is_a_quote_that_goes(editor: Visitor) -> None:
    rule_actions.draft_rule(by=editor.user, rule=a_rule(rule_id="n1.quoted", quotes=(a_quote(),)))
    assert save(editor, address("n1.quoted"), **typed()).status_code == 302
    assert newest("n1.quoted").to_record().quotes == ()


def test_the_form_has_an_empty_block_and_offers_the_sources_of_the_rule_alone(editor: Visitor) -> None:
    rule_actions.draft_rule(
        by=editor.user,
        rule=a_rule(rule_id="n1.quoted", quotes=(a_quote(),), sources=("northwing-page", "xa-page")),
    )
    page = editor.page(address("n1.quoted"))
    assert Form(page).fields["quotes-words"] == [WORDS, ""]
    block = page.partition('id="id_quotes-source-1"')[2].partition("</select>")[0]
    assert [part.partition('"')[0] for part in block.split('value="')[1:]] == [
        "",
        "northwing-page",
        "xa-page",
    ]
    # The next form knows nothing of what this one offered.
    blank = editor.page(f"{RULES}add/").partition('id="id_quotes-source-0"')[2].partition("</select>")[0]
    assert "northwing-page" not in blank


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (typed(("", "", WORDS)), "Quote 1, Source: choose the source of these words."),
        (typed(("xb-page", "", WORDS)), "Quote 1, Source: xb-page is not a source of this rule."),
        (typed(("xa-page", "", WORDS), ("xa-page", "", "")), "Quote 2, Words: This field is required."),
        (typed(("xa-page", "", "no")), "Quote 1, Words: Ensure this value has at least 3 characters"),
        (typed(("xa-page", "", "w" * 301)), "Quote 1, Words: Ensure this value has at most 300 characters"),
        (
            typed(("xa-page", "w" * 121, WORDS)),
            "Quote 1, Place on the page: Ensure this value has at most 120",
        ),
        (typed(("xa-page", "", "160\u2028Wh")), "an invisible character: U+2028"),
        (
            typed(*[("xa-page", "", f"words {number}") for number in range(6)]),
            "has 6 quotes, and 5 are the most",
        ),
        (typed(("xa-page", "", WORDS), ("xa-page", "top", WORDS)), "has the same quote 2 times"),
        (
            {"evidence-source": ["northwing-page", "untold-pointer"]} | typed(("untold-pointer", "", WORDS)),
            "has a quote of a page that was not read",
        ),
    ],
)
def test_an_error_stands_at_the_quotes_and_nothing_typed_is_lost(
    editor: Visitor, changes: dict[str, Any], sentence: str
) -> None:
    sent = ONE_UNIT | TWO_PAGES | changes
    response = save(editor, f"{RULES}add/", **sent)

    errors = errors_of(response)
    assert list(errors) == ["quotes"]
    assert any(sentence in message for message in errors["quotes"]), errors
    again = fields_on(response)
    for name in ("quotes-source", "quotes-where", "quotes-words"):
        assert again[name] == sent[name]
    assert again["summary"] == ["One unit."]


def fields_on(response: HttpResponse) -> dict[str, list[str]]:
    return Form(response.content.decode()).fields


def test_a_look_without_a_script_keeps_what_is_typed(editor: Visitor) -> None:
    response = save(editor, f"{RULES}add/", **ONE_UNIT | typed(("", WHERE, WORDS)), _preview="")
    assert errors_of(response) == {}
    assert fields_on(response)["quotes-words"][0] == WORDS


def test_a_reader_sees_the_words_their_page_and_where_they_stand(editor: Visitor) -> None:
    drafted(a_quote(words="No more than <2> units."))
    viewer = member("Reviewer")
    page = viewer.page(address("n1.quoted"))
    assert "quotes-words" not in fields_of(viewer, address("n1.quoted"))
    assert '<blockquote cite="https://northwing.example/batteries">No more than &lt;2&gt; units.' in page
    assert f"northwing-page · {WHERE}" in text_of(page)


def test_an_approver_sees_what_becomes_of_a_quote(editor: Visitor) -> None:
    drafted(a_quote())
    rule_actions.submit_rules(by=a_user(), rule_ids=["n1.quoted"])
    rule_actions.approve_rules(by=a_user(APPROVER), rule_ids=["n1.quoted"])
    publish_release(by=a_user("publisher"), note="News.", now=NOON, cases=())
    rule_actions.revise_rules(by=editor.user, rule_ids=["n1.quoted"], reason="The page has changed.")
    changed = a_rule(rule_id="n1.quoted", quotes=(a_quote(words="up to 100 Wh"),))
    rule_actions.change_rule(by=editor.user, rule=changed)
    before, after = f"northwing-page | {WORDS} | {WHERE}", f"northwing-page | up to 100 Wh | {WHERE}"
    assert f"Quotes {before} {after}" in text_of(member("Reviewer").page(address("n1.quoted")))

    history = text_of(editor.page(f"{RULES}{newest('n1.quoted').pk}/history/"))
    assert f"Quotes {before} {after}" in history
    # And what was saved while it was a draft, with the parts in a row.
    assert f"{WHERE} · up to 100 Wh · northwing-page" in history


@pytest.fixture
def _analyzed_in_process() -> Iterator[None]:
    """The rows are looked at by the time that a page is there, as where no worker runs."""
    cache.clear()
    before, app.conf.task_always_eager = app.conf.task_always_eager, True
    yield
    app.conf.task_always_eager = before
    cache.clear()


@pytest.mark.usefixtures("_analyzed_in_process")
def test_what_would_change_tells_of_a_quote_line_by_line(editor: Visitor) -> None:
    publish_release(by=a_user("publisher"), note="News.", now=NOON, cases=())
    record = newest("n1.two-units").to_record()
    rule_actions.revise_rules(by=editor.user, rule_ids=["n1.two-units"], reason="To quote the page.")
    rule_actions.change_rule(
        by=editor.user, rule=replace(record, quotes=(a_quote(), a_quote(words="two units", where="")))
    )
    rule_actions.submit_rules(by=editor.user, rule_ids=["n1.two-units"])
    rule_actions.approve_rules(by=a_user(APPROVER), rule_ids=["n1.two-units"])
    page = editor.page("/admin/changes/")
    assert f"<ins>northwing-page · {WORDS} · {WHERE}\nnorthwing-page · two units</ins>" in page
