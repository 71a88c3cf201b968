"""The recall record as a frozen value.

Pure: no Django, no clock, no I/O. A row of the starter corpus, an argument of `recalls.editing.actions` and
an entry of a release document are the same type; `rules.engine.facts` also exports it to the engine.
"""

import datetime
from typing import Literal

from catalog.records import Record
from recalls.serials import AffectedSerials

AnnouncedPrecision = Literal["day", "month", "year", "report", "earliest"]
"""How exact `announced_on` is: to the day, month or year, the day of a report, or the earliest known."""

UnitsScope = Literal["model", "notice_total", "restated"]
"""What `units` counts: this model; all models of the notice; or again what another notice already counted."""


class Recall(Record, frozen=True, kw_only=True):
    """A recall of exactly one model. There is no field for a brand, so it cannot spread.

    `units` is never added up across recalls: most notices count several models together.
    """

    recall_id: str
    model_id: str
    authority: str
    jurisdiction: str
    announced_on: datetime.date
    announced_precision: AnnouncedPrecision
    title: str
    hazard: str
    remedy: str
    units: int | None = None
    units_scope: UnitsScope | None = None
    affected_serials: AffectedSerials
    notice_url: str
    notes: str = ""
    sources: tuple[str, ...]
