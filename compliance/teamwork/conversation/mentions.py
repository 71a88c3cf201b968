"""Whom a comment mentions: `@` and the name of an account of the desk."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.contrib.auth.models import User

from catalog.tables.programs import PROGRAMS
from compliance.teamwork import topics

MOST = 10
"""The people that a comment can mention."""

_MENTION = re.compile(r"(?<![\w@.+-])@(\w[\w.@+-]{0,149})")


class Mentioned(NamedTuple):
    """The people who are mentioned, those who may not see the topic, and the names that no account has."""

    people: Sequence[User]
    without_sight: Sequence[str]
    unknown: Sequence[str]


def names_in(text: str) -> list[str]:
    """Return the names after an `@`, each once, in their order. A full stop may end the sentence."""
    return list(dict.fromkeys(found[1].rstrip(".@+-") for found in _MENTION.finditer(text)))


def mentioned(kind: str, names: Collection[str]) -> Mentioned:
    """Return whom some names mean. Programs and people who do not work at the desk are unknown."""
    desk = User.objects.filter(username__in=names, is_staff=True, is_active=True).exclude(
        username__in=PROGRAMS
    )
    found = {user.get_username(): user for user in desk}
    seeing = [user for user in found.values() if topics.sees(user, kind)]
    return Mentioned(
        seeing,
        [user.get_username() for user in found.values() if user not in seeing],
        [name for name in names if name not in found],
    )
