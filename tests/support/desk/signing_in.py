"""Signs in as people do: with a browser, a password, an app that shows codes."""

import re
import time
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import default_key

from compliance.signin.actions import set_up_second_factor
from tests.support.api_callers import new_address
from tests.support.desk.visiting import HIDDEN, TOKEN

LOGIN, LOGOUT, INDEX = "/admin/login/", "/admin/logout/", "/admin/"
FACTOR = "/admin/second-factor/"
CODE, RECOVERY, SET_UP = f"{FACTOR}code/", f"{FACTOR}recovery/", f"{FACTOR}set-up/"
RENEW = f"{FACTOR}recovery-codes/"
PASSKEY = f"{FACTOR}passkey/"
PASSWORD = "correct-horse-battery"

SECRET = re.compile(r'<code id="secret"[^>]*>\s*([A-Z2-7-]{39})\s*</code>')
SHOWN_CODE = re.compile(r"<li>([a-z2-7]{4}(?:-[a-z2-7]{4}){3})</li>")


class App:
    """An authenticator app with the secret of one account."""

    def __init__(self, key: str) -> None:
        self.key = key

    def code(self, steps: int = 0) -> str:
        """Return the code of the app now, or so many steps of 30 seconds away."""
        moment = int(time.time()) + 30 * steps
        return f"{totp(bytes.fromhex(self.key), t0=int(time.time()) - moment):06}"

    def wrong(self) -> str:
        """Return six digits that are not a valid code at any time near now."""
        near = {self.code(steps) for steps in range(-5, 6)}
        return next(code for code in (f"{number:06}" for number in range(20)) if code not in near)


class Browser:
    """A browser at an address of its own."""

    def __init__(self, **environ: Any) -> None:
        self.client = Client(
            enforce_csrf_checks=True,
            headers={"accept": "text/html"},
            **{"REMOTE_ADDR": new_address()} | environ,
        )

    def get(self, path: str) -> HttpResponse:
        """Open a page."""
        return self.client.get(path)  # type: ignore[return-value]

    def page(self, path: str) -> str:
        """Return a page, which must exist."""
        response = self.get(path)
        assert response.status_code == 200, (path, response.status_code, response.headers.get("Location"))
        return response.content.decode()

    def submit(self, path: str, to: str | None = None, **fields: str) -> HttpResponse:
        """Fill in the form of a page and send it, with its hidden fields, to the same page or another."""
        page = self.page(path)
        token = TOKEN.search(page)
        assert token is not None
        filled_in = dict(HIDDEN.findall(page)) | fields | {"csrfmiddlewaretoken": token[1]}
        return self.client.post(to or path, filled_in)  # type: ignore[return-value]

    def sign_in(self, username: str, password: str = PASSWORD) -> HttpResponse:
        """Send a name and a password."""
        return self.submit(LOGIN, username=username, password=password)

    @property
    def session_key(self) -> str:
        """The key of the session, from the cookie."""
        return self.client.cookies["sessionid"].value


def staff(username: str = "editor", **traits: Any) -> User:
    """Return a user who may sign in to the admin, and has no second factor yet."""
    return User.objects.create_user(username, password=PASSWORD, is_staff=True, **traits)


def with_app(user: User) -> tuple[App, list[str]]:
    """Set up a second factor for a user. Return the app, and the recovery codes."""
    app = App(default_key())
    codes = set_up_second_factor(user=user, now=timezone.now(), key=app.key, code=app.code())
    return app, codes


def where(response: HttpResponseBase) -> str:
    """Return the target of a redirect, without the query."""
    assert response.status_code == 302, response.status_code
    return response["Location"].partition("?")[0]


def is_staff_to_the_api(browser: Browser) -> bool:
    """Return whether the API knows the session."""
    answer = browser.client.get("/api/devices", headers={"accept": "application/json"})
    return answer["Cache-Control"].startswith("private, ")
