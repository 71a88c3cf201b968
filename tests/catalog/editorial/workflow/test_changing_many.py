"""Writing many drafts anew at once: all of them or none."""

import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace

from catalog.errors import Unfit, WrongState
from catalog.models import AuditEntry
from recalls.editing.actions import change_recalls, revise_recalls
from recalls.models import Recall
from rules.editing.actions import change_rules, revise_rules, submit_rules
from rules.models import Rule
from tests.support.world import RULES


def summaries() -> dict[str, str]:
    return dict(Rule.objects.newest().values_list("rule_id", "summary"))


def test_many_drafts_are_written_with_their_evidence_and_their_authors(editor: User, reviewer: User) -> None:
    rules = list(Rule.objects.newest().records())
    revise_rules(by=editor, rule_ids=[rule.rule_id for rule in rules], reason="News.")
    rewritten = [
        replace(rule, summary=f"Anew: {rule.summary}", sources=("lynx-page", *rule.sources)) for rule in rules
    ]
    change_rules(by=reviewer, rules=rewritten)

    assert list(Rule.objects.newest().records()) == rewritten
    assert all(row.authors == sorted([editor.pk, reviewer.pk]) for row in Rule.objects.newest())
    assert AuditEntry.objects.filter(verb="change", done_by=reviewer).count() == len(rules)


def test_where_one_draft_cannot_be_written_none_is(editor: User) -> None:
    names = [rule.rule_id for rule in RULES]
    revise_rules(by=editor, rule_ids=names, reason="News.")
    before = summaries()
    good, bad = (row.to_record() for row in Rule.objects.identified(names)[:2])

    with pytest.raises(Unfit, match=f"^{bad.rule_id}: "):
        change_rules(by=editor, rules=[replace(good, summary="Other."), replace(bad, jurisdiction="nowhere")])
    change_rules(by=editor, rules=[replace(bad, summary="New.")])
    before = summaries()
    submit_rules(by=editor, rule_ids=[bad.rule_id])
    with pytest.raises(WrongState, match=f"^{bad.rule_id}: is in review"):
        change_rules(by=editor, rules=[replace(good, summary="Other."), bad])
    assert summaries() == before


def test_a_draft_is_not_written_twice_at_once(editor: User) -> None:
    (recall, *_) = Recall.objects.newest().records()
    revise_recalls(by=editor, recall_ids=[recall.recall_id], reason="News.")
    with pytest.raises(Unfit, match="is there twice in one change"):
        change_recalls(by=editor, recalls=[recall, replace(recall, title="Other")])
