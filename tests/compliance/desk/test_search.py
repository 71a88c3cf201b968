"""The search of the whole desk: what it finds, for whom, and at which cost."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.devices.actions import record_devices
from catalog.devices.bulk import DEVICES
from catalog.editorial.pending.actions import propose
from compliance.desk.first_page import KEYS
from compliance.partners.actions.partners import record_partner
from compliance.signin.groups import EDITOR, PARTNER_MANAGER
from recalls.editing.actions import draft_recall
from rules.editing.actions import draft_rule
from rules.publishing.actions.releases import publish_release
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_device, a_recall, a_rule, a_user
from tests.support.partners import AGREEMENT
from tests.support.world import build_world

pytestmark = pytest.mark.usefixtures("fresh_desk")

BUDGET = 20
"""As for every page of the desk."""

PAGE = "/admin/search/"


@pytest.fixture
def world(db: None) -> None:
    """A release, and what is in none: drafts of a rule and a recall, a change set, a partner."""
    author, now = a_user("author"), timezone.now()
    build_world(by=author)
    publish_release(by=a_user("publisher"), note="First.", now=now, cases=[])
    draft_rule(by=author, rule=a_rule(rule_id="n1.draft", summary="Three porcupines at most."))
    draft_recall(by=author, recall=a_recall(recall_id="lynx-again", model_id="lynx-27k"))
    propose(DEVICES, [a_device(model_id="lynx-10k", model_name="Ten")], by=author, subject="lynx-10k renamed")
    record_partner(by=a_user("manager"), now=now, slug="acme", agreement=AGREEMENT)


def found(visitor: Visitor, text: str) -> dict[str, list[str]]:
    """Return what the page lists under each of its headings."""
    response = visitor.client.get(PAGE, {"q": text})
    assert response.status_code == 200
    sections = re.findall(r"<section.*?<h2[^>]*>(.*?)</h2>(.*?)</section>", response.content.decode(), re.S)
    return {title: re.findall(r'<li><a[^>]*href="([^"]*)"', rows) for title, rows in sections}


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(
    ("text", "kind", "address"),
    [
        ("lynx-10k", "Models", "/admin/catalog/device/lynx-10k/"),
        ("puma 50k", "Models", "/admin/catalog/device/puma-50k/"),
        ("n1.draft", "Rules", "/admin/rules/rule/"),
        ("porcupines", "Rules", "/admin/rules/rule/"),
        ("lynx-again", "Recalls", "/admin/recalls/recall/"),
        ("Southern Star", "Airlines", "/admin/catalog/airline/S2/"),
        ("xa-page", "Sources", "/admin/catalog/source/xa-page/"),
        ("renamed", "Change sets", "/admin/catalog/changeset/"),
        ("First.", "Releases", "/admin/rules/release/"),
    ],
)
def test_an_editor_finds_records_by_their_ids_names_and_words(text: str, kind: str, address: str) -> None:
    assert found(member(EDITOR), text)[kind][0].startswith(address)


@pytest.mark.usefixtures("world")
def test_everyone_finds_only_what_they_may_see() -> None:
    assert "Partners" not in found(member(EDITOR), "acme")
    assert found(member(PARTNER_MANAGER), "acme")["Partners"] == ["/admin/compliance/partner/acme/change/"]
    assert found(member(PARTNER_MANAGER), "lynx-10k") == {}
    assert found(member(), "lynx") == {}


@pytest.mark.usefixtures("world")
def test_a_model_is_found_from_the_moment_that_it_is_recorded() -> None:
    record_devices(by=a_user("author"), devices=[a_device(model_id="lynx-2027", model_name="Zebrafish")])

    assert found(member(EDITOR), "zebrafish")["Models"] == ["/admin/catalog/device/lynx-2027/change/"]
    assert "/admin/catalog/device/lynx-2027/change/" in found(member(EDITOR), "lynx")["Models"]


@pytest.mark.usefixtures("world")
def test_the_first_five_of_a_kind_are_shown_and_a_link_to_the_list_that_has_all() -> None:
    names = [f"n1.many-{number}" for number in range(7)]
    for name in names:
        draft_rule(by=a_user("author"), rule=a_rule(rule_id=name))
    visitor = member(EDITOR)

    page = visitor.client.get(PAGE, {"q": "n1.many"}).content.decode()

    assert len(found(visitor, "n1.many")["Rules"]) == 5
    assert "All rules with “n1.many”" in page
    (whole,) = re.findall(r'href="(/admin/rules/rule/\?[^"]*)"', page)
    listed = visitor.page(whole)
    assert [name for name in names if name not in listed] == []


@pytest.mark.usefixtures("world")
def test_the_record_with_exactly_this_id_comes_first() -> None:
    for name in ("n1.draft-a", "a1.n1.draft", "n1.draft-b"):
        draft_rule(by=a_user("author"), rule=a_rule(rule_id=name))
    visitor = member(EDITOR)
    first = found(visitor, "n1.draft")["Rules"][0]
    assert re.search(r'value="n1\.draft"|>\s*n1\.draft\s*<', visitor.page(first))


@pytest.mark.usefixtures("world")
def test_pages_of_the_desk_are_found_too() -> None:
    assert found(member(EDITOR), "findings")["Pages of the desk"] == ["/admin/findings/"]


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("text", ["", "   ", "%", "_", "'", "x" * 101, "a " * 50, "²", "<script>"])
def test_whatever_is_typed_is_answered(text: str) -> None:
    response = member(EDITOR).client.get(PAGE, {"q": text})

    assert response.status_code == 200
    assert "<script>" not in response.content.decode().partition("<main")[2].partition("</form>")[0]


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("text", ["lynx", "acme", "nothing of this kind", "a a a a a a a a a a"])
def test_a_search_asks_the_database_at_most_twenty_times(text: str) -> None:
    visitor = member(EDITOR, PARTNER_MANAGER)
    visitor.client.get(PAGE, {"q": text})

    with CaptureQueriesContext(connection) as queries:
        visitor.client.get(PAGE, {"q": text})

    assert len(queries) <= BUDGET


@pytest.mark.usefixtures("world")
def test_every_page_of_the_desk_has_the_form_that_searches_without_a_script() -> None:
    page = member(EDITOR).page("/admin/catalog/device/")

    form = re.search(r'<form[^>]*method="get"[^>]*action="/admin/search/"[^>]*>(.*?)</form>', page, re.S)
    assert form is not None
    assert 'name="q"' in form[1]
    assert 'type="submit"' in form[1]


def test_no_letter_leads_to_two_pages() -> None:
    assert len(set(KEYS.values())) == len(KEYS)
