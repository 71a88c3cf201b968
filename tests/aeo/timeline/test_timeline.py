"""The page of dated rules: each date of the release is drawn, counted and listed, and leads to its rule."""

import datetime
import re
from collections import Counter
from xml.etree import ElementTree

import pytest
import time_machine
from django.test import Client

from aeo import editions
from aeo.drawing.calendar_grid import MINUS
from aeo.editions import Edition
from aeo.feeds.calendar import every_day
from aeo.timeline.dates import EVERYTHING, Wanted, issuer, issuers
from aeo.timeline.page import timeline
from rules.corpus import Published
from rules.engine.facts import Rule
from tests.support import starter

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("now", "starter_release")]

RULES = tuple(starter.starter_content().rules)
DATES = [
    (date, sign, rule)
    for rule in RULES
    for date, sign in ((rule.effective_from, "+"), (rule.effective_until, MINUS))
    if date is not None
]
"""Every date of a rule, counted here in another way than the page does."""

LATEST = max(date for date, _, _ in DATES)


def read(path: str, accept: str = "text/markdown") -> str:
    answer = Client(headers={"accept": accept}).get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def drawn(page: str) -> dict[str, Counter[str]]:
    """The signs and counts of each month in the picture, by the anchor that the month leads to."""
    found: dict[str, Counter[str]] = {}
    for svg in re.findall(r'<svg class="picture grid".*?</svg>', page, re.DOTALL):
        for link in ElementTree.fromstring(svg).iter("a"):
            texts = [text.text or "" for text in link.iter("text")]
            found[link.attrib["href"].partition("#")[2]] = Counter({one[0]: int(one[1:]) for one in texts})
    return found


def by_month(wanted: Wanted = EVERYTHING, today: datetime.date | None = None) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for date, sign, rule in DATES:
        in_time = today is None or date >= today
        if in_time and wanted.who in ("", issuer(rule)) and wanted.year in ("", str(date.year)):
            found.setdefault(f"m{date:%Y-%m}", Counter())[sign] += 1
    return found


def test_the_picture_has_each_date_of_the_release_in_its_month() -> None:
    assert drawn(read("/timeline", "text/html")) == by_month()
    assert len(by_month()) > 20


@pytest.mark.parametrize(
    "wanted",
    [Wanted(who="airline-ek"), Wanted(who="place-intl"), Wanted(year="2026"), Wanted("airline-ek", "2026")],
)
def test_a_filter_leaves_the_dates_that_it_names(wanted: Wanted) -> None:
    page = read(wanted.path, "text/html")
    assert drawn(page) == by_month(wanted)
    assert 'content="noindex"' in page


def test_only_what_is_coming_can_be_asked_for() -> None:
    assert drawn(read("/timeline?coming=1", "text/html")) == by_month(today=starter.NOW.date())


def test_each_month_leads_to_a_heading_on_the_page_that_it_names() -> None:
    page = read("/timeline", "text/html")
    for path, anchor in sorted(set(re.findall(r'href="(/timeline\?year=\d+)#(m[\d-]+)" aria-label', page)))[
        -3:
    ]:
        assert f'id="{anchor}"' in read(path, "text/html")


def test_every_issuer_with_a_date_leads_to_all_of_its_rules_with_their_sources() -> None:
    release = starter.starter_release()
    everyone = read("/timeline")
    for who in issuers(release):
        assert f"/timeline?who={who})" in everyone
    for who in ("airline-ek", "place-cn"):
        theirs: list[Rule] = [rule for _, _, rule in DATES if issuer(rule) == who]
        page = read(f"/timeline?who={who}")
        assert set(re.findall(r"/api/rules/([\w.-]+)", page)) == {rule.rule_id for rule in theirs}
        for rule in theirs:
            for source in rule.sources:
                assert release.shelf.sources[source].url in page


@pytest.mark.parametrize("query", ["who=airline-zz", "who=EK", "year=1999", "year=x", "coming=2"])
def test_what_no_rule_has_is_not_found(query: str) -> None:
    assert Client(headers={"accept": "text/html"}).get(f"/timeline?{query}").status_code == 404


def test_the_fields_that_a_form_sends_empty_are_not_in_the_address() -> None:
    answer = Client().get("/ja/timeline?who=airline-ek&year=&coming=")
    assert (answer.status_code, answer["Location"]) == (301, "/ja/timeline?who=airline-ek")


def test_after_the_last_date_nothing_is_coming_and_nothing_breaks(starter_release: Published) -> None:
    with time_machine.travel(datetime.datetime(2028, 2, 29, 12, tzinfo=datetime.UTC), tick=False):
        page, home = read("/timeline"), read("/")
        assert "No later change is on file" in page
        assert "The next changes" not in home
        assert drawn(read("/timeline", "text/html")) == by_month()
        assert "No rule on file starts or ends on such a day" in read("/timeline?coming=1")
        assert "/timeline" not in read("/", "text/html").partition("<main")[2].partition("</main")[0]


def test_the_home_page_names_the_next_changes_and_at_most_three(edition: Edition) -> None:
    coming = [day for day in every_day(edition.release) if day.date >= edition.today]
    home = read("/")
    section = home.partition("## The next changes")[2].partition("\n## ")[0]
    assert section.count("\n- ") == min(3, len(coming))
    assert "1 January 2027: starts." in section
    early = editions.of(edition.release, datetime.datetime(2026, 3, 20, tzinfo=datetime.UTC))
    with time_machine.travel(early.opened_at, tick=False):
        assert read("/").partition("## The next changes")[2].partition("\n## ")[0].count("\n- ") == 3


def test_today_is_the_day_of_the_edition(edition: Edition) -> None:
    drawing = timeline(edition, EVERYTHING).sections[0].blocks[1]
    assert "Today, 21 November 2026" in str(drawing)
