"""Disagreements at the editors' desk: the list, the form, the change screen, the way from a finding."""

import re
from html import unescape
from itertools import chain
from typing import Any

import pytest
from django.http import HttpResponse
from django.utils import timezone
from msgspec.structs import replace

from rules.analysis.report import refresh
from rules.disagreements import actions
from rules.editing.actions import approve_rules, draft_rule, submit_rules
from rules.engine.disagreements import About, Side
from rules.engine.facts import Params
from rules.models import Disagreement
from tests.support.desk.filling_in import fields_of, save
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_disagreement, a_rule, a_user
from tests.support.world import RULES

LIST = "/admin/rules/disagreement/"
TYPED: dict[str, Any] = {
    "disagreement_id": "n1-cabin-limit",
    "airline": "N1",
    "question": "Up to how many watt-hours does Northwing accept?",
    "says-text": ["Up to 160 Wh", "Up to 100 Wh"],
    "evidence-source": ["northwing-page"],
    "evidence-side": ["1"],
    "applied": "n1.cabin-up-to-160wh",
    "because": "The airline's own page was read.",
}


@pytest.fixture(autouse=True)
def _fresh_process(fresh_process: None) -> None:
    """A process that holds no release of another test."""


@pytest.fixture
def visitor(editor: object) -> Visitor:
    """Somebody of the group of editors."""
    return member("Editor")


def errors_of(response: HttpResponse) -> dict[str, list[str]]:
    return {
        field: [str(message) for message in messages]
        for field, messages in response.context_data["adminform"].form.errors.items()  # type: ignore[attr-defined]
    }


def text_of(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_one_is_drafted_by_what_an_editor_fills_in_and_changed_where_it_stands(visitor: Visitor) -> None:
    response = save(visitor, f"{LIST}add/", **TYPED)
    assert response.status_code == 302, errors_of(response)
    row = Disagreement.objects.get()
    assert (row.to_record(), row.state, row.created_by) == (a_disagreement(), "draft", visitor.user)

    address = f"{LIST}{row.pk}/change/"
    assert response["Location"] == address
    changes = {"evidence-source": ["northwing-page", "xa-page"], "evidence-side": ["1", "2"]}
    assert save(visitor, address, **changes).status_code == 302
    first, second = a_disagreement().sides
    assert Disagreement.objects.get().to_record() == a_disagreement(
        sides=(first, replace(second, sources=("xa-page",)))
    )
    assert "Up to how many watt-hours does Northwing accept?" in text_of(visitor.page(LIST))


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"applied": "n1.gone"}, "applied", "n1.gone"),
        ({"airline": "", "jurisdiction": ""}, None, "exactly one"),
        ({"airline": "N1", "jurisdiction": "XA"}, None, "exactly one"),
        ({"evidence-side": ["3"]}, "evidence", "Source 1, Supports: there is no side 3."),
        ({"evidence-source": ["untold-pointer"]}, "evidence", "never read"),
        ({"says-text": ["Up to 160 Wh"]}, "says", "has 1 sides, not 2 to 6."),
        ({"because": ""}, "because", "required"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(
    visitor: Visitor, changes: dict[str, Any], field: str | None, message: str
) -> None:
    response = save(visitor, f"{LIST}add/", **TYPED | changes)
    assert response.status_code == 200
    errors = errors_of(response)
    said = errors[field] if field else list(chain.from_iterable(errors.values()))
    assert any(message in one for one in said), errors
    assert not Disagreement.objects.exists()


def test_a_reviewer_reads_it_and_approves_it_there(visitor: Visitor, editor: Any) -> None:
    actions.draft_disagreement(by=editor, disagreement=a_disagreement())
    actions.submit_disagreements(by=editor, disagreement_ids=["n1-cabin-limit"])
    address = f"{LIST}{Disagreement.objects.get().pk}/"
    reviewer = member("Reviewer")
    page = text_of(reviewer.page(f"{address}change/"))
    for words in ("Northwing (N1)", "Up to 100 Wh no source on file", "The airline's own page was read."):
        assert words in page
    confirm = fields_of(reviewer, f"{address}do/approve/")
    assert reviewer.client.post(f"{address}do/approve/", confirm).status_code == 302
    assert Disagreement.objects.get().state == "approved"
    assert "approved by" in text_of(visitor.page(f"{address}history/"))


def test_no_answer_depends_on_it_so_nothing_is_measured_or_approved_twice(approved: str) -> None:
    address = f"{LIST}{Disagreement.objects.get().pk}/"
    reviewer = member("Reviewer")
    buttons = text_of(reviewer.page(f"{address}change/").partition("desk-buttons")[2].partition("</main>")[0])
    assert "Take back" in buttons
    assert "Measure the changes" not in buttons
    assert "Approve again" not in buttons
    assert reviewer.get(f"{address}do/approve_again/").status_code == 404
    assert reviewer.get(f"{LIST}do/approve_again/").status_code == 404


def test_who_may_not_see_rules_sees_no_disagreements(approved: str) -> None:
    assert member("Partner manager").get(LIST).status_code == 403
    viewer = member("Viewer")
    assert viewer.get(LIST).status_code == 200
    assert viewer.get(f"{LIST}add/").status_code == 403


def test_a_finding_leads_to_the_form_with_both_rules_in_it(visitor: Visitor) -> None:
    two = next(rule for rule in RULES if rule.rule_id == "n1.two-units")
    one = a_rule(
        **{name: getattr(two, name) for name in ("when", "effect", "code")},
        rule_id="n1.one-unit",
        params=Params(max_units=1),
        summary="At most one power bank.",
        sources=("xa-page",),
    )
    author, approver = a_user("author"), a_user("approver")
    draft_rule(by=author, rule=one)
    submit_rules(by=author, rule_ids=["n1.one-unit"])
    approve_rules(by=approver, rule_ids=["n1.one-unit"])
    refresh(timezone.now())

    page = visitor.page("/admin/findings/?kind=contradiction")
    (link,) = re.findall(r'href="([^"]+)">Record the disagreement', page)
    fields = fields_of(visitor, link.replace("&amp;", "&"))
    assert fields["applied"] == ["n1.one-unit"]
    assert [text for text in fields["says-text"] if text] == ["At most one power bank.", two.summary]
    response = save(visitor, link.replace("&amp;", "&"), because="The newer page counts.")
    assert response.status_code == 302, errors_of(response)
    assert Disagreement.objects.get().to_record() == a_disagreement(
        id="n1-one-unit",
        about=About(airline="N1"),
        question="Which of these does Northwing require?",
        sides=(
            Side(says="At most one power bank.", sources=("xa-page",)),
            Side(says=two.summary, sources=two.sources),
        ),
        applied="n1.one-unit",
        because="The newer page counts.",
    )
