"""Any two releases side by side: sentences, fields, counts, and pages that leave nothing out unsaid."""

import datetime
import html
import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from rules.engine.document import Content
from rules.models import Release
from tests.rules.publishing.test_screens import NOW, Browser
from tests.support.factories import a_device, a_source
from tests.support.ledger import publish, world_content

pytestmark = pytest.mark.usefixtures("fresh_desk")

COMPARE = "/admin/rules/release/compare/"


RULE = "n1.two-units"


def with_models(content: Content, count: int) -> Content:
    """Return content with more models."""
    more = [a_device(model_id=f"lynx-x{number:03}", model_name=f"Lynx X{number}") for number in range(count)]
    return replace(content, devices=tuple(sorted([*content.devices, *more], key=lambda one: one.model_id)))


@pytest.fixture
def releases(db: None) -> list[Release]:
    """Three releases: the second changes a rule and adds two records, the third withdraws the rule."""
    first = world_content()
    rules = tuple(
        replace(rule, summary="Two, in other words.") if rule.rule_id == RULE else rule
        for rule in first.rules
    )
    page = a_source(id="new-page", title="A <b>new</b> page")
    second = replace(with_models(first, 1), rules=rules, sources=(*first.sources, page))
    third = replace(second, rules=tuple(rule for rule in rules if rule.rule_id != RULE))
    return [
        publish(content, now=NOW - datetime.timedelta(days=9 - at))
        for at, content in enumerate((first, second, third))
    ]


def compared(first: Release, second: Release, **more: str) -> str:
    query = "&".join(f"{name}={value}" for name, value in {"from": first, "to": second, **more}.items())
    page = Browser("Viewer", f"viewer {User.objects.count()}").page(f"{COMPARE}?{query}")
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def test_releases_that_do_not_follow_each_other_are_compared_in_sentences(
    releases: list[Release],
) -> None:
    first, second, third = releases
    said = compared(first, second)
    assert "3 records differ." in said
    assert "Rules : 1 changed" in said
    assert "Reads the same: Northwing (N1, Northland) limits each passenger to 2 power banks" in said
    assert "→ Two, in other words." in said
    assert "New: Lynx Lynx X0: 37.00 Wh computed, 10,000 mAh." in said
    assert "New: Northwing: A <b>new</b> page, read on 20 November 2026." in said

    said = compared(first, third)
    assert "Is withdrawn: Northwing (N1, Northland) limits each passenger to 2 power banks" in said
    assert "n1.two-units withdrawn" in said


def test_the_other_way_round_it_says_which_one_is_older(releases: list[Release]) -> None:
    said = compared(releases[2], releases[0])
    assert f"{releases[0]} is the older one" in said
    assert "New: Northwing (N1, Northland) limits each passenger to 2 power banks" in said
    assert "both say the same" in compared(releases[0], releases[0])


def test_an_address_without_versions_compares_the_current_release_with_the_one_before(
    releases: list[Release],
) -> None:
    page = Browser("Viewer").page(COMPARE)
    assert f'value="{releases[1]}"' in page
    assert f'value="{releases[2]}"' in page
    assert "Is withdrawn:" in page


@pytest.mark.parametrize("query", ["from=1&to=2", "from=%00&to=", "to=<script>alert(1)</script>", "from=9.1"])
def test_a_version_that_does_not_exist_is_named(releases: list[Release], query: str) -> None:
    answer = Browser("Viewer").client.get(f"{COMPARE}?{query}")
    assert answer.status_code == 400
    assert b"<script>alert" not in answer.content


def test_what_does_not_fit_on_one_page_is_counted_and_on_the_next(
    releases: list[Release], monkeypatch: pytest.MonkeyPatch
) -> None:
    fourth = publish(with_models(releases[2].read().content, 121), now=NOW)
    first = compared(releases[2], fourth)
    assert "1 to 50 of 120 records." in first
    assert "Page 1 of 3" in first
    last = compared(releases[2], fourth, p="3")
    assert "101 to 120 of 120 records." in last
    assert "lynx-x120" in last
    only = compared(releases[0], fourth, kind="rules", change="removed")
    assert "1 to 1 of 1 records." in only


def test_a_page_of_a_release_leads_to_the_comparison_with_the_current_one(releases: list[Release]) -> None:
    first, _, third = releases
    page = Browser("Viewer").page(f"/admin/rules/release/{first.pk}/change/")
    assert f"{COMPARE}?from={first}&amp;to={third}" in page
    # And it says in words what it withdrew.
    page = Browser("Viewer", "another").page(f"/admin/rules/release/{third.pk}/change/")
    assert "Is withdrawn:" in page


def test_it_costs_few_queries_however_much_differs(releases: list[Release]) -> None:
    browser = Browser("Viewer")
    browser.page(COMPARE)
    with CaptureQueriesContext(connection) as asked:
        browser.page(f"{COMPARE}?from={releases[0]}&to={releases[2]}")
    assert len(asked) <= 20
