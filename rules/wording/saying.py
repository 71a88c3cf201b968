"""Says one text in one language, and remembers it.

The only place that switches languages. Called by `sentences` and `summaries`.
"""

import functools

from django.utils.translation import override

from rules.wording.texts import COVERAGE, STATEMENTS, SUMMARIES

Values = tuple[tuple[str, str | int], ...]
"""What a text is filled with, by name. A number that decides a plural is an `int`."""

_TEXTS = {
    "coverage": COVERAGE,
    **{f"statement.{name}": text for name, text in STATEMENTS.items()},
    **{f"summary.{name}": text for name, text in SUMMARIES.items()},
}


# Bounded, because a few values (watt-hours, a quantity) come from the question.
@functools.lru_cache(maxsize=16_384)
def say(key: str, language: str, values: Values = ()) -> str:
    """Return a text of `texts` in a language, filled in."""
    with override(language):
        return str(_TEXTS[key] % dict(values))
