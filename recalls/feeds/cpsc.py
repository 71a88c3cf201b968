"""The recalls of the U.S. CPSC (Recall Retrieval Web Services): JSON, requested by the day of publication.

Pure, apart from `read`, which fetches. The pitfalls of this feed:

- A span of more than about a year may be answered with status 200 and one row, `RecallID` 0 and a title that
  begins `Error retrieving Recalls`. That is a failure, so one request covers at most `LONGEST_SPAN`.
- No single product word finds all power banks. All recalls of a span are requested, and filtered here.
- Notices are corrected after publication, so `LastPublishDate` shows what is new, and spans overlap.
- Warnings are not recalls. They should not be in this feed; one that is there is left out.
- A recall that is announced again is a row of its own for the same units.
- `NumberOfUnits` is prose: `About 83,500 (In addition, about 2,385 were sold in Canada)`.
"""

import datetime
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from recalls.feeds.notices import (
    Ask,
    BadAnswer,
    BadRow,
    Known,
    Notice,
    Reading,
    announces_again,
    day_of,
    first_number,
    is_about_power_banks,
    json_rows,
    needed,
    rows_of,
    text_of,
    web_address,
)

FIRST_DAY = datetime.date(2016, 1, 1)
"""Where the first round begins."""

LONGEST_SPAN = datetime.timedelta(days=364)
OVERLAP = datetime.timedelta(days=30)
"""How far before the last round the next one begins: rows appear late under an earlier day."""

Span = tuple[datetime.date, datetime.date]


def read(ask: Ask, address: str, known: Known) -> Reading:
    """Request everything published since shortly before the last round."""
    reading = Reading()
    until = known.marks.get("until")
    since = FIRST_DAY if until is None else datetime.date.fromisoformat(until) - OVERLAP
    for span in spans(since, known.today):
        parse(ask(address_of(address, span), accept="application/json").body, reading, known)
    reading.settle()
    reading.expected_since = None if until is None else since
    reading.marks = {"until": known.today.isoformat()}
    return reading


def spans(since: datetime.date, today: datetime.date) -> Iterator[Span]:
    """Yield the spans to request, both ends included, the oldest first."""
    while since <= today:
        until = min(since + LONGEST_SPAN, today)
        yield since, until
        since = until + datetime.timedelta(days=1)


def address_of(address: str, span: Span) -> str:
    """Return the address of all recalls that were published, or corrected, within a span."""
    start, end = span
    asked = {"format": "json", "LastPublishDateStart": start, "LastPublishDateEnd": end}
    return f"{address}?{urlencode(asked)}"


def parse(body: bytes, reading: Reading, known: Known) -> None:
    """Add what an answer says to a reading. Raises `BadAnswer`."""
    for number, row in enumerate(json_rows(body), start=1):
        if isinstance(row, str):
            reading.bad.append(BadRow(f"row {number}", f"Row {number} {row}."))
            continue
        _refuse_error(row)
        subject = str(row.get("RecallID") or f"row {number}")[:100]
        if "/warnings/" in str(row.get("URL")).lower():
            reading.skip("warnings")
        else:
            reading.keep(subject, lambda row=row: notice_of(row, known))  # type: ignore[misc]


def _refuse_error(row: Mapping[str, Any]) -> None:
    title = str(row.get("Title") or "")
    if row.get("RecallID") == 0 or title.startswith("Error retrieving"):
        raise BadAnswer(f"The service answers with an error instead of recalls: {title[:300] or 'no title'}")


def notice_of(row: Mapping[str, Any], known: Known) -> Notice | None:
    """Return what a row says; None if it is not about power banks."""
    native_id = needed(row, "RecallID")
    if not native_id.isdecimal():
        raise ValueError("`RecallID` is not a number")
    title, description = text_of(row, "Title"), text_of(row, "Description")
    products = rows_of(row, "Products")
    names = [f"{text_of(product, 'Name')} {text_of(product, 'Description')}" for product in products]
    kinds = [text_of(product, "Type") for product in products]
    if native_id not in known.ids and not is_about_power_banks(title, description, *names, *kinds):
        return None
    said = [text for product in products if (text := text_of(product, "NumberOfUnits"))]
    # Parts of one notice are not added up either: it is unknown whether they overlap.
    units = first_number(said[0]) if len(set(said)) == 1 else None
    makers = [text_of(firm, "Name") for kind in ("Manufacturers", "Importers") for firm in rows_of(row, kind)]
    published = text_of(row, "LastPublishDate") or needed(row, "RecallDate")
    return Notice(
        feed="cpsc",
        native_id=native_id,
        number=printed(text_of(row, "RecallNumber")) or native_id,
        title=title or needed(row, "RecallNumber"),
        url=web_address(text_of(row, "URL")),
        announced_on=day_of(needed(row, "RecallDate"), "RecallDate"),
        announced_precision="day",
        updated_on=day_of(published, "LastPublishDate"),
        models=tuple(filter(None, (text_of(product, "Model") for product in products))),
        texts={"Title": title, "Description": description, "Products": " / ".join(names)},
        makers=tuple(makers),
        units=units,
        units_said=" / ".join(said),
        hazard=_joined(row, "Hazards", "Name"),
        remedy=_joined(row, "RemedyOptions", "Option") or _joined(row, "Remedies", "Name"),
        restates=announces_again(title),
        joint=tuple(
            filter(None, (web_address(text_of(part, "URL")) for part in rows_of(row, "Inconjunctions")))
        ),
        raw=dict(row),
    )


def printed(number: str) -> str:
    """Return a recall number as notices print it: `25338` is 25-338."""
    found = re.fullmatch(r"([0-9]{2})-?([0-9]{3})", number)
    return f"{found[1]}-{found[2]}" if found else number


def _joined(row: Mapping[str, Any], kind: str, name: str) -> str:
    return "; ".join(filter(None, (text_of(part, name) for part in rows_of(row, kind))))
