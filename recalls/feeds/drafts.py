"""The draft that is made from a notice: what the notice says, and that its units are unknown.

Pure. Called by `recalls.feeds.actions`. No feed has a field for affected serials. Such a draft therefore
claims neither that all units are affected nor that any is not: with `lookup_required` without a list, every
serial is unknown, and every answer conditional.
"""

import datetime
import hashlib

from catalog.records import POINTER, Source
from recalls.feeds.matching import Candidate
from recalls.feeds.notices import AUTHORITIES, FEED_NAMES, HOMES, JURISDICTIONS, Notice
from recalls.records import Recall
from recalls.serials import AffectedSerials

LONGEST_ID = 80
NOT_SAID = "The notice does not say."

NO_SERIAL_RULE = AffectedSerials(scope="lookup_required", identifier="serial")
"""No one has read yet which units are affected."""


def recall_of(notice: Notice, candidate: Candidate, source_id: str) -> Recall:
    """Return the recall of one model that a notice makes."""
    units_scope = "restated" if notice.restates else "notice_total"
    return Recall(
        recall_id=fitting(f"{notice.recall_id}-{candidate.model_id}"),
        model_id=candidate.model_id,
        authority=AUTHORITIES[notice.feed],
        jurisdiction=JURISDICTIONS[notice.feed],
        announced_on=notice.announced_on,
        announced_precision=notice.announced_precision,
        title=notice.title[:300],
        hazard=notice.hazard[:4000] or NOT_SAID,
        remedy=notice.remedy[:4000] or NOT_SAID,
        units=notice.units,
        units_scope=None if notice.units is None else units_scope,  # type: ignore[arg-type]
        affected_serials=NO_SERIAL_RULE,
        notice_url=address_of(notice),
        notes=" ".join(_notes(notice, candidate)),
        sources=(source_id,),
    )


def source_of(notice: Notice, today: datetime.date) -> Source:
    """Return the pointer to a notice. A program read its row and no one its page, so it is never cited."""
    exact = notice.announced_precision == "day" and notice.announced_on <= today
    return Source(
        id=fitting(f"{notice.recall_id}-notice"),
        kind="regulator",
        authority=AUTHORITIES[notice.feed],
        jurisdiction=JURISDICTIONS[notice.feed],
        url=address_of(notice),
        title=notice.title[:500],
        basis=POINTER,
        page_date=notice.announced_on if exact else None,
        read_on=today,
    )


def address_of(notice: Notice) -> str:
    """Return where people read a notice; the page of all notices if it has no address of its own."""
    return notice.url or HOMES[notice.feed]


def fitting(name: str) -> str:
    """Return an id that is short enough: of a longer one the beginning and a part that makes it unique."""
    if len(name) <= LONGEST_ID:
        return name
    return f"{name[: LONGEST_ID - 9].rstrip('-')}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _notes(notice: Notice, candidate: Candidate) -> list[str]:
    said = [
        f"Drafted from the feed of {FEED_NAMES[notice.feed]}, notice {notice.number}.",
        "It is not known yet which units are affected: read the notice, add what it says about "
        "serials, and record that its page was read.",
        candidate.why,
    ]
    if notice.units_said:
        said.append(f"About units it says: {notice.units_said[:500]}.")
    if notice.restates:
        said.append("It repeats an earlier notice: do not count its units twice.")
    return said
