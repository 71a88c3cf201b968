"""What readers and programs get of the disagreements of the starter corpus."""

import json
import re
from dataclasses import replace
from html import unescape
from typing import Any

import msgspec
import pytest
import time_machine
from django.conf import settings
from django.test import Client

from aeo.datasets import files
from aeo.datasets.rows import DATASETS
from aeo.texts import say, speaking
from aeo.web.languages import localized
from rules.corpus import Published
from rules.engine.disagreements import Disagreement
from tests.support import starter
from tests.support.api_callers import a_client

LANGUAGES = [code for code, _ in settings.LANGUAGES]
ALL = starter.starter_content().disagreements
EMIRATES = next(one for one in ALL if one.id == "ek-exactly-100wh")
HTML, MARKDOWN = {"accept": "text/html"}, {"accept": "text/markdown"}

pytestmark = [pytest.mark.usefixtures("starter_release"), pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _now() -> Any:
    """Stop the clock at the instant at which tests ask."""
    with time_machine.travel(starter.NOW, tick=False):
        yield


def get(path: str, headers: dict[str, str] = HTML) -> str:
    response = Client().get(path, headers=headers)
    assert response.status_code == 200, path
    return response.getvalue().decode()


def said_by(one: Disagreement) -> list[str]:
    return [one.question, *(side.says for side in one.sides), one.because]


def text_of(page: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", page))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_all_of_them_in_every_language(language: str) -> None:
    page = get(localized("/disagreements", language))
    text = text_of(page)
    for one in ALL:
        for words in said_by(one):
            assert words in text
    # What editors wrote is English; a page in another language marks it so.
    quoted = page.count('<q lang="en">')
    assert quoted == (0 if language == "en" else sum(len(said_by(one)) for one in ALL))


def test_the_page_has_its_sources_in_markdown_and_as_structured_data(starter_release: Published) -> None:
    urls = {starter_release.shelf.sources[name].url for one in ALL for name in one.sources}
    text = get("/disagreements", MARKDOWN).replace("\\", "")
    (script,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', get("/disagreements"), re.S)
    page = next(node for node in json.loads(script) if node["@type"] == "WebPage")
    assert {citation["url"] for citation in page["citation"]} == urls
    for url in urls:
        assert url in text
    assert "no source on file" in text


def test_readers_are_led_to_it() -> None:
    for path in ("/", "/methodology", "/coverage", "/airlines/ek"):
        assert 'href="/disagreements"' in get(path), path
    assert "/disagreements</loc>" in get("/sitemaps/pages.xml")
    assert "/disagreements" in get("/llms.txt")


def test_the_pages_of_an_airline_and_of_a_country_show_their_own() -> None:
    emirates, canada = text_of(get("/airlines/ek")), text_of(get("/countries/ca"))
    for words in said_by(EMIRATES):
        assert words in emirates
    assert EMIRATES.question not in canada
    for one in ALL:
        if one.about.jurisdiction == "CA":
            assert one.question in canada
    # The link in the foot of the page is called otherwise.
    assert "Where sources disagree" not in get("/airlines/sq")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_in_another_language_says_that_the_editors_words_are_in_english(language: str) -> None:
    with speaking(language):
        note = say("disagreements.english")
    for path in ("/disagreements", "/airlines/ek", "/countries/ca"):
        assert (note in text_of(get(localized(path, language)))) == (language != "en"), path


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_shows_it_next_to_its_rule(language: str) -> None:
    page = get(f"{localized('/check', language)}?model=anker-a1109&airline=QR&from=QA&to=GB")
    one = next(one for one in ALL if one.id == "qr-use-on-board")
    _, _, after = page.partition('<div class="disagreement">')
    block, _, rest = after.partition("</div>")
    for words in said_by(one):
        assert words in text_of(block)
    assert block.count('lang="en"') == len(said_by(one))
    # The rule that it is about stands right below it.
    assert one.applied in rest[:200]


def test_a_verdict_page_shows_it_once() -> None:
    page = text_of(get("/p/anker-a1109/qr/gb"))
    assert page.count("May a power bank charge a phone on board Qatar Airways?") == 1


def test_the_rule_in_the_api_names_it_with_both_sides() -> None:
    body = a_client().get(f"/api/rules/{EMIRATES.applied}").json()
    (found,) = body["disagreements"]
    sources = {source.id: source for source in starter.starter_content().sources}
    assert found == {
        "disagreement_id": EMIRATES.id,
        "airline": "EK",
        "jurisdiction": None,
        "question": EMIRATES.question,
        "sides": [
            {
                "says": side.says,
                "citations": [
                    {
                        "kind": sources[name].kind,
                        "authority": sources[name].authority,
                        "jurisdiction": sources[name].jurisdiction,
                        "url": sources[name].url,
                        "pulled_at": sources[name].read_on.isoformat(),
                    }
                    for name in side.sources
                ],
            }
            for side in EMIRATES.sides
        ],
        "rule_id": EMIRATES.applied,
        "because": EMIRATES.because,
    }


def test_the_list_of_rules_names_them_too_and_most_have_none() -> None:
    listed = a_client().get("/api/rules?airline=EK").json()["rules"]
    named = {rule["rule_id"] for rule in listed if rule["disagreements"]}
    assert named == {one.applied for one in ALL if one.about.airline == "EK"}


def test_they_are_a_dataset(starter_release: Published) -> None:
    release = replace(starter_release, published_at=starter.NOW)
    made = {one.file_format: one for one in files.make(DATASETS["disagreements"], release)}
    rows = files.read(DATASETS["disagreements"], made["jsonl"].body)
    assert rows.keys() == {one.id for one in ALL}
    assert rows[EMIRATES.id]["rule_id"] == EMIRATES.applied
    assert made["csv"].records == len(ALL)


def test_a_release_without_any_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    content = starter.starter_content()
    bare = starter.published(msgspec.structs.replace(content, disagreements=()))
    monkeypatch.setattr("rules.corpus._current", bare)
    assert "No disagreement between sources is on file." in get("/disagreements")
    assert a_client().get(f"/api/rules/{EMIRATES.applied}").json()["disagreements"] == []
