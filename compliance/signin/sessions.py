"""The open sessions of a person: where each was opened, and when it was last used.

The table of sessions is small, because only the desk and the pages of partners have sessions. So those of a
person are found by reading all of them.
"""

import datetime
from collections.abc import Iterator
from typing import NamedTuple

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from compliance.signin.lockout import client_address
from compliance.signin.session_store import SIGNED_IN

USED = "used"
"""When the session was last used, in seconds since 1970, exact to a minute."""
OPENED_FROM = "opened_from"
"""The network address and the browser with which the session was opened."""

LONGEST_NAME = 200
"""Characters of the name that a browser gives itself."""


class OpenSession(NamedTuple):
    """A session: its key, and what its owner recognizes it by."""

    key: str
    address: str
    browser: str
    signed_in: datetime.datetime
    used: datetime.datetime


def origin_of(request: HttpRequest) -> list[str]:
    """Return what a session says about the browser that opened it."""
    browser = request.META.get("HTTP_USER_AGENT", "")[:LONGEST_NAME]
    return [client_address(request) or "", "".join(filter(str.isprintable, browser))]


def sessions_of(user: User) -> list[OpenSession]:
    """Return the open sessions of a user, the one that was used last first.

    A changed password has ended those that were opened with the old one, although their rows are still there.
    """
    return sorted(_found(user), key=lambda session: session.used, reverse=True)


def _found(user: User) -> Iterator[OpenSession]:
    passwords = {user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()}
    for row in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        content = row.get_decoded()
        if content.get(SESSION_KEY) == str(user.pk) and content.get(HASH_SESSION_KEY) in passwords:
            address, browser = content.get(OPENED_FROM, ("", ""))
            signed_in = _instant(content[SIGNED_IN])
            yield OpenSession(row.session_key, address, browser, signed_in, _instant(content[USED]))


def _instant(seconds: float) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)
