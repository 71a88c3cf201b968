"""The recalls of Health Canada: one JSON file of some 16 MB and 34,000 rows, rebuilt every day.

Pure, apart from `read`, which fetches. The pitfalls of this feed:

- Any value may be null, and `Archived` is the text `"0"` or `"1"`.
- `Last updated` is the day of an update. The first day is not given, so it is only the earliest known.
- Most rows are about food, drugs and cars; there are no fields for models, serials, units or hazards.
- A row that is missing from the file was removed, or the file is broken. It is unknown which.
"""

import datetime
from collections.abc import Mapping
from typing import Any

from recalls.feeds.notices import (
    Ask,
    BadAnswer,
    BadRow,
    Known,
    Notice,
    Reading,
    announces_again,
    day_of,
    is_about_power_banks,
    json_rows,
    needed,
    plain,
    text_of,
    web_address,
    web_addresses,
)

ORGANIZATION = "consumer product safety"


def read(ask: Ask, address: str, known: Known) -> Reading:
    """Read the file, unless it is the one that was read before."""
    etag, last_modified = known.marks.get("etag"), known.marks.get("last_modified")
    answer = ask(address, accept="application/json", etag=etag, last_modified=last_modified)
    if answer.not_modified:
        return Reading(unchanged=True, marks=known.marks)
    reading = Reading(marks={"etag": answer.etag, "last_modified": answer.last_modified})
    parse(answer.body, reading, known)
    reading.settle()
    # It is the whole file, so all rows should come again.
    reading.expected_since = datetime.date.min
    return reading


def parse(body: bytes, reading: Reading, known: Known) -> None:
    """Add what the file says to a reading. Raises `BadAnswer`."""
    rows = 0
    for number, row in enumerate(json_rows(body), start=1):
        rows += 1
        if isinstance(row, str):
            reading.bad.append(BadRow(f"row {number}", f"Row {number} {row}."))
        elif str(row.get("Organization")).strip().lower() != ORGANIZATION and "NID" in row:
            reading.skip("other organizations")
        else:
            subject = str(row.get("NID") or f"row {number}")[:100]
            reading.keep(subject, lambda row=row: notice_of(row, known))  # type: ignore[misc]
    if not rows:
        raise BadAnswer("The file has no rows")
    reading.rows = rows
    if not any(reason != "other organizations" for reason in reading.skipped) and not reading.notices:
        raise BadAnswer("The file has no row of the consumer product safety program")


def notice_of(row: Mapping[str, Any], known: Known) -> Notice | None:
    """Return what a row says; None if it is not about power banks."""
    native_id = needed(row, "NID")
    if not native_id.isdecimal():
        raise ValueError("`NID` is not a number")
    title, product = plain(text_of(row, "Title")), plain(text_of(row, "Product"))
    if native_id not in known.ids and not is_about_power_banks(title, product):
        return None
    advice = text_of(row, "What you should do")
    updated_on = day_of(needed(row, "Last updated"), "Last updated")
    return Notice(
        feed="health_canada",
        native_id=native_id,
        number=native_id,
        title=title or product or f"Notice {native_id}",
        url=web_address(text_of(row, "URL")),
        announced_on=updated_on,
        announced_precision="earliest",
        updated_on=updated_on,
        texts={"Title": title, "Product": product},
        hazard=plain(text_of(row, "Issue")),
        remedy=plain(advice),
        restates=announces_again(title),
        joint=tuple(address for address in web_addresses(advice) if "cpsc.gov" in address.lower()),
        raw=dict(row),
    )
