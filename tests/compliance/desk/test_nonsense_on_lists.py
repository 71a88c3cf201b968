"""Every list of the desk asked for what it does not have: an answer or a clear refusal, never a failure."""

import math
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.db import models, transaction
from django.test import Client, RequestFactory

from tests.compliance.desk.test_roles import rows  # noqa: F401 - one of everything that has a page
from tests.support.desk.visiting import Visitor

pytestmark = pytest.mark.usefixtures("fresh_desk")

BEYOND = "9" * 20
LOOKUPS: list[tuple[type[models.Field], list[tuple[str, str]]]] = [
    (
        models.DateField,
        [("__year", "10000"), ("__year", "0"), ("__year", "-1"), ("__year__gt", BEYOND), ("__month", BEYOND),
         ("__gte", "10000-01-01"), ("", "soon"), ("__isnull", "perhaps"), ("__week_day", BEYOND)],
    ),
    (models.DateTimeField, [("__date", "10000-01-01"), ("__hour", BEYOND), ("__year__lt", "10000")]),
    (models.IntegerField, [("", BEYOND), ("", "²"), ("__lt", "one"), ("__in", f"1,{BEYOND}"), ("", "1e9")]),
    (models.DecimalField, [("", "NaN"), ("__gt", "1e999999999"), ("", "much")]),
    (models.UUIDField, [("", "abc"), ("__in", "abc,1")]),
    (models.ForeignKey, [("", "²"), ("__exact", BEYOND), ("__in", f"a,{BEYOND}")]),
    (models.CharField, [("__regex", "("), ("__length", BEYOND), ("", "x" * 3000)]),
    (models.BooleanField, [("", "perhaps"), ("__exact", "²")]),
    (models.JSONField, [("", "{"), ("__contains", "{")]),
]  # fmt: skip
"""Lookups for each kind of fields, and a value that no row can have."""

PAGES = [
    "p=-1", f"p={BEYOND}", "p=two", "o=99.-99", "o=x.-", "all=", "e=1", "_facets=x", "_popup=²",
    "q=" + "x" * 3000,
    "nothing=1", "id__x__y=1", "pk=²", "_to_field=digest",
]  # fmt: skip
FOR_FILTERS = ("abc", "²", "-1", BEYOND, "10000-01-01", "")
KEYS = ("abc", "²", "-1", BEYOND, "1.5", "00000000-0000-0000-0000-00000000000g")


def queries(screen: Any, user: User) -> Iterator[str]:
    """Yield nonsense for the pages of a list, for a field of each kind, and for each of its filters."""
    yield from PAGES
    fields = {type(field): field for field in screen.model._meta.get_fields() if field.concrete}
    for kind, lookups in LOOKUPS:
        field = next((one for one in fields.values() if isinstance(one, kind)), None)
        if field is not None:
            yield from (urlencode({f"{field.name}{lookup}": value}) for lookup, value in lookups)
    for number, name in enumerate(filters(screen, user)):
        for at in range(2):
            yield urlencode({name: FOR_FILTERS[(number * 2 + at) % len(FOR_FILTERS)]})


def filters(screen: Any, user: User) -> list[str]:
    """Return the names of the parameters of a list's filters."""
    request = RequestFactory().get("/")
    request.user, request.session = user, SessionStore()
    shown = screen.get_changelist_instance(request)
    return sorted({name for one in shown.filter_specs for name in one.expected_parameters()})


def actions(screen: Any, user: User) -> list[str]:
    request = RequestFactory().get("/")
    request.user, request.session = user, SessionStore()
    return [*screen.get_actions(request), "nonsense"]


@pytest.fixture
def client(rows: object, monkeypatch: pytest.MonkeyPatch) -> Client:  # noqa: F811
    monkeypatch.setattr("compliance.signin.session_state.USE_SECONDS", math.inf)
    client = Client(headers={"accept": "text/html"}, raise_request_exception=False)
    client.force_login(Visitor(superuser=True).user)
    return client


@pytest.mark.parametrize("screen", admin.site._registry.values(), ids=str)
def test_a_list_refuses_nonsense_and_never_fails(client: Client, screen: Any) -> None:
    user = User.objects.get(pk=client.session["_auth_user_id"])
    path = f"/admin/{screen.opts.app_label}/{screen.opts.model_name}/"
    failed = []
    for query in queries(screen, user):
        with transaction.atomic():
            if client.get(f"{path}?{query}").status_code >= 500:
                failed.append(query[:80])
            transaction.set_rollback(True)
    for number, action in enumerate(actions(screen, user)):
        for key in (KEYS[number % len(KEYS)], KEYS[(number + 1) % len(KEYS)]):
            fields = {"action": action, "index": "0", "_selected_action": [key], "select_across": "0"}
            with transaction.atomic():
                if client.post(path, fields).status_code >= 500:
                    failed.append(f"{action} {key}")
                transaction.set_rollback(True)
    assert not failed


OTHER_LISTS = [
    "/admin/findings/", "/admin/changes/", "/admin/read-next/", "/admin/use/", "/admin/guides/",
    "/admin/news/", "/admin/search/", "/admin/rules/release/compare/", "/admin/rules/release/publish/",
    "/admin/catalog/device/duplicates/", "/admin/conversation/rule/n1.draft/",
]  # fmt: skip
FILTER = re.compile(r'<(?:input|select)[^>]* name="([^"]+)"')


@pytest.mark.parametrize("path", OTHER_LISTS)
def test_the_other_pages_refuse_nonsense_and_never_fail(client: Client, path: str) -> None:
    page = client.get(path).content.decode()
    names = {
        *FILTER.findall(page),
        "p",
        "page",
        "days",
        "state",
        "kind",
        "from",
        "to",
        "change",
        "assigned",
        "s",
    }
    failed = []
    for name in sorted(names - {"csrfmiddlewaretoken"}):
        for value in FOR_FILTERS:
            with transaction.atomic():
                query = urlencode({name: value})
                if client.get(f"{path}?{query}").status_code >= 500:
                    failed.append(query)
                transaction.set_rollback(True)
    assert not failed
