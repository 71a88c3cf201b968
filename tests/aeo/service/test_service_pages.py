"""The pages by which readers judge the service: every figure on them equals a count made here another way."""

import datetime
import re
from collections import Counter
from decimal import Decimal
from typing import Any, get_args

import msgspec
import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django.fixtures import Settings

from aeo import coverage, editions, tasks
from aeo.datasets.actions import keep_datasets
from aeo.editions import Edition
from aeo.page_records.models import Recomputation
from aeo.pages.sections import MORE
from aeo.scorecard import figures, freshness, selectors
from aeo.scorecard.actions import keep_scorecard
from aeo.scorecard.models import ScorecardRecord
from aeo.service import INDEXED
from aeo.texts import TEXTS
from aeo.web.formatting import day as in_words
from rules import corpus
from rules.corpus import Published
from rules.engine.document import Content
from rules.scorecard.invariants import Promise
from rules.selectors import readings, rules
from tests.aeo.ordinary_flight import answer
from tests.support import starter, world
from tests.support.factories import a_country, a_source, an_airline
from tests.support.ledger import DAY, FIRST, publish, world_content

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("now")]

MARKDOWN = {"accept": "text/markdown"}


@pytest.fixture
def browser(starter_release: Published) -> Client:
    return Client(headers={"accept": "text/html"})


def read(path: str) -> str:
    answer = Client().get(path, headers=MARKDOWN)
    assert answer.status_code == 200, path
    return answer.content.decode()


def words(path: str) -> str:
    """What a page says, without the addresses of its links."""
    return re.sub(r"\]\([^)]*\)", "", read(path)).replace("[", "").replace("\\", "")


def test_every_page_has_one_address_is_for_the_index_and_costs_nothing_the_second_time(
    browser: Client,
) -> None:
    for name in (*INDEXED, "coverage"):
        page = browser.get(f"/{name}")
        body = page.content.decode()
        assert page.status_code == 200
        assert 'name="robots"' not in body
        assert f'<link rel="canonical" href="http://127.0.0.1:8000/{name}">' in body
        assert "not legal advice" in body
        assert browser.get(f"/{name}", headers={"if-none-match": page["ETag"]}).status_code == 304
        slash = browser.get(f"/{name}/")
        assert (slash.status_code, slash["Location"]) == (301, f"/{name}")
        text = Client().get(f"/{name}", headers=MARKDOWN)
        assert text["Content-Type"].startswith("text/markdown")
        assert text["ETag"] != page["ETag"]
        assert Client().post(f"/{name}").status_code == 405


def test_a_page_that_is_held_is_not_made_again(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    tag = browser.get("/coverage")["ETag"]

    def refuse(*asked: Any) -> Any:
        raise AssertionError("the page was made")

    monkeypatch.setattr("aeo.coverage.views.coverage_page", refuse)
    assert browser.get("/coverage", headers={"if-none-match": tag}).status_code == 304


def test_each_page_leads_to_all_others_and_all_of_them_are_there(browser: Client) -> None:
    for path in MORE:
        body = browser.get(path).content.decode()
        assert all(f'href="{other}"' in body for other in MORE if other != path), path
    llms = Client().get("/llms.txt").content.decode()
    sitemap = b"".join(Client().get("/sitemaps/pages.xml")).decode()
    for name in INDEXED:
        assert f"/{name})" in llms
        assert f"/{name}</loc>" in sitemap
    assert "/status</loc>" not in sitemap


def test_no_text_of_these_pages_is_left_over(browser: Client) -> None:
    assert {f"scorecard.promise.{one}" for one in get_args(Promise)} <= TEXTS.keys()
    assert {f"coverage.topic.{one}" for one in coverage.TOPICS} <= TEXTS.keys()


# --- Scorecard ----------------------------------------------------------------------------------------------


def test_the_scorecard_says_nothing_of_cases_until_they_were_counted(browser: Client) -> None:
    said = words("/scorecard")
    assert "have not been counted for ruleset 2026-11-20" in said
    assert "Wrongly allowed" not in said


def test_the_scorecard_shows_what_was_counted(edition: Edition, browser: Client) -> None:
    before = browser.get("/scorecard")["ETag"]
    keep_scorecard(edition=edition, now=starter.NOW)
    assert browser.get("/scorecard")["ETag"] != before
    said, counted = words("/scorecard"), figures.measure(edition)
    assert f"Cases run: {counted.cases}\n" in said
    assert f"Answered as expected: {counted.agreeing}\n" in said
    assert "Wrongly allowed: 0\n" in said
    assert "should not be" not in said
    for kept in counted.promises:
        assert f"{TEXTS[f'scorecard.promise.{kept.promise}']} | {kept.tried:,} | {kept.broken} |" in said


def test_a_ruleset_that_allows_too_much_is_shown_to_do_so(monkeypatch: pytest.MonkeyPatch) -> None:
    content = starter.starter_content()
    permits = tuple(rule for rule in content.rules if rule.effect == "permit")
    release = starter.published(world_content_of(content, permits))
    monkeypatch.setattr("rules.corpus._current", release)
    edition = editions.of(release, starter.NOW)
    keep_scorecard(edition=edition, now=starter.NOW)
    counted = figures.measure(edition)
    said = words("/scorecard")
    assert counted.false_allowed > 0
    assert f"It allows {counted.false_allowed} where the case expects anything else." in said
    assert f"{counted.false_allowed} cases are allowed and should not be." in said
    assert counted.differing[0].name in said
    assert f"{counted.cases - counted.agreeing - len(counted.differing)} more are not shown here." in said


def world_content_of(content: Any, rules: tuple[Any, ...]) -> Any:
    return type(content)(
        **{name: getattr(content, name) for name in content.__struct_fields__} | {"rules": rules}
    )


def test_a_scorecard_is_counted_once_for_a_release_a_day_and_a_program(
    edition: Edition, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = keep_scorecard(edition=edition, now=starter.NOW)
    assert keep_scorecard(edition=edition, now=starter.NOW + DAY).pk == first.pk
    assert selectors.scorecard_is_in_line(edition)
    assert not selectors.scorecard_is_in_line(editions.of(edition.release, starter.NOW + DAY))
    # Another program counts anew, and never shows what this one counted.
    monkeypatch.setattr(figures, "program_digest", lambda: "0" * 64)
    assert selectors.scorecard_of(edition) is None
    keep_scorecard(edition=edition, now=starter.NOW)
    assert ScorecardRecord.objects.count() == 2


def test_the_job_counts_what_was_published(fresh_process: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aeo.discovery.tasks.pages_are_in_line", lambda edition: True)
    publish(world_content())
    tasks.catch_up()
    tasks.catch_up()
    [kept] = ScorecardRecord.objects.all()
    assert kept.release_sha256 == corpus.current().sha256
    assert kept.figures["cases"] > 400


def test_sources_and_airlines_are_counted_by_how_fresh_their_evidence_is(browser: Client) -> None:
    said = words("/scorecard")
    sources = starter.starter_content().sources
    unread = sum(one.basis == "general_knowledge" for one in sources)
    assert f"| All | {len(sources) - unread} | 0 | 0 |" in said
    assert f"{unread} more sources were never read." in said
    assert "due to be read again" not in said.partition("| All |")[2]
    models = Counter(
        one.watt_hour_basis if one.watt_hour else None for one in starter.starter_content().devices
    )
    assert f"Models with rated watt-hours: {models['rated']}\n" in said
    assert f"Models without watt-hours: {models[None]}\n" in said
    checks = re.findall(r"Recalls (?:of all|with a|that only|that no published)[^:]*: (\d+)", said)
    assert sum(map(int, checks)) == len(starter.starter_content().recalls)


def test_each_source_that_is_due_is_named_with_its_reading_and_how_long_it_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = starter.starter_content()
    today = starter.NOW.date()
    ages = {"daily": 61, "weekly": 91, "quarterly": 365}
    first = [one for one in content.sources if one.citable][: len(ages)]
    aged = {
        source.id: msgspec.structs.replace(source, cadence=cadence, read_on=today - age * DAY)
        for source, (cadence, age) in zip(first, ages.items(), strict=True)
    }
    sources = tuple(aged.get(one.id, one) for one in content.sources)
    release = starter.published(msgspec.structs.replace(content, sources=sources))
    monkeypatch.setattr("rules.corpus._current", release)
    monkeypatch.setattr("aeo.scorecard.page.MOST_NAMED", 1)
    said = words("/scorecard")
    daily, weekly, quarterly = aged.values()
    assert "2 sources are due to be read again" in said
    assert (
        f"{daily.authority} Daily. Last read on {in_words(daily.read_on)}, "
        "good for 30 days, 31 days late." in said
    )
    assert "1 more is not shown here." in said
    assert freshness.due(sources, today) == [(daily, 31), (weekly, 1)]
    assert freshness.due([quarterly], today + DAY) == [(quarterly, 1)]


def test_an_airline_is_as_fresh_as_the_freshest_source_of_its_policy() -> None:
    today = starter.NOW.date()
    sources = tuple(
        a_source(id=name, read_on=today - age * DAY, basis=basis)
        for name, age, basis in (
            ("new", 1, "official_page_read"),
            ("old", 100, "official_page_read"),
            ("very-old", 200, "secondary_read"),
            ("pointer", 0, "general_knowledge"),
        )
    )
    rests_on = {
        "N1": ("very-old", "new"),
        "N2": ("old", "very-old"),
        "N3": ("very-old", "pointer"),
        "N4": ("pointer",),
    }
    airlines = tuple(an_airline(airline=code, sources=names) for code, names in rests_on.items())
    release = starter.published(Content(countries=(a_country(),), sources=sources, airlines=airlines))
    assert freshness.of_airlines(release, today) == {
        "N1": "fresh",
        "N2": "stale",
        "N3": "very_stale",
        "N4": "unread",
    }


@pytest.mark.usefixtures("starter_release")
def test_an_airline_about_which_nothing_was_read_has_no_fresh_policy(edition: Edition) -> None:
    nothing = airlines_of_which_nothing_was_read(edition)
    by_airline = freshness.of_airlines(edition.release, edition.today)
    # Fresh reports of other rules are cited for some of them.
    shelf = edition.release.shelf
    assert any(shelf.sources[name].citable for code in nothing for name in shelf.airlines[code].sources)
    assert {code for code, reading in by_airline.items() if reading == "unread"} == nothing
    said = words("/scorecard")
    assert f"Nothing read | {len(nothing)} |" in said
    assert f"| Nothing read | 0 | 0 | 0 | {len(nothing)} |" in said
    assert f"{len(nothing)} airlines about which nothing was read" in said


def airlines_of_which_nothing_was_read(edition: Edition) -> set[str]:
    shelf = edition.release.shelf
    return {
        code
        for code, one in shelf.airlines.items()
        if readings.of_airline(edition.release, one).how == "nothing"
    }


@pytest.mark.usefixtures("starter_release")
def test_airlines_known_from_reports_alone_can_be_allowed_and_the_pages_say_so(edition: Edition) -> None:
    keep_scorecard(edition=edition, now=starter.NOW)
    release, allowed = edition.release, set[str]()
    for airline in release.shelf.airlines.values():
        if rules.active(release, airline.airline, edition.today):
            abroad = "JP" if airline.country == "SG" else "SG"
            if answer(edition, airline, Decimal(37), abroad).verdict == "allowed":
                allowed.add(readings.of_airline(release, airline).how)
    assert "reports" in allowed
    assert "nothing" not in allowed
    assert "A flight of an airline that is known only from reports can be allowed." in words("/methodology")
    assert "Nothing that states the airline's policy was read." in words("/methodology")
    assert "Nothing is allowed on an airline about which nothing was read." in words("/scorecard")


# --- Coverage -----------------------------------------------------------------------------------------------


def test_coverage_counts_what_can_be_decided_and_not_what_was_read(edition: Edition, browser: Client) -> None:
    content, said = starter.starter_content(), words("/coverage")
    in_force = Counter(
        rule.airline for rule in content.rules if rule.airline and rule.in_force(edition.today)
    )
    decided = [one for one in content.airlines if in_force[one.airline]]
    own = [one for one in decided if own_page_of(one, content)]
    sure = {rule.airline for rule in content.rules if rule.confidence == "confirmed"}
    assert (
        f"The engine can decide flights of {len(decided)} of {len(content.airlines)} airlines. "
        f"For {len(own)} of these, a page of the airline itself was read; for "
        f"{sum(one.airline in sure for one in own)}, it confirms rules."
    ) in said
    for airline in content.airlines:
        count = in_force[airline.airline]
        assert f"{airline.name} {airline.airline}, {count} rule{'' if count == 1 else 's'}." in said


def own_page_of(airline: Any, content: Any) -> bool:
    pages = {one.id for one in content.sources if (one.kind, one.basis) == ("airline", "official_page_read")}
    return not pages.isdisjoint(airline.sources)


@pytest.mark.parametrize("page", ["/coverage", "/scorecard"])
def test_both_pages_count_airlines_by_how_they_were_read_and_rules_by_how_well_they_are_known(
    page: str, browser: Client
) -> None:
    content, said = starter.starter_content(), words(page)
    known = Counter(one.confidence for one in content.rules)
    assert f"| Confirmed | {known['confirmed']} |" in said
    assert f"| Reported | {known['reported']} |" in said
    assert f"| Unverified | {known['unverified']} |" in said
    rows = re.findall(
        r"\| (Own page read|Dated copy of its page read|Only reports read|Nothing read) \| (\d+) \| \d+ \|\n",
        said,
    )
    assert len(rows) == 4
    assert sum(int(count) for _, count in rows) == len(content.airlines)
    own = sum(own_page_of(one, content) for one in content.airlines)
    assert rows[0] == ("Own page read", str(own))


def test_an_airline_whose_page_was_read_is_not_covered_without_a_rule(
    monkeypatch: pytest.MonkeyPatch, browser: Client
) -> None:
    content = starter.starter_content()
    confirmed = next(one for one in content.airlines if one.confidence == "confirmed")
    rules = tuple(rule for rule in content.rules if rule.airline != confirmed.airline)
    release = starter.published(world_content_of(content, rules))
    found = {one.airline.airline: one for one in coverage.airlines(editions.of(release, starter.NOW))}
    assert (found[confirmed.airline].rules, found[confirmed.airline].topics) == (0, frozenset())
    monkeypatch.setattr("rules.corpus._current", release)
    uncovered = words("/coverage").partition("Not covered")[2].partition("## ")[0]
    assert f"{confirmed.name} {confirmed.airline}, 0 rules. Own page read, last on " in uncovered
    # Spirit ceased operations: its record is kept, and it has no rules.
    assert "Spirit Airlines NK, 0 rules." in uncovered


def test_every_country_stands_in_coverage_once(edition: Edition) -> None:
    found = coverage.countries(edition)
    every = [code for codes in found.values() for code in codes]
    assert sorted(every) == sorted(edition.release.corpus.countries)
    own = {rule.jurisdiction for rule in starter.starter_content().rules if rule.airline is None}
    assert set(found["own"]) == own & set(every)


def test_airline_pages_lead_to_coverage(browser: Client) -> None:
    assert re.search(
        r"How it was read Own page read, last on [^.]* what this means",
        words("/airlines/qf").replace(":", ""),
    )


# --- Rulesets -----------------------------------------------------------------------------------------------


@pytest.fixture
def ledger(fresh_process: None) -> None:
    """Two releases of the drawn world; the second one withdraws a rule and changes a recall's title."""
    publish(world_content(), note="The world as drawn")
    rules = tuple(rule for rule in world.RULES if rule != world.RULES[-1])
    publish(world_content(rules=rules), now=FIRST + DAY, note="One rule less.")
    keep_datasets()


@pytest.mark.usefixtures("ledger")
def test_the_list_has_every_release_with_its_note_and_counts_the_newest_first() -> None:
    said = words("/rulesets")
    assert "2 rulesets have been published. The newest is 2026-11-21." in said
    assert said.index("One rule less.") < said.index("The world as drawn.")
    assert "Rules: 0 added, 0 changed, 1 withdrawn. Recalls: 0 added, 0 changed, 0 withdrawn." in said
    assert f"Rules: {len(world.RULES)} added" in said


@pytest.mark.usefixtures("ledger")
def test_the_page_of_a_release_names_what_it_changed() -> None:
    said = words("/rulesets/2026-11-21")
    assert f"withdrawn {world.RULES[-1].rule_id} {world.RULES[-1].summary}" in said
    assert "- Rules: 0 added, 0 changed, 1 withdrawn." in said
    assert "Answers now: yes" in said
    assert corpus.current().sha256 in said
    first = words("/rulesets/2026-11-20")
    assert "Answers now: no" in first
    assert f"- Recalls: {len(world.RECALLS)} added, 0 changed, 0 withdrawn." in first


@pytest.mark.usefixtures("ledger")
def test_the_second_release_of_a_day_has_its_page_in_every_language(settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("ja", "日本語")]
    release = publish(world_content(), now=FIRST + DAY, note="Back again.")
    assert release.ruleset_version == "2026-11-21.2"
    assert Client(headers={"accept": "text/html"}).get("/rulesets/2026-11-21.2").status_code == 200
    page = Client(headers={"accept": "text/html"}).get("/de/rulesets/2026-11-21.2")
    assert page.status_code == 200
    assert 'hreflang="ja" href="http://127.0.0.1:8000/ja/rulesets/2026-11-21.2"' in page.content.decode()


@pytest.mark.usefixtures("fresh_process")
def test_more_changes_than_a_page_names_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    publish(world_content())
    assert "Its changes are being computed." in words("/rulesets/2026-11-20")
    keep_datasets()
    monkeypatch.setattr("aeo.service.rulesets.MOST_RECORDS", 3)
    said = words("/rulesets/2026-11-20")
    assert f"3 of {len(world.RULES)} are shown." in said


@pytest.mark.usefixtures("fresh_process")
def test_a_long_list_of_releases_is_cut_into_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aeo.service.rulesets.ON_PAGE", 2)
    for day in range(3):
        publish(world_content(devices=world.DEVICES[day:][:0] or world.DEVICES), now=FIRST + day * DAY)
    first, second = words("/rulesets"), words("/rulesets?page=2")
    assert "2026-11-22" in first
    assert "2026-11-20 20 November" not in first
    assert "2026-11-20 20 November" in second
    assert "page 2 of 2" in second
    browser = Client(headers={"accept": "text/html"})
    assert 'content="noindex"' in browser.get("/rulesets?page=2").content.decode()
    assert browser.get("/rulesets?page=1").status_code == 301


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize("path", ["2026-11-19", "2026-11-21.9", "none", "%00", "..", "2026-11-21'--"])
def test_a_release_that_is_not_there_is_not_found(path: str) -> None:
    assert Client(headers={"accept": "text/html"}).get(f"/rulesets/{path}").status_code == 404


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize("asked", ["0", "2", "-1", "x", "", "9999999"])
def test_a_page_of_the_list_that_is_not_there_is_not_found(asked: str) -> None:
    assert Client(headers={"accept": "text/html"}).get(f"/rulesets?page={asked}").status_code == 404


# --- Changes of policies ------------------------------------------------------------------------------------


def test_changes_of_policies_are_the_counts_that_the_api_gives_to_anyone(browser: Client) -> None:
    body, said = Client().get("/api/policy-changes").json(), words("/policy-changes")
    assert body["depth"] == "counts"
    counts, watch = body["counts"], body["watch"]
    assert (
        f"{body['total_changes']} dated changes of airlines' policies are on file. "
        f"{counts['by_status']['in_effect']} are in effect, "
        f"and {counts['by_status']['upcoming']} take effect later."
    ) in said
    airlines = {one.airline: one.name for one in starter.starter_content().airlines}
    for code, count in counts["by_airline"].items():
        assert f"{airlines[code]} {count} change{'' if count == 1 else 's'}\n" in said
    assert f"Sources of rules and policies: {watch['sources_watched']}\n" in said
    assert f"Official pages that were read: {watch['by_basis']['official_page_read']}\n" in said
    # What changed, in the words of the editors, is for partners.
    for airline in starter.starter_content().airlines:
        assert not any(change.what in said for change in airline.changes)


def test_days_on_which_rules_start_and_end_are_told_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    content = starter.starter_content()
    rule = next(one for one in content.rules if one.effective_from is None)
    dated = type(rule)(
        **{name: getattr(rule, name) for name in rule.__struct_fields__}
        | {"effective_from": datetime.date(2026, 12, 1), "effective_until": datetime.date(2026, 12, 31)}
    )
    rules = tuple(dated if one is rule else one for one in content.rules)
    release = starter.published(world_content_of(content, rules))
    monkeypatch.setattr("rules.corpus._current", release)
    said = words("/policy-changes")
    assert f"In force from 1 December 2026. {rule.summary}" in said
    assert f"Last day in force: 31 December 2026. {rule.summary}" in said


# --- Status -------------------------------------------------------------------------------------------------


def test_status_says_what_is_up_to_date_and_is_never_kept(fresh_process: None) -> None:
    publish(world_content())
    answer = Client(headers={"accept": "text/html"}).get("/status")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert 'content="noindex"' in answer.content.decode()
    assert words("/status").count("Not done yet.") == 3
    edition = editions.current(starter.NOW)
    Recomputation.objects.create(
        release_sha256=edition.release.sha256, day=edition.today, finished=starter.NOW, pages=1, changed=1
    )
    keep_datasets()
    keep_scorecard(edition=edition, now=starter.NOW)
    said = words("/status")
    assert "Page records: Up to date. 21 November 2026, 09:30 UTC" in said
    assert "Datasets: Up to date. 2026-11-20" in said
    assert "Scorecard: Up to date." in said
    publish(world_content(rules=world.RULES[1:]), now=FIRST + DAY / 2)
    corpus.refresh()
    assert words("/status").count("Behind.") == 3


def test_status_without_a_release_says_so(fresh_process: None) -> None:
    answer = Client(headers=MARKDOWN).get("/status")
    assert answer.status_code == 200
    assert "The service has no ruleset" in answer.content.decode()
    assert answer["Cache-Control"] == "no-store"


def test_status_goes_on_while_the_database_is_away(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(edition: Edition | None) -> None:
        raise OperationalError

    monkeypatch.setattr("aeo.service.views.pages_followed", away)
    said = words("/status")
    assert "ruleset 2026-11-20" in said
    assert "Verdicts still come from memory." in said
    assert said.count("Not known now.") == 3
    monkeypatch.setattr(corpus, "current", lambda: away(None))
    assert "has no ruleset" in words("/status")


# --- Prose --------------------------------------------------------------------------------------------------


def test_the_table_of_what_decides_is_that_of_the_engine(browser: Client) -> None:
    said = words("/methodology")
    order = [said.index(f"| **{word}** |") for word in ("Banned", "Not cleared", "Conditional", "Allowed")]
    assert order == sorted(order)
    assert "good for 30, 90, 180 or 365 days" in said
    assert "5 percent too low" in said
