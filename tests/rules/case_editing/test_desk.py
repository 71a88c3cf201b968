"""Verdict cases at the editors' desk: the list, the form, the buttons, and *Ask now*."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.utils import timezone
from msgspec.structs import replace

from catalog.errors import Unfit
from catalog.screens.record_forms import digest
from rules.analysis.report import refresh
from rules.case_editing import actions
from rules.case_editing.models import VerdictCase
from rules.cases import Case, Expect, Given, load_cases, said
from tests.support.desk.filling_in import save
from tests.support.desk.visiting import Visitor, listed, member
from tests.support.factories import a_user
from tests.support.releasing import NOON

LIST = "/admin/rules/verdictcase/"

CASE = Case(
    file="northwing.yaml",
    name="One unit travels on Northwing.",
    given=Given(on=NOON.date(), model_id="lynx-27k", route=("XA", "XB"), airline="N1"),
    expect=Expect(verdict="allowed"),
)
TYPED: dict[str, Any] = {
    "name": "Three units on Northwing are too many.",
    "topic": "northwing",
    "model_id": "lynx-27k",
    "quantity": "3",
    "route": "XA, XB",
    "airline": "N1",
    "on": "2026-11-20",
    "expect_verdict": "banned",
    "expect_first_constraint": "max_units",
    "expect_path": "n1.two-units",
}


@pytest.fixture(autouse=True)
def _fresh_process(fresh_process: None) -> None:
    """A process that holds no release of another test."""


@pytest.fixture
def visitor(editor: User) -> Visitor:
    """Somebody of the group of editors."""
    return member("Editor")


@pytest.fixture
def in_force(editor: User) -> VerdictCase:
    """A case that another person approved."""
    actions.draft_case(by=editor, case=CASE)
    actions.submit_cases(by=editor, names=[CASE.name])
    actions.approve_cases(by=a_user("carl"), names=[CASE.name])
    return VerdictCase.objects.get()


def errors_of(response: HttpResponse) -> dict[str, list[str]]:
    form = response.context_data["adminform"].form  # type: ignore[attr-defined]
    return {field: [str(message) for message in messages] for field, messages in form.errors.items()}


def one_with_each_field() -> Iterator[Case]:
    """Yield a few cases that together have every field which cases have."""
    seen: set[tuple[str, str]] = set()
    for case in load_cases():
        fields = {("given", name) for name in said(case.given)} | {
            ("expect", name) for name in said(case.expect)
        }
        if not fields <= seen:
            yield case
        seen |= fields


@pytest.mark.parametrize("case", list(one_with_each_field()), ids=lambda case: case.name)
def test_the_form_takes_a_case_as_it_shows_it(visitor: Visitor, case: Case) -> None:
    actions.draft_case(by=visitor.user, case=case)
    row = VerdictCase.objects.get()
    VerdictCase.objects.filter(pk=row.pk).update(note="Changed.")
    path = f"{LIST}{row.pk}/change/"
    response = save(visitor, path, note="Read on the page of the airline.", expect_path="", expect_no_path="")
    assert response.status_code == 302, errors_of(response)
    saved = VerdictCase.objects.get().to_record()
    wanted = replace(case.expect, path=(), no_path=())
    assert saved == replace(case, note="Read on the page of the airline.", expect=wanted)


def test_an_editor_drafts_a_case_and_another_person_puts_it_in_force(visitor: Visitor) -> None:
    response = save(visitor, f"{LIST}add/", **TYPED)
    assert response.status_code == 302, errors_of(response)
    row = VerdictCase.objects.get()
    assert row.to_record() == Case(
        file="northwing.yaml",
        name=TYPED["name"],
        given=Given(on=NOON.date(), model_id="lynx-27k", quantity=3, route=("XA", "XB"), airline="N1"),
        expect=Expect(verdict="banned", first_constraint="max_units", path=("n1.two-units",)),
    )
    assert do(visitor, row, "submit").status_code == 302
    reviewer = member("Reviewer")
    assert "From now on every release is asked it." in reviewer.page(f"{LIST}{row.pk}/do/approve/")
    assert do(reviewer, row, "approve").status_code == 302
    row.refresh_from_db()
    assert (row.state, row.published_by) == ("published", reviewer.user)
    assert "In force" in reviewer.page(LIST)


def do(visitor: Visitor, row: VerdictCase, action: str, **fields: str) -> HttpResponse:
    return visitor.post(f"{LIST}{row.pk}/do/{action}/", seen=digest(row.to_record()), **fields)


def test_an_editor_who_is_also_a_reviewer_approves_no_own_case(editor: User) -> None:
    both = member("Editor", "Reviewer")
    save(both, f"{LIST}add/", **TYPED)
    row = VerdictCase.objects.get()
    do(both, row, "submit")
    do(both, row, "approve")
    row.refresh_from_db()
    assert row.state == "in_review"


def test_a_case_that_changed_since_the_page_was_opened_is_not_approved(editor: User) -> None:
    actions.draft_case(by=editor, case=CASE)
    actions.submit_cases(by=editor, names=[CASE.name])
    row, seen = VerdictCase.objects.get(), digest(CASE)
    actions.return_cases(by=a_user("carl"), names=[CASE.name], reason="Say it better.")
    actions.change_case(by=editor, case=replace(CASE, expect=Expect(verdict="banned")))
    actions.submit_cases(by=editor, names=[CASE.name])
    reviewer = member("Reviewer")
    answer = reviewer.post(f"{LIST}{row.pk}/do/approve/", seen=seen)
    assert "has changed since you opened it" in answer.content.decode()
    row.refresh_from_db()
    assert row.state == "in_review"


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"quantity": "4000000000"}, "quantity", "Ensure this value is less than or equal to 20."),
        ({"route": "XA, " * 500 + "XB"}, "route", "At most 10 are possible."),
        ({"route": "XA, nowhere"}, "route", "This is not spelled as such a code is."),
        ({"watt_hour": "1e400"}, "watt_hour", "no more than 8 digits"),
        ({"watt_hour": "99.9"}, "__all__", "This case needs either `model_id`, or `watt_hour` with `basis`."),
        ({"serial": "9" * 65}, "serial", "Ensure this value has at most 64 characters (it has 65)."),
        ({"expect_verdict": ""}, "__all__", "This case expects neither or both of `verdict` and `error`."),
        (
            {"expect_no_constraints": "max_unitz"},
            "__all__",
            "The constraint `max_unitz`: no such constraint in the code registry.",
        ),
        ({"expect_path": "n1.three-units"}, "__all__", "The rule `n1.three-units`: no such rule."),
        ({"expect_path": "n1.two-units " * 61}, "expect_path", "At most 60 are possible."),
        ({"topic": "../../etc/passwd"}, "topic", ""),
        ({"name": "Two units (revision 1)"}, "name", ""),
    ],
)
def test_a_case_that_no_one_could_ask_or_answer_is_refused_at_its_field(
    visitor: Visitor, changes: dict[str, str], field: str, sentence: str
) -> None:
    response = save(visitor, f"{LIST}add/", **TYPED | changes)
    assert response.status_code == 200
    found = errors_of(response)
    assert list(found) == [field]
    assert sentence in found[field][0]
    assert not VerdictCase.objects.exists()


def test_ask_now_shows_the_answer_of_what_would_be_published(visitor: Visitor, in_force: VerdictCase) -> None:
    page = visitor.page(f"{LIST}{in_force.pk}/ask/")
    assert "No release is published yet." in page
    assert "<strong>Passes.</strong>" in page
    assert "n1.two-units" in page


def test_the_list_tells_which_cases_fail(visitor: Visitor, in_force: VerdictCase) -> None:
    fails = replace(CASE, name="No unit travels.", expect=Expect(verdict="banned"))
    actions.draft_case(by=a_user("carl"), case=fails)
    actions.submit_cases(by=a_user("carl"), names=[fails.name])
    actions.approve_cases(by=a_user("cleo"), names=[fails.name])
    refresh(timezone.now())
    for answer, name in (("fails", fails.name), ("passes", CASE.name)):
        row = VerdictCase.objects.get(name=name)
        assert listed(visitor, f"{LIST}?answer={answer}") == [row.pk]
    assert listed(visitor, f"{LIST}?answer=accepted") == []


def test_a_reviewer_sees_a_case_and_cannot_write_it(in_force: VerdictCase) -> None:
    page = member("Reviewer").page(f"{LIST}{in_force.pk}/change/")
    assert "lynx-27k" in page
    assert 'name="model_id"' not in page


def test_a_draft_that_says_nothing_new_is_not_offered_for_review(
    visitor: Visitor, in_force: VerdictCase
) -> None:
    actions.revise_cases(by=visitor.user, names=[CASE.name], reason="News.")
    with pytest.raises(Unfit, match="says the same as revision 1, so there is nothing to review"):
        actions.submit_cases(by=visitor.user, names=[CASE.name])
    page = visitor.page(f"{LIST}{VerdictCase.objects.get(revision=2).pk}/change/")
    assert "There is no difference yet from revision 1" in page
    assert "Change it before you submit it, or discard it." in page
    assert "/do/submit/" not in page


def test_a_case_in_force_has_the_color_of_what_is_published(visitor: Visitor, in_force: VerdictCase) -> None:
    assert re.search(r"<span[^>]*bg-green-100[^>]*>\s*In force", visitor.page(LIST))
