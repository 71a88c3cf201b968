"""The desk shows what the service is used for: daily counts, and figures of partners to their managers."""

import datetime
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.dates import day_words
from compliance.models import DailyUse, KeyUsage, MostAsked, Partner
from compliance.partner_pages.usage import usage_of
from compliance.partners.actions.keys import issue_key
from compliance.partners.actions.partners import record_partner
from compliance.signin.groups import AUDITOR, EDITOR, PARTNER_MANAGER, PUBLISHER, REVIEWER, VIEWER
from tests.support.desk.visiting import member
from tests.support.factories import a_user
from tests.support.partners import AGREEMENT
from tests.support.world import build_world

USE = "/admin/use/"
DAY = datetime.timedelta(days=1)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_desk")]


@pytest.fixture
def counted() -> datetime.date:
    """Two partners, of which one asked, and the counts of this morning."""
    build_world(by=a_user("author"))
    today, manager = timezone.now().date(), a_user("manager")
    for slug in ("acme", "quiet"):
        record_partner(by=manager, now=timezone.now(), slug=slug, agreement=AGREEMENT)
    MostAsked.objects.create(
        day=today,
        days=30,
        finished=timezone.now(),
        routes=[["XA", "XB", 1_230], ["XB", "QQ", 20]],
        unanswered=[["lynx-10k", 40, 60], ["gone-5k", 20, 20]],
    )
    for days, channel, verdict, answers in (
        (1, "api", "allowed", 1_000),
        (30, "api", "banned", 234),
        (31, "api", "banned", 5),
        (60, "page", "allowed", 7),
        (61, "page", "allowed", 10_000),
        (2, "mcp", "insufficient", 3),
    ):
        DailyUse.objects.create(day=today - days * DAY, channel=channel, verdict=verdict, answers=answers)
    first, second = (issue_key(by=manager, now=timezone.now(), partner="acme").row.pk for _ in range(2))
    for days, key, verdicts in ((0, first, 1_000), (29, second, 200), (30, second, 5), (60, second, 9_999)):
        KeyUsage.objects.create(day=today - days * DAY, key=key, verdicts=verdicts)
    return today


def cells(page: str) -> list[list[str]]:
    content = page.partition('id="content-main"')[2].partition("</main>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", content, re.DOTALL)
    found = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in rows]
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in row] for row in found if row]


@pytest.mark.usefixtures("counted")
def test_verdicts_are_shown_by_channel_with_those_of_as_many_days_before() -> None:
    assert cells(member(EDITOR).page(USE)) == [
        ["The API", "1,234", "1,000 allowed, 234 banned", "5"],
        ["A page of the checker", "none", "none", "7"],
        ["A tool of an agent", "3", "3 insufficient", "none"],
    ]


@pytest.mark.usefixtures("counted")
def test_routes_and_models_are_named_the_most_asked_first() -> None:
    page = member(VIEWER).page(USE)
    shown = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    first, second = shown.index("1,230 flights or more"), shown.index("20 flights or more")
    assert first < second
    assert "40 or more of 60 answers are insufficient" in shown
    assert 'href="/admin/catalog/device/lynx-10k/change/"' in page
    # A model that is no longer in the catalog has no page.
    assert "gone-5k" in shown
    assert "gone-5k/change" not in page
    assert "at least 20 answers on at least 5 different days" in shown


@pytest.mark.usefixtures("counted")
def test_only_partner_managers_see_figures_of_partners() -> None:
    manager = member(PARTNER_MANAGER).page(USE)
    assert [row[1:] for row in cells(manager)[3:]] == [
        ["1,200", "5"],
        ["none", "none"],
    ]
    assert 'href="/admin/compliance/partner/acme/change/"' in manager
    # The figure that the partner sees itself.
    acme = Partner.objects.get(pk="acme")
    assert usage_of(acme, timezone.now()).total == 1_200
    # Links lead only where the reader may go.
    assert "/admin/catalog/" not in manager
    assert 'href="/admin/read-next/"' not in manager
    assert 'href="/admin/read-next/"' in member(EDITOR).page(USE)
    for group in (EDITOR, REVIEWER, PUBLISHER, VIEWER):
        page = member(group).page(USE)
        assert "By partner" not in page
        assert "acme" not in page.lower()
    assert member(AUDITOR).get(USE).status_code == 403


def test_before_the_first_count_it_says_so() -> None:
    assert "Nothing is counted yet" in member(EDITOR).page(USE)


def count(*, verdict: str, days: int = 3) -> str:
    """Count nine verdicts of one day, which are too few to show what they were about; return the page."""
    today = timezone.now().date()
    MostAsked.objects.create(day=today, days=30, finished=timezone.now(), routes=[], unanswered=[])
    DailyUse.objects.create(day=today - days * DAY, channel="api", verdict=verdict, answers=9)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", member(PARTNER_MANAGER).page(USE)))


def test_what_too_few_asked_about_is_not_called_none() -> None:
    page = count(verdict="insufficient")
    assert "Too few to show: no route reached 20 answers on 5 different days." in page
    assert "Too few to show: no model reached 20 answers on 5 different days." in page
    assert "None." not in page


def test_where_no_one_asked_it_says_none() -> None:
    assert "None." not in count(verdict="allowed").partition("Models without an answer")[0]
    MostAsked.objects.all().delete()
    DailyUse.objects.all().delete()
    page = count(verdict="banned", days=90)
    assert "Too few to show" not in page
    assert page.count("None.") == 2


def test_days_that_were_not_counted_are_not_shown_as_zero() -> None:
    page = count(verdict="allowed")
    since = day_words(timezone.now().date() - 3 * DAY)
    assert f"The first verdict that was counted is of {since}: nothing was counted before." in page
    assert cells(member(EDITOR).page(USE))[0] == ["The API", "9", "9 allowed", "not counted"]


def test_days_that_were_counted_and_had_none_are_shown_as_none() -> None:
    page = count(verdict="allowed", days=59)
    DailyUse.objects.create(
        day=timezone.now().date() - 60 * DAY, channel="page", verdict="allowed", answers=1
    )
    assert "nothing was counted before" in page
    assert "nothing was counted before" not in member(EDITOR).page(USE)
    assert [row[1:] for row in cells(member(EDITOR).page(USE))] == [
        ["none", "none", "9"],
        ["none", "none", "1"],
        ["none", "none", "none"],
    ]


@pytest.mark.usefixtures("counted")
def test_it_never_reads_the_log_and_asks_few_queries() -> None:
    manager = member(PARTNER_MANAGER)
    manager.page(USE)
    with CaptureQueriesContext(connection) as queries:
        manager.page(USE)
    assert not any("verdictrecord" in query["sql"] for query in queries)
    assert len(queries) <= 20


@pytest.mark.usefixtures("counted")
def test_the_navigation_of_the_desk_leads_to_it() -> None:
    assert f'href="{USE}"' in member(EDITOR).page("/admin/")
    assert f'href="{USE}"' in member(PARTNER_MANAGER).page("/admin/")
