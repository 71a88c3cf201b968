"""Visits the admin as a browser does, with cookies and hidden CSRF tokens."""

import re
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, Permission, User
from django.http import HttpResponse
from django.test import Client

PARTNERS = "/admin/compliance/partner/"
KEYS = "/admin/compliance/partnerkey/"
ACME = f"{PARTNERS}acme/"

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
HIDDEN = re.compile(
    r'<input type="hidden" name="((?:keys|webhooks|people|invitations)-\w+|once|seen)" value="([^"]*)"'
)
PLAIN_KEY = re.compile(r"btk_[a-z2-7]{8}_[a-z2-7]{40}")


class Visitor:
    """A browser, signed in as staff with the named permissions."""

    def __init__(self, *permissions: str, superuser: bool = False) -> None:
        self.client = Client(enforce_csrf_checks=True, headers={"accept": "text/html"})
        self.user = User.objects.create_user(
            f"staff-{User.objects.count()}", is_staff=True, is_superuser=superuser
        )
        granted = Permission.objects.filter(codename__in=permissions)
        assert granted.count() == len(permissions)
        self.user.user_permissions.set(granted)
        self.client.force_login(self.user)
        self._tokens: dict[str, str] = {}

    def get(self, path: str) -> HttpResponse:
        """Open a page."""
        return self.client.get(path)  # type: ignore[return-value]

    def page(self, path: str) -> str:
        """Return a page, which must exist."""
        response = self.get(path)
        assert response.status_code == 200, (path, response.status_code)
        return response.content.decode()

    def token(self) -> str:
        """Return the token of the session, as the script of a page has it: one for each secret."""
        if self._secret() not in self._tokens:
            token = TOKEN.search(self.page("/admin/password_change/"))
            assert token is not None
            self._tokens[self._secret()] = token[1]
        return self._tokens[self._secret()]

    def _secret(self) -> str:
        cookie = self.client.cookies.get(settings.CSRF_COOKIE_NAME)
        return cookie.value if cookie else ""

    def post(self, path: str, **fields: Any) -> HttpResponse:
        """Send fields with the token of the session."""
        return self.client.post(path, fields | {"csrfmiddlewaretoken": self.token()})  # type: ignore[return-value]

    def submit(self, path: str, **fields: Any) -> HttpResponse:
        """Fill in the form of a page and send it, with the hidden fields of the page."""
        page = self.page(path)
        hidden = dict(HIDDEN.findall(page))
        token = TOKEN.search(page)
        assert token is not None
        return self.client.post(path, hidden | fields | {"csrfmiddlewaretoken": token[1]})  # type: ignore[return-value]


def listed(visitor: Visitor, path: str) -> list[int]:
    """Return the keys of the rows of a list, in their order."""
    found = re.findall(r'<a href="[^"]*/(\d+)/change/', visitor.page(path).partition("result_list")[2])
    return [int(key) for key in dict.fromkeys(found)]


def member(*groups: str) -> Visitor:
    """Return a user in these groups."""
    visitor = Visitor()
    visitor.user.groups.set(Group.objects.filter(name__in=groups))
    return visitor


def key_on(response: HttpResponse) -> str:
    """Return the plain key that an answer shows."""
    assert response.status_code == 200
    (key,) = PLAIN_KEY.findall(response.content.decode())
    return key
