"""The same action for many records, each separately: a refused one does not stop the others.

The actions themselves do all or nothing. Called by the editors' desk.
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

    Without `keep` each is rolled back at once: this previews which would be refused.
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
