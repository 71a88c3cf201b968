"""What was typed in a draft that is no draft any more: shown, with who did what, and the way to a draft."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from msgspec.structs import replace

from catalog.devices.actions import record_devices
from catalog.editorial.workflow import State
from catalog.models import Device
from checks.hostile.forms import Form
from rules.editing import actions
from rules.models import Rule
from tests.support.desk.filling_in import fields_of, save, send
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_device, a_user

from .test_screens import ONE_UNIT, RULES, address, newest

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

PUBLISHED = "n1.two-units"


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


def a_draft_of_what_is_published() -> Rule:
    actions.revise_rules(by=a_user("author"), rule_ids=[PUBLISHED], reason="To change it.")
    rule = replace(newest(PUBLISHED).to_record(), summary="Begun.")
    actions.change_rule(by=a_user("author"), rule=rule)
    return newest(PUBLISHED)


def page_of(answer: HttpResponse) -> str:
    assert answer.status_code in (403, 409)
    page = answer.content.decode()
    assert "Nothing of what you wrote was saved" in page
    return page


def press(visitor: Visitor, path: str, page: str, **more: Any) -> HttpResponse:
    """Press the button of the page, and follow as a browser does."""
    (form,) = re.findall(r'<form method="post"(?: action="/admin/rules[^"]*")?>.*?</form>', page, re.DOTALL)
    target = re.match(r'<form method="post" action="([^"]*)"', form)
    fields = {**Form(form).fields, **more}
    return visitor.client.post(target[1] if target else path, fields, follow=True)  # type: ignore[return-value]


def shown_in(answer: HttpResponse) -> dict[str, list[str]]:
    """Return what the form of an answer would send."""
    assert answer.status_code == 200
    return Form(answer.content.decode()).fields


def test_the_text_of_a_discarded_first_draft_goes_into_a_new_one(editor: Visitor) -> None:
    save(editor, f"{RULES}add/", **ONE_UNIT)
    path = address("n1.one-unit")
    fields = fields_of(editor, path)
    actions.discard_rules(by=a_user("rita"), rule_ids=["n1.one-unit"], reason="A duplicate.")

    page = page_of(send(editor, path, fields, summary="An hour of work."))

    assert "Meanwhile this draft of n1.one-unit was discarded by rita" in page
    assert "The reason: “A duplicate.”" in page
    assert "An hour of work." in page
    assert not Rule.objects.filter(rule_id="n1.one-unit").exists()
    filled_in = shown_in(press(editor, path, page))
    assert filled_in["summary"] == ["An hour of work."]
    assert filled_in["rule_id"] == ["n1.one-unit"]
    assert not Rule.objects.filter(rule_id="n1.one-unit").exists()
    assert send(editor, f"{RULES}add/", filled_in).status_code == 302
    assert newest("n1.one-unit").summary == "An hour of work."


def test_the_text_of_a_discarded_revision_goes_into_the_next_one_for_a_reason(editor: Visitor) -> None:
    path = address(a_draft_of_what_is_published().rule_id)
    fields = fields_of(editor, path)
    actions.discard_rules(by=a_user("rita"), rule_ids=[PUBLISHED], reason="Not now.")

    page = page_of(send(editor, path, fields, summary="An hour of work."))
    refused = page_of(press(editor, path, page, **{"again-reason": ""}))
    assert "An hour of work." in refused
    assert newest(PUBLISHED).state != State.DRAFT
    answer = press(editor, path, refused, **{"again-reason": "Once more."})

    assert shown_in(answer)["summary"] == ["An hour of work."]
    now = newest(PUBLISHED)
    assert (now.state, now.summary == "An hour of work.") == (State.DRAFT, False)
    assert "Another person changed this" not in answer.content.decode()
    assert send(editor, address(PUBLISHED), shown_in(answer)).status_code == 302
    assert newest(PUBLISHED).summary == "An hour of work."


def test_what_waits_for_review_meanwhile_takes_the_text_once_it_is_returned(editor: Visitor) -> None:
    path = address(a_draft_of_what_is_published().rule_id)
    fields = fields_of(editor, path)
    actions.submit_rules(by=a_user("author"), rule_ids=[PUBLISHED])

    page = page_of(send(editor, path, fields, summary="An hour of work."))
    assert f"Meanwhile this draft of {PUBLISHED} was submitted by author" in page
    page = page_of(press(editor, path, page))
    actions.return_rules(by=a_user("rita"), rule_ids=[PUBLISHED], reason="Wait.")
    assert shown_in(press(editor, path, page))["summary"] == ["An hour of work."]
    assert newest(PUBLISHED).summary != "An hour of work."


def test_the_draft_of_another_person_is_not_overwritten_unseen(editor: Visitor) -> None:
    path = address(a_draft_of_what_is_published().rule_id)
    fields = fields_of(editor, path)
    actions.discard_rules(by=a_user("rita"), rule_ids=[PUBLISHED], reason="Not now.")
    theirs = a_draft_of_what_is_published()
    Rule.objects.filter(pk=theirs.pk).update(summary="Theirs.")

    answer = press(editor, path, page_of(send(editor, path, fields, summary="Mine.")))

    (both,) = answer.context_data["adminform"].form.both  # type: ignore[attr-defined]
    assert (both.mine, both.theirs) == ("Mine.", "Theirs.")
    assert newest(PUBLISHED).summary == "Theirs."


def test_serials_are_not_shown_again_and_a_reader_gets_no_page(editor: Visitor) -> None:
    path = address(a_draft_of_what_is_published().rule_id)
    fields = fields_of(editor, path)
    actions.submit_rules(by=a_user("author"), rule_ids=[PUBLISHED])
    page = page_of(send(editor, path, fields, **{"try-serial": "SN123456"}))
    assert "SN123456" not in page
    assert send(member("Viewer"), path, {}).status_code == 403
    assert Client().post(path, {"summary": "x"}).status_code in (302, 403)


@pytest.mark.parametrize("key", ["999999999", "99999999999999999999", "²", "0"])
def test_an_address_of_no_draft_shows_nothing(editor: Visitor, key: str) -> None:
    answer = editor.post(f"{RULES}{key}/change/", summary="x")
    assert answer.status_code == 302
    assert answer["Location"] == "/admin/"


def test_the_text_of_a_model_that_was_deleted_goes_into_a_new_one(editor: Visitor) -> None:
    record_devices(by=a_user("author"), devices=[a_device(model_id="lynx-gone")])
    path = "/admin/catalog/device/lynx-gone/change/"
    fields = fields_of(editor, path)
    Device.objects.filter(pk="lynx-gone").delete()

    page = page_of(send(editor, path, fields, model_name="Lynx Again"))

    assert "Meanwhile another person deleted the model lynx-gone." in page
    form = re.search(r'<form method="post" action="(/admin/catalog/device/add/)">.*?</form>', page, re.DOTALL)
    assert form is not None
    answer: Any = editor.client.post(form[1], Form(form[0]).fields)
    assert shown_in(answer)["model_name"] == ["Lynx Again"]
    assert shown_in(answer)["model_id"] == ["lynx-gone"]
    assert not Device.objects.filter(pk="lynx-gone").exists()
