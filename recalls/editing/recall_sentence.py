"""How a recall reads: one English sentence for editors. Pure. Called by the editors' desk."""

from catalog.dates import day_words, recorded_words
from recalls.records import Recall
from recalls.serials import AffectedSerials, Window

PRECISION = {
    "day": "on {day}",
    "month": "in {month}",
    "year": "in {year}",
    "report": "as reported on {day}",
    "earliest": "not before {day}",
}


def reads_as(recall: Recall) -> str:
    """Return how a recall reads to an editor."""
    announced = PRECISION[recall.announced_precision].format(
        day=day_words(recall.announced_on),
        month=f"{recall.announced_on:%B %Y}",
        year=recall.announced_on.year,
    )
    return (
        f"{recall.authority} ({recall.jurisdiction}) recalls {_units(recall)} of {recall.model_id}, "
        f"announced {announced}: {_sentence(recall.hazard)} Remedy: {_sentence(recall.remedy)}"
    )


def _units(recall: Recall) -> str:
    affected = recall.affected_serials
    match affected.scope:
        case "all_units":
            said = "all units"
        case "lookup_required":
            said = f"the units on the list at {affected.explicit_list_url or 'an address that is missing'}"
        case "manufacture_date":
            said = f"the units made {_windows(affected.manufacture_window)}"
        case "sale_dates":
            said = f"the units sold {_windows(affected.sale_window)}"
        case _:
            said = f"the units whose {affected.identifier} matches {affected.pattern or 'nothing yet'}"
    return f"{said}{_cleared(affected)}"


def _cleared(affected: AffectedSerials) -> str:
    if affected.exhaustive:
        return " and clears all others"
    pattern = affected.not_affected_pattern
    return f" and clears those that match {pattern}" if pattern else ""


def _windows(windows: Window | tuple[Window, ...] | None) -> str:
    known = (windows,) if isinstance(windows, Window) else windows or ()
    spans = [f"from {recorded_words(one.from_)} to {recorded_words(one.to)}" for one in known]
    return " or ".join(spans) or "on unknown days"


def _sentence(text: str) -> str:
    said = text.strip()
    return said if said.endswith((".", "!", "?")) else f"{said}."
