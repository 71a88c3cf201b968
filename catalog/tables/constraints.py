"""Check constraints in the few forms that recur.

Each function returns one check constraint. Its sentence describes the correct state, and an editor reads it
when a row breaks the constraint. So it is written only here, next to the check.
"""

from collections.abc import Sequence
from typing import Any, get_args

from django.db.models import CheckConstraint, F, Q


def words(literal: Any) -> tuple[str, ...]:
    """Return the words of a `Literal` type, in its order."""
    return get_args(literal)


def choices(literal: Any) -> list[tuple[str, str]]:
    """Return the words of a `Literal` type as Django's choices, with labels to read."""
    return [(word, word.replace("_", " ")) for word in words(literal)]


def check(name: str, condition: Q, sentence: str) -> CheckConstraint:
    """Return a constraint with its sentence."""
    return CheckConstraint(name=name, condition=condition, violation_error_message=sentence)


def spelled(name: str, field: str, pattern: str, sentence: str) -> CheckConstraint:
    """Require a text column to match a regular expression; null passes."""
    return check(name, Q(**{f"{field}__regex": pattern}), sentence)


def one_of(name: str, field: str, known: Sequence[str]) -> CheckConstraint:
    """Require a known word in a column; null passes."""
    return check(name, Q(**{f"{field}__in": list(known)}), f"`{field}` is one of {', '.join(known)}")


def all_of(name: str, field: str, known: Sequence[str]) -> CheckConstraint:
    """Require known words in an array column, at least one; null passes."""
    return check(
        name,
        Q(**{f"{field}__contained_by": list(known)}) & Q(**{f"{field}__len__gt": 0}),
        f"`{field}` names at least one of {', '.join(known)}, and nothing else",
    )


def positive(name: str, field: str) -> CheckConstraint:
    """Require a number above zero; null passes."""
    return check(name, Q(**{f"{field}__gt": 0}), f"`{field}` is above zero")


def not_after(name: str, first: str, last: str, sentence: str) -> CheckConstraint:
    """Require two dates, or two times, to be in order; a missing one passes."""
    return check(name, Q(**{f"{first}__lte": F(last)}), sentence)


def both_or_neither(name: str, first: str, second: str) -> CheckConstraint:
    """Require two columns to be filled, or empty, together."""
    return check(
        name,
        same(Q(**{f"{first}__isnull": True}), Q(**{f"{second}__isnull": True})),
        f"`{first}` and `{second}` go together",
    )


def same(first: Q, second: Q) -> Q:
    """Return the condition that two conditions, neither of which may be null, agree."""
    return (first & second) | (~first & ~second)


UPPER_CASE_COUNTRY = r"^[A-Z]{2}$"
UPPER_CASE_JURISDICTION = r"^[A-Z]{2,4}$"
WEB_ADDRESS = r"^https?://[^\s/]+\.\S+$"
SLUG = r"^[a-z0-9]+(-[a-z0-9]+)*$"
