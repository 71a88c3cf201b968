"""Long lists, page by page: every list gives its total, and says how to get the rest.

A cursor belongs to one release, one query, one day, and the other data that the list is made of. Between two
pages a release may be published, or a rule may start. Then the old cursor is refused, because the next page
would silently skip or repeat rows.
"""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from compliance.api.protocol.errors import ApiError, FieldError
from compliance.api.protocol.parameters import AnyParameter, text, whole_number
from compliance.api.protocol.views import Reading

Item = TypeVar("Item")

LIMIT = whole_number("limit", "The maximum number of records on one page.", 1, 200, 50)
CURSOR = text(
    "cursor",
    "Where to continue: `next_cursor` of the page before. Send all other parameters unchanged.",
    most=64,
    example="NTAuM2Y4YTljMWU3YjJk",
)


@dataclass(frozen=True)
class Page(Generic[Item]):
    """A part of a list, the length of the whole, and the cursor of the rest; no cursor at the end."""

    items: Sequence[Item]
    total: int
    next_cursor: str | None


def page(found: Sequence[Item], reading: Reading) -> Page[Item]:
    """Return the page of a list that a query asks for. Raises `ApiError` for a cursor of another list."""
    seal = _seal(reading)
    sent = reading.query[CURSOR]
    start = 0 if sent is None else _start(sent, seal)
    end = start + reading.query[LIMIT]
    following = f"{end}.{seal}".encode()
    next_cursor = base64.urlsafe_b64encode(following).decode().rstrip("=") if end < len(found) else None
    return Page(found[start:end], len(found), next_cursor)


def _seal(reading: Reading) -> str:
    """Return the seal in the cursors of this query. It changes with the data that the list depends on."""
    paging: tuple[AnyParameter, ...] = (LIMIT, CURSOR)
    names = {parameter.name for parameter in paging}
    asked = sorted((name, str(value)) for name, value in reading.query.values.items() if name not in names)
    state = repr((reading.published.sha256, reading.today.isoformat(), asked, reading.extra_state.order))
    return hashlib.sha256(state.encode()).hexdigest()[:12]


def _start(sent: str, seal: str) -> int:
    padded = sent + "=" * (-len(sent) % 4)
    try:
        start, _, found_seal = base64.b64decode(padded, altchars=b"-_", validate=True).decode().partition(".")
    except ValueError:
        start, found_seal = "", ""
    if found_seal == seal and start.isascii() and start.isdigit():
        return int(start)
    why = (
        "This cursor is not valid for this query, today and the current ruleset. Begin again without a "
        "cursor: a new release may have been published."
    )
    raise ApiError("VALIDATION_ERROR", why, [FieldError("cursor", "stale_cursor", why)])
