"""Returns one text in one language, and caches it.

Called by the other modules of this package.
"""

import functools

from rules.wording.history_texts import HISTORY
from rules.wording.step_texts import ADVICE, CHANGES, CONDITIONS, GUIDANCE, RULES, STEPS, UNMET
from rules.wording.texts import COVERAGE, NEXT_STEPS, STATEMENTS, SUMMARIES
from rules.wording.translating import Text, translated

Values = tuple[tuple[str, str | int], ...]
"""The values that fill a text, by name. A number that decides a plural is an `int`."""

TEXTS: dict[str, Text] = {
    "coverage": COVERAGE,
    **{f"statement.{name}": text for name, text in STATEMENTS.items()},
    **{f"summary.{name}": text for name, text in SUMMARIES.items()},
    **{f"next_step.{name}": text for name, text in NEXT_STEPS.items()},
    **{f"rule.{name}": text for name, text in RULES.items()},
    **{f"when.{name}": text for name, text in CONDITIONS.items()},
    **{f"step.{name}": text for name, text in STEPS.items()},
    **{f"unmet.{name}": text for name, text in UNMET.items()},
    **{f"change.{name}": text for name, text in CHANGES.items()},
    **{f"advice.{name}": text for name, text in ADVICE.items()},
    **{f"guidance.{name}": text for name, text in GUIDANCE.items()},
    **{f"history.{name}": text for name, text in HISTORY.items()},
}
"""All texts, by their keys."""


# Bounded, because a few values (watt-hours, a quantity) come from the question.
@functools.lru_cache(maxsize=16_384)
def say(key: str, language: str, values: Values = ()) -> str:
    """Return a text of `texts` in a language, filled in."""
    return translated(TEXTS[key], language, dict(values))
