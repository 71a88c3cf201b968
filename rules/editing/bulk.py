"""Rules in files: imported as drafts, exported revision by revision. Called by the editors' desk."""

from catalog.editorial.bulk import RevisionTable
from rules.editing import actions as rule_actions
from rules.editing.models import Rule
from rules.engine import facts


class RuleEntry(facts.Rule, frozen=True, kw_only=True):
    """A rule as files show it: with the revision and its state."""

    revision: int | None = None
    state: str = ""


RULES = RevisionTable(
    model=Rule,
    record_type=facts.Rule,
    entry_type=RuleEntry,
    key="rule_id",
    order=("rule_id", "revision"),
    record=lambda by, rules: rule_actions.draft_rules(by=by, rules=rules),
    revise=lambda by, ids, reason: rule_actions.revise_rules(by=by, rule_ids=ids, reason=reason),
    change=lambda by, rules: rule_actions.change_rules(by=by, rules=rules),
)
