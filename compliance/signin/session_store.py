"""The store of sessions: Django's table, with a last end that use does not postpone. The settings name it.

Every use postpones the end of a session by DESK_IDLE_MINUTES, but never beyond DESK_SESSION_HOURS after the
sign-in. The row itself has that end, so it applies to all readers of sessions, the admin and the API.
"""

from django.conf import settings
from django.contrib.sessions.backends import db
from django.utils import timezone

SIGNED_IN = "signed_in"
"""The time of signing in, in seconds since 1970."""


class SessionStore(db.SessionStore):
    """A session in the database that ends after a working day at the latest."""

    def get_session_cookie_age(self) -> int:
        """Return for how many seconds the session lasts without use."""
        idle: int = settings.SESSION_COOKIE_AGE
        signed_in = self.get(SIGNED_IN)
        if signed_in is None:
            return idle
        left = signed_in + settings.DESK_SESSION_HOURS * 60 * 60 - timezone.now().timestamp()
        return max(0, min(idle, int(left)))
