"""Which rules give the verdict of an answer, and which were considered and did not apply.

`deciding` names the rules of a path that pages and cards put first. For a ban, these are the rules that ban.
For a conditional verdict, they are the preconditions that are not shown, and the demand for a mark that is in
doubt. For an allowed one, they are the permits. A verdict can also follow from something that is not a rule:
a recall, the answer of a maker's list, an open figure, a certificate, an unconfirmed policy, a missing
permit.

`considered` is the door to `rules.engine.considered`; `rules.wording.considered` puts it into words. For a
trip it is called leg by leg (`rules.verdicts.leg_question`). Called by answer pages and by the counter card.
"""

from rules.answers.guidance import LegGuidance
from rules.corpus import Published
from rules.engine.considered import Considered, consider
from rules.engine.facts import Question
from rules.engine.matching import bans, fold, unproven
from rules.engine.outcomes import LegVerdict


def deciding(release: Published, question: Question, outcome: LegVerdict | LegGuidance) -> tuple[str, ...]:
    """Return the ids of the rules that give the verdict of a leg, in path order; empty if no rule does."""
    status = "not_affected" if isinstance(outcome, LegGuidance) else outcome.recall_status
    facts = fold(question, status)
    applied = [release.shelf.rules[step] for step in outcome.path if step in release.shelf.rules]
    match outcome.verdict:
        case "banned":
            found = [rule for rule in applied if bans(rule) & facts]
        case "conditional":
            doubted = isinstance(outcome, LegVerdict) and bool(outcome.doubts)
            found = [
                rule
                for rule in applied
                if unproven(rule) & facts or (doubted and rule.code == "ccc_mark_required")
            ]
        case "allowed":
            found = [rule for rule in applied if rule.effect == "permit"]
        case _:
            found = []
    return tuple(rule.rule_id for rule in found)


def considered(release: Published, question: Question, outcome: LegVerdict | LegGuidance) -> Considered:
    """Return the rules in play for a leg that are not in the path of its outcome, and why.

    For a unit that only its label describes no recall is known, and its guidance is weighed without recalls.
    """
    status = "not_affected" if isinstance(outcome, LegGuidance) else outcome.recall_status
    return consider(release.corpus, release.shelf.rules, question, outcome.device, status)
