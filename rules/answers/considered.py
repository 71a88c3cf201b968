"""What was considered for an answer and did not apply, by the release that the answer rests on.

The door to `rules.engine.considered` for pages; `rules.wording.considered` says it in words. A trip is asked
leg by leg (`rules.verdicts.leg_question`).
"""

from rules.answers.guidance import LegGuidance
from rules.corpus import Published
from rules.engine.considered import Considered, consider
from rules.engine.facts import Question
from rules.engine.outcomes import LegVerdict


def considered(release: Published, question: Question, outcome: LegVerdict | LegGuidance) -> Considered:
    """Return the rules in play for a leg that are not in the path of its outcome, and why.

    Of a unit that only its label describes no recall is known, and its guidance is weighed so.
    """
    status = "not_affected" if isinstance(outcome, LegGuidance) else outcome.recall_status
    return consider(release.corpus, release.shelf.rules, question, outcome.device, status)
