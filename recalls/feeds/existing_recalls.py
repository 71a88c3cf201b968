"""Finds the existing recalls that a notice may be about, so that none is drafted twice.

Reads only. Called by `recalls.feeds.actions`. Recalls that editors wrote by hand have ids and addresses of
their own, so the same announcement is recognized by any of these:

- the address of the notice;
- the number of the notice in the recall's id, for one of the models that the notice names;
- the same authority and model, announced on the same day, as exactly as either of the two days is known.

If a feed does not give the first day, an earlier recall of that authority and model may be the same. Only an
editor can decide.
"""

import datetime
from collections.abc import Collection, Iterable
from typing import NamedTuple

from recalls.editing.models import Recall
from recalls.feeds.notices import AUTHORITIES, HOMES, JURISDICTIONS, Notice, same_page

NEAR = datetime.timedelta(days=31)
"""A recall with the day of a report was announced shortly before it."""


class Match(NamedTuple):
    """A recorded recall, and whether it is certainly of the same announcement."""

    recall_id: str
    model_id: str
    sure: bool


def matches(notice: Notice, model_ids: Collection[str]) -> list[Match]:
    """Return the recorded recalls that a notice may be about; `model_ids` are those that it names."""
    rows = Recall.objects.filter(jurisdiction=JURISDICTIONS[notice.feed]).newest().order_by("recall_id")
    return list(_matches(notice, model_ids, rows))


def _matches(notice: Notice, model_ids: Collection[str], rows: Iterable[Recall]) -> Iterable[Match]:
    page = same_page(notice.url) if notice.url else ""
    # A link to the front page of an authority is not the address of a notice.
    if page in {same_page(home) for home in HOMES.values()}:
        page = ""
    for row in rows:
        if page and same_page(row.notice_url) == page:
            yield Match(row.recall_id, row.device_id, sure=True)
        elif row.device_id not in model_ids:
            continue
        elif row.recall_id == notice.recall_id or row.recall_id.startswith(f"{notice.recall_id}-"):
            yield Match(row.recall_id, row.device_id, sure=True)
        elif row.authority == AUTHORITIES[notice.feed]:
            if _same_day(row, notice):
                yield Match(row.recall_id, row.device_id, sure=True)
            elif notice.announced_precision == "earliest" and row.announced_on <= notice.announced_on:
                yield Match(row.recall_id, row.device_id, sure=False)


def _same_day(row: Recall, notice: Notice) -> bool:
    """Return whether two announcements are of one day, by the less exact of the two dates."""
    one, other = row.announced_on, notice.announced_on
    match row.announced_precision:
        case "year":
            return one.year == other.year
        case "month":
            return (one.year, one.month) == (other.year, other.month)
        case "report" | "earliest":
            return abs(one - other) <= NEAR
    return abs(one - other) <= NEAR if notice.announced_precision == "report" else one == other
