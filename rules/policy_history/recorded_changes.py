"""The dated changes of airlines' policies in a release. Called by the API, the pages and the datasets."""

import datetime
from collections import Counter
from collections.abc import Iterable
from typing import Literal, get_args

import msgspec

from rules.corpus import Published
from rules.engine.facts import PolicyChange

ChangeStatus = Literal["in_effect", "upcoming"]


class AirlineChange(msgspec.Struct, frozen=True):
    """A dated change and the airline whose policy it changed."""

    airline: str
    change: PolicyChange


def change_status(change: PolicyChange, today: datetime.date) -> ChangeStatus:
    """Return whether a change has taken effect."""
    return "in_effect" if change.date <= today else "upcoming"


def history(
    published: Published, *, airline: str | None = None, since: datetime.date | None = None
) -> list[AirlineChange]:
    """Return the dated changes, newest first; those of one day by airline. `since` is the earliest date."""
    airlines = published.shelf.airlines.values() if airline is None else [published.shelf.airlines[airline]]
    changes = [
        AirlineChange(record.airline, change)
        for record in airlines
        for change in record.changes
        if since is None or change.date >= since
    ]
    return sorted(changes, key=lambda one: (-one.change.date.toordinal(), one.airline, one.change.what))


def counts(found: Iterable[AirlineChange], today: datetime.date) -> dict[ChangeStatus, int]:
    """Return how many changes have taken effect, and how many have not."""
    counted = Counter(change_status(one.change, today) for one in found)
    return {status: counted[status] for status in get_args(ChangeStatus)}
