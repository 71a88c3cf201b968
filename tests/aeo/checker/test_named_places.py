# ruff: noqa: RUF001 - Chinese and Japanese have brackets of their own
"""What was named stays named: cities, airports and the day, from the form to the answer, in all languages."""

import datetime
import re

import pytest
from django.conf import settings
from django.http import QueryDict
from django.test import Client
from django.utils.translation import override

from aeo.asking import query, read
from aeo.texts import say
from aeo.web.languages import localized
from rules.engine.facts import Leg
from tests.aeo.asking.test_asking import asked
from tests.aeo.checker.pages import page
from tests.support.starter import NOW, starter_release

pytestmark = pytest.mark.usefixtures("starter_release", "now")

UNIT = "model=anker-a1289"
LANGUAGES = [code for code, _ in settings.LANGUAGES]


def test_cities_stay_in_the_address_and_their_countries_are_asked_about() -> None:
    found = asked(f"{UNIT}&airline=CZ&from=Shenzhen&to=北京")
    assert found.complete
    assert found.question.leg == Leg("CN", "CN", "CZ")
    assert query(found) == f"{UNIT}&airline=CZ&from=Shenzhen&to=Beijing"


@pytest.mark.parametrize("path", ["/check", "/trip", "/card"])
def test_answer_trip_and_card_repeat_the_cities(path: str) -> None:
    shown = page(f"{path}?{UNIT}&airline=CZ&from=Shenzhen&to=Beijing")
    assert "Shenzhen (China) to Beijing (China)" in shown
    assert "China to China" not in shown


@pytest.mark.parametrize("path", ["/check", "/trip"])
def test_title_and_form_repeat_the_cities(path: str) -> None:
    shown = page(f"{path}?{UNIT}&airline=CZ&from=Shenzhen&to=PEK")
    assert re.search(r"<title>[^<]*Shenzhen \(China\) to Beijing PEK \(China\)", shown)
    assert 'value="Shenzhen (China)" ' in shown
    assert 'data-value="PEK"' in shown


@pytest.mark.parametrize(
    ("language", "named"),
    [
        ("en", "Dubai DXB (United Arab Emirates)"),
        ("de", "Dubai DXB (Vereinigte Arabische Emirate)"),
        ("fr", "Dubaï DXB (Émirats arabes unis)"),
        ("es", "Dubái DXB (Emiratos Árabes Unidos)"),
        ("ja", "ドバイ DXB（アラブ首長国連邦）"),
        ("ko", "두바이 DXB(아랍에미리트)"),
        ("zh-hans", "迪拜 DXB（阿拉伯联合酋长国）"),
        ("zh-hant", "杜拜 DXB（阿拉伯聯合大公國）"),
    ],
)
def test_a_place_is_shown_in_the_language_of_the_page_and_its_form_can_be_sent_again(
    language: str, named: str
) -> None:
    path = localized("/check", language)
    address = f"{UNIT}&airline=EK&from=DXB&to=London"
    shown = page(f"{path}?{address}")
    assert named in shown
    # Without a script, a form sends what it shows.
    again = Client().get(path, {"model": "anker-a1289", "airline": "EK", "from": named, "to": "London"})
    assert again.headers["Location"] == f"{path}?{address}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_asks_the_same_in_every_language(language: str) -> None:
    address = f"{UNIT}&airline=EK&from=DXB&via=London%2C+CA&to=New+York+City"
    with override(language):
        found = asked(address)
    assert found.trip_question.legs == (Leg("AE", "CA", "EK"), Leg("CA", "US", "EK"))
    assert query(found) == address


def test_each_of_several_namesakes_leads_to_an_address_that_is_settled() -> None:
    form = page(f"/check?{UNIT}&airline=IB&from=Madrid&to=San José")
    links = re.findall(r'<li><a href="(/check[^"]+)">', form)
    assert len(links) > 1
    for link in links:
        found = read(QueryDict(link.partition("?")[2]), starter_release(), NOW.date())
        assert found.complete
        assert query(found) == link.partition("?")[2]
    assert any("to=San+Jos%C3%A9%2C+CR" in link for link in links)


@pytest.mark.parametrize(
    ("wrong", "sentence", "choice"),
    [
        ("airline=emirats&from=AE&to=GB", "Did you mean Emirates?", "airline=EK&from=AE&to=GB"),
        ("airline=EK&from=AE&to=Frankfrut", "Did you mean Frankfurt am Main?", "to=Frankfurt+am+Main"),
        ("airline=EK001&from=AE&to=GB", "“EK001” is a flight number", "airline=EK&from=AE&to=GB"),
        ("airline=EK&from=AE&via=Bangkock&to=GB", "Did you mean Bangkok?", "via=Bangkok&to=GB"),
    ],
)
@pytest.mark.parametrize("path", ["/check", "/trip"])
def test_a_corrected_name_is_offered_and_one_press_takes_it(
    path: str, wrong: str, sentence: str, choice: str
) -> None:
    shown = page(f"{path}?{UNIT}&{wrong}")
    assert sentence in shown
    assert "banner" not in shown
    (link, *_) = re.findall(rf'<li><a href="({path}\?[^"]+)">', shown)
    assert choice in link
    assert 'class="banner ' in page(link)


def test_a_flight_number_says_on_which_condition_its_airline_counts() -> None:
    shown = page(f"/check?{UNIT}&airline=EK001&from=AE&to=GB")
    assert "Emirates (EK) <small>if Emirates itself operates EK001</small>" in shown


def test_a_name_without_airlines_is_enough() -> None:
    assert asked(f"{UNIT}&airline=China Southern&from=AE&to=GB").airline == "CZ"


def test_what_is_wrong_with_the_airline_of_all_flights_is_said_once() -> None:
    shown = page(f"/trip?{UNIT}&airline=EK001&from=Dubai&via=Bangkok&to=NRT")
    assert shown.count('<li class="problem">') == 1


def test_an_onward_airline_with_a_slip_is_offered_too() -> None:
    shown = page(f"/trip?{UNIT}&airline=EK&airline=lufthanza&from=Dubai&via=Frankfurt&to=US")
    assert "Did you mean Lufthansa?" in shown
    (link,) = re.findall(r'<li><a href="(/trip\?[^"]+)">', shown)
    assert link.endswith("airline=EK&airline=LH&from=Dubai&via=Frankfurt+am+Main&to=US")
    assert 'class="banner ' in page(link)


@pytest.mark.parametrize("path", ["/check", "/trip"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_question_says_whether_a_day_was_named(path: str, language: str) -> None:
    def list_of(parameters: str) -> str:
        shown = page(f"{localized(path, language)}?{UNIT}&airline=EK&from=AE&to=GB{parameters}")
        return shown.partition('<ul class="asked"')[2].partition("</ul>")[0]

    with override(language):
        today = say("answer.today")
    assert f"<li>{today}</li>" in list_of("")
    named = list_of(f"&date={NOW.date() + datetime.timedelta(days=1)}")
    assert today not in named
    assert "22" in named


@pytest.mark.parametrize("path", ["/check", "/trip"])
def test_an_answer_has_a_link_to_itself(path: str) -> None:
    address = f"{path}?{UNIT}&airline=CZ&from=Shenzhen&to=Beijing"
    assert f'<p class="share screen"><a href="{address}">Link to this answer</a>' in page(address)
