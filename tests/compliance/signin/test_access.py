"""Who gets into the admin, and what the admin costs everybody else: nothing."""

import json
import os
import re
import subprocess
import sys

import pytest
from django.contrib.admin.utils import quote
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from checks.production import PRODUCTION
from compliance.models import Partner, PartnerKey
from compliance.partners.actions.keys import issue_key
from compliance.services.embedded import REPOSITORY
from rules.corpus import Published
from tests.support.desk.visiting import ACME, KEYS, PARTNERS, TOKEN, Visitor
from tests.support.factories import a_user
from tests.support.partners import NOON

pytestmark = pytest.mark.usefixtures("fresh_desk")


@pytest.fixture
def key(acme: Partner) -> PartnerKey:
    return issue_key(by=a_user("manager"), now=NOON, partner="acme").row


def pages(key: PartnerKey) -> list[str]:
    """Return the address of everything about partners and keys."""
    return [
        PARTNERS,
        f"{PARTNERS}add/",
        *(f"{ACME}{page}/" for page in ("change", "history", "issue", "rotate", "close")),
        KEYS,
        *(f"{KEYS}{quote(str(key))}/{page}/" for page in ("change", "history", "revoke")),
    ]


def test_staff_sign_in_by_name_and_password(db: None) -> None:
    User.objects.create_user("boss", password="correct-horse-battery", is_staff=True)
    client = Client(enforce_csrf_checks=True, headers={"accept": "text/html"})
    address = client.get("/admin/")["Location"]

    def sign_in(password: str) -> int:
        token = TOKEN.search(client.get(address).content.decode())
        assert token is not None
        fields = {"username": "boss", "password": password, "csrfmiddlewaretoken": token[1]}
        return client.post(address, fields).status_code

    assert sign_in("wrong") == 200
    assert client.get("/admin/").status_code == 302
    assert sign_in("correct-horse-battery") == 302
    assert client.get("/admin/").status_code == 200
    cookie = client.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert cookie["max-age"] == 30 * 60


def test_the_address_without_its_slash_leads_there(db: None) -> None:
    assert Client().get("/admin")["Location"] == "/admin/"


@pytest.mark.parametrize("signed_in", [False, True])
def test_no_one_but_staff_gets_in(key: PartnerKey, signed_in: bool) -> None:
    client = Client(headers={"accept": "text/html"})
    if signed_in:
        client.force_login(User.objects.create_user("customer"))

    for path in pages(key):
        for method in (client.get, client.post):
            response = method(path)
            assert (response.status_code, response["Location"].split("?")[0]) == (302, "/admin/login/"), path
    assert PartnerKey.objects.count() == 1


def test_staff_without_permissions_get_403_and_a_page_that_says_so(key: PartnerKey) -> None:
    visitor = Visitor()

    for path in pages(key):
        response = visitor.get(path)
        assert response.status_code == 403, path
        assert "Your account may not do this" in response.content.decode()
    assert "Partner" not in visitor.page("/admin/")


def test_who_may_only_look_finds_no_buttons_and_opens_no_doors(key: PartnerKey) -> None:
    visitor = Visitor("view_partner", "view_partnerkey")

    shown = (
        visitor.page(PARTNERS)
        + visitor.page(f"{ACME}change/")
        + visitor.page(f"{KEYS}{quote(str(key))}/change/")
    )
    assert f"{KEYS}{quote(str(key))}/change/" in shown
    steps = [f"{ACME}{step}/" for step in ("issue", "rotate", "close")]
    for step in (f"{PARTNERS}add/", *steps, f"{KEYS}{quote(str(key))}/revoke/"):
        assert step not in shown
        assert visitor.get(step).status_code == 403
        assert visitor.client.post(step).status_code == 403
    key.refresh_from_db()
    assert (PartnerKey.objects.count(), key.revoked_at) == (1, None)


@pytest.mark.parametrize(
    ("permissions", "steps"),
    [
        (("view_partner", "add_partnerkey"), {"issue", "rotate"}),
        (("view_partner", "change_partnerkey"), set()),
        (("change_partner",), set()),
        (("change_partner", "change_partnerkey"), {"close"}),
    ],
)
def test_each_step_needs_its_own_permission(
    acme: Partner, permissions: tuple[str, ...], steps: set[str]
) -> None:
    visitor = Visitor(*permissions)

    page = visitor.page(f"{ACME}change/")
    for step in ("issue", "rotate", "close"):
        assert (f"{ACME}{step}/" in page) == (step in steps)
        assert visitor.get(f"{ACME}{step}/").status_code == (200 if step in steps else 403)


def test_a_forged_request_does_nothing(manager: Visitor, key: PartnerKey) -> None:
    for path in pages(key):
        assert manager.client.post(path, {"days": "1", "overlap_days": "0"}).status_code == 403, path
    key.refresh_from_db()
    assert (PartnerKey.objects.count(), key.revoked_at, key.valid_until) == (1, None, None)
    assert Partner.objects.get().closed_at is None


def test_no_page_of_the_admin_stands_in_a_foreign_frame_or_a_cache(manager: Visitor, acme: Partner) -> None:
    response = manager.get(PARTNERS)

    assert response["X-Frame-Options"] == "DENY"
    assert "no-store" in response["Cache-Control"]


def test_what_guards_the_admin_stays_out_of_the_way_of_the_api(
    manager: Visitor, starter_release: Published, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        unknown = manager.get("/api/nothing")
        # Without a token: the API's callers are no browsers with forms.
        asked = manager.client.post(
            "/api/verify", {}, content_type="application/json", headers={"accept": "application/json"}
        )

    assert (unknown.status_code, asked.status_code) == (404, 400)
    for response in (unknown, asked):
        assert not response.cookies
        assert "X-Frame-Options" not in response


def test_a_visit_outside_the_admin_makes_no_session(db: None) -> None:
    Client(headers={"accept": "text/html"}).get("/nothing")

    assert not Session.objects.exists()


def test_everything_that_the_admin_looks_like_is_served_from_here(db: None) -> None:
    client = Client(headers={"accept": "text/html"})
    page = client.get("/admin/login/").content.decode()

    loaded = re.findall(r'<(?:script|link)[^>]+(?:src|href)="([^"]+)"', page)
    assert any("unfold/css/styles.css" in address for address in loaded)
    for address in loaded:
        assert address.startswith("/static/")
        assert _served(client, address), address
    assert _served(client, "/static/unfold/fonts/inter/Inter-Regular.woff2")


def _served(client: Client, address: str) -> bool:
    response = client.get(address)
    response.close()
    return response.status_code == 200


@pytest.mark.parametrize(
    ("variables", "secure", "trusted"),
    [
        ({}, False, []),
        ({"ALLOWED_HOSTS": "localhost,127.0.0.1"}, False, []),
        (PRODUCTION | {"ALLOWED_HOSTS": "batteries.example,127.0.0.1"}, True, ["https://batteries.example"]),
        (PRODUCTION | {"ALLOWED_HOSTS": ".batteries.example"}, True, ["https://*.batteries.example"]),
    ],
)
def test_cookies_need_tls_wherever_a_person_from_outside_can_sign_in(
    variables: dict[str, str], secure: bool, trusted: list[str]
) -> None:
    answer = subprocess.run(
        [
            sys.executable,
            "-c",
            "import json; from compliance import settings as s; "
            "print(json.dumps([s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.CSRF_TRUSTED_ORIGINS, "
            "s.SESSION_COOKIE_NAME.startswith('__Host-'), s.CSRF_COOKIE_NAME.startswith('__Host-')]))",
        ],
        cwd=REPOSITORY,
        env={name: value for name, value in os.environ.items() if name != "ALLOWED_HOSTS"} | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(answer.stdout) == [secure, secure, trusted, secure, secure]
