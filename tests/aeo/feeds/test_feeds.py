"""Feeds and the calendar: stable ids, true instants, exact models alone, and nothing that is for partners."""

import datetime
import re
from html import unescape
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
import time_machine
from django.test import Client
from icalendar import Calendar

from aeo.datasets.actions import keep_datasets
from rules import corpus
from tests.support import starter, world
from tests.support.factories import a_source
from tests.support.ledger import DAY, FIRST, publish, world_content

pytestmark = pytest.mark.django_db

ATOM = {"a": "http://www.w3.org/2005/Atom"}
SITE = "http://127.0.0.1:8000"
RULESETS = "/feeds/rulesets.atom"
NORTHWING = "/feeds/airlines/n1.atom"
PUMA = "/feeds/recalls/brands/puma.atom"
PUMA_50K = "/feeds/recalls/models/puma-50k.atom"
ALL = (RULESETS, NORTHWING, PUMA, PUMA_50K, "/feeds/recalls/brands/heron.atom")

NEW_RULES = [
    msgspec.structs.replace(
        rule,
        effective_from=datetime.date(2027, 1, 1),
        effective_until=datetime.date(2027, 12, 31),
        summary="At most two, counted, weighed; and folded, as whoever reads this line will notice.",
    )
    if rule.rule_id == "n1.two-units"
    else rule
    for rule in world.RULES
]


@pytest.fixture(autouse=True)
def _published() -> None:
    """The drawn world; a day later two recalls change or go, and one rule does."""
    publish(world_content(), note="First & foremost.")
    changed = msgspec.structs.replace(world.RECALLS[1], remedy="Send it back.")
    publish(
        world_content(recalls=[world.RECALLS[0], changed], rules=NEW_RULES), now=FIRST + DAY, note="Second."
    )
    # A source that was read again and says the same.
    sources = [
        a_source(**msgspec.structs.asdict(source) | {"read_on": datetime.date(2026, 11, 22)})
        for source in world.SOURCES
    ]
    rules, recalls = NEW_RULES, [world.RECALLS[0], changed]
    publish(world_content(recalls=recalls, rules=rules, sources=sources), now=FIRST + 2 * DAY, note="Read.")
    keep_datasets()
    corpus.refresh()


def feed(path: str) -> ElementTree.Element:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)


def text(element: ElementTree.Element, name: str) -> str:
    found = element.findtext(f"a:{name}", namespaces=ATOM)
    assert found, name
    return found


def entries(path: str) -> dict[str, ElementTree.Element]:
    return {text(entry, "id"): entry for entry in feed(path).findall("a:entry", ATOM)}


def stamp(days: int) -> str:
    return f"{FIRST + days * DAY:%Y-%m-%dT%H:%M:%S}+00:00"


@pytest.mark.parametrize("path", ALL)
def test_each_feed_has_what_atom_asks_for(path: str) -> None:
    root = feed(path)
    links = {link.get("rel"): link.get("href") for link in root.findall("a:link", ATOM)}
    assert links["self"] == f"{SITE}{path}"
    assert (links["alternate"] or "").startswith(SITE)
    ids = [text(root, "id"), *entries(path)]
    assert len(ids) == len(set(ids))
    for one in ids:
        assert re.fullmatch(r"tag:127\.0\.0\.1,2026:[a-z0-9/.-]+", one)
    assert text(root, "title")
    assert root.findtext("a:author/a:name", namespaces=ATOM)
    updated = [text(entry, "updated") for entry in entries(path).values()]
    assert text(root, "updated") == max(updated, default=stamp(0))


def test_rulesets_are_dated_by_their_publishing() -> None:
    found = entries(RULESETS)
    assert list(found) == [f"tag:127.0.0.1,2026:rulesets/2026-11-{day}" for day in (22, 21, 20)]
    first = found["tag:127.0.0.1,2026:rulesets/2026-11-20"]
    assert (text(first, "updated"), text(first, "published")) == (stamp(0), stamp(0))
    # The text is HTML, so what stands in a note is escaped once for that and once for XML.
    assert text(first, "summary") == "First &amp; foremost."


def test_a_recall_is_dated_by_the_release_that_changed_it_last() -> None:
    found = entries(PUMA)
    assert set(found) == {
        "tag:127.0.0.1,2026:recalls/xb-puma-30k-2026",
        "tag:127.0.0.1,2026:recalls/xb-puma-50k-2026",
    }
    changed = found["tag:127.0.0.1,2026:recalls/xb-puma-30k-2026"]
    assert (text(changed, "published"), text(changed, "updated")) == (stamp(0), stamp(1))
    assert "Send it back." in text(changed, "summary")
    gone = found["tag:127.0.0.1,2026:recalls/xb-puma-50k-2026"]
    assert text(gone, "title").startswith("No longer on file: ")
    assert text(gone, "updated") == stamp(1)


def test_an_entry_leads_to_the_page_of_its_recall_and_once_that_is_gone_to_its_notice() -> None:
    found = entries(PUMA)
    for recall_id, place in (
        ("xb-puma-30k-2026", f"{SITE}/recalls/xb-puma-30k-2026"),
        (
            "xb-puma-50k-2026",
            next(one.notice_url for one in world.RECALLS if one.recall_id == "xb-puma-50k-2026"),
        ),
    ):
        link = found[f"tag:127.0.0.1,2026:recalls/{recall_id}"].find("a:link", ATOM)
        assert link is not None
        assert link.get("href") == place


def test_a_brand_has_the_recalls_of_its_exact_models_and_each_names_its_model() -> None:
    for entry in entries(PUMA).values():
        category = entry.find("a:category", ATOM)
        assert category is not None
        model = category.get("term") or ""
        assert model in {"puma-30k", "puma-50k"}
        assert f"Model {model}." in text(entry, "summary")
        assert "to no other model of the brand" in text(entry, "summary")
    # The sibling of a recalled model has none.
    assert entries("/feeds/recalls/models/lynx-27k.atom") == {}
    assert set(entries("/feeds/recalls/models/lynx-10k.atom")) == {
        f"tag:127.0.0.1,2026:recalls/{world.RECALLS[0].recall_id}"
    }
    assert set(entries(PUMA_50K)) == {"tag:127.0.0.1,2026:recalls/xb-puma-50k-2026"}


def test_an_airline_tells_what_anyone_may_read_and_no_dated_change() -> None:
    found = entries(NORTHWING)
    # The third release only read sources again.
    assert list(found) == [f"tag:127.0.0.1,2026:airlines/n1/2026-11-{day}" for day in (21, 20)]
    newest = found["tag:127.0.0.1,2026:airlines/n1/2026-11-21"]
    assert "Rule n1.two-units changed (effective_from, effective_until, summary)" in text(newest, "summary")
    everything = Client().get(NORTHWING).content.decode()
    private = {change.what for airline in world.AIRLINES for change in airline.changes}
    assert private
    assert not [what for what in private if what in everything]


def test_characters_that_xml_cannot_hold_break_no_feed_and_no_calendar() -> None:
    rules = [
        msgspec.structs.replace(rule, summary="At most\x0btwo\x01 power\x1f banks.\x85")
        if rule.rule_id == "n1.two-units"
        else rule
        for rule in NEW_RULES
    ]
    publish(world_content(rules=rules), now=FIRST + 3 * DAY, note="News\x0bof \x01models.")
    keep_datasets()
    corpus.refresh()
    newest = entries(RULESETS)["tag:127.0.0.1,2026:rulesets/2026-11-23"]
    assert text(newest, "summary") == "News of models."
    changed = entries(NORTHWING)["tag:127.0.0.1,2026:airlines/n1/2026-11-23"]
    assert "At most two power  banks." in text(changed, "summary")
    with time_machine.travel(FIRST + 3 * DAY):
        answer = Client().get("/feeds/effective-dates.ics")
    assert answer.status_code == 200
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    assert any("At most two power  banks." in str(event["summary"]) for event in events)


def test_every_airline_with_a_disagreement_tells_its_question() -> None:
    content = starter.starter_content()
    publish(content, now=FIRST + 3 * DAY, note="The starter corpus.")
    keep_datasets()
    corpus.refresh()
    disputed = [one for one in content.disagreements if one.about.airline is not None]
    assert disputed
    for one in disputed:
        code = f"{one.about.airline}".lower()
        (entry,) = entries(f"/feeds/airlines/{code}.atom").values()
        assert f"Disagreement {one.id} added: {one.question}" in unescape(text(entry, "summary"))


@pytest.mark.parametrize(
    "path",
    [
        "/feeds/airlines/zz.atom",
        "/feeds/recalls/brands/tiger.atom",
        "/feeds/recalls/models/puma.atom",
    ],
)
def test_what_the_release_does_not_know_has_no_feed(path: str) -> None:
    assert Client(headers={"accept": "text/html"}).get(path).status_code == 404


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("/feeds/airlines/N1.atom", NORTHWING),
        ("/feeds/recalls/brands/Puma.atom", PUMA),
        ("/feeds/recalls/models/Puma-50K.atom", PUMA_50K),
    ],
)
def test_other_spellings_are_redirected(path: str, canonical: str) -> None:
    answer = Client().get(path)
    assert (answer.status_code, answer["Location"]) == (301, canonical)


@pytest.mark.parametrize("path", [*ALL, "/feeds/effective-dates.ics"])
def test_who_holds_a_feed_gets_304_until_something_is_published(path: str) -> None:
    with time_machine.travel(FIRST + 3 * DAY, tick=False):
        tag = Client().get(path)["ETag"]
        not_modified = Client().get(path, headers={"if-none-match": tag})
        assert (not_modified.status_code, not_modified.content) == (304, b"")
        publish(world_content(), now=FIRST + 3 * DAY)
        keep_datasets()
        corpus.refresh()
        assert Client().get(path, headers={"if-none-match": tag}).status_code == 200


def calendar(at: datetime.datetime) -> tuple[bytes, list[dict[str, str]]]:
    with time_machine.travel(at, tick=False):
        answer = Client().get("/feeds/effective-dates.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    found = Calendar.from_ical(answer.content)
    assert found.get("version") == "2.0"
    assert not found.errors
    return answer.content, [
        {name.lower(): spelled(event[name]) for name in event} for event in found.walk("VEVENT")
    ]


def spelled(value: Any) -> str:
    """Return a property as it stands in the calendar."""
    written: bytes = value.to_ical()
    return written.decode()


def test_the_calendar_has_all_day_events_with_stable_ids_and_true_stamps() -> None:
    body, events = calendar(FIRST + 3 * DAY)
    assert [(event["uid"], event["dtstart"]) for event in events] == [
        ("n1.two-units.starts@127.0.0.1", "20270101"),
        ("n1.two-units.ends@127.0.0.1", "20271231"),
    ]
    # The second release changed the rule; the third one read a page again.
    assert {event["dtstamp"] for event in events} == {"20261121T120000Z"}
    assert b"DTSTART;VALUE=DATE:20270101\r\n" in body
    assert "\\, counted\\, weighed\\; and" in events[0]["summary"]
    assert all(len(line) <= 75 for line in body.split(b"\r\n"))
    assert body.count(b"\n") == body.count(b"\r\n")


def test_a_day_stays_for_a_year_after_it_is_over() -> None:
    _, then = calendar(datetime.datetime(2028, 1, 1, 12, tzinfo=datetime.UTC))
    assert [event["dtstart"] for event in then] == ["20270101", "20271231"]
    _, later = calendar(datetime.datetime(2028, 12, 31, 12, tzinfo=datetime.UTC))
    assert [event["dtstart"] for event in later] == ["20271231"]


def test_pages_lead_to_their_feeds() -> None:
    for page, path in (
        ("/brands/puma", PUMA),
        ("/datasets", RULESETS),
        ("/datasets", "/feeds/effective-dates.ics"),
        ("/guides", RULESETS),
        ("/guides", "/feeds/effective-dates.ics"),
        ("/airlines/n1", "/feeds/airlines/n1.atom"),
        ("/models/lynx-10k", "/feeds/recalls/models/lynx-10k.atom"),
    ):
        shown = Client(headers={"accept": "text/html"}).get(page).content.decode()
        assert re.search(rf'<link rel="alternate" type="[a-z+/]+" href="{re.escape(path)}"', shown), page
