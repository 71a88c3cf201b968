"""The calendar of effective dates, read with icalendar."""

import os
import urllib.request

from icalendar import Calendar

with urllib.request.urlopen(f"{os.environ['ADDRESS']}/feeds/effective-dates.ics") as answer:
    calendar = Calendar.from_ical(answer.read())
events = sorted(calendar.events, key=lambda event: event.start)
assert events
assert not calendar.errors
print(len(events), "dates; the last:", events[-1].start, events[-1]["summary"])
