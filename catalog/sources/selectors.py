"""Which sources follow a cadence, and which are due to be read again: conditions for queries.

Called by the filters of sources and by the desk.
"""

import datetime
import functools
import operator

from django.db.models import Q

from catalog.cadence import PACES, STANDARD, Cadence
from catalog.records import POINTER


def of_cadence(cadence: Cadence) -> Q:
    """Return the condition that a source follows a cadence: its own, or the standard of its kind."""
    kinds = [kind for kind, standard in STANDARD.items() if standard == cadence]
    return Q(cadence=cadence) | Q(cadence__isnull=True, kind__in=kinds)


def is_due(today: datetime.date) -> Q:
    """Return the condition that a source was read, but longer ago than its cadence allows."""
    return _read_over({cadence: pace.good_days for cadence, pace in PACES.items()}, today)


def is_overdue(today: datetime.date) -> Q:
    """Return the condition that a source was read, but more than twice as long ago as its cadence allows."""
    return _read_over({cadence: pace.bearable_days for cadence, pace in PACES.items()}, today)


def _read_over(days: dict[Cadence, int], today: datetime.date) -> Q:
    old = (
        of_cadence(cadence) & Q(read_on__lt=today - datetime.timedelta(days=most))
        for cadence, most in days.items()
    )
    return ~Q(basis=POINTER) & functools.reduce(operator.or_, old)
