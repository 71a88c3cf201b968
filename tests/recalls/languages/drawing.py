"""Patterns of the accepted syntax, drawn at random."""

import re2
from hypothesis import strategies as st

LETTERS = "AO0I1LSB8-_中"

RANGES = st.sampled_from(["A-C", "0-9", "G-L", "!-~", "-", "\\d", "\\w", "\\S", "\\D", "\\-", "\\]", "a-z"])


def _joined(parts: list[str], between: str = "") -> str:
    return between.join(parts)


def classes(letters: str) -> st.SearchStrategy[str]:
    """Draw classes of characters."""
    plain = letters.replace("-", "")
    inner = st.lists(st.sampled_from(plain), min_size=1, max_size=3).map(_joined)
    return st.builds("[{}{}{}]".format, st.sampled_from(["", "^"]), inner, st.just("") | RANGES)


def patterns(letters: str = LETTERS, kinds: tuple[str, ...] = (".", r"\d", r"\W")) -> st.SearchStrategy[str]:
    """Draw patterns whose parts are repeated up to three times."""
    single = st.sampled_from(letters).map(re2.escape) | st.sampled_from(kinds) | classes(letters)
    times = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "{1,3}", "{0}"])
    group = st.sampled_from(["({})", "(?:{})"])

    def larger(smaller: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        several = st.lists(smaller, min_size=1, max_size=3).map(_joined)
        options = st.lists(several, min_size=1, max_size=3).map(lambda parts: _joined(parts, "|"))
        return st.builds(lambda shape, inner, count: shape.format(inner) + count, group, options, times)

    part = st.recursive(st.builds(str.__add__, single, times), larger, max_leaves=6)
    option = st.builds(
        "{}{}{}".format,
        st.sampled_from(["", "^"]),
        st.lists(part, max_size=3).map(_joined),
        st.sampled_from(["", "$"]),
    )
    return st.lists(option, min_size=1, max_size=2).map(lambda options: _joined(options, "|"))
