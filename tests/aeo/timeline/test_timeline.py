"""The page of dated rules: each date of the release is drawn, counted and listed, and leads to its rule."""

import datetime
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple
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
from aeo.web.formatting import day
from rules.corpus import Published
from rules.engine.facts import Rule
from rules.wording.steps import rule_words
from tests.support import starter
from tests.support.partner_depth import ask_as_partner

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


DAY = re.compile(r"- (In force from|Last day in force:) (\d+ \w+ \d+)\. ")
"""How the line of a rule begins."""


class Listed(NamedTuple):
    """A line of a rule: its day, its airline or nothing, its id, whether it starts, and the whole line."""

    date: datetime.date
    airline: str
    rule_id: str
    starts: bool
    text: str


def lines() -> list[Listed]:
    """What the pages of all years list."""
    found = []
    for year in sorted({date.year for date, _, _ in DATES}):
        section = read(f"/timeline?year={year}").partition("## Month by month")[2]
        for text in re.findall(r"^- .*/api/rules/.*$", section, re.MULTILINE):
            ((sign, written),) = DAY.findall(text)
            date = datetime.datetime.strptime(written, "%d %B %Y").replace(tzinfo=datetime.UTC).date()
            airline = re.search(r"\(\S*/airlines/(\w\w)\)", text)
            (rule_id,) = re.findall(r"/api/rules/([\w.-]+)", text)
            code = airline[1].upper() if airline else ""
            found.append(Listed(date, code, rule_id, sign == "In force from", text))
    return found


def every_rule(**query: str) -> Iterator[dict[str, Any]]:
    """The rules that the API lists, page by page."""
    asked: dict[str, str] = {**query, "limit": "200"}
    while True:
        body = Client().get("/api/rules", asked).json()
        yield from body["rules"]
        if body["next_cursor"] is None:
            return
        asked["cursor"] = body["next_cursor"]


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


@pytest.mark.parametrize(
    "query", ["year=2025", "who=airline-lh&coming=1", "year=2026&coming=1", "who=place-cn"]
)
def test_a_selection_without_a_later_change_names_the_next_one_of_all(query: str) -> None:
    coming = [date for date, _, _ in DATES if date >= starter.NOW.date()]
    page = read(f"/timeline?{query}")
    lead, _, rest = page.partition("Shown: ")
    assert "No later change is in this selection." in lead
    assert "on file" not in lead
    assert f"The next change in the whole list is on {day(min(coming))}:" in rest
    first = f"\n- In force from {day(min(coming))}. "
    assert rest.partition("## ")[0].count(first) == coming.count(min(coming))
    assert "/timeline?coming=1)" in rest
    assert ("not the airline's own" in page) == ("airline" in query)


def test_a_selection_with_the_next_change_does_not_say_it_twice() -> None:
    for query in ("coming=1", "year=2027", "who=place-intl"):
        assert "in the whole list" not in read(f"/timeline?{query}")


def test_every_rule_is_in_its_own_words_with_each_of_its_pages_once() -> None:
    release = starter.starter_release()
    seen = set()
    for line in lines():
        rule = release.shelf.rules[line.rule_id]
        assert rule_words(rule, "en", release.shelf.devices).says in line.text
        sources = line.text.partition(f"/api/rules/{line.rule_id})")[2]
        urls = re.findall(r"\]\((https?://[^)]*)", sources)
        assert sorted(set(urls)) == sorted(urls), line
        texts = re.findall(r"\[((?:\\.|[^\]\\])*)\]\(https?:", sources)
        names = [text for text in texts if not re.fullmatch(r"\\\[\d+\\\]", text)]
        assert len(set(names)) == len(names), line
        seen.add(line.rule_id)
    assert seen == {rule.rule_id for _, _, rule in DATES}


def test_past_months_open_on_demand_and_coming_ones_are_open() -> None:
    page = read("/timeline", "text/html")
    past = {anchor for anchor in by_month() if anchor < f"m{starter.NOW:%Y-%m}"}
    assert set(re.findall(r'</summary>\n<div id="(m[\d-]+)">', page)) == past
    assert set(re.findall(r'<h3 id="(m[\d-]+)">', page)) == by_month().keys() - past
    # The month that a link leads to is within what opens.
    year = read("/timeline?year=2025", "text/html")
    assert set(re.findall(r'</summary>\n<div id="(m[\d-]+)">', year)) == by_month(Wanted(year="2025")).keys()


def test_the_dates_are_those_of_the_api(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every rule with its day and airline, as listed for today, or for the day on which it ends or starts."""
    listed = lines()
    today = starter.NOW.date()
    asked = {today, *(one.date for one in listed if one.starts == (one.date > today))}
    rules = {rule["rule_id"]: rule for one in asked for rule in every_rule(in_force_on=one.isoformat())}
    assert sorted(one[:4] for one in listed) == sorted(
        (datetime.date.fromisoformat(rule[field]), rule["airline"] or "", rule_id, field == "effective_from")
        for rule_id, rule in rules.items()
        for field in ("effective_from", "effective_until")
        if rule[field] is not None
    )
    ask_as_partner(monkeypatch)
    for code in sorted({one.airline for one in listed} - {""}):
        body = Client().get(f"/api/airlines/{code}").json()
        theirs = {
            (rule[field], rule["rule_id"])
            for rule in body["rules"]
            for field in ("effective_from", "effective_until")
            if rule[field] is not None
        }
        in_force = {rule["rule_id"] for rule in body["rules"]}
        drawn = {(f"{one.date}", one.rule_id) for one in listed if one.rule_id in in_force}
        assert drawn == theirs, code


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
    assert "In force from 1 January 2027." in section
    # IATA's edition was read in a copy.
    assert "(reported, not confirmed on an official page)" in section
    early = editions.of(edition.release, datetime.datetime(2026, 3, 20, tzinfo=datetime.UTC))
    with time_machine.travel(early.opened_at, tick=False):
        assert read("/").partition("## The next changes")[2].partition("\n## ")[0].count("\n- ") == 3


def test_today_is_the_day_of_the_edition(edition: Edition) -> None:
    drawing = timeline(edition, EVERYTHING).sections[0].blocks[1]
    assert "Today, 21 November 2026" in str(drawing)
