"""Dates and moments as people read them."""

import datetime

from django.utils.formats import date_format


def day(date: datetime.date) -> str:
    """Return `20 November 2026`."""
    return date_format(date, "j F Y")


def instant_words(at: datetime.datetime) -> str:
    """Return `20 November 2026, 12:30 UTC`."""
    return f"{date_format(at.astimezone(datetime.UTC), 'j F Y, H:i')} UTC"
