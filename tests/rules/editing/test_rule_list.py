"""The list of rules: what it answers, how it is narrowed, and what it costs."""

import datetime
import re

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec.structs import replace

from catalog.dates import day_words
from rules.editing import actions as rule_actions
from rules.engine.facts import Params, When
from rules.models import Rule
from rules.publishing.actions.releases import publish_release
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_rule, a_user
from tests.support.world import UP_TO_100

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


RULES = "/admin/rules/rule/"


def day(days: int) -> datetime.date:
    return timezone.localdate() + datetime.timedelta(days=days)


@pytest.fixture
def desk(db: None) -> Visitor:
    """An editor who also reviews, a draft of theirs, one in review of somebody else, and the test world."""
    author = a_user()
    visitor = Visitor()
    visitor.user.groups.set(Group.objects.filter(name__in=["Editor", "Reviewer"]))
    mine = a_rule(
        rule_id="n1.mine",
        effect="require",
        code="max_units",
        params=Params(max_units=1),
        when=UP_TO_100,
        effective_from=day(10),
        summary="One unit, soon.",
    )
    rule_actions.draft_rule(by=visitor.user, rule=mine)
    rule_actions.draft_rule(
        by=author, rule=replace(mine, rule_id="n1.theirs", effective_from=None, effective_until=day(7))
    )
    rule_actions.submit_rules(by=author, rule_ids=["n1.theirs"])
    rule_actions.draft_rule(
        by=author, rule=replace(mine, rule_id="n1.over", effective_from=None, effective_until=day(-1))
    )
    rule_actions.revise_rules(by=author, rule_ids=["n1.two-units"], reason="To look.")
    return visitor


def found(visitor: Visitor, query: str = "") -> list[str]:
    page = visitor.page(f"{RULES}?{query}")
    keys = [int(key) for key in re.findall(rf"{RULES}(\d+)/change/", page)]
    names = {row.pk: str(row) for row in Rule.objects.all()}
    return sorted({names[key] for key in keys})


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_the_list_answers_what_an_editor_asks(desk: Visitor) -> None:
    page = text_of(desk.page(f"{RULES}?q=n1."))
    assert (
        "n1.mine One unit, soon. Draft max units 1 up to 100 Wh · cabin bag, person "
        f"Northwing (N1) in 10 days, from {day_words(day(10))} 1, oldest read" in page
    )
    theirs = page.partition("n1.theirs")[2]
    assert theirs.startswith(
        " One unit, soon. In Review max units 1 up to 100 Wh · cabin bag, person Northwing (N1) "
        f"always, ends {day_words(day(7))} 1, oldest read"
    )
    assert f"ended {day_words(day(-1))}" in page
    page = text_of(desk.page(f"{RULES}?q=xr."))
    assert "max units 2 XR: from always" in page


def test_it_shows_the_newest_revision_of_each_rule_unless_asked_for_others(desk: Visitor) -> None:
    every = sorted(str(row) for row in Rule.objects.all())
    assert len(every) == Rule.objects.values("rule_id").distinct().count() + 1
    assert found(desk) == sorted(str(row) for row in Rule.objects.all().newest())
    assert found(desk, "state=every") == every
    assert "n1.two-units" in found(desk, "state=approved")
    assert "n1.two-units, revision 2" in found(desk, "state=draft")


def test_a_withdrawal_does_not_look_like_a_rule(desk: Visitor) -> None:
    author = a_user("withdraws")
    published = "xr.two-units"
    publish_release(by=a_user("publisher"), note="First.", now=timezone.now(), cases=[])
    rule_actions.withdraw_rules(by=author, rule_ids=[published], reason="It has ended.")
    assert "Withdrawal: Draft" in text_of(desk.page(f"{RULES}?q={published}"))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("state=in_review", ["n1.theirs"]),
        ("desk=drafts", ["n1.mine"]),
        ("desk=waits", ["n1.theirs"]),
        ("in_force=later", ["n1.mine"]),
        ("in_force=soon", ["n1.theirs"]),
        ("in_force=over", ["n1.over"]),
        ("q=One+unit%2C+soon", ["n1.mine", "n1.over", "n1.theirs"]),
        ("jurisdiction=XR", ["xr.two-units"]),
        ("evidence=none", []),
        ("effect__exact=advise", []),
        ("confidence__exact=unverified", ["u3.cabin-up-to-100wh"]),
        ("airline__code__exact=U3", ["u3.cabin-up-to-100wh"]),
        ("q=untold", ["u3.cabin-up-to-100wh"]),
        ("q=recalled_not", ["xa.domestic-no-recalled-unit"]),
        ("issuer__exact=regulator&q=xr.", ["xr.two-units"]),
        ("effective_from__year=1999", []),
    ],
)
def test_rules_are_found_by_what_an_editor_looks_for(desk: Visitor, query: str, expected: list[str]) -> None:
    assert found(desk, query) == expected


def test_what_waits_for_an_editor_are_their_drafts(desk: Visitor) -> None:
    desk.user.groups.set(Group.objects.filter(name="Editor"))
    assert found(desk, "desk=waits") == ["n1.mine"]


# --- What it costs ----------------------------------------------------------------------------------------

PAGES = ["", "?q=n1", "?state=every", "?in_force=now", "?evidence=none", "?desk=waits"]


@pytest.fixture
def crowded(desk: Visitor) -> Visitor:
    """Add hundreds of rules, with three sources each, from many years."""
    sources = ("northwing-page", "intl-page", "xr-page")
    rules = [
        a_rule(
            rule_id=f"n1.r{number}",
            effect="require",
            code="no_overhead_bin",
            when=When(),
            effective_from=datetime.date(2000 + number % 26, 1, 1),
            sources=sources,
        )
        for number in range(300)
    ]
    rule_actions.draft_rules(by=a_user(), rules=rules)
    return desk


def cost(visitor: Visitor, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        visitor.page(path)
    return len(queries)


def test_hundreds_of_rules_cost_no_more_queries_than_a_few(
    desk: Visitor, request: pytest.FixtureRequest
) -> None:
    few = {page: cost(desk, f"{RULES}{page}") for page in PAGES}
    request.getfixturevalue("crowded")
    many = {page: cost(desk, f"{RULES}{page}") for page in PAGES}
    # One more to find the keys of a page where there are several pages.
    assert all(many[page] <= few[page] + 1 for page in PAGES), (few, many)
    # One of them is for the searches that the person saved.
    assert max(many.values()) <= 15, many


def test_a_form_its_panels_and_its_history_stay_within_their_budgets(crowded: Visitor) -> None:
    row, published = Rule.objects.get(rule_id="n1.mine"), Rule.objects.get(rule_id="n1.r5")
    assert cost(crowded, f"{RULES}add/") <= 12
    assert cost(crowded, f"{RULES}{row.pk}/change/") <= 24
    assert cost(crowded, f"{RULES}{published.pk}/history/") <= 16
    typed = {"airline": "N1", "says": "permit", "csrfmiddlewaretoken": crowded.token()}
    with CaptureQueriesContext(connection) as queries:
        assert crowded.client.post(f"{RULES}{row.pk}/reading/", typed).status_code == 200
    for q in queries:
        print(q["sql"][:150])
    assert len(queries) <= 20
