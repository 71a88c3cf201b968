"""What a question gets from a ruleset: a verdict or no answer, and which of two is stricter."""

from typing import Literal

from rules.engine.vocabulary import STRICTNESS, Verdict

Outcome = Verdict | Literal["not_answered"]
"""A verdict, or no verdict: the model, the airline or a country is not in the ruleset."""


def strictness(outcome: Outcome) -> int:
    """Return how strict an answer is, for comparing two of them."""
    # For the caller, no answer is at least as strict as any answer except a ban, which says more.
    return STRICTNESS["insufficient"] if outcome == "not_answered" else STRICTNESS[outcome]


def milder(before: Outcome, after: Outcome) -> bool:
    """Return whether an answer becomes less strict. An answer where there was none can be less strict."""
    return strictness(after) < strictness(before)
