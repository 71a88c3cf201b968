"""Searches that a person saves: links above a list, their own, bounded, and only with filters that it has."""

import re
from typing import Any

import pytest
from django.http import HttpResponse

from catalog.models import SavedSearch
from catalog.saved_searches.actions import MOST
from tests.support.desk.visiting import Visitor, member

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

LISTS = {
    "/admin/rules/rule/": "state=draft&days=30",
    "/admin/recalls/recall/": "scope__exact=all_units&days_up_to=7",
    "/admin/catalog/changeset/": "kind=device",
    "/admin/rules/watchsignal/": "kind=dead_link&nature=limit",
    "/admin/findings/": "state=all&kind=gap&days=10",
}


@pytest.fixture
def viewer(db: None) -> Visitor:
    return member("Viewer")


def save(visitor: Visitor, path: str, query: str, name: str = "Mine") -> HttpResponse:
    return visitor.post(address(path, "save"), query=query, name=name)


def forget(visitor: Visitor, path: str, key: int) -> HttpResponse:
    return visitor.post(address(path, "delete"), key=str(key))


def address(path: str, what: str) -> str:
    if path == "/admin/findings/":
        return f"{path}{'save' if what == 'save' else 'forget'}-search/"
    return f"{path}searches/{what}/"


def said(visitor: Visitor, path: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", visitor.page(path)).split())


@pytest.mark.parametrize(("path", "query"), LISTS.items())
def test_a_search_is_saved_from_what_the_list_shows_and_is_a_link_above_it(
    viewer: Visitor, path: str, query: str
) -> None:
    assert "Save this search" not in viewer.page(path)
    assert f'name="query" value="{query.replace("&", "&amp;")}"' in viewer.page(f"{path}?{query}&p=1")

    saved = save(viewer, path, query, "Old drafts")
    assert saved["Location"] == f"{path}?{query}"
    page = viewer.page(path)
    assert f'href="?{query.replace("&", "&amp;")}">Old drafts</a>' in page
    assert viewer.get(f"{path}?{query}").status_code == 200
    # Nobody else sees it, and no other list has it.
    assert "Old drafts" not in member("Viewer").page(path)
    assert SavedSearch.objects.get().owner == viewer.user

    save(viewer, path, query, "Old drafts")
    assert SavedSearch.objects.count() == 1
    gone = forget(viewer, path, SavedSearch.objects.get().pk)
    assert gone["Location"] == path
    assert not SavedSearch.objects.exists()


@pytest.mark.parametrize(("path", "query"), LISTS.items())
@pytest.mark.parametrize(
    "foreign",
    ["colour=red", "created_by__password__startswith=x", "days=soon", "author=%00", "nature=huge&code_is=9"],
)
def test_a_filter_that_the_list_does_not_have_is_not_saved(
    viewer: Visitor, path: str, query: str, foreign: str
) -> None:
    if "nature" in foreign and path not in ("/admin/rules/rule/", "/admin/rules/watchsignal/"):
        foreign = "unknown__gt=1"
    save(viewer, path, f"{query}&{foreign}".replace("days=30&days", "days"), "Foreign")
    assert not SavedSearch.objects.exists()
    assert "Not saved as “Foreign”: this list has no such filter." in said(viewer, path)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"query": f"q={'a' * 3000}", "name": "Long"}, "has a query of more than 2,000 characters"),
        ({"query": "q=a", "name": " "}, "needs a name"),
        ({"query": "q=a", "name": "n" * 61}, "has a name of more than 60 characters"),
        ({"query": "", "name": "All"}, "has no filter: filter the list first"),
        ({"query": "&".join(["q="] * 5), "name": "Empty"}, "has no filter"),
        ({"name": "Without"}, "has no filter"),
    ],
)
def test_what_is_too_long_or_empty_is_refused_with_the_reason(
    viewer: Visitor, fields: dict[str, Any], problem: str
) -> None:
    path = "/admin/rules/rule/"
    viewer.post(address(path, "save"), **fields)
    assert problem in said(viewer, path)
    assert not SavedSearch.objects.exists()


def test_a_person_has_fifty_and_those_of_others_do_not_count(viewer: Visitor) -> None:
    rows = [
        SavedSearch(owner=viewer.user, page="findings", name=f"n{number}", query="q=a")
        for number in range(MOST)
    ]
    SavedSearch.objects.bulk_create(rows)
    path = "/admin/rules/rule/"
    save(viewer, path, "state=draft", "One more")
    assert "you have 50 saved searches already: delete one first" in said(viewer, path)
    save(member("Viewer"), path, "state=draft", "First")
    assert SavedSearch.objects.filter(page="rules_rule").count() == 1


def test_nobody_deletes_the_search_of_another_person_and_a_link_does_nothing(viewer: Visitor) -> None:
    path = "/admin/rules/rule/"
    save(viewer, path, "state=draft")
    key = SavedSearch.objects.get().pk
    other = member("Viewer")
    forget(other, path, key)
    assert "This saved search is deleted already." in said(other, path)
    assert viewer.get(address(path, "delete")).status_code == 405
    assert viewer.client.post(address(path, "delete"), {"key": str(key)}).status_code == 403
    assert SavedSearch.objects.exists()


def test_a_name_or_a_query_with_a_script_is_only_text(viewer: Visitor) -> None:
    path = "/admin/rules/rule/"
    save(viewer, path, 'q="><script>alert(1)</script>', "<script>alert(2)</script>")
    page = viewer.page(path)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(2)&lt;/script&gt;</a>" in page
