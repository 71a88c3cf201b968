"""The page of a trip and its card: the verdicts of the API, and everything that a counter asks for."""

import html
import itertools
import json
import re

import pytest
from django.http import QueryDict
from django.test import Client
from msgspec.structs import replace
from pytest_django.fixtures import Settings

from aeo.itineraries.departure_languages import DEPARTURE_LANGUAGE, departure_language
from aeo.texts import say, speaking
from aeo.trips.itinerary import read
from aeo.trips.shown import as_itinerary
from catalog.places.iso_3166 import iso_countries
from rules import corpus, verdicts
from rules.answers.guidance import trip_guidance_from
from rules.verdicts import TripAnswer
from tests.support import starter

pytestmark = pytest.mark.usefixtures("starter_release", "now")

TRIP = "model=anker-a1289&airline=EK&from=AE&via=GB&to=US&count=2"
UNCOVERED = "model=anker-a1289&leg=AE-GB-EK&leg=GB-US-ZZ"
LONGEST = "model=anker-a1289&airline=NH&from=JP" + "".join(
    f"&via={code}" for code in ("KR", "CN", "SG", "AE", "GB", "US", "CA", "FR")
)


def shown(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, answer.headers.get("Location")
    return html.unescape(answer.content.decode())


def by_api(**trip) -> dict:
    body = {"device": {"model_id": "anker-a1289", "quantity": trip.pop("count", 1)}, "trip": trip}
    answer = Client().post("/api/trips/verify", json.dumps(body), content_type="application/json")
    assert answer.status_code == 200
    return answer.json()


@pytest.mark.parametrize("path", ["/trip", "/card"])
def test_a_page_says_what_the_api_says_of_the_trip_and_of_each_flight(browser, path):
    page = shown(browser, f"{path}?{TRIP}")
    answer = by_api(origin="AE", transit=["GB"], destination="US", airline="EK", count=2)
    assert answer["summary"] in page
    for said in (answer["trip_verdict_id"], *(one["verdict"]["verdict_id"] for one in answer["segments"])):
        assert said in page
    assert page.count(f'class="verdict {answer["verdict"]}"') == len(answer["segments"])


@pytest.mark.parametrize("path", ["/trip", "/card"])
def test_a_page_of_a_unit_that_may_travel_says_what_it_takes_for_granted(browser, path):
    trip, sentence = "model=anker-a1289&airline=QR&from=QA&to=GB", say("answer.assumed")
    assert sentence in shown(browser, f"{path}?{trip}")
    assert sentence not in shown(browser, f"{path}?{trip}&label=legible&condition=intact")
    assert sentence not in shown(browser, f"{path}?{TRIP}")


def test_a_flight_that_no_one_covers_keeps_the_whole_trip_from_being_cleared(browser):
    page = shown(browser, f"/trip?{UNCOVERED}")
    assert "There is no answer for this flight" in page
    assert 'class="banner insufficient"' in page


def test_a_banned_trip_says_why_with_its_sources_and_what_to_do_if_it_is_refused(browser):
    page = shown(browser, f"/trip?{TRIP}")
    for flight in page.split(say("answer.bans"))[1:]:
        assert "emirates.com" in flight.partition("</ul>")[0]
    assert say("refusal.title") in page
    assert say("refusal.companion") in page
    damaged = shown(browser, f"/trip?{TRIP}&condition=damaged")
    assert say("refusal.staff") in damaged
    assert say("refusal.home") not in damaged
    assert say("refusal.title") in shown(browser, "/trip?wh=200&airline=EK&from=AE&via=GB&to=US")
    # Only the hold is the problem, or nothing is.
    for facts in ("&bag=checked", ""):
        trip = f"/trip?model=anker-a1289&airline=EK&from=AE&to=GB{facts}"
        assert say("refusal.title") not in shown(browser, trip)


def test_the_answer_of_a_page_is_that_of_the_api_to_the_last_field():
    release, today = corpus.current(), starter.NOW.date()
    units = (
        "model=anker-a1289",
        "model=anker-a1263",
        "model=anker-a1289&date=2026-12-30",
        "model=romoss-pea40",
    )
    facts = ("", "&count=2", "&bag=checked", "&condition=damaged", "&mark=absent&label=missing")
    journeys = (
        "&airline=EK&from=AE&to=GB",
        "&airline=SQ&from=DE&via=AE&via=CN&to=US",
        "&airline=CA&from=CN&to=CN",
        "&leg=US-IE-BA&leg=IE-GB-ZZ&leg=GB-JP-NH",
    )
    for asked in map("".join, itertools.product(units, facts, journeys)):
        trip = read(QueryDict(asked), release, today)
        assert trip.complete, asked
        whole = as_itinerary(trip, release, starter.NOW)
        given = verdicts.trip_answer_from(release, trip.question, now=starter.NOW)
        assert every_field(verdicts.trip_answer_of(whole, trip.question)) == every_field(given), asked


def every_field(answer: TripAnswer) -> tuple[object, ...]:
    """An answer with everything that it says; two errors of the same kind are the same."""
    outcome = answer.outcome
    segments = [(one.leg, one.answer, repr(one.error), one.next_change) for one in outcome.segments]
    return segments, replace(outcome, segments=()), replace(answer, outcome=None)


LABELS = ("wh=50", "wh=120", "wh=161", "mah=20000&v=3.7", "mah=20000&v=none", "mah=50000&v=3.7&wh=99")


def test_the_flights_of_a_trip_by_label_get_the_verdicts_of_its_guidance(browser):
    release, today = corpus.current(), starter.NOW.date()
    for figures, facts in itertools.product(LABELS, ("", "&count=2", "&bag=checked", "&condition=damaged")):
        asked = QueryDict(f"{figures}{facts}&airline=SQ&from=DE&via=AE&via=CN&to=US")
        trip = read(asked, release, today)
        assert trip.rating is not None
        guided = trip_guidance_from(release, trip.rating, trip.question, now=starter.NOW)
        whole = as_itinerary(trip, release, starter.NOW)
        assert [one.verdict for one in whole.outcome.flights] == [
            one.verdict for one in guided.outcome.segments
        ], asked


def test_what_would_help_is_one_click_away_and_keeps_its_promise(browser):
    page = shown(browser, f"/trip?{TRIP}")
    (changed,) = re.findall(r'Then it is allowed\. <a href="(/trip\?[^"]+)"', page)
    assert 'class="banner allowed"' in shown(browser, changed)


@pytest.mark.parametrize("path", ["/trip", "/card"])
def test_another_spelling_is_sent_to_the_one_address_of_the_trip(browser, path):
    answer = browser.get(f"{path}?model=A1289&from=Dubai&airline=Emirates&via=&airline=&to=GB&bag=carry_on")
    assert (answer.status_code, answer.headers["Location"]) == (
        302,
        f"{path}?model=anker-a1289&airline=EK&from=Dubai&to=GB",
    )


def test_what_is_missing_is_said_and_nothing_is_answered(browser):
    page = shown(browser, "/trip?model=anker-a1289&airline=EK&from=AE")
    assert "Choose where the flight arrives." in page
    assert "banner" not in page
    answer = browser.get("/card?model=anker-a1289&airline=EK&from=AE")
    assert answer.headers["Location"].startswith("/trip?")


def test_a_stop_can_be_added_without_a_script(browser):
    page = shown(browser, f"/trip?{TRIP}&via=FR&via=DE&more=1")
    assert page.count('name="via"') == 4
    assert "banner" not in page


def test_several_models_of_a_name_are_offered(browser):
    page = shown(browser, "/trip?model=PowerCore&airline=EK&from=AE&to=GB")
    assert "Which one do you mean?" in page
    assert len(set(re.findall(r"/trip\?model=anker-\w+&airline=EK&from=AE&to=GB", page))) > 1


@pytest.mark.parametrize("path", [f"/trip?{TRIP}", f"/card?{TRIP}", "/trip?model=x", "/card/offline"])
def test_what_was_asked_is_for_no_one_else(browser, path):
    answer = browser.get(path)
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert answer.headers["X-Robots-Tag"] == "noindex"


def test_the_empty_page_of_trips_is_for_everyone(browser):
    answer = browser.get("/trip")
    assert answer.headers["Cache-Control"].startswith("public")
    assert "noindex" not in answer.content.decode()


def test_a_label_alone_gets_guidance_that_is_never_allowed_and_no_card(browser):
    page = shown(browser, "/trip?wh=50&airline=EK&from=AE&via=GB&to=US")
    assert say("answer.guidance") in page
    assert 'class="banner conditional"' in page
    assert "banner allowed" not in page
    assert "/card?" not in page
    assert "vdt_" not in page
    answer = browser.get("/card?wh=50&airline=EK&from=AE&via=GB&to=US")
    assert answer.headers["Location"] == "/trip?wh=50&airline=EK&from=AE&via=GB&to=US"


EMIRATES = "model=anker-a1289&airline=EK&from=AE&to=GB&date=2026-12-01"
NOT_READ = (
    "leg=AE-GB-EK&leg=CN-CN-CA&model=anker-a1289",
    "leg=GB-DE-LH&leg=nonsense&model=anker-a1289&count=2",
    "leg=AE-GB-EK&leg=GB-US-1BAD&model=anker-a1289",
    "leg=GB-DE-LH&airline=EK&from=AE&to=GB&model=anker-a1289&count=2",
    "leg=DE-GB-LH&via=CN&airline=LH&model=anker-a1289",
    f"model=romoss-pea40&{EMIRATES}",
    f"{EMIRATES}&from=CN",
    f"{EMIRATES}&to=CN",
    "model=anker-a1289&airline=LH&airline=EK&from=AE&to=GB&count=2",
    "model=anker-a1289&airline=LH&airline=LH&airline=EK&from=AE&via=DE&to=GB&count=2",
    f"{EMIRATES}&quantity=2",
    f"{EMIRATES}&damage=yes",
    f"{EMIRATES}&pieces=5",
    f"{EMIRATES}&x-count=5",
    f"{EMIRATES}&anything=1",
    f"{EMIRATES}&bags=checked",
    f"{EMIRATES}&swollen=1",
    f"{EMIRATES}&people=2",
    f"{EMIRATES}&amp;condition=damaged",
    f"{EMIRATES}&\uff43ondition=damaged",
    "model=anker-a1289&leg=AE-GB-EK&Leg=GB-CN-CA",
    "model=anker-a1289&leg=AE-GB-EK&leg_2=GB-CN-CA",
    f"{EMIRATES}&q=two+damaged+ones",
)
"""Addresses of which a part contradicts another one, or is nothing that a trip has."""


@pytest.mark.parametrize("path", ["/trip", "/card", "/de/card", "/check"])
@pytest.mark.parametrize("query", NOT_READ)
def test_no_part_of_an_address_is_dropped_on_the_way_to_an_answer(browser, path, query):
    answer = browser.get(f"{path}?{query}", follow=True)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert 'class="banner' not in page
    assert "_verdict_id" not in page
    assert "vdt_" not in page


def test_a_card_has_what_a_counter_asks_for(browser):
    page = shown(browser, f"/card?{TRIP}")
    for said in ("Trip Battery Pass", "Anker 737 Power Bank", "86.4 Wh", "2 power banks", "in a cabin bag"):
        assert said in page
    assert "Checked 21 November 2026, 09:30 UTC. Valid until 22 November 2026, 09:30 UTC." in page
    assert f"Ruleset {starter.RULESET_VERSION}" in page
    assert 'data-expires="2026-11-22T09:30:15+00:00"' in page
    assert "They are not legal advice" in page
    assert '<svg viewBox="0 0' in page
    assert re.search(r"read \d+ November 2026 <a href=\"https?://", page)


def test_a_card_says_the_rule_in_the_language_of_the_counter_too(browser, settings: Settings):
    settings.LANGUAGES = [("en", "English"), ("ja", "日本語")]
    page = shown(browser, "/card?model=anker-a1289&airline=EK&from=JP&to=AE")
    assert re.findall(r'<section class="banner \w+" lang="([\w-]+)">', page) == ["en", "ja"]
    page = shown(browser, "/ja/card?model=anker-a1289&airline=EK&from=AE&to=JP")
    assert re.findall(r'<section class="banner \w+" lang="([\w-]+)">', page) == ["ja", "en"]


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ("label=missing", "rating cannot be read"),
        ("label=legible", "rating can be read"),
        ("mark=absent", "without a CCC (3C) mark"),
        ("mark=present", "with a CCC (3C) mark"),
        ("condition=intact", "intact"),
        ("condition=damaged", "damaged"),
        ("bag=checked", "in checked baggage"),
    ],
)
def test_a_card_says_every_stated_fact_in_both_languages(browser, fact, words):
    page = shown(browser, f"/card?model=anker-a1277&airline=LH&from=DE&to=US&{fact}")
    english, german = re.findall(r'<section class="banner \w+" lang="\w+">(.*?)</section>', page, re.DOTALL)
    assert re.search(rf"<p>(?:[^<]* · )?{re.escape(words)}</p>", english)
    with speaking("de"):
        key = fact.replace("=", ".")
        assert say(f"answer.{key}") in german


def test_a_card_of_one_language_says_it_once(browser):
    assert shown(browser, f"/card?{TRIP}").count('<section class="banner') == 1


def test_a_card_shows_a_few_sources_and_counts_the_others(browser):
    page = shown(browser, f"/card?{LONGEST}&to=DE")
    listed = page.partition('class="card-sources"')[2].partition("</ul>")[0].count('rel="external"')
    answer = by_api(
        origin="JP",
        transit=["KR", "CN", "SG", "AE", "GB", "US", "CA", "FR"],
        destination="DE",
        airline="NH",
    )
    (more,) = map(int, re.findall(r"For (\d+) more sources?, scan the code", page))
    assert 0 < listed < more
    assert listed + more == answer["citation_count"]


def lines(page: str) -> list[str]:
    """The lines of a card between its flights and its sources."""
    parts = re.findall(r'<ul class="card-constraints">(.*?)</ul>', page, re.DOTALL)
    return [line for part in parts for line in re.findall(r"<li>(.*?)</li>", part)]


def test_a_card_of_a_few_flights_shows_every_condition(browser):
    trip = "model=anker-a1289&airline=EK&from=AE&via=GB&to=US"
    said = lines(shown(browser, f"/card?{trip}"))
    page = shown(browser, f"/trip?{trip}")

    def of_flights(pattern: str) -> set[str]:
        return {line for found in re.findall(pattern, page) for line in re.findall(r"<li>(.*?)</li>", found)}

    conditions = of_flights(r"<summary>.*?</summary>\s*<ul>(.*?)</ul>")
    warnings = of_flights(r"<p>Know before you go</p><ul>(.*?)</ul>")
    assert len(conditions) > 6
    assert warnings
    assert set(said) == conditions | warnings


def test_a_card_of_many_flights_counts_the_conditions_that_do_not_fit(browser):
    page = shown(browser, f"/card?{LONGEST}&to=DE")
    (more,) = map(int, re.findall(r"For (\d+) more points?, scan the code", page))
    assert more > 0
    assert lines(page)


def test_a_card_names_the_source_of_the_airline_first(browser):
    page = shown(browser, "/card?model=anker-a1289&airline=SQ&from=DE&to=US")
    assert (
        re.findall(r"<li>(.*?), a dated copy", page.partition('class="card-sources"')[2])[0]
        == "Singapore Airlines"
    )


@pytest.mark.parametrize(
    ("day", "sentence"),
    [
        ("2026-11-21", None),
        ("2026-11-22", "check the trip again after 22 November 2026, 09:30 UTC."),
        ("2026-12-24", "Print it again the day before your flight on 24 December 2026."),
    ],
)
def test_a_card_says_when_to_look_again_where_it_ends_before_the_flight(browser, day, sentence):
    page = shown(browser, f"/card?model=anker-a1289&airline=EK&from=AE&to=GB&date={day}")
    said = [one for one in ("This answer ends", "This card says what is known today.") if one in page]
    assert len(said) == (sentence is not None)
    assert sentence is None or sentence in page


def test_a_trip_beyond_the_end_of_its_answer_is_told_as_known_today(browser):
    far = shown(browser, "/trip?model=anker-a1289&airline=EK&from=AE&to=GB&date=2027-11-20")
    assert "This answer says what is known today. Ask again shortly before you fly." in far
    assert "<dt>Ask again after</dt><dd>22 November 2026, 09:30 UTC</dd>" in far
    assert "valid until" not in far.lower()
    soon = shown(browser, "/trip?model=anker-a1289&airline=EK&from=AE&to=GB&date=2026-11-22")
    assert "This answer is valid until 22 November 2026, 09:30 UTC." in soon
    assert "Ask again after" not in soon


def test_languages_of_counters_are_languages_of_countries():
    known = {country.code for country in iso_countries().values()}
    assert set(DEPARTURE_LANGUAGE) <= known
    eight = dict.fromkeys(("en", "zh-hans", "zh-hant", "ja", "ko", "de", "fr", "es"), "")
    assert set(DEPARTURE_LANGUAGE.values()) < set(eight)
    assert departure_language("JP", eight) == "ja"
    assert departure_language("TH", eight) == "en"
    assert departure_language("JP", {"en": "English"}) == "en"


def test_the_worker_of_cards_is_read_from_the_root_and_never_kept_for_long():
    answer = Client().get("/card-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"


def test_a_trip_asks_what_the_makers_list_says_and_its_card_keeps_the_answer(browser):
    asks = "model=anker-a1263&leg=US-IE-BA&leg=IE-GB-EI"
    page = shown(browser, f"/trip?{asks}")
    assert "https://www.anker.com/product-recalls" in page
    (written,) = re.findall(r'href="/trip\?([^"]+&?recall=not_affected[^"]*)"', page)
    answered = shown(browser, f"/trip?{written}")
    assert "carry proof from the recall list" in answered
    assert "The list says mine" not in answered
    card = shown(browser, f"/card?{written}")
    assert "the maker's list: not affected" in card
    assert "carry proof from the recall list" in card
    assert say("verdict.banned") in shown(browser, "/trip?" + written.replace("not_affected", "affected"))


STRIP = re.compile(r'<li class="(\w+)( decides)?">.*?#flight-(\d+)">(.*?)</a>(.*?)</li>', re.DOTALL)


def strip(page: str) -> list[tuple[str, str, str, str]]:
    """The flights at the top of a page: verdict, number, title and whose rules decide, in order."""
    whole = page.partition('<ol class="strip"')[2].partition("</ol>")[0]
    return [
        (verdict, number, title, "".join(re.findall("<strong>(.*?)</strong>", rest)))
        for verdict, _, number, title, rest in STRIP.findall(whole)
    ]


@pytest.mark.parametrize(
    "path", [TRIP, UNCOVERED, f"{LONGEST}&to=DE", "model=anker-a1289&airline=QR&from=QA&to=GB"]
)
def test_the_flights_at_the_top_are_those_of_the_api_in_the_order_of_travel(browser, path):
    page, itinerary = (
        shown(browser, f"/trip?{path}"),
        read(QueryDict(path), starter.starter_release(), starter.NOW.date()),
    )
    trip = verdicts.trip_answer_of(as_itinerary(itinerary, corpus.current(), starter.NOW), itinerary.question)
    segments, found = trip.outcome.segments, strip(page)
    assert [verdict for verdict, *_ in found] == [one.verdict for one in segments]
    assert [number for _, number, *_ in found] == [str(at + 1) for at in range(len(segments))]
    for one, (verdict, number, title, decides) in zip(segments, found, strict=True):
        assert page.count(f'id="flight-{number}"') == 1
        assert title.startswith(f"{number}. ")
        strictest = verdict == trip.outcome.verdict != "allowed"
        assert bool(decides) == strictest
        speakers = {
            rule.authority
            if rule.airline is None
            else starter.starter_release().shelf.airlines[rule.airline].name
            for rule in (
                corpus.current().shelf.rules.get(step) for step in (one.answer.path if one.answer else ())
            )
            if rule is not None
        }
        named = decides.partition(": ")[2]
        assert not named or all(who in speakers for who in named.split(", "))


@pytest.mark.parametrize("path", ["/trip", "/card"])
def test_the_picture_of_a_trip_has_the_figure_of_the_api(browser, path):
    page = shown(browser, f"{path}?{TRIP}")
    record = Client().get("/api/devices/anker-a1289").json()
    assert f"This power bank: {record['watt_hour']:g} Wh, {record['watt_hour_basis']}</text>" in page


def test_a_flight_without_coverage_has_no_limits_and_its_card_no_picture(browser):
    assert "No limit is known for flight 2." in shown(browser, f"/trip?{UNCOVERED}")
    assert "gauge" not in shown(browser, f"/card?{UNCOVERED}")
