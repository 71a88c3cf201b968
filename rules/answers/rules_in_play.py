"""Which rules of a path give the verdict, so that pages and cards can put them first.

Where it is banned, those that ban; where it is conditional, the preconditions that nobody has shown, and the
demand for a mark that is in doubt; where it is allowed, the permits. A verdict can also rest on what is no
rule: a recall, the answer of a maker's list, an open figure, a certificate, a policy that nobody confirmed, a
permit that is missing. Called by answer pages and by the counter card.
"""

from rules.answers.guidance import LegGuidance
from rules.corpus import Published
from rules.engine.facts import Question
from rules.engine.matching import bans, fold, unproven
from rules.engine.outcomes import LegVerdict


def deciding(release: Published, question: Question, outcome: LegVerdict | LegGuidance) -> tuple[str, ...]:
    """Return the ids of the rules that give the verdict of a leg, in path order; none where no rule does."""
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
