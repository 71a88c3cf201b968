"""Dates and moments as people read them, in the active language."""

import datetime
from functools import lru_cache

from django.utils.formats import date_format
from django.utils.translation import get_language


def day(date: datetime.date) -> str:
    """Return `20 November 2026`."""
    return _written(date, "j F Y", get_language())


def instant_words(at: datetime.datetime) -> str:
    """Return `20 November 2026, 12:30 UTC`."""
    return f"{_written(at.astimezone(datetime.UTC), 'j F Y, H:i', get_language())} UTC"


# Thousands of pages name the same few hundred days.
@lru_cache(maxsize=4096)
def _written(at: datetime.date, form: str, language: str | None) -> str:
    """Return a date in a form, in a language, which is the active one."""
    return date_format(at, form)
