"""What a reviewer reads before a step for many rows: sentences, reasons, pages, and what answers become."""

import html
import re
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec.structs import replace

from catalog.devices.bulk import DEVICES
from catalog.editorial.owed.actions import note_measured
from catalog.editorial.pending.actions import propose
from catalog.editorial.screens.many_steps import MOST
from catalog.models import ChangeSet, Device
from recalls.editing import actions as recall_actions
from recalls.models import Recall
from rules.disagreements import actions as disagreement_actions
from rules.editing import actions
from rules.engine.facts import Params, When
from rules.models import Disagreement, Rule
from rules.publishing.actions.releases import publish_release
from tests.catalog.editorial.test_moves_of_many import (
    RULES,
    choose,
    keys,
    press,
    state,
    text_of,
)
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_device, a_disagreement, a_recall, a_rule, a_user
from tests.support.world import APPROVER

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

TWO_UNITS = "n1.two-units"
SETS = "/admin/catalog/changeset/"


@pytest.fixture
def editor(db: None) -> Visitor:
    """An editor, after the first release."""
    publish_release(by=a_user(), note="First.", now=timezone.now(), cases=())
    return member("Editor")


def revised(editor: Visitor, reason: str = "The page says so.", **changes: Any) -> None:
    """Let a revision of the rule about two units wait for review."""
    actions.revise_rules(by=editor.user, rule_ids=[TWO_UNITS], reason=reason)
    record = Rule.objects.get(rule_id=TWO_UNITS, state="draft").to_record()
    actions.change_rule(by=editor.user, rule=replace(record, **changes))
    actions.submit_rules(by=editor.user, rule_ids=[TWO_UNITS])


def read(visitor: Visitor, action: str = "approve", *names: str, **more: Any) -> tuple[HttpResponse, str]:
    page = choose(visitor, action, *(names or (TWO_UNITS,)), **more)
    return page, html.unescape(text_of(page))


def withdrawn(editor: Visitor) -> None:
    actions.withdraw_rules(by=editor.user, rule_ids=[TWO_UNITS], reason="It ended.")
    actions.submit_rules(by=editor.user, rule_ids=[TWO_UNITS])


def test_a_change_is_read_as_two_sentences_with_its_reason_and_its_page(editor: Visitor) -> None:
    revised(editor, params=Params(max_units=1))
    page, said = read(member("Reviewer"))

    assert "Before: Northwing (N1, Northland) limits each passenger to 2 power banks" in said
    assert "After: Northwing (N1, Northland) limits each passenger to 1 power bank" in said
    assert "Fields (1) Units: 2 → 1" in said
    assert "The page says so." in said
    assert re.search(r"Batteries on board , read on 20 November 2026, \d+ days ago", said)
    assert 'href="https://northwing.example/batteries"' in page.content.decode()


def test_a_change_that_reads_the_same_says_so_and_names_its_fields(editor: Visitor) -> None:
    revised(editor, summary="In other words.")
    _, said = read(member("Reviewer"))
    assert "Reads the same: Northwing (N1, Northland) limits each passenger to 2 power banks" in said
    assert "→ In other words." in said


def test_a_withdrawal_names_what_ends_and_reviving_says_that_it_comes_back(editor: Visitor) -> None:
    withdrawn(editor)
    reviewer = member("Reviewer")
    page, said = read(reviewer)
    assert "Is withdrawn: Northwing (N1, Northland) limits each passenger to 2 power banks" in said
    assert "It ended." in said
    form = reviewer.page(f"{RULES}{keys(TWO_UNITS)[0]}/change/")
    assert "This revision withdraws the rule." in form
    press(reviewer, "approve", page)

    revised(editor, params=Params(max_units=1))
    _, said = read(reviewer)
    assert "Comes back after its withdrawal: Northwing (N1, Northland) limits each passenger to 1" in said
    form = reviewer.page(f"{RULES}{keys(TWO_UNITS)[0]}/change/")
    assert "This revision brings the rule back:" in form
    history = text_of(reviewer.get(f"{RULES}{keys(TWO_UNITS)[0]}/history/"))
    assert "It withdraws the rule, which says what revision 1 says." in history
    assert "It brings the rule back after its withdrawal." in history


def test_what_was_never_measured_says_so_and_nothing_is_guessed(editor: Visitor) -> None:
    revised(editor, params=Params(max_units=3))
    _, said = read(member("Reviewer"))
    assert "not measured yet" in said
    assert "stricter" not in said
    assert "milder" not in said


@pytest.mark.parametrize(
    ("changes", "effect"),
    [
        ({"params": Params(max_units=1)}, r"stricter: [\d,]+ answers"),
        ({"params": Params(max_units=3)}, r"milder: makes [\d,]+ answers less strict"),
        ({"summary": "In other words."}, "the same: answers do not depend on what changes"),
    ],
)
def test_measured_changes_say_what_each_row_does_to_answers(
    editor: Visitor, changes: dict[str, Any], effect: str
) -> None:
    revised(editor, **changes)
    reviewer = member("Reviewer")
    page, _ = read(reviewer)
    measured = press(reviewer, "approve", page, measure="")
    assert re.search(effect, text_of(measured))
    assert state(TWO_UNITS) == "in_review"

    assert "1 done, 0 refused" in text_of(press(reviewer, "approve", measured))


def test_after_measuring_the_page_counts_the_rows_that_have_a_tick(editor: Visitor) -> None:
    revised(editor, params=Params(max_units=1))
    reviewer = member("Reviewer")
    page, said = read(reviewer)
    assert "1 of 1 chosen" in said
    assert "a tick" not in said.replace("Remove a tick", "")
    measured = text_of(press(reviewer, "approve", page, measure="", take=[]))
    assert "0 of these have a tick" in measured


def test_a_second_approver_reads_what_was_noted_of_an_approved_row(editor: Visitor) -> None:
    revised(editor, params=Params(max_units=3))
    actions.approve_rules(by=a_user(APPROVER), rule_ids=[TWO_UNITS])
    row = keys(TWO_UNITS)[0]
    note_measured(Rule, {row: {editor.user.pk}}, less_strict={row}, now=timezone.now())
    _, said = read(member("Reviewer"), "approve_again")
    assert re.search(r"milder, as measured by \d+ \w+ \d{4}, \d\d:\d\d UTC", said)


def test_a_row_whose_effect_is_another_one_than_shown_is_refused(editor: Visitor) -> None:
    revised(editor, params=Params(max_units=1))
    reviewer = member("Reviewer")
    page, _ = read(reviewer)
    stricter = press(reviewer, "approve", page, measure="")
    assert "stricter" in text_of(stricter)

    # The rule that hid it is stricter in a new release, so the same words are milder now.
    other = member("Editor")
    actions.draft_rules(
        by=other.user,
        rules=[
            a_rule(
                rule_id="n1.none",
                effect="prohibit",
                code="over_watt_hour_limit",
                when=When(watt_hour_over=Decimal(1)),
                params=Params(limit_watt_hour=Decimal(1)),
            )
        ],
    )
    actions.submit_rules(by=other.user, rule_ids=["n1.none"])
    actions.approve_rules(by=a_user(APPROVER), rule_ids=["n1.none"])
    publish_release(by=a_user("publisher"), note="Second.", now=timezone.now(), cases=())

    refused = press(reviewer, "approve", stricter)
    assert refused.status_code == 409
    assert "its effect on answers is no longer the shown one" in text_of(refused)
    assert "not measured yet" in text_of(refused)
    assert state(TWO_UNITS) == "in_review"


def test_recalls_and_disagreements_are_read_in_their_words(editor: Visitor) -> None:
    by, reviewer = editor.user, member("Reviewer")
    recall_actions.draft_recall(by=by, recall=a_recall(recall_id="new", model_id="lynx-27k"))
    recall_actions.submit_recalls(by=by, recall_ids=["new"])
    key = Recall.objects.get(recall_id="new").pk
    _, said = read(reviewer, path="/admin/recalls/recall/", _selected_action=[key])
    assert (
        "New: Northland Product Safety (XA) recalls the units whose serial matches ^LX-[0-4][0-9]{3}$ and "
        "clears all others of lynx-27k, announced on 1 March 2026: Cells can overheat. Remedy: Replacement."
    ) in said

    disagreement_actions.draft_disagreement(by=by, disagreement=a_disagreement())
    disagreement_actions.submit_disagreements(by=by, disagreement_ids=["n1-cabin-limit"])
    key = Disagreement.objects.get().pk
    _, said = read(reviewer, path="/admin/rules/disagreement/", _selected_action=[key])
    assert "New: N1: Up to how many watt-hours does Northwing accept? “Up to 160 Wh” (northwing-page)" in said
    # No answer depends on it, so nothing is measured.
    assert "Answers become" not in said


def proposed(editor: Visitor, *records: Any, reason: str = "The label.") -> ChangeSet:
    found = propose(DEVICES, records, by=editor.user, subject="two models", reason=reason)
    assert found is not None
    return found


def test_change_sets_are_read_record_by_record_and_decided_together(editor: Visitor) -> None:
    first = proposed(editor, replace(Device.objects.get(pk="puma-30k").to_record(), watt_hour=Decimal(110)))
    second = proposed(editor, a_device(model_id="lynx-new", model_name="Lynx New"))
    reviewer = member("Reviewer")
    page, said = read(reviewer, path=SETS, _selected_action=[first.pk, second.pk])
    assert "model puma-30k Fields (1) Energy, Wh: 111.00 → 110" in said
    assert "model lynx-new New" in said
    assert "The label." in said
    assert "Batteries on board , read on 20 November 2026" in said

    done = press(reviewer, "approve", page, path=SETS, take=[second.pk])
    assert "1 done, 0 refused, 1 left out." in text_of(done)
    assert Device.objects.filter(pk="lynx-new").exists()
    assert Device.objects.get(pk="puma-30k").watt_hour == 111


def test_an_author_cannot_approve_a_change_set_among_others(editor: Visitor) -> None:
    both = member("Editor", "Reviewer")
    own = proposed(both, a_device(model_id="lynx-own", model_name="Lynx Own"))
    other = proposed(editor, a_device(model_id="lynx-other", model_name="Lynx Other"))
    page, said = read(both, path=SETS, _selected_action=[own.pk, other.pk])
    assert "Refused: you cannot approve your own work" in said

    done = press(both, "approve", page, path=SETS, take=[own.pk, other.pk])
    assert "1 done, 0 refused" in text_of(done)
    assert ChangeSet.objects.get(pk=own.pk).state == "waiting"


def test_a_change_set_that_is_too_large_to_show_is_not_decided_among_others(editor: Visitor) -> None:
    many = proposed(
        editor, *(a_device(model_id=f"lynx-{number}", model_name=f"Lynx {number}") for number in range(21))
    )
    _, said = read(member("Reviewer"), path=SETS, _selected_action=[many.pk])
    assert "Refused: has too many records to show here: open it and decide it there" in said


def test_one_more_change_set_costs_few_queries(editor: Visitor) -> None:
    reviewer = member("Reviewer")

    def queries(*numbers: int) -> int:
        sets = [
            proposed(editor, a_device(model_id=f"lynx-{one}", model_name=f"Lynx {one}")) for one in numbers
        ]
        chosen = [one.pk for one in sets]
        with CaptureQueriesContext(connection) as asked:
            page, _ = read(reviewer, path=SETS, _selected_action=chosen)
            done = press(reviewer, "approve", page, path=SETS, take=chosen)
        assert f"{len(sets)} done, 0 refused" in text_of(done)
        return len(asked)

    queries(0)
    few, many = queries(1), queries(2, 3, 4, 5, 6)
    # Tried on the page that asks, and done by its button.
    assert (many - few) / 4 <= 2 * 22


def test_scripts_in_reasons_and_sentences_are_only_text(editor: Visitor) -> None:
    revised(editor, reason="<script>alert(1)</script>", summary="<img src=x onerror=alert(2)>")
    page, _ = read(member("Reviewer"))
    body = page.content.decode()
    assert "<script>alert(1)" not in body
    assert "<img src=x" not in body


def test_a_page_that_claims_more_rows_than_it_can_show_is_a_bad_request(editor: Visitor) -> None:
    revised(editor, summary="Other.")
    reviewer = member("Reviewer")
    page, _ = read(reviewer)
    row = '[1,"a","b","c",true]'
    sent = press(reviewer, "approve", page, seen=f"[{','.join([row] * (MOST + 1))}]")
    assert sent.status_code == 400


def test_what_rows_say_costs_as_many_queries_for_many_as_for_one(editor: Visitor) -> None:
    names = [f"n1.many-{number}" for number in range(12)]
    actions.draft_rules(by=editor.user, rules=[a_rule(rule_id=name) for name in names])
    from django.contrib import admin

    screen: Any = admin.site.get_model_admin(Rule)

    def queries(*rows: int) -> int:
        with CaptureQueriesContext(connection) as asked:
            screen.lines("submit", rows)
        return len(asked)

    assert queries(*keys(*names)) == queries(*keys(names[0])) <= 10
