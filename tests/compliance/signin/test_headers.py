"""What browsers are told about pages of the admin, and that nobody else is told it or pays for it."""

import base64
import hashlib
import re

import pytest
from csp.middleware import CSPMiddleware
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.csrf import CsrfViewMiddleware

from compliance.middleware import admin
from rules.corpus import Published
from tests.support.api_callers import a_client
from tests.support.api_requests import VERIFY, a_request, post
from tests.support.desk.signing_in import CODE, LOGIN, LOGOUT, Browser
from tests.support.desk.visiting import PARTNERS, Visitor

pytestmark = pytest.mark.usefixtures("fresh_desk")


POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-eval'",
    "style-src-attr": "'unsafe-inline'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


def policy(response: object) -> dict[str, str]:
    """Return the content security policy of an answer, by its directives."""
    header = response["Content-Security-Policy"]  # type: ignore[index]
    return dict(directive.strip().split(" ", 1) for directive in header.split(";"))


def test_every_answer_of_the_admin_has_the_headers(db: None) -> None:
    stranger, boss = Browser(), Visitor(superuser=True)
    answers = [
        stranger.get(LOGIN),
        stranger.get("/admin/"),
        stranger.get(CODE),
        stranger.client.post(LOGIN),
        boss.get("/admin/"),
        boss.get(PARTNERS),
        boss.get("/admin/jsi18n/"),
        boss.get("/admin/nothing/"),
        boss.get(LOGOUT),
        boss.client.post(f"{PARTNERS}add/"),
    ]
    assert {answer.status_code for answer in answers} == {200, 302, 403, 404, 405}
    for answer in answers:
        directives = policy(answer)
        styles = directives.pop("style-src")
        assert directives == POLICY
        assert re.fullmatch(r"'self' 'sha256-[\w+/]{43}='", styles)
        assert answer["Cache-Control"] == "private, no-store"
        assert answer["X-Frame-Options"] == "DENY"
        assert answer["Permissions-Policy"].startswith("camera=(), ")
        assert answer["Referrer-Policy"] == "same-origin"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer["X-Robots-Tag"] == "noindex, nofollow"


def test_the_one_style_in_a_page_is_the_one_that_the_policy_names(db: None) -> None:
    for page in (Browser().get(LOGIN), Visitor(superuser=True).get(PARTNERS)):
        styles = re.findall(r"<style[^>]*>(.*?)</style>", page.content.decode(), flags=re.DOTALL)
        hashes = {
            f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'"
            for style in styles
        }
        assert len(hashes) == 1
        assert hashes < set(policy(page)["style-src"].split())


def test_other_pages_have_a_stricter_policy_and_no_cookie(starter_release: Published) -> None:
    page = a_client().get("/nothing", headers={"accept": "text/html"})
    assert policy(page)["default-src"] == "'none'"
    assert "Set-Cookie" not in page


def test_nothing_of_it_stands_on_answers_of_the_api(starter_release: Published) -> None:
    client = a_client()
    for answer in (
        client.get("/api/devices"),
        post(client, VERIFY, a_request()),
        client.get("/openapi.yaml"),
    ):
        for name in ("X-Frame-Options", "Set-Cookie", "X-Robots-Tag"):
            assert name not in answer


def test_no_middleware_of_the_admin_does_anything_for_the_api(
    starter_release: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = a_client()
    cookies = {"sessionid": "x" * 32, "csrftoken": "y" * 32}

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("this is not for the API")

    ours = [
        found
        for found in vars(admin).values()
        if isinstance(found, type) and issubclass(found, admin._OnlyForTheSignedIn)
    ]
    assert len(ours) > 7
    for found in {
        *ours,
        SessionMiddleware,
        AuthenticationMiddleware,
        MessageMiddleware,
        CSPMiddleware,
        CsrfViewMiddleware,
        XFrameOptionsMiddleware,
    }:
        for step in ("process_request", "process_response"):
            if hasattr(found, step):
                monkeypatch.setattr(found, step, refuse)
    monkeypatch.setattr(CsrfViewMiddleware, "process_view", refuse)
    client.cookies.load(cookies)
    assert post(client, VERIFY, a_request()).status_code == 200
    assert client.get("/openapi.yaml").status_code == 200
    with pytest.raises(AssertionError, match="not for the API"):
        client.get(LOGIN)
