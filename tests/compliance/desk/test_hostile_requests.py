"""The admin asked with ids and bodies that no page contains: refused, and never a failure of the service."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import transaction
from django.test import Client

from compliance.signin.groups import GROUPS
from tests.compliance.desk.test_roles import rows  # noqa: F401 - one of everything that has a page
from tests.support.desk.addresses import admin_addresses
from tests.support.desk.visiting import Visitor
from tests.support.thoroughness import examples

pytestmark = pytest.mark.usefixtures("fresh_desk")

IDS = (
    "²", "0x10", "%00", "1%00", "99999999999999999999", "1", "-1", "1.5", "٣", "%ff", "a" * 300,
    "_00", "%2e%2e", "1;", "🔋",
)  # fmt: skip
"""Ids that look like numbers to one function and not to another, or that a database cannot store."""

BODIES: tuple[dict[str, Any], ...] = (
    {},
    {"reason": "\0", "seen": "\0", "action": "\0", "name": "\0", "file_format": "\0", "q": "\0"},
    {"reason": "x" * 10_000, "seen": "²", "base": "²", "rule": "²", "recall": "²", "file_format": "²"},
    {"_selected_action": ["\0", "²", "-1", "9" * 30], "action": "submit", "index": "²", "due": "9" * 30},
)
QUERIES = (
    "q=%00",
    "p=-1",
    "p=%C2%B2",
    "o=%C2%B2.-9",
    "id__exact=%00",
    "e=1",
    "_popup=%00&_to_field=%00",
    "year=%C2%B2",
)


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
def test_nothing_that_is_sent_to_the_admin_is_a_failure_of_ours(rows: object, role: str) -> None:  # noqa: F811
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
