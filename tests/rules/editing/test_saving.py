"""Saving a rule: in one move with submitting it, next to what another person saved, and again later."""

from typing import Any

import pytest
from msgspec.structs import replace

from catalog.editorial.workflow import EditorAction, State
from catalog.errors import WrongState
from rules.editing import actions
from rules.editing.admin.rules import RuleAdmin
from rules.models import Rule
from tests.support.desk.filling_in import fields_of, save, send
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_user

from .test_screens import ONE_UNIT, RULES, address, fields_on, newest

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


@pytest.fixture
def opened(editor: Visitor) -> dict[str, list[str]]:
    """The form of a draft, opened before another person changed its summary."""
    save(editor, f"{RULES}add/", **ONE_UNIT)
    fields = fields_of(editor, address("n1.one-unit"))
    rule = newest("n1.one-unit").to_record()
    actions.change_rule(by=a_user("other"), rule=replace(rule, summary="Theirs."))
    return fields


def test_a_rule_is_saved_and_submitted_in_one_move(editor: Visitor) -> None:
    save(editor, f"{RULES}add/", **ONE_UNIT, _submit="")

    assert newest("n1.one-unit").state == State.IN_REVIEW
    assert "n1.one-unit waits for review." in editor.page(address("n1.one-unit"))


def test_a_rule_that_is_not_taken_for_review_is_saved_as_a_draft_and_says_why(
    editor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: Any) -> None:
        raise WrongState("n1.one-unit", "waits for its page")

    monkeypatch.setattr(
        RuleAdmin, "action_functions", {**RuleAdmin.action_functions, EditorAction.SUBMIT: refuse}
    )
    save(editor, f"{RULES}add/", **ONE_UNIT, _submit="")

    assert newest("n1.one-unit").state == State.DRAFT
    page = editor.page(address("n1.one-unit"))
    assert "Saved as a draft, and not submitted. n1.one-unit: waits for its page." in page


def test_what_two_people_changed_is_shown_beside_each_other(
    editor: Visitor, opened: dict[str, list[str]]
) -> None:
    response = send(editor, address("n1.one-unit"), opened, summary="Mine.")

    (both,) = response.context_data["adminform"].form.both  # type: ignore[attr-defined]
    assert (both.label, both.mine, both.theirs, both.keep) == ("Summary", "Mine.", "Theirs.", "")
    assert newest("n1.one-unit").summary == "Theirs."


@pytest.mark.parametrize(("keep", "kept"), [("mine", "Mine."), ("theirs", "Theirs.")])
def test_the_chosen_one_is_saved(editor: Visitor, opened: dict[str, list[str]], keep: str, kept: str) -> None:
    refused = fields_on(send(editor, address("n1.one-unit"), opened, summary="Mine.", max_units="3"))
    choices = {"keep-summary": keep, "keep-max_units": "mine"}
    send(editor, address("n1.one-unit"), refused, **choices)

    assert newest("n1.one-unit").summary == kept
    assert newest("n1.one-unit").max_units == 3


def test_the_sources_of_the_other_person_can_be_kept(editor: Visitor, opened: dict[str, list[str]]) -> None:
    theirs = newest("n1.one-unit").to_record().sources
    sources = {"evidence-source": ["intl-page", "northwing-page"], "summary": "Theirs."}
    refused = fields_on(send(editor, address("n1.one-unit"), opened, **sources))
    send(editor, address("n1.one-unit"), refused, **{"keep-evidence": "theirs", "keep-summary": "mine"})

    assert newest("n1.one-unit").to_record().sources == theirs


def test_nothing_is_saved_before_everything_is_chosen(editor: Visitor, opened: dict[str, list[str]]) -> None:
    refused = fields_on(send(editor, address("n1.one-unit"), opened, summary="Mine."))
    again = send(editor, address("n1.one-unit"), refused, **{"keep-summary": ""})

    assert "Choose for each field what to keep" in again.content.decode()
    assert newest("n1.one-unit").summary == "Theirs."


def test_text_that_the_browser_kept_is_shown_and_not_written(editor: Visitor) -> None:
    fields = fields_of(editor, f"{RULES}add/")
    response = send(editor, f"{RULES}add/", fields, **ONE_UNIT, _restore="1")

    assert fields_on(response)["summary"] == [ONE_UNIT["summary"]]
    assert not Rule.objects.filter(rule_id="n1.one-unit").exists()
