"""The starter corpus in memory, and the date of tests that use it.

No tables are involved, so tests of answers need no database, and pytest-django fails any of them that uses
one.
"""

import datetime

from compliance.starter_corpus.release import (
    RULESET_VERSION,
    published,
    starter_airport_facts,
    starter_content,
    starter_release,
)

__all__ = [
    "NOW",
    "RULESET_VERSION",
    "published",
    "starter_airport_facts",
    "starter_content",
    "starter_release",
]

NOW = datetime.datetime(2026, 11, 21, 9, 30, 15, 250_000, datetime.UTC)
"""The default date of tests: the day after the starter corpus was compiled."""
