"""The screens of rules: the form, its panels and what a reader sees."""

import datetime
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse
from msgspec.structs import replace

from catalog.models import AuditEntry
from checks.hostile.forms import Form
from rules import corpus
from rules.editing import actions as rule_actions
from rules.engine.facts import Params, When
from rules.models import Rule
from rules.next_release import compile_content
from rules.publishing.actions.releases import publish_release
from tests.support.desk.filling_in import fields_of, save, send
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_rule, a_user
from tests.support.partners import NOON
from tests.support.starter import published as as_release

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


RULES = "/admin/rules/rule/"


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


def newest(rule_id: str) -> Rule:
    return Rule.objects.filter(rule_id=rule_id).order_by("-revision")[0]


def address(rule_id: str) -> str:
    return f"{RULES}{newest(rule_id).pk}/change/"


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def errors_of(response: HttpResponse) -> dict[str, list[str]]:
    return {
        field: [str(message) for message in messages]
        for field, messages in response.context_data["adminform"].form.errors.items()  # type: ignore[attr-defined]
    }


ONE_UNIT: dict[str, Any] = {
    "rule_id": "n1.one-unit",
    "airline": "N1",
    "says": "max_units",
    "max_units": "1",
    "compartment": ["carry_on", "on_person"],
    "effective_from": "2026-12-01",
    "confidence": "confirmed",
    "summary": "One unit.",
    "evidence-source": ["northwing-page"],
}


def test_a_rule_is_drafted_by_what_an_editor_fills_in(editor: Visitor) -> None:
    response = save(editor, f"{RULES}add/", **ONE_UNIT)

    assert response.status_code == 302, errors_of(response)
    row = newest("n1.one-unit")
    assert response["Location"] == address("n1.one-unit")
    assert (row.state, row.created_by) == ("draft", editor.user)
    assert row.to_record() == a_rule(
        rule_id="n1.one-unit",
        effect="require",
        code="max_units",
        params=Params(max_units=1),
        when=When(compartment=("carry_on", "on_person")),
        effective_from=datetime.date(2026, 12, 1),
        summary="One unit.",
    )


def test_a_rule_of_an_authority_says_on_which_flights(editor: Visitor) -> None:
    typed = ONE_UNIT | {
        "rule_id": "xb.no-damaged",
        "airline": "",
        "authority": "Southland Aviation",
        "jurisdiction": "xb",
        "applies": ["departure", "domestic"],
        "says": "damaged_not_permitted",
        "max_units": "",
        "compartment": [],
        "condition": ["damaged", "unknown"],
        "evidence-source": ["xb-page", "intl-page"],
    }
    assert save(editor, f"{RULES}add/", **typed).status_code == 302

    record = newest("xb.no-damaged").to_record()
    assert (record.issuer, record.jurisdiction, record.applies) == (
        "regulator",
        "XB",
        ("departure", "domestic"),
    )
    assert (record.effect, record.code, record.params) == ("prohibit", "damaged_not_permitted", Params())
    assert record.when == When(condition=("damaged", "unknown"))
    assert record.sources == ("xb-page", "intl-page")


def test_saving_what_the_form_shows_changes_nothing(editor: Visitor) -> None:
    for rule in Rule.objects.all()[::3]:
        rule_actions.revise_rules(by=editor.user, rule_ids=[rule.rule_id], reason="To look.")
        before = newest(rule.rule_id).to_record()
        response = save(editor, address(rule.rule_id))
        assert response.status_code == 302, errors_of(response)
        assert newest(rule.rule_id).to_record() == before


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"rule_id": "One Unit"}, "rule_id", "lower-case words joined by dots"),
        ({"rule_id": "n1.two-units"}, "rule_id", "is already recorded"),
        ({"says": ""}, "says", "This field is required"),
        ({"max_units": ""}, "max_units", "“max units” needs this figure"),
        ({"limit_watt_hour": "100"}, "limit_watt_hour", "is only for “over watt-hour limit”"),
        ({"says": "permit"}, "max_units", "“permit” takes no such figure"),
        (
            {"says": "over_watt_hour_limit", "max_units": "", "limit_watt_hour": "100"},
            "watt_hour_over",
            "Without this figure or “At least … Wh” the rule bans every power bank",
        ),
        ({"max_units": "21"}, "max_units", "less than or equal to 20"),
        ({"airline": ""}, "applies", "Choose at least one kind of flight"),
        ({"applies": ["departure"]}, "applies", "applies to all of its own flights"),
        ({"jurisdiction": "Qatar!"}, "jurisdiction", "at most 4 characters"),
        ({"jurisdiction": "ZZ"}, "jurisdiction", "no jurisdiction of this release"),
        ({"watt_hour_over": "160", "watt_hour_up_to": "100"}, "watt_hour_up_to", "between"),
        ({"watt_hour_over": "a lot"}, "watt_hour_over", "Enter a number"),
        ({"model-model": ["lynx-99k"]}, "model", "no model of this release"),
        ({"effective_until": "2026-11-01"}, "effective_until", "before it starts"),
        ({"confidence": ""}, "confidence", "This field is required"),
        ({"evidence-source": []}, "evidence", "rests on no source that was read"),
        ({"evidence-source": ["untold-pointer"]}, "evidence", "rests on no source that was read"),
        ({"evidence-source": ["nowhere"]}, "evidence", "which is not in this release"),
        ({"summary": ""}, "summary", "This field is required"),
        ({"summary": "One\x0bunit."}, "summary", "has a control character, U+000B, after “One”"),
    ],
)
def test_an_error_stands_at_its_field_and_nothing_typed_is_lost(
    editor: Visitor, changes: dict[str, Any], field: str, sentence: str
) -> None:
    typed = ONE_UNIT | {"summary": "Typed with care.", "quantity_over": "3"} | changes
    response = save(editor, f"{RULES}add/", **typed)

    errors = errors_of(response)
    assert field in errors
    assert any(sentence in message for message in errors[field]), errors
    again = {name: values for name, values in fields_on(response).items() if name in typed}
    sent = {name: value if isinstance(value, list) else [value] for name, value in typed.items()}
    assert again == {name: values for name, values in sent.items() if values and name in again}
    assert {name for name, values in sent.items() if values != [""] and values} <= set(again)
    assert not Rule.objects.filter(rule_id="n1.one-unit").exists()
    assert AuditEntry.objects.filter(done_by=editor.user).count() == 0


def fields_on(response: HttpResponse) -> dict[str, list[str]]:
    return Form(response.content.decode()).fields


def test_no_one_overwrites_what_another_person_changed_meanwhile(editor: Visitor) -> None:
    save(editor, f"{RULES}add/", **ONE_UNIT)
    opened = fields_of(editor, address("n1.one-unit"))
    record = newest("n1.one-unit").to_record()
    rule_actions.change_rule(by=a_user("other"), rule=replace(record, summary="By somebody else."))
    response = send(editor, address("n1.one-unit"), opened, summary="Mine.")

    assert "Another person changed this after you opened it" in response.content.decode()
    assert newest("n1.one-unit").summary == "By somebody else."


# --- How it reads -----------------------------------------------------------------------------------------


def reading(visitor: Visitor, **typed: Any) -> str:
    response = visitor.post(f"{RULES}reading/", **typed)
    assert response.status_code == 200
    return text_of(response.content.decode())


def test_a_rule_that_names_models_is_written_and_reads_so(editor: Visitor) -> None:
    models = ["puma-30k", "lynx-27k"]
    save(editor, f"{RULES}add/", **ONE_UNIT | {"model-model": models})
    assert newest("n1.one-unit").to_record().when.model == tuple(models)
    assert fields_of(editor, address("n1.one-unit"))["model-model"] == models
    assert "that is puma-30k or lynx-27k" in reading(editor, **ONE_UNIT | {"model-model": models})


def test_the_sentence_says_what_is_typed(editor: Visitor) -> None:
    said = reading(editor, **ONE_UNIT)
    assert said.startswith(
        "Northwing (N1, Northland) limits each passenger to 1 power bank in a cabin bag or on the person, on "
        "all its flights, from 1 December 2026 (confirmed). What travelers read English At most 1 power bank "
        "per passenger."
    )
    assert "Deutsch Höchstens 1 Powerbank pro Person." in said


def test_it_needs_no_more_than_what_it_says(editor: Visitor) -> None:
    typed = {"airline": "N1", "says": "no_onboard_use", "rule_id": "Not An Id", "watt_hour_up_to": "100.5"}
    assert reading(editor, **typed).startswith(
        "Northwing (N1, Northland) requires power banks of up to 100.5 Wh in any compartment not to be used"
    )


def test_of_a_permit_it_says_what_it_means_to_travelers(editor: Visitor) -> None:
    said = reading(editor, airline="N1", says="permit", compartment=["carry_on"])
    assert "A permit has no sentence of its own." in said
    assert "English Allowed in your cabin bag on this flight." in said


@pytest.mark.parametrize(
    "typed",
    [{}, {"says": "max_units", "airline": "N1"}, {"says": "permit"}, {"airline": "N1", "says": "what"}],
)
def test_until_then_it_says_that_it_waits(editor: Visitor, typed: dict[str, str]) -> None:
    assert reading(editor, **typed).startswith("The sentence appears here when")


def test_what_is_typed_is_never_run_as_markup(editor: Visitor) -> None:
    typed = ONE_UNIT | {"authority": "<script>alert(1)</script>"}
    page = editor.post(f"{RULES}reading/", **typed).content.decode()
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_a_button_shows_the_sentence_without_a_script_and_writes_nothing(editor: Visitor) -> None:
    response = save(editor, f"{RULES}add/", **ONE_UNIT, _preview="")

    assert response.status_code == 200
    assert errors_of(response) == {}
    assert "limits each passenger to 1 power bank" in response.content.decode()
    assert fields_on(response)["summary"] == ["One unit."]
    assert not Rule.objects.filter(rule_id="n1.one-unit").exists()


# --- Trying it --------------------------------------------------------------------------------------------

QUESTION = {
    "try-model": "lynx-27k",
    "try-origin": "XA",
    "try-destination": "XB",
    "try-airline": "N1",
    "try-compartment": "carry_on",
    "try-quantity": "2",
    "try-date": "2027-01-10",
    "try-mark": "unknown",
    "try-label": "unknown",
    "try-condition": "unknown",
    "try-recall": "not_checked",
}


@pytest.fixture
def published(fresh_desk: None, editor: Visitor) -> Iterator[None]:
    """What is agreed, as if it had just been published."""
    with corpus.answering_from(as_release(compile_content())):
        yield


def tried(visitor: Visitor, path: str = f"{RULES}try/", **typed: Any) -> str:
    return text_of(visitor.post(path, **typed, fragment="1").content.decode())


@pytest.mark.usefixtures("published")
def test_trying_a_draft_shows_both_answers_and_that_it_decides(editor: Visitor) -> None:
    said = tried(editor, **ONE_UNIT, **QUESTION)
    assert "This rule decides" in said
    assert "As published: allowed" in said
    assert "With this draft: banned" in said
    assert "n1.one-unit (this rule) Northwing (N1, Northland) limits each passenger to 1 power bank" in said
    assert not Rule.objects.filter(rule_id="n1.one-unit").exists()


@pytest.mark.usefixtures("published")
def test_trying_says_where_a_draft_does_not_decide_or_does_not_speak(editor: Visitor) -> None:
    assert "applies but does not decide" in tried(editor, **ONE_UNIT, **(QUESTION | {"try-quantity": "1"}))
    assert "does not apply to this question" in tried(
        editor, **ONE_UNIT, **(QUESTION | {"try-date": "2026-11-30"})
    )


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"summary": ""}, "The draft cannot be tried yet: it is not complete."),
        ({"try-model": ""}, "Fill in the question first."),
        ({"try-quantity": "0"}, "Fill in the question first."),
        ({"try-model": "nobody-1"}, "This model is not in the published release yet."),
        ({"try-origin": "ZZ"}, "One of the countries is not in the published release."),
        ({"try-airline": "Z9"}, "not covered"),
    ],
)
def test_what_cannot_be_tried_is_said(editor: Visitor, changes: dict[str, str], said: str) -> None:
    assert said in tried(editor, **(ONE_UNIT | QUESTION | changes))


def test_nothing_can_be_tried_before_something_is_published(editor: Visitor) -> None:
    assert "Nothing is published yet" in tried(editor, **ONE_UNIT, **QUESTION)


@pytest.mark.usefixtures("published")
def test_a_withdrawal_is_tried_as_what_is_left(editor: Visitor) -> None:
    publish_release(by=a_user("publisher"), note="First.", now=NOON, cases=())
    rule_actions.withdraw_rules(by=editor.user, rule_ids=["n1.two-units"], reason="It has gone.")
    path = f"{RULES}{newest('n1.two-units').pk}/try/"
    said = tried(editor, path, **QUESTION)
    assert "This revision withdraws the rule." in said


@pytest.mark.usefixtures("published")
def test_a_button_tries_it_without_a_script(editor: Visitor) -> None:
    page = save(editor, f"{RULES}add/", **ONE_UNIT, **QUESTION, _try="").content.decode()
    assert "With this draft" in page
    assert not Rule.objects.filter(rule_id="n1.one-unit").exists()

    path = f"{RULES}{newest('n1.two-units').pk}/try/"
    assert "Back to n1.two-units" in text_of(editor.post(path, **QUESTION).content.decode())


# --- To read ----------------------------------------------------------------------------------------------


def test_what_is_agreed_is_shown_to_read_with_a_button_to_revise_it(editor: Visitor) -> None:
    page = editor.page(address("n1.two-units"))
    assert "rule_form" in page
    assert 'name="says"' not in page
    assert "Revise …" in text_of(page)
    for shown in ("Northwing (N1)", "northwing-page Batteries on board · read 20 November 2026", "editor"):
        assert shown in text_of(page)


def test_a_post_changes_nothing_that_is_agreed(editor: Visitor) -> None:
    before = newest("n1.two-units").to_record()
    response = editor.post(address("n1.two-units"), **ONE_UNIT)
    assert response.status_code == 403
    assert newest("n1.two-units").to_record() == before


def test_the_history_tells_what_each_revision_changed_and_why(editor: Visitor) -> None:
    rule_actions.revise_rules(by=editor.user, rule_ids=["n1.two-units"], reason="The page says one.")
    save(editor, address("n1.two-units"), max_units="1", summary="One unit.")
    page = text_of(editor.page(f"{RULES}{newest('n1.two-units').pk}/history/"))

    assert "Differences from revision 1" in page
    assert f"opened by {editor.user}: The page says one." in page
    assert "Each saved change of the draft (1)" in page
    assert page.count("Units 2 1") == 2
