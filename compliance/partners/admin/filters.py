"""Filters of the lists of partners and keys: the states that a partner manager must check."""

import datetime

from django.db.models import Q
from django.utils import timezone

from catalog.screens.filters import ConditionFilter
from compliance.partners.models import live_at
from rules.engine.outcomes import UPCOMING_DAYS

KEYLESS = Q(closed_at=None, live_keys=0)
"""The condition that an open partner has no live key, for a query `with_keys`."""


def expires_soon(now: datetime.datetime) -> Q:
    """Return the condition that a key is live and expires soon."""
    return live_at(now) & Q(valid_until__lte=now + datetime.timedelta(days=UPCOMING_DAYS))


class KeyFilter(ConditionFilter):
    """The state of a key."""

    title = "state"
    parameter_name = "state"

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the conditions as of now."""
        now = timezone.now()
        return {
            "live": ("Valid", live_at(now)),
            "soon": (f"Valid, and expires within {UPCOMING_DAYS} days", expires_soon(now)),
            "over": ("No longer valid", ~live_at(now)),
        }


class WithoutKeyFilter(ConditionFilter):
    """Whether a partner has a key."""

    title = "keys"
    parameter_name = "keys"
    conditions = {"none": ("Has no valid key", KEYLESS)}
