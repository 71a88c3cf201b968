"""Days and moments as the desk writes them: `28 November 2026`, `28 November 2026, 07:22 UTC`.

Pure. Called by the screens of the desk, its mails and its histories. Inputs, ids, files and APIs keep ISO
dates. Templates get the same forms from `catalog.dates.en.formats`, which the settings name.
"""

import datetime
import re

_ISO = re.compile(r"(\d{4})-(\d\d)(-\d\d)?", re.ASCII)


def day_words(day: datetime.date) -> str:
    """Return `28 November 2026`."""
    return f"{day.day} {day:%B} {day.year}"


def moment_words(at: datetime.datetime, *, seconds: bool = False) -> str:
    """Return `28 November 2026, 07:22 UTC`, or with seconds `28 November 2026, 07:22:09 UTC`."""
    utc = at.astimezone(datetime.UTC)
    return f"{day_words(utc)}, {utc:%H:%M:%S} UTC" if seconds else f"{day_words(utc)}, {utc:%H:%M} UTC"


def recorded_words(text: str) -> str:
    """Return an ISO day or month of a record in words, and any other text unchanged."""
    if not (found := _ISO.fullmatch(text)):
        return text
    try:
        day = datetime.date.fromisoformat(text if found[3] else f"{text}-01")
    except ValueError:
        return text
    return day_words(day) if found[3] else f"{day:%B} {day.year}"
