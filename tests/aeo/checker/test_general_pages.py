"""Where a question cannot be answered yet, its page leads to what applies in general."""

import re
from urllib.parse import urlencode

import pytest
from django.test import Client

pytestmark = pytest.mark.usefixtures("starter_release", "now")


def general(text: str, language: str = "") -> list[str]:
    """The addresses under "Read what applies in general"."""
    path = f"{language}/check?{urlencode({'q': text})}"
    answer = Client(headers={"accept": "text/html"}).get(path, follow=True)
    assert answer.status_code == 200
    section = answer.content.decode().partition('id="general"')[2].partition("</section>")[0]
    return re.findall(r'<li><a href="(/[^"]+)">', section)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Can I put a power bank in checked luggage?", "/guides/power-bank-in-checked-baggage"),
        ("how many power banks can I take to Japan", "/guides/how-many-power-banks-in-2026"),
        ("power bank without label on a plane", "/guides/power-bank-without-a-label"),
        ("no 3C mark, flying to Shanghai", "/guides/china-3c-mark-domestic-and-international"),
        ("Is my Anker A1263 recalled?", "/models/anker-a1263"),
        ("Is my Anker A1263 recalled?", "/guides/recalled-power-bank-on-a-plane"),
        ("power bank with Lufthansa to Japan", "/airlines/lh"),
        ("power bank with Lufthansa to Japan", "/countries/jp"),
        ("Which airlines forbid the use of a power bank on board?", "/airlines?use=no"),
        ("Does the mark count from Shenzhen to Tokyo?", "/map"),
        ("What changes next January?", "/timeline"),
    ],
)
def test_a_question_that_is_asked_back_leads_to_what_applies_in_general(text: str, path: str) -> None:
    assert path in general(text)


@pytest.mark.django_db
def test_each_page_is_there_and_is_named_once() -> None:
    found = general("no 3C mark, no label, checked bag, two power banks, Emirates from Dubai to Dubai")
    assert len(found) == len(set(found)) >= 5
    for path in found:
        assert Client(headers={"accept": "text/html"}).get(path).status_code == 200


def test_the_pages_are_those_of_the_language() -> None:
    assert "/de/guides/how-many-power-banks-in-2026" in general(
        "Wie viele Powerbanks darf ich mitnehmen?", "/de"
    )
