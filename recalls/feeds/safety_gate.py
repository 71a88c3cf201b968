"""The weekly reports of the EU's Safety Gate: an index in XML, and a report in XML for each week.

Pure, apart from `read`, which fetches. The pitfalls of this feed:

- Days are written `16/03/2018`, texts are in CDATA, and a slightly wrong address is answered with a page of
  HTML and status 200.
- One case may be in two reports: the later one corrects the earlier.
- Case numbers have several forms (`A12/00328/22`, `SR/01326/26`, the older `A12/0428/18`).
- `type_numberOfModel` may contain many numbers, and `brand` is often `Unknown`.

The reports of the last weeks are read again each time, earlier ones once, a few each time.
"""

import datetime
import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from recalls.feeds.notices import (
    Ask,
    BadAnswer,
    BadRow,
    Known,
    Notice,
    Reading,
    Unreachable,
    is_about_power_banks,
    needed,
    several,
    text_of,
    web_address,
)

FIRST_YEAR = 2016
"""Earlier reports are not read."""

READ_AGAIN = 4
MOST_REPORTS = 44
"""How many reports one round reads, including those that are read again."""
MOST_UNREACHABLE = 3
"""After this many old reports without an answer, the others wait for the next round."""

XML = "application/xml, text/xml"

_REPORT = re.compile(r"Report-([0-9]{4})-([0-9]{1,2})")
_ID = re.compile(r"/detail/xml/([0-9]{1,12})(?![0-9])")
_DAY = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_CASE = re.compile(r"([A-Z]{1,3}[0-9]{0,2})/([0-9]{3,6})/([0-9]{2})")

UNKNOWN = frozenset(("unknown", "unbranded", "no brand", "not known", "n/a", "-", "none", "various"))


class Report(NamedTuple):
    """One entry of the index; reports are in the order of their weeks."""

    year: int
    week: int
    id: str

    @property
    def reference(self) -> str:
        """Its name in the index."""
        return f"Report-{self.year}-{self.week:02}"


def read(ask: Ask, address: str, known: Known) -> Reading:
    """Read the newest reports again, and some of those that were never read."""
    reading = Reading()
    reports = parse_index(ask(f"{address}/list/xml/en", accept=XML).body, reading)
    reading.rows = len(reports)
    was_read = set(known.marks.get("reports", ()))
    newest_first = sorted((report for report in reports if report.year >= FIRST_YEAR), reverse=True)
    again = newest_first[:READ_AGAIN]
    never = [report for report in newest_first[READ_AGAIN:] if report.reference not in was_read]
    days = []
    unreachable = 0
    for report in [*again, *never][:MOST_REPORTS]:
        try:
            body = ask(address_of(address, report), accept=XML).body
            day = parse_report(body, report, reading, known)
        except (BadAnswer, Unreachable) as error:
            if report in again:
                raise
            # An old report must not delay all others.
            reading.bad.append(BadRow(report.reference, str(error)))
            unreachable += isinstance(error, Unreachable)
            if unreachable == MOST_UNREACHABLE:
                break
            if isinstance(error, Unreachable):
                continue
        else:
            if report.reference in was_read:
                days.append(day)
        was_read.add(report.reference)
    reading.settle()
    reading.expected_days = tuple(days)
    reading.marks = {"reports": sorted(was_read)}
    return reading


def address_of(address: str, report: Report) -> str:
    """Return the address of a report. Without its odd query the answer is an HTML page."""
    return f"{address}/detail/xml/{report.id}?language=en&search=WEB_REPORT%7C:%7C{report.id}"


def parse_index(body: bytes, reading: Reading) -> list[Report]:
    """Return the reports that the index lists. Raises `BadAnswer`."""
    root = _tree(body)
    found = {}
    for entry in root:
        said = " ".join(entry.itertext())
        reference = _REPORT.search(said)
        if reference is None:
            continue
        number = _ID.search(said) or re.fullmatch("()([0-9]{1,12})", _fields(entry).get("id", ""))
        if number is None:
            reading.bad.append(BadRow(reference[0], "The index has no address for this report."))
            continue
        report = Report(int(reference[1]), int(reference[2]), number[number.re.groups])
        found[report.reference] = report
    if not found:
        raise BadAnswer("The index lists no report")
    return list(found.values())


def parse_report(body: bytes, report: Report, reading: Reading, known: Known) -> datetime.date:
    """Add what a report says to a reading, and return the day of the report. Raises `BadAnswer`."""
    root = _tree(body)
    said = next((part for part in root.iter() if _name(part) == "report_date"), None)
    try:
        day = day_of_europe(_text(said) if said is not None else "")
    except ValueError as error:
        raise BadAnswer(f"{report.reference} has no date: {error}") from None
    rows = [part for part in root.iter() if _name(part) == "notifications"]
    if not rows:
        raise BadAnswer(f"{report.reference} has no notifications")
    for number, part in enumerate(rows, start=1):
        row = _fields(part)
        subject = row.get("caseNumber", "") or f"{report.reference}, row {number}"
        reading.keep(subject[:100], lambda row=row: notice_of(row, report, day, known))  # type: ignore[misc]
    return day


def notice_of(row: Mapping[str, Any], report: Report, day: datetime.date, known: Known) -> Notice | None:
    """Return what a notification says; None if it is not about power banks."""
    number = needed(row, "caseNumber")
    native_id = case_key(number)
    product, name, description = (text_of(row, field) for field in ("product", "name", "description"))
    if native_id not in known.ids and not is_about_power_banks(product, name, description):
        return None
    brand = text_of(row, "brand")
    return Notice(
        feed="safety_gate",
        native_id=native_id,
        number=number,
        title=" ".join(filter(None, (named(brand), name or product or number))),
        url=web_address(text_of(row, "reference")),
        announced_on=day,
        announced_precision="report",
        updated_on=day,
        models=several(text_of(row, "type_numberOfModel")),
        texts={"product": product, "name": name, "description": description},
        makers=tuple(filter(None, (named(brand),))),
        hazard=text_of(row, "danger") or text_of(row, "riskType"),
        remedy=text_of(row, "measures"),
        joint=tuple(filter(None, (web_address(text_of(row, "URLrecall")),))),
        # Without the day: if a later report repeats a case word for word, it was not corrected.
        raw=dict(row),
    )


def case_key(number: str) -> str:
    """Return a case number in one form, in which `A12/0428/18` has five digits. Raises `ValueError`."""
    found = _CASE.fullmatch("".join(number.upper().split()))
    if found is None:
        raise ValueError(f"{number[:40]!r} is not a case number")
    return f"{found[1]}/{int(found[2]):05}/{found[3]}"


def named(brand: str) -> str:
    """Return a brand, or an empty text if it is unknown."""
    return "" if brand.strip().lower() in UNKNOWN else brand


def day_of_europe(said: str) -> datetime.date:
    """Return the day of `16/03/2018`. Raises `ValueError`."""
    found = _DAY.fullmatch(said.strip())
    if found is None:
        raise ValueError(f"{said[:40]!r} is not a day such as 16/03/2018")
    return datetime.date(int(found[3]), int(found[2]), int(found[1]))


def _tree(body: bytes) -> Element:
    try:
        root: Element = fromstring(body, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        begins = body[:60].decode("utf-8", "replace")
        raise BadAnswer(f"The answer is not the XML of a report ({error}); it begins {begins!r}") from None
    return root


def _fields(part: Element) -> dict[str, str]:
    """Return the texts of an element by name; texts of a repeated name are joined."""
    found: dict[str, str] = {}
    for field in part:
        name, text = _name(field), _text(field)
        found[name] = f"{found[name]}\n{text}" if found.get(name) and text else found.get(name) or text
    return found


def _name(part: Element) -> str:
    return str(part.tag).rpartition("}")[2]


def _text(part: Element) -> str:
    return " ".join("".join(part.itertext()).split())
