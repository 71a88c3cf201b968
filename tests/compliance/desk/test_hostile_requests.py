"""The admin asked with ids and bodies that no page contains: refused, and never a failure of the service."""

import math
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.db import transaction
from django.test import Client

from checks.hostile.addresses import admin_addresses
from checks.hostile.values import BODIES, IDS, QUERIES
from compliance.signin.groups import GROUPS
from tests.compliance.desk.test_roles import rows  # noqa: F401 - one of everything that has a page
from tests.support.desk.visiting import Visitor
from tests.support.thoroughness import examples

pytestmark = pytest.mark.usefixtures("fresh_desk")


def requests(each: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield methods, paths and bodies: so many of the ids for each address, of the queries for each list."""
    for number, path in enumerate(admin_addresses()):
        for at in range(number, number + each):
            if "/1/" in path:
                hostile = path.replace("/1/", f"/{IDS[at % len(IDS)]}/")
                yield "get", hostile, {}
            else:
                hostile = path
                yield "get", f"{path}?{QUERIES[at % len(QUERIES)]}", {}
            yield "post", hostile, BODIES[at % len(BODIES)]


@pytest.mark.parametrize("role", ["superuser", *GROUPS][: examples(1, thorough=99)])
def test_nothing_that_is_sent_to_the_admin_is_a_failure_of_ours(
    rows: object,  # noqa: F811
    role: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Every request is undone, and with it the note that the session is in use: each would note it again.
    monkeypatch.setattr("compliance.signin.session_state.USE_SECONDS", math.inf)
    visitor = Visitor(superuser=role == "superuser")
    visitor.user.groups.set(Group.objects.filter(name=role))
    client, failed = Client(headers={"accept": "text/html"}, raise_request_exception=False), set()
    client.force_login(visitor.user)
    signed_in = client.cookies.output(header="")
    for method, path, body in requests(examples(1, thorough=len(IDS))):
        client.cookies.load(signed_in.strip())
        with transaction.atomic():
            if getattr(client, method)(path, body).status_code >= 500:
                failed.add((method, path, str(body)[:40]))
            transaction.set_rollback(True)
    assert not failed


def test_an_empty_name_of_the_field_that_identifies_a_row_is_refused(rows: object) -> None:  # noqa: F811
    client = Client(raise_request_exception=False)
    client.force_login(Visitor(superuser=True).user)
    pages = [path for path in admin_addresses() if path.endswith(("/1/change/", "/1/delete/"))]
    assert {client.get(f"{path}?_to_field=").status_code for path in pages} == {400}


def test_a_form_with_more_fields_than_any_page_has_is_a_bad_request(db: None) -> None:
    """Public forms are too small for so many."""
    fields = "&".join(["a"] * (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1))
    client = Client(headers={"accept": "text/html"}, raise_request_exception=False)
    response = client.post("/admin/login/", fields, content_type="application/x-www-form-urlencoded")
    assert (response.status_code, response["Content-Type"]) == (400, "text/html; charset=utf-8")
