"""Importing rules and recalls: what becomes a draft, what is left alone, and nothing is half imported."""

import csv
import io
import json
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace
from pytest_django import DjangoAssertNumQueries

from catalog.bulk import files, importing
from catalog.bulk.cells import from_cells, to_cells
from catalog.bulk.importing import Plan
from catalog.editorial.bulk import RevisionTable
from catalog.models import AuditEntry
from recalls.editing.bulk import RECALLS
from recalls.models import Recall
from rules.editing import actions as rule_actions
from rules.editing.bulk import RULES, RuleEntry
from rules.engine.facts import Params, Rule, When
from rules.models import Rule as RuleRow
from rules.publishing.actions.releases import publish_release
from tests.support.factories import a_recall, a_rule, a_user
from tests.support.starter import NOW
from tests.support.world import APPROVER

pytestmark = pytest.mark.usefixtures("world_rows")

WHY = "The page has changed."


@pytest.fixture
def author(db: None) -> User:
    """Who wrote the test world, all of which is approved."""
    return a_user()


@pytest.fixture
def editor(author: User) -> User:
    """Who imports."""
    return a_user("importer")


def run(
    by: User, content: str | bytes | list[Any], name: str = "rules.csv", table: RevisionTable = RULES
) -> Plan:
    """Import a file, or records as CSV, if nothing stands against it."""
    if isinstance(content, list):
        content = files.write("csv", content, type(content[0]))
    encoded = content.encode() if isinstance(content, str) else content
    plan = importing.preview(table, name, encoded, by=by, reason=WHY)
    importing.apply(table, name, encoded, by=by, reason=WHY, agreed=plan.digest)
    return plan


def newest(rule_id: str) -> RuleRow:
    return RuleRow.objects.identified([rule_id]).get()


def agreed(rule_id: str = "n1.two-units") -> Rule:
    (record,) = RuleRow.objects.filter(rule_id=rule_id).to_publish().records()
    return record


def results(plan: Plan) -> list[tuple[str, str, str]]:
    return [(row.record_id, row.kind, row.reason or row.note) for row in plan.outcomes]


def test_a_row_of_a_new_id_is_a_draft(editor: User) -> None:
    rule = a_rule(
        rule_id="n1.new",
        effect="prohibit",
        code="over_watt_hour_limit",
        when=When(watt_hour_at_least=Decimal("0.01"), compartment=("carry_on", "on_person"), quantity_over=1),
        params=Params(limit_watt_hour=Decimal("99.90")),
    )
    plan = run(editor, [rule])

    assert results(plan) == [("n1.new", "new", "")]
    row = newest("n1.new")
    assert (row.to_record(), row.state, row.revision, row.created_by) == (rule, "draft", 1, editor)


def test_a_row_that_says_something_else_opens_the_next_revision_for_the_reason_that_was_given(
    editor: User,
) -> None:
    before = agreed()
    plan = run(editor, "rule_id,params.max_units,effective_from\nn1.two-units,1,2026-12-01\n")

    assert results(plan) == [("n1.two-units", "changed", "opens revision 2")]
    assert plan.outcomes[0].changes == (
        ("params.max_units", "2", "1"),
        ("effective_from", "", "2026-12-01"),
    )
    row = newest("n1.two-units")
    assert (row.state, row.revision, row.authors) == ("draft", 2, [editor.pk])
    assert (row.max_units, str(row.effective_from)) == (1, "2026-12-01")
    assert row.to_record().sources == before.sources
    assert agreed() == before
    entries = AuditEntry.objects.filter(subject="n1.two-units", done_by=editor)
    assert [(entry.verb, entry.reason) for entry in entries] == [("revise", WHY), ("change", "")]


def test_a_row_that_says_the_same_opens_nothing(editor: User) -> None:
    rows = RuleRow.objects.count()
    plan = run(editor, [agreed()])
    assert results(plan) == [("n1.two-units", "same", "")]
    assert RuleRow.objects.count() == rows


def test_ones_own_draft_is_written_again(editor: User) -> None:
    run(editor, "rule_id,params.max_units\nn1.two-units,1\n")
    plan = run(editor, "rule_id,summary\nn1.two-units,One unit.\n")

    assert results(plan) == [("n1.two-units", "changed", "changes your draft, revision 2")]
    row = newest("n1.two-units")
    assert (row.revision, row.max_units, row.summary) == (2, 1, "One unit.")
    assert results(run(editor, [row.to_record()])) == [("n1.two-units", "same", "")]


def test_what_is_agreed_already_leaves_ones_draft_alone(editor: User) -> None:
    run(editor, "rule_id,params.max_units\nn1.two-units,1\n")
    assert results(run(editor, [agreed()])) == [("n1.two-units", "same", "")]
    assert newest("n1.two-units").max_units == 1


def test_the_draft_of_another_person_and_what_is_in_review_are_left_alone(editor: User, author: User) -> None:
    rule_actions.revise_rules(by=author, rule_ids=["n1.two-units"], reason="Mine.")
    change = "rule_id,params.max_units\nn1.two-units,1\n"
    refused = "revision 2 is a draft of editor; a file changes only your own drafts"
    assert results(run(editor, change)) == [("n1.two-units", "error", refused)]

    rule_actions.change_rule(by=author, rule=replace(agreed(), summary="Other words."))
    rule_actions.submit_rules(by=author, rule_ids=["n1.two-units"])
    refused = "revision 2 is in review; it can be changed only after it is returned"
    for by in (editor, author):
        assert results(run(by, change)) == [("n1.two-units", "error", refused)]
    assert newest("n1.two-units").max_units == 2


def test_a_withdrawal_that_one_is_writing_is_not_rewritten(editor: User) -> None:
    publish_release(by=editor, note="News.", now=NOW, cases=())
    rule_actions.withdraw_rules(by=editor, rule_ids=["n1.two-units"], reason="Over.")
    plan = run(editor, "rule_id,summary\nn1.two-units,Other.\n")
    assert results(plan) == [("n1.two-units", "error", "is a withdrawal, so its content cannot be changed")]


def test_a_change_of_what_was_withdrawn_brings_it_back_and_says_so(editor: User) -> None:
    publish_release(by=editor, note="News.", now=NOW, cases=())
    rule_actions.withdraw_rules(by=editor, rule_ids=["n1.two-units"], reason="Over.")
    rule_actions.submit_rules(by=editor, rule_ids=["n1.two-units"])
    rule_actions.approve_rules(by=a_user(APPROVER), rule_ids=["n1.two-units"])
    assert results(run(editor, [newest("n1.two-units").to_record()])) == [("n1.two-units", "same", "")]

    plan = run(editor, "rule_id,summary\nn1.two-units,It is back.\n")
    assert results(plan) == [("n1.two-units", "changed", "opens revision 3, which restores the record")]
    assert not newest("n1.two-units").withdraws


def exported(*rows: RuleRow) -> bytes:
    return files.write("csv", RULES.exported([row.pk for row in rows]), RuleEntry)


def test_an_export_says_which_revision_it_shows_and_how_far_that_has_come(editor: User) -> None:
    publish_release(by=editor, note="News.", now=NOW, cases=())
    rule_actions.withdraw_rules(by=editor, rule_ids=["n1.two-units"], reason="Over.")
    rows = RuleRow.objects.filter(rule_id__in=["n1.two-units", "s2.one-unit"]).order_by("-revision")

    sheet = files.read("a.csv", exported(*rows), RuleEntry)
    assert [(row.values["rule_id"], row.values["revision"], row.values["state"]) for row in sheet.rows] == [
        ("n1.two-units", "1", "published"),
        ("n1.two-units", "2", "draft withdrawal"),
        ("s2.one-unit", "1", "published"),
    ]


def test_a_row_of_an_older_export_does_not_undo_what_was_agreed_meanwhile(editor: User, author: User) -> None:
    old = exported(newest("n1.two-units")).replace(b"carry_on", b"on_person")
    run(author, "rule_id,params.max_units\nn1.two-units,1\n")
    rule_actions.submit_rules(by=author, rule_ids=["n1.two-units"])
    rule_actions.approve_rules(by=a_user(APPROVER), rule_ids=["n1.two-units"])

    (outcome,) = run(editor, old).outcomes
    assert outcome.reason.startswith("`revision` is 1, but there is revision 2: export it again")
    # The same file again after one's own import is no older export.
    run(editor, "rule_id,revision,summary\nn1.two-units,2,One.\n")
    assert results(run(editor, "rule_id,revision,summary\nn1.two-units,2,One unit.\n")) == [
        ("n1.two-units", "changed", "changes your draft, revision 3")
    ]


BAD_CELLS = [
    ("params.max_units", "two", "`params.max_units` is a whole number, not `two`"),
    ("params.max_units", "1.5", "`params.max_units` is a whole number, not `1.5`"),
    ("params.max_units", "", "`max_units` goes with max_units and quantity_advice alone"),
    ("effective_from", "46000", "`effective_from` is a date such as 2026-11-20, not `46000`"),
    ("effective_from", "3/1/2026", "`effective_from` is a date such as 2026-11-20, not `3/1/2026`"),
    ("when.watt_hour_over", "100,5", "`when.watt_hour_over` is a number such as 37 or 36.48, not `100,5`"),
    ("when.watt_hour_over", "0.001", "`watt_hour_over`: Ensure that there are no more than 2 decimal places"),
    ("when.watt_hour_over", "=100", "`when.watt_hour_over` begins like a formula"),
    ("when.compartment", "cargo", "`when.compartment` is one of carry_on"),
    ("applies", "", "`applies`: This field cannot be blank"),
    ("effect", "forbid", "`effect` is one of permit, require, prohibit, advise, not `forbid`"),
    ("code", "no_such_code", "`code`: Value 'no_such_code' is not a valid choice"),
    ("airline", "Z9", "is an airline rule of `Z9`, which is no airline of this release"),
    ("sources", "nowhere", "names the source `nowhere`, which is not in this release"),
    ("summary", "C:\\x", "`summary` has a backslash without a meaning"),
    ("rule_id", "", "`rule_id` is missing"),
    ("rule_id", "N1 Two", "the rule id is lower-case words joined by dots and hyphens"),
]


def test_each_error_names_its_row_and_its_column_and_nothing_is_imported(editor: User) -> None:
    rows = RuleRow.objects.count()
    good = to_cells(replace(agreed("s2.one-unit"), summary="Fine."))
    bad = to_cells(agreed())
    lines = [good] + [
        bad | {"rule_id": f"n1.bad-{at}", column: text} for at, (column, text, _) in enumerate(BAD_CELLS)
    ]
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(good))
    writer.writeheader()
    writer.writerows(lines)
    first, *others = run(editor, out.getvalue()).outcomes

    assert (first.number, first.kind) == (2, "changed")
    assert [(row.number, row.kind) for row in others] == [(3 + at, "error") for at in range(len(BAD_CELLS))]
    for row, (_, _, reason) in zip(others, BAD_CELLS, strict=True):
        assert row.reason.startswith(reason)
    assert RuleRow.objects.count() == rows


@pytest.mark.parametrize(
    ("column", "text", "value"),
    [
        ("when.watt_hour_over", "1.6E2", Decimal(160)),
        ("when.watt_hour_over", "100.00 ", Decimal(100)),
        ("params.max_units", "2 ", 2),
        ("effective_from", " 2026-03-01 ", "2026-03-01"),
        ("applies", "airline \n", ("airline",)),
        ("when.compartment", "carry_on\non_person", ("carry_on", "on_person")),
        ("when.compartment", " ", None),
    ],
)
def test_cells_are_read_as_spreadsheets_leave_them(column: str, text: str, value: Any) -> None:
    rule: Any = from_cells(Rule, {column: text}, kept=a_rule())
    for name in column.split("."):
        rule = getattr(rule, name)
    assert str(rule) == value if isinstance(value, str) else rule == value


def test_json_takes_a_part_of_a_record_as_a_whole_and_leaves_the_others(editor: User) -> None:
    before = agreed()
    row = {"rule_id": "n1.two-units", "params": {"max_units": 1}, "state": "published", "revision": 1}
    run(editor, json.dumps([row]), "rules.json")
    assert newest("n1.two-units").to_record() == replace(before, params=Params(max_units=1))


def test_recalls_travel_the_same_way(editor: User) -> None:
    new = a_recall(recall_id="new", model_id="lynx-27k")
    (old, *_) = Recall.objects.newest().records()
    plan = run(editor, [new, replace(old, title="Other")], table=RECALLS)

    assert results(plan) == [("new", "new", ""), (old.recall_id, "changed", "opens revision 2")]
    assert Recall.objects.identified(["new"]).get().to_record() == new
    assert Recall.objects.identified([old.recall_id]).get().title == "Other"
    plan = run(
        editor, [replace(new, affected_serials=replace(new.affected_serials, pattern="("))], table=RECALLS
    )
    assert plan.outcomes[0].kind == "error"


def test_many_changes_cost_a_constant_number_of_queries_for_each_batch(
    editor: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    rules = [a_rule(rule_id=f"n1.rule-{number}") for number in range(importing.BATCH)]
    run(editor, rules)
    rule_actions.submit_rules(by=editor, rule_ids=[rule.rule_id for rule in rules])
    rule_actions.approve_rules(by=a_user(APPROVER), rule_ids=[rule.rule_id for rule in rules])
    content = files.write("csv", [replace(rule, summary="Anew.") for rule in rules], Rule)

    with django_assert_max_num_queries(60):
        assert importing.preview(RULES, "a.csv", content, by=editor, reason=WHY).count("changed") == len(
            rules
        )
