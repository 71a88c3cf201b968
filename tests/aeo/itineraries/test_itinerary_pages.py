"""The page of an itinerary: the verdict of the API, who packs what, and a form that grows."""

import html
import json
import re

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import override

from aeo.texts import say
from aeo.web.languages import localized
from tests.aeo.markdown import in_markdown

pytestmark = pytest.mark.usefixtures("starter_release", "now")

ON_EMIRATES = "airline=EK&from=AE&to=GB"
TWO_MODELS = f"model=anker-a1289&model_2=anker-a1268&{ON_EMIRATES}"
OUT_AND_BACK = (
    "wh=120&airline=SQ&from=MUC&to=SIN&date=2026-12-20&airline_2=SQ&from_2=SIN&to_2=SYD"
    "&airline_3=SQ&from_3=SYD&to_3=SIN&date_3=2027-01-03&airline_4=SQ&from_4=SIN&to_4=MUC"
)
ANKER, OTHER = "Anker 737 Power Bank (PowerCore 24K)", "Anker PowerCore Essential 20000"
MARKDOWN = {"accept": "text/markdown"}
ANSWER, FORM = '<div class="banner', '<section class="card screen" aria-labelledby="change">'


def shown(browser: Client, query: str, path: str = "/itinerary") -> str:
    answer = browser.get(f"{path}?{query}", follow=True)
    assert answer.status_code == 200
    assert answer.request["PATH_INFO"] == path
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    return html.unescape(answer.content.decode())


def words(page: str) -> str:
    """The text of an answer, without its form."""
    text = re.sub(r"<[^>]+>", " ", page[page.index(ANSWER) : page.index(FORM)])
    return " ".join(text.split())


def verdict(page: str) -> str:
    (found,) = re.findall(r'class="banner (\w+)"', page)
    return found


def by_api(**body) -> dict:
    answer = Client().post("/api/itineraries/verify", json.dumps(body), content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_page_has_the_verdict_and_the_id_of_the_api(browser):
    flight = {"origin": "AE", "destination": "GB", "operating_airline": "EK"}
    page = shown(browser, f"people=2&model=anker-a1289&mah_2=20000&v_2=3.7&by_2=1&{ON_EMIRATES}&sold=QF")
    answer = by_api(
        passengers=2,
        items=[
            {"model_id": "anker-a1289"},
            {"label": {"capacity_mah": 20000, "voltage": 3.7}, "carried_by": 1},
        ],
        segments=[{**flight, "marketing_airline": "QF"}],
    )
    assert verdict(page) == answer["verdict"] == "conditional"
    assert answer["itinerary_verdict_id"] in page
    for citation in answer["citations"]:
        assert html.unescape(citation["url"]) in page

    page = shown(browser, OUT_AND_BACK)
    legs = [
        ("MUC", "SIN", "2026-12-20"),
        ("SIN", "SYD", None),
        ("SYD", "SIN", "2027-01-03"),
        ("SIN", "MUC", None),
    ]
    segments = [
        {"origin": start, "destination": end, "operating_airline": "SQ"} | ({"date": day} if day else {})
        for start, end, day in legs
    ]
    answer = by_api(items=[{"label": {"watt_hour": 120}}], segments=segments)
    assert verdict(page) == answer["verdict"] == "conditional"
    assert answer["itinerary_verdict_id"] in page
    assert "From 1 January 2027. International Air Transport Association: " in words(page)


def test_a_page_says_who_packs_what_what_stays_and_why(browser):
    page = words(shown(browser, TWO_MODELS))
    assert f"This may travel together (Allowed) Passenger 1 {ANKER} Leave at home {OTHER}" in page
    assert "Emirates: At most 1 power bank per passenger. By itself it may travel." in page
    assert "Ask whether a companion on the same booking may carry it" in page
    assert "emirates.com" in shown(browser, TWO_MODELS).split("Why it may not travel")[1].split("</ul>")[0]

    page = words(shown(browser, f"people=2&{TWO_MODELS}"))
    assert f"Who packs what Passenger 1 {ANKER} Passenger 2 {OTHER}" in page
    assert "Leave at home" not in page

    page = words(shown(browser, f"people=4&model=anker-a1289&count=5&{ON_EMIRATES}"))
    assert f"Passenger 4 {ANKER} (1) Leave at home {ANKER} (1) Emirates: At most 1" in page

    page = words(shown(browser, f"model=anker-a1289&count=2&{ON_EMIRATES}&sold=QF"))
    assert page.startswith("Banned")
    assert "Operated by Emirates · Sold by Qantas" in page


def test_what_is_damaged_checked_or_unknown_stays_apart_from_what_may_travel(browser):
    three = (
        "people=3&model=anker-a1289&model_2=anker-a1263&condition_2=damaged&model_3=anker-a1268&bag_3=checked"
    )
    page = words(shown(browser, f"{three}&{ON_EMIRATES}"))
    stays = page.split("Leave at home ")[1].split("Your flight")[0]
    assert f"together (Allowed) Passenger 1 {ANKER} Leave at home Anker PowerCore 10000" in page
    assert "A damaged power bank may not travel." in stays
    assert "Never hand it" in stays
    assert "If it is refused at the airport" in page
    assert "Hand it over to staff alone" in page
    assert "companion" not in page
    assert "not accepted in checked baggage" not in stays.split("Not in checked baggage.")[0]
    assert stays.endswith(f"check again: {OTHER} ")

    page = words(shown(browser, "model=anker-a1289&mah_2=20000&v_2=none&airline=LH&from=DE&to=FR"))
    assert page.startswith("Not cleared")
    assert (
        f"together (Allowed) Passenger 1 {ANKER} Not decided. Do not count it as allowed 20,000 mAh" in page
    )
    assert "Read the watt-hours on the power bank, or the voltage next to its mAh" in page

    page = words(shown(browser, "model=anker-a1289&model_2=anker-a1268&sold=EK&from=AE&to=GB&people=2"))
    assert page.startswith("Conditional")
    assert "Confirm which airline operates this flight" in page
    page = words(shown(browser, "model=anker-a1289&airline=ZZ&from=AE&to=GB&people=2"))
    assert page.startswith("Not cleared")
    assert "neither the flight nor the trip is cleared" in page


def test_a_label_offers_the_models_that_it_may_be_each_as_the_same_question(browser):
    page = shown(browser, f"model=anker-a1289&mah_2=20000&v_2=none&{ON_EMIRATES}&people=2")
    offered = re.findall(r'<li><a href="(/itinerary\?[^"]+)">Anker PowerCore Essential 20000</a>', page)
    assert offered == [f"/itinerary?people=2&model=anker-a1289&{ON_EMIRATES}&model_2=anker-a1268"]
    assert OTHER in words(shown(browser, browser.get(offered[0]).headers["Location"].partition("?")[2]))


@pytest.mark.parametrize(
    ("typed", "location"),
    [
        ("", "/"),
        (f"model=anker-a1289&{ON_EMIRATES}&people=1&sold=", f"/check?model=anker-a1289&{ON_EMIRATES}"),
        (
            "model=Anker+A1289&model_2=anker-a1268&airline=Emirates&from=Dubai&to=united+kingdom&utm_source=x",
            "/itinerary?model=anker-a1289&model_2=anker-a1268&airline=EK&from=Dubai&to=GB",
        ),
        (
            "model=anker-a1289&airline=EK001&from=AE&to=GB",
            "/itinerary?model=anker-a1289&sold=EK&from=AE&to=GB",
        ),
        (
            "people=2&model=anker-a1289&airline=SQ&from=MUC&via=SIN&via=&to=SYD&date=2026-12-20",
            "/itinerary?people=2&model=anker-a1289&airline=SQ&from=MUC&to=SIN&date=2026-12-20"
            "&airline_2=SQ&from_2=SIN&to_2=SYD",
        ),
    ],
)
def test_each_itinerary_has_one_address(browser, typed, location):
    answer = browser.get(f"/itinerary?{typed}")
    assert (answer.status_code, answer.headers["Location"]) == (302, location)


MANY = "&".join(f"model_{number}=anker-a1289&count_{number}=20" for number in range(2, 21))
WRONG = {
    "model_3=": "Choose your power bank, or enter the numbers on its label.",
    "model_3=nonsense": "No power bank called “nonsense” is on file.",
    "count_2=21": "a number from 1 to 20",
    "by_2=2": "Choose one of the passengers",
    "people=10": "a number from 1 to 9",
    "airline_2=SQ&from_2=GB": "Choose where the flight arrives.",
    "from_2=GB&to_2=US": "Choose the airline that operates the flight.",
    "date=2026-12-20&airline_2=EK&from_2=GB&to_2=AE&date_2=2026-12-19": "Enter 20 December 2026 or a later",
    "sold=nobody": "No airline called “nobody” is on file.",
    "passengers=2&carried_by=1": "is not understood: passengers, carried_by",
    "model_999=anker-a1289": "is not understood: model_999",
    f"{MANY}&model_21=anker-a1289": "too large for one answer",
    f"{MANY}&airline_2=EK&from_2=GB&to_2=AE": "too large for one answer",
}
"""What is added to a good question, and what the page says about it."""


def test_a_question_that_is_wrong_or_too_large_gets_its_form_and_no_verdict(browser):
    for added, said in WRONG.items():
        page = shown(browser, f"{TWO_MODELS}&{added}")
        assert ANSWER not in page, added
        assert said in page, added
        assert ANKER in page, added


def test_the_form_of_the_home_page_grows_by_its_buttons_without_a_script(browser):
    home = browser.get("/").content.decode()
    for what in ("unit", "person", "flight", "return"):
        assert f'name="add" value="{what}" formaction="/itinerary"' in home

    page = shown(browser, f"model=anker-a1289&{ON_EMIRATES}&count=2&bag=checked&add=unit")
    assert ANSWER not in page
    assert 'class="problem"' not in page
    assert re.search(r'id="model" name="model" type="text" value="Anker 737', page)
    assert re.search(r'id="model_2" name="model_2" type="text" value="" [^>]*autofocus', page)
    assert 'name="bag" value="checked" checked' in page
    assert 'name="bag_2" value="carry_on" checked' in page

    page = shown(browser, f"model=anker-a1289&model_2=anker-a1268&people=2&{ON_EMIRATES}&add=person")
    assert '<option value="3" selected>' in page
    assert '<select class="input" id="by_2" name="by_2">' in page

    page = shown(browser, "model=anker-a1289&airline=SQ&from=MUC&via=SIN&to=SYD&date=2026-12-20&add=return")
    assert re.findall(r'data-value="(MUC|SIN|SYD)"', page) == [
        "MUC",
        "SIN",
        "SIN",
        "SYD",
        "SYD",
        "SIN",
        "SIN",
        "MUC",
    ]
    assert re.search(r'id="date_3" [^>]*value=""', page)

    page = shown(browser, f"{TWO_MODELS}&remove=unit_1")
    assert 'name="model_2"' not in page
    assert 'data-value="anker-a1268"' in page


def test_a_form_claims_nothing_that_the_traveler_did_not_say(browser):
    """The places for a bag, a number and people have their usual value; every other fact is open."""
    usual = {"bag": "carry_on", "mark": "unknown", "label": "unknown", "condition": "unknown"}
    filled = f"mah=20000&{ON_EMIRATES}"
    for path in ("/", f"/itinerary?{filled}&add=unit", f"/check?{filled}", "/trip", f"/trip?{filled}"):
        page = browser.get(path, headers={"accept": "text/html"}, follow=True).content.decode()
        chosen = re.findall(r'name="(\w+)" value="(\w+)" checked', page)
        said = {(name.partition("_2")[0], value) for name, value in chosen}
        assert said == {*usual.items(), ("recall", "not_checked")}, path
    # The capacity alone is answered: its energy is unknown. Neither the form nor the address says more.
    page = shown(browser, f"people=2&{filled}")
    assert verdict(page) == "insufficient"
    assert 'value="none" checked' not in page
    assert "v=none" not in page
    said_so = shown(browser, f"people=2&mah=20000&v=none&{ON_EMIRATES}")
    assert 'value="none" checked' in said_so
    assert words(said_so).split("How fresh")[0] == words(page).split("How fresh")[0]


def test_a_button_that_can_add_nothing_says_why(browser):
    many = "".join(f"&model_{number}=anker-a1289" for number in range(2, 21))
    onward = "".join(f"&airline_{at}=EK&from_{at}=GB&to_{at}=AE" for at in range(2, 7))
    for asked, button, what, most in (
        (f"people=9&{TWO_MODELS}", "person", "person", 9),
        (f"model=anker-a1289{many}&{ON_EMIRATES}", "unit", "unit", 20),
        (f"{TWO_MODELS}{onward}", "return", "flight", 10),
    ):
        page = shown(browser, f"{asked}&add={button}")
        assert say(f"itinerary.full.{what}", most=most) in page
        assert ANSWER not in page
        # Nothing of what was asked is lost, and a part of a return is not added.
        assert page.count('<fieldset class="part"') == asked.count("model") + asked.count("from")
    page = shown(browser, f"people=8&{TWO_MODELS}&add=person")
    assert "Nothing was added" not in page


def test_a_serial_leads_to_an_answer_that_asks_to_look_the_unit_up(browser):
    asked = "people=2&model=anker-a1289&model_2=anker-a1263&airline=QR&from=QA&to=GB"
    page = shown(browser, f"{asked}&serial=A1&serial_2=SECRET1&utm_source=x")
    assert "SECRET1" not in page
    (check,) = re.findall(r'<section class="recall-check">.*?</section>', page, re.DOTALL)
    assert "https://www.anker.com/product-recalls" in check
    recalled, sound = (
        shown(browser, f"{asked}&recall_2={result}") for result in ("affected", "not_affected")
    )
    assert (verdict(recalled), verdict(sound)) == ("banned", "conditional")
    for result in ("affected", "not_affected"):
        assert f"/itinerary?{asked}&recall_2={result}" in check
    assert "recall-check" not in sound


def test_parameters_of_other_pages_are_taken_away_and_facts_that_are_not_read_are_named(browser):
    for path in ("/itinerary", "/ja/itinerary"):
        asked = "model=anker-a1289&model_2={}&foo=2&quantity=3&from=AE"
        answer = browser.get(f"{path}?{asked.format('&serial=SECRET1&utm_source=x')}")
        assert answer.status_code == 302
        assert answer.headers["Location"] == f"{path}?{asked.format('')}"
    assert browser.get("/itinerary?utm_source=x&serial=SECRET1").headers["Location"] == "/"


def test_the_page_is_whole_in_every_language(browser):
    for language, _ in settings.LANGUAGES:
        page = shown(browser, f"people=2&{TWO_MODELS}", localized("/itinerary", language))
        with override(language):
            assert say("itinerary.packs") in page
            assert say("itinerary.add.return") in page
        assert verdict(page) == "allowed"


IN_MARKDOWN = (
    f"/itinerary?people=2&{TWO_MODELS}&mah_3=20000&v_3=none",
    f"/itinerary?{TWO_MODELS}&model_3=anker-a1263&condition_3=damaged&bag_2=checked",
    f"/itinerary?{OUT_AND_BACK}",
    "/ja/itinerary?people=2&model=anker-a1289&model_2=anker-a1263&airline=QR&from=QA&to=GB",
    "/itinerary?model=anker-a1289&airline=ZZ&from=AE&to=GB&people=2",
    "/trip?model=anker-a1289&airline=EK&from=AE&via=GB&to=US&count=2",
    "/de/trip?model=anker-a1263&leg=US-IE-BA&leg=IE-GB-EI",
    "/trip?mah=20000&v=none&airline=EK&from=AE&to=GB",
)


@pytest.mark.parametrize("path", IN_MARKDOWN)
def test_an_answer_in_markdown_has_the_facts_of_its_page(browser, path):
    assert in_markdown(browser, path).headers["Cache-Control"] == "private, no-cache"


def test_a_question_without_an_answer_says_in_markdown_what_it_lacks(browser):
    for path in ("/itinerary", "/trip"):
        answer = browser.get(f"{path}?model=nonsense&airline=EK&from=AE&to=", headers=MARKDOWN)
        assert answer.headers["Content-Type"] == "text/markdown; charset=utf-8"
        text = answer.content.decode()
        assert "Nothing has been answered yet." in text
        assert "No power bank called “nonsense” is on file." in text
        assert "Choose where the flight arrives." in text


def test_a_card_says_who_packs_what_to_the_traveler_and_to_the_counter(browser):
    query = f"people=4&model=anker-a1289&count=5&{ON_EMIRATES.replace('AE', 'JP')}"
    (path,) = re.findall(r'<a class="button" href="(/itinerary/card\?[^"]+)"', shown(browser, query))
    page = shown(browser, query, "/itinerary/card")
    assert path == f"/itinerary/card?{query}"
    for said in ("Trip Battery Pass", "4 passengers", "5 power banks", f"Passenger 4</strong>: {ANKER} (1)"):
        assert said in page
    assert f"<li>{ANKER} (1)</li>" in page.split("Leave at home")[-1]
    assert "Emirates: At most 1 power bank per passenger." in page
    assert "emirates.com" in page
    assert '<section class="banner banned" lang="ja">' in page
    assert re.search(r"Ruleset \S+, trip itn_[a-z2-7]{26}", page)
    assert 'data-offline="/card/offline"' in page
    assert f"/itinerary?{query}" in page

    for asked, location in (
        (f"model=anker-a1289&{ON_EMIRATES}", "/itinerary?"),
        (f"people=2&model=nonsense&{ON_EMIRATES}", "/itinerary?"),
        (f"people=2&model=A1289&{ON_EMIRATES}", "/itinerary/card?"),
    ):
        assert browser.get(f"/itinerary/card?{asked}").headers["Location"].startswith(location)


def test_a_card_says_what_was_stated_of_each_power_bank(browser):
    query = f"people=2&model=anker-a1289&label=legible&model_2=anker-a1268&condition_2=intact&{ON_EMIRATES}"
    page = shown(browser, query, "/itinerary/card")
    box = page.partition('<section class="banner')[2].partition("</section>")[0]
    assert f"<p>{ANKER}: in a cabin bag · rating can be read</p>" in box
    assert re.search(r"<p>[^<]+: in a cabin bag · intact</p>", box)


def test_a_flight_back_without_a_date_is_named_before_the_verdict(browser):
    page = shown(browser, f"model=anker-a1289&{ON_EMIRATES}&airline_2=EK&from_2=GB&to_2=AE")
    undated = (
        "No date was given for the flight from United Kingdom to United Arab Emirates. It is judged on "
        "21 November 2026, the day of the flight before."
    )
    assert page.index(undated) < page.index(ANSWER)
    path = f"/itinerary?model=anker-a1289&{ON_EMIRATES}&airline_2=EK&from_2=GB&to_2=AE"
    assert undated in Client(headers={"accept": "text/markdown"}).get(path).content.decode()
    connected = OUT_AND_BACK.replace("&date_3=2027-01-03", "").partition("&airline_3")[0]
    assert "No date was given" not in shown(browser, connected)


def test_no_verdict_on_a_flight_back_hides_a_known_change_of_rules(browser):
    back = "wh=120&airline=LH&from=MUC&to=LHR{}&airline_2=LH&from_2=LHR&to_2=MUC{}"
    for day in ("", "&date=2026-12-20"):
        page = shown(browser, back.format(day, ""))
        assert ANSWER not in page
        assert "No date was given for the flight from" in page
        assert page.count("Enter the day of this flight. A rule changes on 1 January 2027") == 2
        assert (
            browser.get(f"/itinerary/card?{back.format(day, '')}")
            .headers["Location"]
            .startswith("/itinerary?")
        )
    for dates in (("", "&date_2=2026-12-30"), ("", "&date_2=2027-01-03"), ("&date=2027-01-02", "")):
        assert verdict(shown(browser, back.format(*dates))) == "conditional"
    # A way back of two flights is asked about once.
    page = shown(browser, OUT_AND_BACK.replace("&date_3=2027-01-03", ""))
    assert re.findall(r'href="#(date[^"]*)"', page) == ["date_3"]


@pytest.mark.parametrize(
    "more",
    [
        "Condition=damaged",
        "condition2=damaged",
        "count2=5",
        "quantity=2",
        "model2=anker-a1289",
        "from2=GB&to2=AE&airline2=LH",
        "bag2=checked",
        "passengers=2",
        "items=3",
        "damage=yes",
        "cond=damaged",
        "pieces=5",
        "unit_count=5",
        "anything=1",
        "people=1&people=1",
        "q=two+damaged+power+banks",
        "".join(f"&model_{number}=anker-a1289" for number in range(2, 30)),
    ],
)
@pytest.mark.parametrize("path", ["/itinerary/card", "/de/itinerary/card"])
def test_a_card_drops_no_part_of_its_address(browser, path, more):
    query = f"model=anker-a1289&airline=EK&from=AE&to=GB&date=2026-12-01&{more}"
    answer = browser.get(f"{path}?{query}", follow=True)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert ANSWER not in page
    assert "vdt_" not in page


def test_a_large_question_needs_the_date_of_a_flight_back_whatever_changes(browser):
    """To look for a difference would take too long."""
    units = "model=anker-a1289&count=20&model_2=anker-a1268&count_2=20&people=9"
    flights = "&airline=EK&from=AE&to=GB&airline_2=EK&from_2=GB&to_2=AE&airline_3=EK&from_3=AE&to_3=GB"
    page = shown(browser, units + flights)
    assert ANSWER not in page
    assert "Enter the day of this flight." in page


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_a_waiting_form_says_what_was_understood_and_what_is_left(browser, language):
    asked = "four people with five Anker 737 on Emirates from Dubai to London"
    answer = browser.get(f"{localized('/check', language)}?q={asked}", follow=True)
    page = html.unescape(answer.content.decode())
    with override(language):
        understood = page[page.index(say("progress.understood")) : page.index("<form")]
        button = say("checker.confirm")
        left = [re.split("[:\uff1a(\uff08]", say(f"field.{name}"))[0] for name in ("bag", "condition.needed")]
    assert ANSWER not in page
    assert all(fact in understood for fact in (ANKER, "4", "5"))
    assert button in understood
    assert all(one.strip(" ?\u00bf\uff1f\u00a0\u202f") in understood for one in left)
