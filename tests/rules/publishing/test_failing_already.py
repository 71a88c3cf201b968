"""Cases that fail already in the current release: they block only what is less strict."""

import pytest
import time_machine
from msgspec.structs import replace

from catalog.editorial.selectors import audit_log
from recalls.editing.actions import approve_recalls, draft_recall, submit_recalls
from rules.cases import Case, Expect, outcome_digest
from rules.models import AcceptedCase, Release
from rules.publishing.candidate import candidate
from tests.rules.publishing.test_gate import (
    ALL,
    MINUTE,
    ONE_ONLY,
    PUBLISH,
    Person,
    cases,
    clock,
    loosen,
    published,
    read_again,
    tighten,
    world,
)
from tests.rules.publishing.test_gate_over_http import plan, said
from tests.support.desk.publishing import shown_alone
from tests.support.factories import a_recall, a_user
from tests.support.world import APPROVER

__all__ = ["cases", "clock", "published", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

ON_NORTHWING = replace(
    ONE_ONLY,
    name="Two units on Northwing are allowed.",
    given=replace(ONE_ONLY.given, airline="N1", route=("XA", "XB")),
    expect=Expect(verdict="allowed"),
)
ALREADY = "Fails already in the release now in force"
BECAUSE = "block publishing, because answers become less strict"


@pytest.fixture
def one_unit_alone(world: time_machine.Traveller, cases: list[Case]) -> time_machine.Traveller:
    """Let one person publish alone that Northwing takes one unit. A case says two."""
    cases.append(ON_NORTHWING)
    alone = Person("alone", *ALL)
    tighten(alone.user)
    sent = {**shown_alone(), "reason": "Fires.", "rule": "n1.two-units"}
    assert said(alone.post(f"{PUBLISH}alone/", **sent)) == ""
    world.shift(MINUTE)
    return world


def recall_it() -> None:
    """Let two people recall a model."""
    recall = a_recall(recall_id="xb-lynx-27k-2026", model_id="lynx-27k", sources=("lynx-page",))
    draft_recall(by=a_user("other"), recall=recall)
    submit_recalls(by=a_user("other"), recall_ids=["xb-lynx-27k-2026"])
    approve_recalls(by=a_user(APPROVER), recall_ids=["xb-lynx-27k-2026"])


def two_units(clock: time_machine.Traveller) -> None:
    """Let enough people take two units on Southern Star."""
    loosen(a_user("other"), approver=a_user(APPROVER), second=a_user("second"))
    clock.shift(MINUTE)
    read_again(a_user("reader"))


def test_what_is_stricter_goes_and_the_case_is_shown(one_unit_alone: time_machine.Traveller) -> None:
    recall_it()
    publisher = Person("publisher", "Publisher")
    page = publisher.page()
    assert ALREADY in page
    assert "<strong>1 fails</strong>, 1 of them in the current release too" in " ".join(page.split())
    assert "Publish exactly this" in page
    assert publisher.publish() == ""
    (entry,) = audit_log("release", str(Release.objects.current()))
    assert entry.details["failing_cases"] == [ON_NORTHWING.name]
    assert "1 of them fail without being accepted" in publisher.page(
        f"/admin/rules/release/{Release.objects.latest('pk').pk}/change/"
    )


def test_what_is_milder_waits_until_two_reviewers_accept_the_case(
    one_unit_alone: time_machine.Traveller,
) -> None:
    two_units(one_unit_alone)
    publisher = Person("publisher", "Publisher")
    page = publisher.page()
    assert ALREADY in page
    assert "Publish exactly this" not in page
    refused = publisher.publish()
    assert BECAUSE in refused
    assert ON_NORTHWING.name in refused
    accept(Person("first-reviewer", "Reviewer"))
    assert BECAUSE in publisher.publish()
    accept(Person("second-reviewer", "Reviewer"))
    assert AcceptedCase.objects.get().counts
    assert publisher.publish() == ""


def test_what_is_milder_goes_once_the_case_is_mended(
    one_unit_alone: time_machine.Traveller, cases: list[Case]
) -> None:
    two_units(one_unit_alone)
    cases[:] = [replace(ON_NORTHWING, expect=Expect(verdict="banned"))]
    assert Person("publisher", "Publisher").publish() == ""


def test_a_plan_goes_as_publishing_does(one_unit_alone: time_machine.Traveller) -> None:
    two_units(one_unit_alone)
    publisher = Person("publisher", "Publisher")
    assert BECAUSE in plan(publisher)


@pytest.mark.parametrize(
    "other",
    [
        replace(ON_NORTHWING, given=replace(ON_NORTHWING.given, quantity=1)),
        replace(ON_NORTHWING, expect=Expect(verdict="allowed", recall_status="not_affected")),
    ],
    ids=["failing newly", "failing with more"],
)
def test_a_case_that_fails_otherwise_than_before_blocks_all(
    one_unit_alone: time_machine.Traveller, cases: list[Case], other: Case
) -> None:
    cases[:] = [other]
    recall_it()
    refused = Person("publisher", "Publisher").publish()
    assert "these rows and cases block publishing:" in refused
    assert BECAUSE not in refused


def accept(by: Person) -> None:
    (failing,) = candidate([ON_NORTHWING]).failing
    shown = outcome_digest(failing.judged)
    assert said(by.post(f"{PUBLISH}accept-case/", name=ON_NORTHWING.name, reason="So.", shown=shown)) == ""


def test_an_author_of_the_milder_release_still_accepts_none(one_unit_alone: time_machine.Traveller) -> None:
    two_units(one_unit_alone)
    author = Person("other", *ALL)
    assert "Accept this failure" not in author.page()


def test_who_broke_the_case_alone_does_not_accept_it(one_unit_alone: time_machine.Traveller) -> None:
    two_units(one_unit_alone)
    alone = Person("alone", *ALL)
    assert "Accept this failure" not in alone.page()
    (failing,) = candidate([ON_NORTHWING]).failing
    sent = {"name": ON_NORTHWING.name, "reason": "So.", "shown": outcome_digest(failing.judged)}
    assert "you published or wrote alone what is current" in said(
        alone.post(f"{PUBLISH}accept-case/", **sent)
    )
    assert not AcceptedCase.objects.exists()
