"""Changes that begin later by themselves, so that nothing is gained by publishing them on that day. Pure."""

import datetime
from collections.abc import Iterable

import msgspec

from rules.engine.facts import Rule
from rules.publishing.selection import Key, Versions

ONE_DAY = datetime.timedelta(days=1)


def first_day(changes: Iterable[tuple[Key, Versions]], today: datetime.date) -> datetime.date | None:
    """Return the first day on which any answer can differ, if that is later than today.

    None if something changes at once, or nothing does. Rules begin later that are new and have a day from
    which they apply, and those that only end on another day. Pages decide no answer.
    """
    days = []
    for (kind, _), (old, new) in changes:
        if kind == "sources":
            continue
        day = _day(old, new) if kind == "rules" else None
        if day is None or day <= today:
            return None
        days.append(day)
    return min(days, default=None)


def _day(old: Rule | None, new: Rule | None) -> datetime.date | None:
    """Return the first day on which a rule says something else; None for any day."""
    if new is None:
        return None
    if old is None:
        return new.effective_from
    ends = [one.effective_until for one in (old, new) if one.effective_until is not None]
    same = msgspec.structs.replace(new, effective_until=old.effective_until) == old
    return min(ends) + ONE_DAY if same and ends else None
