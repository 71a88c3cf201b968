"""The people of the desk, one for each role, and their sessions, straight from the database of the service.

A request may end a session, change an account or delete it. Then it is made again.
"""

import threading
from collections import Counter

from django.contrib.auth.models import Group, User
from django.db import connection
from django.test import Client

from compliance.signin.groups import GROUPS

SUPERUSER, NO_RIGHTS = "superuser", "staff without rights"
ROLES = (SUPERUSER, *GROUPS, NO_RIGHTS)
TOKEN = "hostile0hostile0hostile0hostile0"
"""The token against forged requests: the same in the cookie and in the header."""


class People:
    """Signs people in, by their role."""

    def __init__(self) -> None:
        self._sessions: dict[str, str] = {}
        self._lock = threading.Lock()
        self.times: Counter[str] = Counter()
        """How often each was signed in."""
        self.secrets: dict[str, str] = {}
        """All keys of sessions so far."""

    def headers(self, role: str) -> dict[str, str]:
        """Return what shows the service who sends a request."""
        with self._lock:
            if role not in self._sessions:
                self._sign_in(role)
            session = self._sessions[role]
        return {"Cookie": f"sessionid={session}; csrftoken={TOKEN}", "X-CSRFToken": TOKEN}

    def lost(self, role: str, headers: dict[str, str]) -> None:
        """Sign a person in again, unless another request has done so meanwhile."""
        with self._lock:
            if self._sessions.get(role, "-") in headers["Cookie"]:
                del self._sessions[role]

    def _sign_in(self, role: str) -> None:
        user, _ = User.objects.update_or_create(
            username=f"hostile {role}",
            defaults={"is_staff": True, "is_active": True, "is_superuser": role == SUPERUSER},
        )
        user.groups.set(Group.objects.filter(name=role))
        user.user_permissions.clear()
        client = Client()
        client.force_login(user)
        self._sessions[role] = client.cookies["sessionid"].value
        self.secrets[self._sessions[role]] = "the key of a session"
        self.times[role] += 1
        # Each thread has a connection of its own.
        connection.close()
