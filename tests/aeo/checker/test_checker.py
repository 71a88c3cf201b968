"""The checker and its answers, as a visitor gets them, without JavaScript."""

import datetime
import html
import re

import pytest
import time_machine
from django.test import Client
from msgspec import structs

from rules import verdicts
from rules.wording.advice import ADVICE
from tests.aeo.asking.test_asking import asked
from tests.support.starter import NOW, starter_release

pytestmark = pytest.mark.usefixtures("starter_release", "now")

ROUTE = "&airline=EK&from=AE&to=GB"


def page(path: str, status: int = 200) -> str:
    """Return a page, wherever its address leads."""
    answer = Client(headers={"accept": "text/html"}).get(path, follow=True)
    assert answer.status_code == status
    text: str = answer.content.decode()
    return text


def read(path: str) -> str:
    """Return the content of a page as it is read."""
    content = page(path).partition("<main>")[2].partition("</main>")[0]
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", content).split()))


def test_a_sentence_on_the_front_page_leads_to_the_answer() -> None:
    home = page("/")
    assert '<form action="/check" method="get"' in home
    answer = Client().get("/check", {"q": "Anker 737 on Emirates from Dubai to London, two of them"})
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/check?model=anker-a1289&airline=EK&from=Dubai&to=London&count=2"
    shown = read(answer.headers["Location"])
    assert shown.startswith("Anker 737 Power Bank (PowerCore 24K) with Emirates")
    assert "Banned" in shown
    assert "At most 1 power bank per passenger may travel, and you have 2." in shown


@pytest.mark.parametrize("unit", ["model=anker-a1289", "wh=74"])
def test_an_answer_for_a_far_flight_does_not_read_as_if_it_ended_before_the_flight(unit: str) -> None:
    far = read(f"/check?{unit}{ROUTE}&date=2027-11-20")
    assert "This answer follows the rules in force on 20 November 2027." in far
    assert "This answer says what is known today. Ask again shortly before you fly." in far
    assert "Ask again after 22 November 2026, 09:30 UTC" in far
    assert "valid until" not in far.lower()
    soon = read(f"/check?{unit}{ROUTE}&date=2026-11-22")
    assert "This answer is valid until 22 November 2026, 09:30 UTC." in soon
    assert "Ask again after" not in soon


def test_an_answer_says_what_why_how_fresh_and_what_would_change_it() -> None:
    shown = read(f"/check?model=anker-a1289{ROUTE}&count=2")
    order = [
        "2 power banks United Arab Emirates to United Kingdom Operated by Emirates",
        "in a cabin bag",
        "Not allowed on this flight.",
        "This answer is valid until",
        "Show the card for the counter",
        "Why it may not travel",
        "What to do now",
        "A companion on the same booking may carry the others, within that person's own limit",
        "Conditions for power banks that may travel",
        "Do not recharge it on board.",
        "What would change it",
        "Carry only 1 power bank",
        "Recalls No recall of exactly this model is on file.",
        "Why What decides, step by step",
        "read 20 November 2026",
        "International Civil Aviation Organization",
        "Ruleset version 2026-11-20",
        "Verdict ID",
        "What was considered and did not apply",
        "The same answer for programs",
        "Change the question",
    ]
    places = [shown.find(one) for one in order]
    assert -1 not in places, order[places.index(-1)]
    assert places == sorted(places)


def test_a_verdict_leads_to_its_card_and_guidance_has_none() -> None:
    card = f'href="/card?model=anker-a1289{ROUTE}&amp;count=2"'
    assert html.unescape(card) in html.unescape(page(f"/check?model=anker-a1289{ROUTE}&count=2"))
    assert "/card?" not in page(f"/check?wh=74{ROUTE}")


def test_what_would_change_it_leads_to_just_that_answer() -> None:
    shown = page(f"/check?model=anker-a1289{ROUTE}&count=2")
    (path,) = re.findall(r'<a class="button second" href="([^"]+)"', shown)
    assert html.unescape(path) == f"/check?model=anker-a1289{ROUTE}"
    assert '<div class="banner allowed">' in page(html.unescape(path))


@pytest.mark.parametrize(
    ("parameters", "word"),
    [
        (f"model=anker-a1289{ROUTE}", "Allowed"),
        (f"model=anker-a1263{ROUTE}", "Conditional"),
        (f"model=anker-a1289{ROUTE}&bag=checked", "Banned"),
        (f"model=anker-a1680{ROUTE}", "Not cleared"),
    ],
)
def test_a_page_says_the_verdict_of_the_door_as_word_shape_and_color(parameters: str, word: str) -> None:
    verdict = verdicts.answer_from(starter_release(), asked(parameters).question, now=NOW).outcome.verdict
    shown = page(f"/check?{parameters}")
    banner = shown.partition(f'<div class="banner {verdict}">')[2].partition("</div>")[0]
    assert f'<svg class="shape {verdict}"' in banner
    assert f"</svg><span>{word}</span></p>" in banner
    # No other verdict is claimed anywhere else.
    assert shown.count('<div class="banner ') == 1


TICK = "M5 12.5l4.5 4.5L19 7.5"
"""How the tick is drawn that stands before things to do."""

BANNED = {
    "max_units": f"model=anker-a1289{ROUTE}&count=2",
    "carry_on_only": f"model=anker-a1289{ROUTE}&bag=checked",
    "damaged_not_permitted": f"model=anker-a1289{ROUTE}&condition=damaged",
    "label_required": f"model=anker-a1289{ROUTE}&label=missing",
    "over_watt_hour_limit": f"model=romoss-pea60{ROUTE}",
    "ccc_mark_required": "model=anker-a1289&airline=CA&from=CN&to=CN&mark=absent",
    "recalled_not_permitted": f"model=anker-a1366{ROUTE}",
}
"""A question for each code that can ban."""


def test_there_is_a_question_for_each_code_that_can_ban() -> None:
    assert set(BANNED) == set(ADVICE)
    for code, parameters in BANNED.items():
        outcome = verdicts.answer_from(starter_release(), asked(parameters).question, now=NOW).outcome
        assert code in {one.name for one in outcome.constraints[: outcome.bans]}


@pytest.mark.parametrize("parameters", [*BANNED.values(), f"wh=200{ROUTE}", f"wh=50{ROUTE}&bag=checked"])
@pytest.mark.parametrize("path", ["/check", "/trip", "/card", "/embed/demo/check"])
def test_no_page_of_a_banned_unit_shows_a_tick_and_each_says_what_to_do_now(
    parameters: str, path: str
) -> None:
    shown = page(f"{path}?{parameters}")
    assert re.search(r'<(div|section) class="banner banned"', shown)
    assert "What to do now" in shown
    assert TICK not in shown
    assert 'class="signs allowed"' not in shown
    assert "What to do<" not in shown


def test_a_banned_unit_has_a_card_for_the_airport_by_the_reason_of_the_ban() -> None:
    from_shenzhen = "&airline=CA&from=SZX&to=GB&mark=present"
    many = read(f"/check?model=anker-a1289{from_shenzhen}&count=20")
    sound = read("/check?model=anker-a1289&airline=CA&from=SZX&to=PEK&mark=absent")
    damaged = read(f"/check?model=anker-a1289{from_shenzhen}&condition=damaged")
    for shown in (many, sound, damaged):
        assert "If it is refused at the airport" in shown
        assert "Nothing here is a promise" in shown
        assert "Note down who refused it" in shown
        assert "What is known of the airport: Shenzhen (SZX)" in shown
        assert "28 June 2025" in shown
        assert "read 20 November 2026" in shown
    assert "companion on the same booking may carry it" in many
    assert "companion on the same booking may carry it" not in sound
    for shown in (many, sound):
        assert "left-luggage office" in shown
        assert "Free storage for seven days against a receipt" in shown
    assert "Hand it over to staff alone" in damaged
    assert "left-luggage office" not in damaged
    assert "Free storage" not in damaged
    assert "courier" not in damaged
    assert "What is known of airports: China" in read(
        "/check?model=anker-a1289&airline=CA&from=CN&to=GB&count=20"
    )
    for other in (f"anker-a1289{ROUTE}", f"anker-a1289{ROUTE}&bag=checked"):
        assert "If it is refused" not in read(f"/check?model={other}")
    german = page(f"/de/check?model=anker-a1289{from_shenzhen}&count=20")
    assert "Wenn sie am Flughafen abgelehnt wird" in german
    assert '<span lang="en">Free storage for seven days' in german


def test_what_is_not_cleared_shows_no_tick_and_says_what_to_settle() -> None:
    shown = page(f"/check?model=anker-a1680{ROUTE}")
    assert TICK not in shown
    assert "Settle this first" in shown
    assert TICK in page(f"/check?model=anker-a1289{ROUTE}")


@pytest.mark.parametrize("path", ["/check", "/trip", "/card", "/embed/demo/check"])
@pytest.mark.parametrize("unit", ["model=anker-a1263", "wh=74", "mah=20000&v=3.7"])
def test_a_conditional_page_says_what_to_settle(unit: str, path: str) -> None:
    shown = page(f"{path}?{unit}{ROUTE}")
    assert re.search(r'<(div|section) class="banner conditional"', shown)
    assert "Settle this first" in shown


@pytest.mark.parametrize("path", ["/check", "/trip", "/embed/demo/check"])
def test_a_label_without_a_voltage_ends_in_an_answer_that_clears_nothing(path: str) -> None:
    asking = page(f"{path}?mah=20000{ROUTE}")
    assert '<input type="checkbox" name="v" value="none">' in asking
    assert "banner " not in asking
    # What a form sends: the empty field, then the choice.
    shown = page(f"{path}?model=&wh=&mah=20000&v=&v=none{ROUTE}")
    assert '<div class="banner insufficient">' in shown
    assert "3.6 to 3.85 V. The 5 V of the USB output is not this voltage." in shown
    assert "Find the model number on the power bank" in shown
    assert " 74 Wh" not in shown


def test_a_label_without_a_voltage_is_banned_where_any_power_bank_is() -> None:
    assert '<div class="banner banned">' in page(f"/check?mah=20000&v=none{ROUTE}&bag=checked")
    assert '<div class="banner banned">' in page(f"/check?mah=20000&v=none{ROUTE}&condition=damaged")


@pytest.mark.parametrize("label", ["wh=74", "mah=20000&v=3.7", "wh=20"])
def test_a_label_gets_general_guidance_that_is_never_better_than_conditional(label: str) -> None:
    shown = page(f"/check?{label}{ROUTE}")
    assert '<div class="banner conditional">' in shown
    text = read(f"/check?{label}{ROUTE}")
    assert "General guidance, not a verdict on a model" in text
    assert "Verdict ID" not in text
    assert "/api/verify" not in text


def test_a_unit_over_every_limit_is_banned_by_guidance_too() -> None:
    assert '<div class="banner banned">' in page(f"/check?wh=200{ROUTE}")


def test_a_future_date_is_answered_by_the_rules_of_that_date() -> None:
    assert "This answer follows the rules in force on 24 December 2026." in read(
        f"/check?model=anker-a1289{ROUTE}&date=2026-12-24"
    )
    assert "by the rules of" not in read(f"/check?model=anker-a1289{ROUTE}").partition("Why")[0]


def test_stops_lead_to_the_trip_with_the_same_question() -> None:
    answer = Client().get("/check?model=anker-a1289&airline=EK&from=AE&via=DE&to=GB")
    assert (answer.status_code, answer.headers["Location"]) == (
        302,
        "/trip?model=anker-a1289&airline=EK&from=AE&via=DE&to=GB",
    )


def test_an_airline_that_no_one_knows_is_not_cleared_and_the_page_says_whom_to_ask() -> None:
    shown = read("/check?model=anker-a1289&airline=Z0&from=AE&to=GB")
    assert "No answer for Z0" in shown
    assert "Not cleared" in shown
    assert "Ask the airline before you fly." in shown
    assert "Do not count this as allowed." in shown


def test_a_model_that_no_one_knows_is_not_answered_and_the_label_is_asked_for() -> None:
    shown = read(f"/check?model=Blaster 9000{ROUTE}")
    assert "Nothing has been answered yet." in shown
    assert "No power bank called “Blaster 9000” is on file." in shown
    form = page(f"/check?model=Blaster 9000{ROUTE}")
    assert 'value="Blaster 9000"' in form
    assert 'value="Emirates"' in form
    assert '<details class="field" open>' in form


def test_a_name_of_several_models_offers_each_as_a_link_that_goes_on_with_the_question() -> None:
    form = page(f"/check?model=Anker PowerCore{ROUTE}&count=2")
    links = [html.unescape(path) for path in re.findall(r'<li><a href="(/check[^"]+)">', form)]
    assert len(links) > 1
    for link in links:
        assert link.endswith(f"{ROUTE}&count=2")
        assert '<div class="banner ' in page(link)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("&count=0", "Enter how many you carry: a number from 1 to 20."),
        ("&date=2020-01-01", "This day is over."),
        ("&bag=hold", "Choose where you carry it."),
    ],
)
def test_bad_input_is_said_next_to_its_field_and_nothing_is_answered(wrong: str, sentence: str) -> None:
    path = f"/check?model=anker-a1289{ROUTE}{wrong}"
    assert sentence in read(path)
    assert '<div class="banner ' not in page(path)


def test_markup_that_a_person_types_stays_text() -> None:
    shown = page('/check?model=<script>alert(1)</script>&airline="><b>&q=\'"><i>')
    assert "<script>alert" not in shown
    assert "<b>" not in shown
    assert "<i>" not in shown


def test_an_empty_question_is_the_front_page() -> None:
    answer = Client().get("/check?model=&airline=&serial=ABC")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


def test_an_answer_is_kept_by_one_browser_for_a_while_and_by_no_index() -> None:
    answer = Client().get(f"/check?model=anker-a1289{ROUTE}")
    assert answer.headers["Cache-Control"] == "private, max-age=300"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert 'name="robots" content="noindex"' in answer.content.decode()


def test_an_answer_is_never_kept_beyond_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    given = verdicts.answer_from

    def short(*args: object, **kept: object) -> verdicts.Answer:
        answer = given(*args, **kept)  # type: ignore[arg-type]
        return structs.replace(answer, expires_at=answer.generated_at + datetime.timedelta(seconds=7))

    monkeypatch.setattr(verdicts, "answer_from", short)
    answer = Client().get(f"/check?model=anker-a1289{ROUTE}")
    assert answer.headers["Cache-Control"] == "private, max-age=7"


def test_an_answer_for_today_is_never_kept_beyond_the_day() -> None:
    path = f"/check?model=anker-a1289{ROUTE}"
    with time_machine.travel(datetime.datetime(2026, 11, 21, 23, 59, 50, tzinfo=datetime.UTC), tick=False):
        assert Client().get(path).headers["Cache-Control"] == "private, max-age=10"
        dated = Client().get(f"{path}&date=2026-12-01")
    assert dated.headers["Cache-Control"] == "private, max-age=300"


@pytest.mark.parametrize(
    ("what", "text", "value"),
    [("models", "anker 73", "anker-a1289"), ("airlines", "エミレーツ", "EK"), ("places", "heathr", "LHR")],
)
def test_a_field_suggests_while_a_person_types(what: str, text: str, value: str) -> None:
    answer = Client().get(f"/suggest/{what}", {"text": text})
    assert re.findall(r'role="option"[^>]*data-value="([^"]+)"', answer.content.decode())[0] == value
    assert answer.cookies == {}


@pytest.mark.parametrize("text", ["", "   ", "\x00", "zzzzzzzz", "a" * 5000, "<script>"])
def test_a_field_that_says_nothing_gets_no_suggestion_and_no_error(text: str) -> None:
    answer = Client().get("/suggest/models", {"text": text})
    assert (answer.status_code, answer.content.strip()) == (200, b"")


# --- Recalls ---

RECALLED = "&airline=BA&from=US&to=GB"


def links(path: str) -> dict[str, str]:
    """Return where the links in the content of a page lead, by their words."""
    content = page(path).partition("<main>")[2].partition("</main>")[0]
    found = re.findall(r'<a [^>]*href="([^"]+)"[^>]*>([^<]+)(?: <small>.*?</small>)?</a>', content)
    return {html.unescape(words): html.unescape(leads) for leads, words in found}


def test_an_open_recall_leads_to_the_makers_list_and_asks_what_it_says() -> None:
    asks = f"/check?model=anker-a1263{RECALLED}"
    found = links(asks)
    assert found["Open the maker's recall list"] == "https://www.anker.com/product-recalls"
    assert found["The list says mine is not affected"] == f"{asks}&recall=not_affected"
    assert found["The list says mine is affected"] == f"{asks}&recall=affected"
    cleared = read(f"{asks}&recall=not_affected")
    assert "Conditional" in cleared
    assert "in a cabin bag the maker's list: not affected" in cleared
    assert "carry proof from the recall list" in cleared
    assert "The list says mine" not in cleared
    assert "look it up" not in cleared
    named = read(f"{asks}&recall=affected")
    assert "Banned" in named
    assert "You say that the recall list names yours" in named


def test_where_a_recall_has_no_list_its_notice_takes_the_place() -> None:
    found = links(f"/check?model=iniu-bi-b41{RECALLED}")
    assert found["Open the recall notice"].startswith("https://www.cpsc.gov/Recalls/2026/INIU")
    # The address is that of a start page.
    found = links("/check?model=energizer-ue10013cq&airline=CI&from=TW&to=JP")
    assert "Open the recall notice" not in found
    assert found["Search for the recall notice"] == "https://safety.bsmi.gov.tw/"
    assert found["The notice says mine is not affected"].endswith("&recall=not_affected")


@pytest.mark.django_db
def test_only_a_model_whose_page_has_the_check_of_a_serial_leads_to_it() -> None:
    words = "Check the serial number of your unit. It does not leave your browser."
    for model, has_check in (("anker-a1263", False), ("baseus-bs-30kp365", True)):
        found = links(f"/check?model={model}{RECALLED}")
        assert (words in found) == has_check
        assert ("site/serial_check" in page(f"/models/{model}")) == has_check


def test_an_answer_assumes_nothing_that_the_question_denies() -> None:
    asks = "/check?model=anker-a1289&airline=FR&from=DUB&to=MUC&date=2027-01-03"
    assert "an intact power bank whose rating can be read. Look at yours." in read(asks)
    denied = read(f"{asks}&label=missing")
    assert "This answer is for an intact power bank. Look at yours." in denied
    assert "whose rating can be read" not in denied
    assert "Look at yours" not in read(f"{asks}&label=missing&condition=intact")


def test_the_maker_naming_a_unit_bans_it_though_no_recall_is_on_file() -> None:
    shown = read(f"/check?model=anker-a1289{ROUTE}&recall=affected")
    assert "Banned" in shown
    assert "No recall of exactly this model is on file." in shown


def test_the_command_for_programs_says_what_the_list_said() -> None:
    asks = f"/check?model=anker-a1263{RECALLED}"
    assert '"recall_check": "not_affected"' in read(f"{asks}&recall=not_affected")
    assert "recall_check" not in read(asks)


@pytest.mark.parametrize(
    ("question", "comparison"),
    [
        (
            "Which of Emirates, Qatar Airways and Singapore Airlines takes two power banks?",
            "/compare/ek-qr-sq",
        ),
        ("Anker A1263 with Emirates or Qatar Airways", "/compare/ek-qr?model=anker-a1263"),
        # People call the airline like the country.
        ("Emirates or Qatar: which is stricter?", "/compare/ek-qr"),
        ("Which of Emirates, Qatar and Ryanair takes two?", "/compare/ek-fr-qr"),
    ],
)
def test_a_question_about_several_airlines_leads_to_their_comparison(question: str, comparison: str) -> None:
    answer = Client().get("/check", {"q": question}, follow=True)
    assert answer.request["PATH_INFO"] == "/check"
    links = re.findall(
        r'<section[^>]*aria-labelledby="general">.*?href="([^"]*)"', answer.content.decode(), re.S
    )
    assert links == [comparison]


def test_several_airlines_on_a_flight_lead_to_the_form_of_an_itinerary_with_their_comparison() -> None:
    answer = Client().get("/check", {"q": "Anker 737 Dubai to London with Emirates or Qantas"}, follow=True)
    assert answer.redirect_chain[-1][0].startswith("/itinerary?")
    back = {"q": "Anker 737 with Emirates from Dubai to London and back with Qantas"}
    shown = Client().get("/check", back, follow=True).content.decode()
    assert 'href="/compare/ek-qf?model=anker-a1289"' in shown


def test_a_place_of_a_flight_is_no_airline_to_compare() -> None:
    assert "/compare/" not in page("/check?q=Emirates to Qatar with Anker A1263").partition("<main>")[2]


def test_a_model_an_airline_and_a_country_lead_to_their_verdict_page() -> None:
    shown = page("/check?model=anker-a1263&airline=EK&to=AE")
    assert 'href="/p/anker-a1263/ek/ae"' in shown


def test_a_name_that_may_be_one_model_is_offered_by_its_name() -> None:
    shown = read("/check?model=Anker PowerCore 10000 Redux&airline=EK&from=AE&to=GB")
    assert "“Anker PowerCore 10000 Redux” may be Anker PowerCore 10000 PD Redux." in shown


def test_each_source_says_whether_its_page_a_copy_or_a_report_was_read() -> None:
    shown = read(f"/check?model=anker-a1289{ROUTE}")
    assert "Emirates , a dated copy of it read" in shown
    own = read("/check?model=anker-a1289&airline=LH&from=US&to=DE")
    assert "European Union Aviation Safety Agency , read" in own
    assert "Federal Aviation Administration , a report about it read" in own


def test_a_damaged_unit_is_told_not_to_travel_before_anything_else_is_known() -> None:
    for path in (
        "/check?q=My power bank is swollen, Korean Air",
        "/itinerary?q=We are two with a swollen battery",
    ):
        shown = read(path)
        assert "A damaged power bank may not travel." in shown
        assert "Never hand it over with your baggage" in shown
    assert "A damaged power bank" not in read("/check?q=My power bank, Korean Air")


def test_in_a_checked_bag_a_capacity_is_enough_for_a_no() -> None:
    shown = read("/check?q=20000 mAh power bank in my suitcase on Ryanair from Dublin to Malaga")
    assert "Banned" in shown
    assert "Power banks are not accepted in checked baggage." in shown
    assert "Enter the voltage" in read("/check?q=20000 mAh power bank on Ryanair from Dublin to Malaga")


def test_a_likely_refusal_stands_beside_the_verdict_and_is_said_once() -> None:
    shown = page("/check?wh=120&airline=SQ&from=SG&to=GB&date=2027-01-10")
    box = shown.partition('<div class="banner')[2].partition("</div>")[0]
    assert "expect a refusal" in box
    assert shown.partition("<h2>Why</h2>")[0].count("expect a refusal") == 1


def test_a_question_about_use_or_the_mark_leads_to_its_guide_and_its_map() -> None:
    use = page("/check?q=Which countries forbid charging a phone from a power bank?")
    assert 'href="/guides/using-a-power-bank-on-board"' in use
    assert 'href="/map/use"' in use
    mark = page("/check?q=Does the 3C mark count from Shenzhen to Tokyo?")
    assert 'href="/guides/china-3c-mark-domestic-and-international"' in mark
    assert 'href="/map/mark"' in mark


@pytest.mark.parametrize(
    "question",
    ["Anker 737 with anyone except Qantas, Sydney to London", "not with Qantas, Anker 737 Sydney to London"],
)
def test_an_airline_that_may_be_denied_is_not_filled_in(question: str) -> None:
    answer = Client().get("/check", {"q": question}, follow=True)
    assert "airline" not in dict(answer.wsgi_request.GET)
    # No word vanishes.
    assert "\u201cQantas\u201d" in html.unescape(answer.content.decode())


BOX = re.compile(r'<div class="banner .*?</div>', re.DOTALL)
UNREADABLE = "Staff can only judge a rating that they can read. Carry other proof of the watt-hours"
UNMARKED = "Flights within China refuse a power bank without a CCC (3C) mark."


@pytest.mark.parametrize(
    ("asks", "warned"),
    [
        ("airline=LH&from=DE&to=US&label=missing", UNREADABLE),
        ("airline=LH&from=DE&to=US&label=legible", None),
        ("airline=LH&from=DE&to=CN&mark=absent", UNMARKED),
        ("airline=LH&from=DE&to=US&mark=absent", None),
        ("airline=LH&from=DE&to=CN&mark=present", None),
    ],
)
@pytest.mark.parametrize("path", ["/check", "/trip", "/card"])
def test_a_missing_rating_or_mark_is_warned_of_where_no_rule_bans_it(
    asks: str, warned: str | None, path: str
) -> None:
    shown = page(f"{path}?model=anker-a1277&{asks}")
    box = "".join(re.findall(r'<section class="banner .*?</section>', shown, re.DOTALL) or BOX.findall(shown))
    assert box
    assert [one for one in (UNREADABLE, UNMARKED) if one in box] == ([warned] if warned else [])


def test_a_banned_power_bank_is_not_warned_of_what_bans_it() -> None:
    assert UNREADABLE not in page(f"/check?model=anker-a1289{ROUTE}&label=missing")
    assert UNMARKED not in page("/check?model=anker-a1289&airline=CA&from=CN&to=CN&mark=absent")
