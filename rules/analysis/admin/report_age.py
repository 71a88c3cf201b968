"""How the desk says as of when an outlook on the rows speaks."""

import datetime

from rules.analysis.selectors import Seen


def as_of(present: Seen, now: datetime.datetime) -> str:
    """Return as of when an outlook speaks, and whether it still holds."""
    if present.outlook is None:
        return "The rows are being looked at. Open this page again in a moment."
    when = present.outlook.as_of
    said = f"{when:%H:%M} UTC" if when.date() == now.date() else f"{when:%Y-%m-%d %H:%M} UTC"
    if present.holds:
        return f"Looked at {said}; nothing has changed since."
    return f"Looked at {said}. Rows have changed since, and are being looked at again."
