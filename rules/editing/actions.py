"""The only code that writes rules, from the first draft to the withdrawal.

Each action names rules by their ids, writes all or nothing, names its user (`by=`) and logs it. A rule
reaches verdicts with the first release after its approval, and leaves them with the first after the approval
of its withdrawal. All of them raise the errors of `catalog.errors`. The states are in
`catalog.editorial.workflow`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from msgspec import to_builtins
from msgspec.structs import asdict

from catalog.editorial.actions import workflow
from catalog.editorial.audit.actions import log_revisions
from catalog.editorial.workflow import EditorAction, State
from catalog.errors import Unfit
from catalog.tables.actions.inserting import insert_evidence
from catalog.tables.actions.updating import replace_evidence, write
from rules.editing.models import Rule, RuleEvidence
from rules.editing.problems import NOT_CONFIRMED, problems_of, wrongly_confirmed
from rules.engine import facts


@transaction.atomic
def draft_rules(*, by: User, rules: Sequence[facts.Rule], reason: str = "") -> None:
    """Write new rules, which another person has to approve. Refuses rules that the engine cannot read."""
    rows = [Rule(rule_id=rule.rule_id, **_columns(rule)) for rule in rules]
    workflow.draft(rows, by=by, reason=reason)
    _refuse_unreadable(rules)
    _cite(rows, rules)


def draft_rule(*, by: User, rule: facts.Rule) -> None:
    """Write one new rule."""
    draft_rules(by=by, rules=[rule])


@transaction.atomic
def change_rules(*, by: User, rules: Sequence[facts.Rule]) -> None:
    """Write the drafts of rules again. The user becomes one of their authors."""
    rows = workflow.drafts_to_change(Rule, by=by, ids=[rule.rule_id for rule in rules])
    for row, rule in zip(rows, rules, strict=True):
        for column, value in _columns(rule).items():
            setattr(row, column, value)
    write(rows, {"authors"}.union(*map(_columns, rules)), owner="rule_id")
    _refuse_unreadable(rules)
    _cite(rows, rules, replace_evidence)
    log_revisions(rows, by=by, at=timezone.now(), action=EditorAction.CHANGE)


def change_rule(*, by: User, rule: facts.Rule) -> None:
    """Write the draft of one rule again."""
    change_rules(by=by, rules=[rule])


def revise_rules(*, by: User, rule_ids: Sequence[str], reason: str) -> None:
    """Open the next revision of rules, as a copy to edit."""
    workflow.revise(Rule, by=by, ids=rule_ids, reason=reason)


def withdraw_rules(*, by: User, rule_ids: Sequence[str], reason: str) -> None:
    """Open a revision that takes published rules out of the next release, once it is approved."""
    workflow.withdraw(Rule, by=by, ids=rule_ids, reason=reason)


def discard_rules(*, by: User, rule_ids: Sequence[str], reason: str) -> None:
    """Delete drafts."""
    workflow.discard(Rule, by=by, ids=rule_ids, reason=reason)


def submit_rules(*, by: User, rule_ids: Sequence[str]) -> None:
    """Submit drafts for review."""
    workflow.submit(Rule, by=by, ids=rule_ids)


def return_rules(*, by: User, rule_ids: Sequence[str], reason: str) -> None:
    """Return drafts in review to their authors, and say what is wrong with them."""
    workflow.return_to_author(Rule, by=by, ids=rule_ids, reason=reason)


@transaction.atomic
def approve_rules(*, by: User, rule_ids: Sequence[str]) -> None:
    """Approve what others have submitted for review.

    Raises `Unfit` for a rule that is *confirmed* although none of its sources is an official page that was
    read.
    """
    workflow.approve(Rule, by=by, ids=rule_ids)
    approved = Rule.objects.identified(rule_ids).filter(state=State.APPROVED)
    for rule_id in wrongly_confirmed(approved).order_by("rule_id").values_list("rule_id", flat=True)[:1]:
        raise Unfit(rule_id, NOT_CONFIRMED)


def approve_rules_again(*, by: User, rule_ids: Sequence[str]) -> None:
    """Give the second approval, which every rule needs that makes an answer more lenient."""
    workflow.approve_again(Rule, by=by, ids=rule_ids)


def take_back_rules(*, by: User, rule_ids: Sequence[str], reason: str) -> None:
    """Take approved rules back, so that they are not published."""
    workflow.take_back(Rule, by=by, ids=rule_ids, reason=reason)


def _columns(rule: facts.Rule) -> dict[str, Any]:
    """Return what a rule says as the columns of its row, without its id and its sources."""
    return {
        "issuer": rule.issuer,
        "authority": rule.authority,
        "jurisdiction": rule.jurisdiction,
        "airline_id": rule.airline,
        "applies": list(rule.applies),
        **asdict(rule.when),
        "effect": rule.effect,
        "code": rule.code,
        **asdict(rule.params),
        "effective_from": rule.effective_from,
        "effective_until": rule.effective_until,
        "summary": rule.summary,
        "confidence": rule.confidence,
        "quotes": to_builtins(list(rule.quotes)),
    }


def _cite(
    rows: Sequence[Rule], rules: Sequence[facts.Rule], cite: Callable[..., None] = insert_evidence
) -> None:
    sources = {row: rule.sources for row, rule in zip(rows, rules, strict=True)}
    cite(RuleEvidence, "rule", sources, owner="rule.rule_id")


def _refuse_unreadable(rules: Sequence[facts.Rule]) -> None:
    """Check rules as a release would. Raises `Unfit` for the first that cannot be read."""
    for name, reason in problems_of(rules):
        raise Unfit(name, reason)
