"""Days as people write them in a language. Called by all code that shows a date."""

import datetime
import functools

from babel.dates import format_date

from rules.wording.translating import SOURCE_LANGUAGE, locale


# Thousands of pages name the same few hundred days.
@functools.lru_cache(maxsize=4096)
def day_in(date: datetime.date, language: str) -> str:
    """Return `20 November 2026` in English, and a long date as CLDR has it in other languages."""
    form = "d MMMM y" if language == SOURCE_LANGUAGE else "long"
    return str(format_date(date, form, locale=locale(language)))
