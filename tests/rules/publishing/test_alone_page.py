"""The page of an emergency: near, short and quick, whatever waits or fails beside it."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from recalls.editing.actions import draft_recall
from recalls.models import Recall
from rules.cases import Case
from rules.cases.running import Failure
from rules.editing.actions import withdraw_rules
from rules.models import PublishRequest, Release, Rule
from rules.publishing.refusals import FEW, NotPublishable
from tests.rules.publishing.test_screens import (
    FAILING,
    PUBLISH,
    Browser,
    cases,
    changed_rows,
    one_unit,
    world,
)
from tests.support.desk.publishing import shown_alone
from tests.support.factories import a_recall, a_user
from tests.support.revision_kinds import RECALLS, RULES
from tests.support.world import APPROVER

__all__ = ["cases", "changed_rows", "world"]

pytestmark = pytest.mark.usefixtures("fresh_desk")

ALONE = f"{PUBLISH}alone/"
LINK = "Publish as an emergency …"
TWO_UNITS = "n1.two-units"


def the_page_of(row: Rule | Recall) -> str:
    return f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/change/"


def in_review(world: User, rule_id: str = TWO_UNITS) -> Rule:
    RULES.revise(rule_id, by=world, reason="News.")
    RULES.rewrite(rule_id, "Two, at most.", by=world)
    RULES.submit(rule_id, by=world)
    return Rule.objects.get(rule_id=rule_id, state="in_review")


def test_a_rule_in_review_leads_to_the_page_on_which_it_is_ticked(world: User) -> None:
    publisher = Browser("Publisher")
    page = publisher.page(the_page_of(in_review(world)))
    (address,) = re.findall(rf'href="({ALONE}[^"]*)"', page)
    offered = publisher.page(address)
    assert re.findall(r'value="([^"]*)" checked', offered) == [TWO_UNITS]
    assert re.search(r"Publish alone\s*</button>", offered)


def test_a_recall_in_review_or_approved_leads_there_too(world: User) -> None:
    draft_recall(by=world, recall=a_recall(recall_id="lynx-again", model_id="lynx-27k"))
    RECALLS.submit("lynx-again", by=world)
    publisher = Browser("Publisher")
    row = Recall.objects.get(recall_id="lynx-again")
    assert f'href="{ALONE}?recall=lynx-again"' in publisher.page(the_page_of(row))
    RECALLS.approve("lynx-again", by=a_user(APPROVER))
    assert f'href="{ALONE}?recall=lynx-again"' in publisher.page(the_page_of(row))


def test_the_link_is_only_where_a_revision_can_go_and_for_who_may_publish(world: User) -> None:
    publisher = Browser("Publisher")
    published = Rule.objects.filter(state="published").exclude(rule_id=TWO_UNITS).first()
    assert published is not None
    assert LINK not in publisher.page(the_page_of(published))
    RULES.revise(published.rule_id, by=world, reason="News.")
    RULES.rewrite(published.rule_id, "Other words.", by=world)
    draft = Rule.objects.get(rule_id=published.rule_id, state="draft")
    assert LINK not in publisher.page(the_page_of(draft))
    RULES.submit(published.rule_id, by=world)
    assert LINK in publisher.page(the_page_of(draft))
    assert LINK not in Browser("Reviewer").page(the_page_of(draft))


def test_a_withdrawal_is_never_offered_as_an_emergency(world: User) -> None:
    published = Rule.objects.filter(state="published").exclude(rule_id=TWO_UNITS).first()
    assert published is not None
    withdraw_rules(by=world, rule_ids=[published.rule_id], reason="Over.")
    RULES.submit(published.rule_id, by=world)
    row = Rule.objects.get(rule_id=published.rule_id, state="in_review")
    assert LINK not in Browser("Publisher").page(the_page_of(row))


def test_a_forged_id_is_refused_at_once_and_asks_for_nothing(world: User) -> None:
    in_review(world)
    sent = {**shown_alone(), "reason": "Urgent.", "rule": [TWO_UNITS, "n1.forged"]}
    answer = Browser("Publisher").post(ALONE, **sent)
    assert answer.status_code == 409
    assert "n1.forged: there is no such rule" in answer.content.decode()
    assert not PublishRequest.objects.exists()


def test_the_page_that_publishes_leads_there_first(world: User) -> None:
    page = Browser("Publisher").page(PUBLISH).partition("<main")[2]
    assert page.index(f'href="{ALONE}"') < page.index("What would be published now")
    assert f'href="{ALONE}"' not in Browser("Reviewer").page(PUBLISH)


def test_the_page_opens_without_asking_a_case(
    world: User, cases: list[Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_review(world)
    publisher = Browser("Publisher")

    def refuse() -> tuple[Case, ...]:
        raise AssertionError("a case was asked")

    monkeypatch.setattr("rules.publishing.candidate.cases_in_force", refuse)
    with CaptureQueriesContext(connection) as queries:
        page = publisher.page(ALONE)
    assert "Publish alone" in page
    assert len(queries) <= 20


def many(failing: int) -> list[Case]:
    return [replace(FAILING, name=f"Two units travel, {number}.") for number in range(failing)]


def test_of_many_failing_cases_the_page_shows_a_count_and_the_first_five(
    world: User, cases: list[Case]
) -> None:
    cases.extend(many(12))
    one_unit(world)
    page = Browser("Reviewer").page(PUBLISH)
    before, fold, behind = page.partition("The other 7 cases that fail")
    assert fold
    assert [f"“Two units travel, {number}.”</strong>" in before for number in range(12)].count(True) == FEW
    assert [f"“Two units travel, {number}.”</strong>" in behind for number in range(12)].count(True) == 7
    assert "12 fail" in before


def test_a_refusal_names_five_cases_in_words_and_says_how_many_more_there_are() -> None:
    failures = [Failure("a.yaml", f"Case {number}", "allowed", "banned", ("x", "y")) for number in range(8)]
    refused = str(NotPublishable(failures))
    assert "these 8 rows and cases block publishing" in refused
    assert refused.count("expected allowed, got banned") == FEW
    assert "and 3 more" in refused
    assert "→" not in refused
    assert all("Path: x → y." in reason for reason in NotPublishable(failures).reasons)


def test_a_refusal_stands_above_the_form_as_a_list_with_what_was_ticked_and_typed(world: User) -> None:
    in_review(world)
    publisher = Browser("Publisher")
    sent = {**shown_alone(), "reason": "", "rule": [TWO_UNITS]}
    answer = publisher.post(ALONE, seen=ALONE, **sent)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert page.index("Nothing was published: a release needs a reason") < page.index('name="reason"')
    assert f'value="{TWO_UNITS}" checked' in page
    assert Release.objects.count() == 1
