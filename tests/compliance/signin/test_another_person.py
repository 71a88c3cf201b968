"""A form from the page of one person while another one is signed in: not taken without a word."""

import re
from html import unescape
from typing import Any

import pytest
from django.http import HttpResponse

from rules.models import Rule
from tests.rules.editing.test_screens import ONE_UNIT
from tests.support.desk.filling_in import fields_of
from tests.support.desk.visiting import Visitor, member

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

RULES = "/admin/rules/rule/"
HERE = {"origin": "http://testserver"}
MARK = re.compile(r'name="_sender" value="([^"]+)"')


@pytest.fixture
def erin(db: None) -> Visitor:
    return named("erin", "Editor")


@pytest.fixture
def rita(db: None) -> Visitor:
    return named("rita", "Editor")


def named(name: str, group: str) -> Visitor:
    visitor = member(group)
    visitor.user.username = name
    visitor.user.save()
    return visitor


def filled_in(visitor: Visitor) -> dict[str, Any]:
    """Return the form of a new rule from a person's page, with what it says of its sender."""
    fields = {**fields_of(visitor, f"{RULES}add/"), **ONE_UNIT}
    (mark, *_) = MARK.findall(visitor.page(f"{RULES}add/"))
    return {**fields, "_sender": unescape(mark)}


def send(visitor: Visitor, fields: dict[str, Any], **more: str) -> HttpResponse:
    sent = {**fields, "csrfmiddlewaretoken": visitor.token(), **more}
    return visitor.client.post(f"{RULES}add/", sent, headers=HERE)  # type: ignore[return-value]


def test_the_own_form_is_taken(erin: Visitor) -> None:
    assert send(erin, filled_in(erin)).status_code == 302
    assert Rule.objects.get(rule_id="n1.one-unit").created_by == erin.user


def test_what_another_person_wrote_is_shown_with_their_name_and_not_saved(
    erin: Visitor, rita: Visitor
) -> None:
    answer = send(rita, filled_in(erin))

    page = answer.content.decode()
    assert answer.status_code == 403
    assert "erin wrote what is below, and rita is signed in now" in page
    assert "n1.one-unit" in page
    assert not Rule.objects.filter(rule_id="n1.one-unit").exists()
    # Sent again as it is, it is still what erin wrote.
    kept = page.partition(f'<form method="post" action="{RULES}add/"')[2].partition("</form>")[0]
    assert MARK.findall(kept) == [filled_in(erin)["_sender"]]


def test_the_other_person_can_send_it_in_their_own_name_and_says_so(erin: Visitor, rita: Visitor) -> None:
    fields = filled_in(erin)
    page = send(rita, fields).content.decode()
    (taken,) = re.findall(r'name="_taken_by" value="([^"]+)"', page)

    assert send(rita, fields, _taken_by=unescape(taken)).status_code == 302

    assert Rule.objects.get(rule_id="n1.one-unit").authors == [rita.user.pk]


def test_a_consent_of_one_person_is_none_of_another(erin: Visitor, rita: Visitor) -> None:
    fields, third = filled_in(erin), named("theo", "Editor")
    taken = filled_in(rita)["_sender"]
    assert send(third, fields, _taken_by=taken).status_code == 403
    assert not Rule.objects.filter(rule_id="n1.one-unit").exists()


def test_the_page_of_who_is_signed_out_remembers_whose_text_it_has(erin: Visitor) -> None:
    fields = filled_in(erin)
    token = erin.token()
    erin.client.cookies.pop("sessionid")
    sent = fields | {"csrfmiddlewaretoken": token}
    page = erin.client.post(f"{RULES}add/", sent, headers=HERE).content.decode()
    assert "You are signed out" in page
    assert MARK.findall(page) == [fields["_sender"]]


def test_an_old_token_of_another_person_names_them(erin: Visitor, rita: Visitor) -> None:
    sent = filled_in(erin) | {"csrfmiddlewaretoken": "x" * 64}
    page = rita.client.post(f"{RULES}add/", sent, headers=HERE).content.decode()
    assert "erin wrote what is below, and rita is signed in now" in page
    assert "You signed in again" not in page


@pytest.mark.parametrize("mark", ["", "1", "1:x", "erin", "²:²"])
def test_a_mark_that_is_none_names_no_one(erin: Visitor, rita: Visitor, mark: str) -> None:
    sent = filled_in(erin) | {"_sender": mark, "csrfmiddlewaretoken": "x" * 64}
    page = rita.client.post(f"{RULES}add/", sent, headers=HERE).content.decode()
    assert "You signed in again" in page
    assert "erin" not in page


def test_a_step_of_signing_in_is_not_done_in_the_name_of_another(erin: Visitor, rita: Visitor) -> None:
    mark, token = filled_in(erin)["_sender"], rita.token()
    sent = {"_sender": mark, "csrfmiddlewaretoken": token}
    answer = rita.client.post("/admin/sessions/end/", sent, headers=HERE)
    refused = rita.client.post("/admin/password_change/", sent, headers=HERE)
    assert refused.status_code == 409
    assert answer.status_code in (404, 409)
    assert rita.client.post("/admin/logout/", sent, headers=HERE).status_code in (200, 302)
