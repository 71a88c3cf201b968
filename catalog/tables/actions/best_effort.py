"""The same verb for many records, each by itself: one that is refused keeps no other from being done.

Unlike the verbs themselves, which do all or nothing. Called by the editors' desk.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from django.db import transaction

from catalog.errors import Refused

Item = TypeVar("Item")


def try_each(
    items: Iterable[Item], act: Callable[[Item], object], *, keep: bool = True
) -> list[tuple[Item, str]]:
    """Do something to each item, in a transaction of its own, and return why each was refused; "" is done.

    Without `keep` each is taken back at once: so somebody can see beforehand what would be refused.
    """
    return [(item, _refusal(item, act, keep)) for item in items]


def _refusal(item: Item, act: Callable[[Item], object], keep: bool) -> str:
    try:
        with transaction.atomic():
            act(item)
            transaction.set_rollback(not keep)
    except Refused as refused:
        return refused.reason
    return ""
