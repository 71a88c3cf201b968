"""Saves and deletes searches. Each person has their own."""

from django.contrib.auth.models import User
from django.db import transaction

from catalog.errors import Unfit
from catalog.free_text import reason_fault
from catalog.saved_searches.models import LONGEST_NAME, MOST_CHARACTERS, SavedSearch

MOST = 50
"""How many searches one person saves, on all lists together."""


@transaction.atomic
def save_search(*, by: User, page: str, name: str, query: str) -> SavedSearch:
    """Save a query under a name; one with the same name on the same list is replaced. Raises `Unfit`."""
    name = name.strip()
    _refuse_unfit(name, query)
    # Two windows of one person wait for each other here, so together they save no more.
    User.objects.select_for_update().get(pk=by.pk)
    mine = SavedSearch.objects.filter(owner=by)
    known = mine.filter(page=page, name=name).first()
    if known is None and mine.count() >= MOST:
        raise Unfit(name, f"you have {MOST} saved searches already: delete one first")
    found = known or SavedSearch(owner=by, page=page, name=name)
    found.query = query
    found.save()
    return found


def forget_search(*, by: User, key: int) -> bool:
    """Delete a search of a person; return whether there was one."""
    deleted, _ = SavedSearch.objects.filter(owner=by, pk=key).delete()
    return bool(deleted)


def _refuse_unfit(name: str, query: str) -> None:
    if not name:
        raise Unfit("the search", "needs a name")
    if len(name) > LONGEST_NAME:
        raise Unfit("the search", f"has a name of more than {LONGEST_NAME} characters")
    if fault := reason_fault(name):
        raise Unfit("the search", fault)
    if not query:
        raise Unfit(name, "has no filter: filter the list first")
    if len(query) > MOST_CHARACTERS:
        raise Unfit(name, f"has a query of more than {MOST_CHARACTERS:,} characters")
