"""Which steps a session has completed: password given, second factor given, or over.

A session is opened with a password and with the second factor that its user has at that moment, if any. The
session stores both. Django ends it when the password changes; this module ends it when the second factor is
set up, replaced or reset elsewhere. Called by the middleware, by the pages of this package, and
by the API when it asks whether a caller is staff.
"""

from typing import Literal

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.utils import timezone

from compliance.signin.models import SecondFactor
from compliance.signin.session_store import SIGNED_IN
from compliance.signin.sessions import OPENED_FROM, USED, origin_of

SignInState = Literal["over", "to set up", "to verify", "complete"]

SECOND_FACTOR = "second_factor"
"""The number of the second factor with which the session was opened, 0 for none."""
GIVEN = "second_factor_given"
"""Whether that second factor was given in the session."""
USE_SECONDS = 60
"""How often a use is recorded. Otherwise every request would write a row."""


def begin(session: SessionBase, user: User, request: HttpRequest) -> None:
    """Open a session after the password was given."""
    session[OPENED_FROM] = origin_of(request)
    session[SIGNED_IN] = session[USED] = timezone.now().timestamp()
    session[SECOND_FACTOR] = _present(user)
    session[GIVEN] = False
    # A good moment to remove old sessions: few people sign in, and seldom.
    session.clear_expired()


def complete(session: SessionBase, user: User) -> None:
    """Record that the second factor was given, or has just been set up. The session gets a new key."""
    session.cycle_key()
    session[SECOND_FACTOR] = _present(user)
    session[GIVEN] = True


def sign_in_state(session: SessionBase, user: User) -> SignInState:
    """Return the state of a user's session."""
    present = _present(user)
    if session.get(SECOND_FACTOR) != present:
        return "over"
    if present:
        return "complete" if session.get(GIVEN) else "to verify"
    return "to set up" if settings.DESK_SECOND_FACTOR else "complete"


def note_use(session: SessionBase) -> None:
    """Postpone the end of a session that is in use."""
    now = timezone.now().timestamp()
    if now - session.get(USED, 0) >= USE_SECONDS:
        session[USED] = now


def _present(user: User) -> int:
    return SecondFactor.objects.filter(user=user).values_list("pk", flat=True).first() or 0
