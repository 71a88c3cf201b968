"""Guides state only what the engine answers; one that states something else is held back and says why."""

import datetime
import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import msgspec
import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.test import Client

from aeo import editions, guides
from aeo.editions import Edition
from aeo.guides import GuideError, checking, load_guides
from aeo.guides.lists import BELONGS
from aeo.guides.reading import DIRECTORY, ListName
from rules.cases import CaseError
from rules.corpus import answering_from
from rules.engine.facts import Rule
from tests.support import starter

HTML = {"accept": "text/html"}

TOPICS = {
    "2027",
    "20000-mah",
    "27000-mah",
    "how-many",
    "china-3c",
    "qr-code",
    "recalled",
    "korean",
    "japan",
    "hong-kong",
    "singapore",
    "emirates",
    "lufthansa",
    "united-states",
    "using",
    "checked-baggage",
    "without-a-label",
    "family",
    "codeshare",
    "return-trip",
}


def with_emirates_taking_two() -> Edition:
    content = starter.starter_content()
    rules = tuple(
        rule
        if rule.rule_id != "ek.max-units"
        else msgspec.structs.replace(rule, params=msgspec.structs.replace(rule.params, max_units=2))
        for rule in content.rules
    )
    return editions.of(starter.published(msgspec.structs.replace(content, rules=rules)), starter.NOW)


def test_all_guides_hold_on_the_starter_corpus(edition: Edition) -> None:
    assert {slug: one.reasons for slug, one in guides.check(edition).items() if not one.holds} == {}


def test_there_is_one_for_each_question_that_people_ask() -> None:
    slugs = [guide.slug for guide in load_guides()]
    assert len(slugs) >= 14
    assert {topic for topic in TOPICS if not any(topic in slug for slug in slugs)} == set()


def test_each_rests_on_sources_that_were_read_and_on_questions_of_its_own(edition: Edition) -> None:
    for checked in guides.check(edition).values():
        assert len(checked.sources) >= 3
        assert all(source.basis != "general_knowledge" for source in checked.sources)
        assert len(checked.guide.prose.answers) >= 3
        assert len(checked.guide.cases) >= 3
        assert len(checked.prose.short_answer) >= 80
        assert "As of 20 November 2026" in checked.prose.short_answer


def test_a_release_that_answers_differently_holds_back_the_guides_that_say_so(edition: Edition) -> None:
    before, after = guides.check(edition), guides.check(with_emirates_taking_two())
    withheld = {slug for slug, one in after.items() if not one.holds}
    assert withheld == {
        "how-many-power-banks-in-2026",
        "power-bank-20000-mah-on-a-plane",
        "power-banks-for-a-family",
        "power-banks-on-codeshare-flights",
        "power-banks-on-emirates",
    }
    assert all(before[slug].holds for slug in withheld)
    assert any(
        "Emirates refuses a second small unit" in reason
        for reason in after["power-banks-on-emirates"].reasons
    )
    assert any(
        "Of five power banks of a family of four on Emirates one stays" in reason
        for reason in after["power-banks-for-a-family"].reasons
    )


def test_guides_are_checked_before_a_new_release_answers_if_readers_have_asked_for_them(
    edition: Edition, now: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = with_emirates_taking_two()
    guides.check(edition)
    checking.prepare(after.release)
    monkeypatch.setattr(checking, "failures", lambda *_: pytest.fail("a reader waited"))
    assert not guides.check(after)["power-banks-on-emirates"].holds
    assert guides.check(edition)["power-banks-on-emirates"].holds


def test_a_guide_is_asked_for_the_day_of_reading_and_the_past_stays_the_past(edition: Edition) -> None:
    content = starter.starter_content()
    limit = next(rule for rule in content.rules if rule.rule_id == "ek.max-units")
    ends: Rule = msgspec.structs.replace(limit, effective_until=datetime.date(2026, 12, 31))
    rules = tuple(ends if rule is limit else rule for rule in content.rules)
    release = starter.published(msgspec.structs.replace(content, rules=rules))
    last = editions.of(release, datetime.datetime(2026, 12, 31, 12, tzinfo=datetime.UTC))
    first = editions.of(release, datetime.datetime(2027, 1, 1, 12, tzinfo=datetime.UTC))
    assert guides.check(last)["power-banks-on-emirates"].holds
    assert not guides.check(first)["power-banks-on-emirates"].holds
    assert guides.check(first)["power-banks-on-lufthansa"].holds


def test_a_source_that_leaves_the_release_holds_its_guides_back(edition: Edition) -> None:
    content = starter.starter_content()
    rest = tuple(
        msgspec.structs.replace(source, basis="general_knowledge")
        if source.id == "sq-power-bank-advisory-2025"
        else source
        for source in content.sources
    )
    changed = editions.of(starter.published(msgspec.structs.replace(content, sources=rest)), starter.NOW)
    reasons = guides.check(changed)["power-banks-singapore"].reasons
    assert any("sq-power-bank-advisory-2025" in reason for reason in reasons)


CODES: dict[ListName, tuple[str, Callable[[Rule], bool]]] = {
    "take_one_unit": ("max_units", lambda rule: rule.params.max_units == 1),
    "ask_for_a_label": ("label_required", lambda _: True),
    "refuse_over_100_wh": ("over_watt_hour_limit", lambda rule: (rule.params.limit_watt_hour or 0) <= 100),
    "forbid_use": ("no_onboard_use", lambda _: True),
}
"""The rules behind each list, by their code and parameters."""


def with_singapore_airlines_taking_one() -> Edition:
    content = starter.starter_content()
    rules = tuple(
        rule
        if rule.rule_id != "sq.max-units"
        else msgspec.structs.replace(rule, params=msgspec.structs.replace(rule.params, max_units=1))
        for rule in content.rules
    )
    return editions.of(starter.published(msgspec.structs.replace(content, rules=rules)), starter.NOW)


@pytest.mark.parametrize("name", BELONGS)
def test_a_list_names_every_airline_and_place_that_has_such_a_rule(edition: Edition, name: ListName) -> None:
    code, belongs = CODES[name]
    rules = [
        rule
        for rule in edition.release.shelf.rules.values()
        if rule.code == code and belongs(rule) and rule.in_force(edition.today)
    ]
    found = guides.named(edition.release, edition.today, name)
    assert {*found.airlines, *found.assumed} == {rule.airline for rule in rules if rule.airline}
    assert len({*found.airlines, *found.assumed}) == len(found.airlines) + len(found.assumed)
    for code in found.assumed:
        assert edition.release.shelf.airlines[code].confidence == "unverified"
        assert {rule.confidence for rule in rules if rule.airline == code} == {"unverified"}
    assert set(found.places) == {rule.jurisdiction for rule in rules if not rule.airline}
    assert found.airlines


def test_a_list_on_a_page_is_that_of_the_release() -> None:
    path = "/guides/how-many-power-banks-in-2026"
    pages = []
    for edition in (
        editions.of(starter.starter_release(), starter.NOW),
        with_singapore_airlines_taking_one(),
    ):
        with answering_from(edition.release), time_machine.travel(starter.NOW, tick=False):
            pages.append(Client(headers=HTML).get(path).content.decode())
    before, after = pages
    assert "6 airlines with such a rule" in before
    assert "7 airlines with such a rule" in after
    for code in ("ek", "ey", "fz", "ly", "w6", "wn"):
        assert f'href="/airlines/{code}"' in before
    assert 'href="/airlines/sq"' not in before
    assert 'href="/airlines/sq"' in after


def test_airlines_that_prose_names_for_a_list_are_on_it(edition: Edition) -> None:
    for guide in load_guides():
        for passage in guide.prose.answers:
            if passage.who is not None:
                listed = guides.named(edition.release, edition.today, passage.who).airlines
                said = passage.answer.partition(". ")[0]
                assert airlines_named(edition, said) <= set(listed), (guide.slug, passage.question)


def test_prose_that_names_several_airlines_has_their_list_or_says_that_there_are_more(
    edition: Edition,
) -> None:
    more = re.compile("among others|for example|such as|among them", re.IGNORECASE)
    for guide in load_guides():
        texts = [(guide.prose.short_answer, None), *((one.answer, one.who) for one in guide.prose.answers)]
        for said, who in texts:
            if len(airlines_named(edition, said)) > 1:
                assert who or more.search(said), (guide.slug, said)


def airlines_named(edition: Edition, said: str) -> set[str]:
    """The codes of the airlines that a text names, also without "Airways" and the like."""
    countries = {country.name for country in edition.release.corpus.countries.values()}
    found = set()
    for airline in edition.release.shelf.airlines.values():
        short = re.sub(" (Airways|Airlines|Air Lines)$", "", airline.name)
        name = airline.name if short in countries | {"United"} else short
        if re.search(rf"\b{re.escape(name)}\b", said):
            found.add(airline.airline)
    return found


def test_a_source_that_no_rule_rests_on_is_cited_with_the_guide(edition: Edition) -> None:
    checked = guides.check(edition)["3c-mark-old-new-and-qr-code"]
    own = [source for source in checked.sources if source.id not in edition.release.shelf.sources]
    assert [source.id for source in own] == [source.id for source in checked.guide.prose.reports]
    assert all(source.citable and source.basis != "official_page_read" for source in own)


@pytest.mark.usefixtures("starter_release")
def test_the_guide_of_the_mark_says_that_its_dates_are_for_products_and_only_reported() -> None:
    with time_machine.travel(starter.NOW, tick=False):
        page = Client(headers=HTML).get("/guides/3c-mark-old-new-and-qr-code").content.decode()
    for said in (
        "are rules for products",
        "no flight rule on file asks for",
        "The dates are reported, not confirmed.",
        "It applies from 1 April 2027.",
        "from 1 March 2027 all newly produced ones",
        'href="https://www.cnca.gov.cn/',
        'href="https://www.hk01.com/',
    ):
        assert said in re.sub(r"\s+", " ", page), said


@pytest.mark.usefixtures("starter_release")
def test_a_guide_is_a_page_with_its_questions_as_structured_data() -> None:
    with time_machine.travel(starter.NOW, tick=False):
        answer = Client(headers=HTML).get("/guides/power-banks-on-emirates")
        page = answer.content.decode()
        again = Client(headers=HTML).get(
            "/guides/power-banks-on-emirates", headers={"if-none-match": answer["ETag"]}
        )
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    faq = json.loads(found[1])[0]
    assert len(faq["mainEntity"]) >= 4
    for node in faq["mainEntity"]:
        assert node["name"] in page
        assert node["acceptedAnswer"]["text"] in page
    assert "noindex" not in page
    assert again.status_code == 304


def test_a_guide_that_is_held_back_says_nothing_and_leaves_every_list() -> None:
    edition = with_emirates_taking_two()
    with answering_from(edition.release), time_machine.travel(starter.NOW, tick=False):
        client = Client(headers=HTML)
        page = client.get("/guides/power-banks-on-emirates").content.decode()
        lists = [client.get(path) for path in ("/guides", "/llms.txt", "/sitemaps/pages.xml")]
    assert "is being revised" in page
    assert '<meta name="robots" content="noindex">' in page
    assert "one power bank per passenger" not in page
    for answer in lists:
        said = answer.getvalue().decode() if answer.streaming else answer.content.decode()
        assert "/guides/power-banks-on-lufthansa" in said
        assert "/guides/power-banks-on-emirates" not in said


@pytest.mark.usefixtures("starter_release")
def test_other_spellings_and_unknown_guides() -> None:
    client = Client(headers=HTML)
    answer = client.get("/guides/Power-Banks-On-Emirates/")
    assert (answer.status_code, answer["Location"]) == (301, "/guides/power-banks-on-emirates")
    assert client.get("/guides/nothing").status_code == 404


@pytest.mark.usefixtures("starter_release")
def test_the_command_tells_editors_which_are_held_back_and_why() -> None:
    out = StringIO()
    with time_machine.travel(starter.NOW, tick=False):
        call_command("guides", "check", stdout=out)
        with (
            answering_from(with_emirates_taking_two().release),
            pytest.raises(CommandError, match="Revise the guides"),
        ):
            call_command("guides", "check", stdout=out)
    said = out.getvalue()
    assert f"{len(load_guides())} of {len(load_guides())} guides are shown." in said
    assert "power-banks-on-emirates is held back:" in said
    assert "expected the verdict banned, got allowed" in said


def written(directory: Path, prose: str | None = None, cases: str | None = None) -> Path:
    slug = "power-banks-on-emirates"
    (directory / "cases").mkdir()
    known = (DIRECTORY / f"{slug}.yaml").read_text()
    questions = (DIRECTORY / "cases" / f"{slug}.yaml").read_text()
    (directory / f"{slug}.yaml").write_text(known if prose is None else prose)
    (directory / "cases" / f"{slug}.yaml").write_text(questions if cases is None else cases)
    return directory


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("title:", "titel:", "titel"),
        ("As of {as_of}, ", "", "does not say its day"),
        ("sources: [ek-wam-power-bank-rules-2025, ", "sources: [", "sources"),
        ("description: One unit", "description: [One unit", "cannot be read"),
    ],
)
def test_prose_that_breaks_its_form_names_the_file(tmp_path: Path, old: str, new: str, why: str) -> None:
    prose = (DIRECTORY / "power-banks-on-emirates.yaml").read_text()
    assert old in prose
    with pytest.raises(GuideError, match=rf"power-banks-on-emirates.*{why}"):
        load_guides(written(tmp_path, prose=prose.replace(old, new)))


def test_a_guide_without_questions_and_questions_without_a_guide_are_errors(tmp_path: Path) -> None:
    directory = written(tmp_path)
    (directory / "another.yaml").write_text((directory / "power-banks-on-emirates.yaml").read_text())
    with pytest.raises(GuideError, match="another: states no answer of the engine"):
        load_guides(directory)
    (directory / "another.yaml").rename(directory / "cases" / "another.yaml")
    with pytest.raises(CaseError, match="another"):
        load_guides(directory)


def test_a_question_for_the_day_of_reading_has_no_flights_on_fixed_days(tmp_path: Path) -> None:
    questions = """
- name: Back in December
  given:
    on: 2026-11-20
    items: [{watt_hour: 37, basis: rated}]
    segments:
      - {origin: AE, destination: GB, operating_airline: EK}
      - {origin: GB, destination: AE, operating_airline: EK, date: 2026-12-01}
  expect: {verdict: allowed}
"""
    directory = written(tmp_path, cases=questions)
    with pytest.raises(GuideError, match="emirates: a case without `today` is asked for any day"):
        load_guides(directory)
