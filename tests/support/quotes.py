"""Quotes for tests: one as editors write it, and all values that a rule could contain."""

import unicodedata
from collections.abc import Sequence

from hypothesis import strategies as st
from msgspec.structs import replace

from rules.engine.facts import Quote
from rules.engine.quotes import (
    MAX_QUOTES,
    MAX_WHERE_CHARACTERS,
    MAX_WORDS_CHARACTERS,
    MIN_WORDS_CHARACTERS,
)


def a_quote(**changes: str) -> Quote:
    """Return the words of an airline that allow power banks up to 160 Wh in the cabin."""
    quote = Quote(
        source="northwing-page",
        words="Power banks of up to 160 Wh may be carried in the cabin.",
        where="section Power banks, second bullet",
    )
    return replace(quote, **changes)


# Text that editors paste and that files must preserve: separators, signs of formulas, quotation marks, other
# scripts.
_PARTS = st.one_of(
    st.sampled_from(
        [*",;|\"'\\=+-@\n\t", "«", "“", "\\n", " | ", '","', "充电宝", "보조배터리", "160 Wh", "\u00ad"]
    ),
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="\ufffe\uffff"),
)


def _text(least: int, most: int, *, one_line: bool) -> st.SearchStrategy[str]:
    def usable(text: str) -> bool:
        controls = [one for one in text if unicodedata.category(one) == "Cc"]
        return least <= len(text) <= most and set(controls) <= ({"\n"} if not one_line else set())

    return st.lists(_PARTS, max_size=12).map("".join).map(str.strip).filter(usable)


def quotes_of(sources: Sequence[str]) -> st.SearchStrategy[tuple[Quote, ...]]:
    """Draw the quotes of a rule with these sources, all of which were read."""
    quote = st.builds(
        Quote,
        source=st.sampled_from(sources),
        words=_text(MIN_WORDS_CHARACTERS, MAX_WORDS_CHARACTERS, one_line=False),
        where=_text(0, MAX_WHERE_CHARACTERS, one_line=True),
    )
    return st.lists(quote, max_size=MAX_QUOTES, unique_by=lambda one: (one.source, one.words)).map(tuple)
