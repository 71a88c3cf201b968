"""Counts of answers as people read them. Exact counts are in the measurements and in the log. Pure."""

EXACT_BELOW = 1_000_000
"""A smaller count is shown exactly."""


def rounded(count: int) -> str:
    """Return a count for people: `3,672`, or `about 1.5 billion`."""
    if count < EXACT_BELOW:
        return f"{count:,}"
    size, word = (10**9, "billion") if count >= 999_950_000 else (10**6, "million")
    figure = f"{count / size:.1f}" if count < 100 * size else f"{count / size:,.0f}"
    return f"about {figure.removesuffix('.0')} {word}"


def short(count: int) -> str:
    """Return a count for a cell of a table: `3,672`, or `1.5 billion`."""
    return rounded(count).removeprefix("about ")


def share(count: int, total: int) -> str:
    """Return which part of all answers a count is: `12%`, `0.05%` or `less than 0.01%`; "" of none."""
    if not count or not total:
        return ""
    percent = 100 * count / total
    if percent < 0.01:
        return "less than 0.01%"
    if count < total and percent > 99:
        return "more than 99%"
    return f"{percent:.2f}%" if percent < 1 else f"{percent:.0f}%"


def answers(count: int) -> str:
    """Return a count of answers in words."""
    return "1 answer" if count == 1 else f"{rounded(count)} answers"
