"""Whoever comes with a browser gets a page that reads well, also where something is wrong."""

import pytest
from django.conf import settings
from django.db import OperationalError
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory

from compliance.api.protocol.errors import BY_STATUS, problem_for_status


def test_an_unknown_address_is_a_page_for_a_browser_and_a_problem_for_a_program() -> None:
    page = Client().get("/nowhere", headers={"accept": "text/html"})
    assert (page.status_code, page["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert "Page not found" in page.content.decode()

    problem = Client().get("/nowhere")
    assert (problem.status_code, problem["Content-Type"]) == (404, "application/problem+json")


def test_an_unknown_address_stays_unknown_when_a_form_with_a_token_cannot_be_read() -> None:
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.cookies[settings.CSRF_COOKIE_NAME] = "x" * 32
    for address in ("/nowhere", "/admin/auth/user/%0a/delete/"):
        sent = client.post(address, b"x" * 4000, content_type="multipart/form-data; boundary=never")
        assert sent.status_code == 404


def test_a_page_that_refuses_a_program_names_its_status_and_no_reason_that_it_does_not_know() -> None:
    forged = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "x"})
    from_elsewhere = Client().post("/watch", headers={"origin": "https://elsewhere.example"})
    for refused in (forged, from_elsewhere):
        assert (refused.status_code, refused.json()["code"]) == (403, "FORBIDDEN")
        assert "key" not in refused.content.decode()

    for status in BY_STATUS:
        answer = problem_for_status(RequestFactory().get("/a-page"), HttpResponse(status=status))
        assert answer.status_code == status


@pytest.mark.parametrize("template", ["404.html", "500.html"])
def test_every_page_says_that_answers_are_no_guarantee(template: str) -> None:
    page = render_to_string(template)
    assert "not legal advice, not a certification and no guarantee" in " ".join(page.split())


def test_a_failure_is_never_read_as_allowed() -> None:
    assert "Do not count this as allowed" in render_to_string("500.html")


def test_what_needs_the_database_says_that_it_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OperationalError("postgresql://secret")

    monkeypatch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.ensure_connection", fail)
    client = Client(raise_request_exception=False)
    client.cookies[settings.SESSION_COOKIE_NAME] = "x"
    for accept, kind in (("text/html", "text/html"), ("*/*", "application/problem+json")):
        answer = client.get("/admin/login/", headers={"accept": accept})
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
        assert answer["Content-Type"].startswith(kind)
        assert b"secret" not in answer.content
