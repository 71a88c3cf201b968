"""Verdict pages and brand hubs, as readers and crawlers get them."""

import datetime
import html
import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.test import Client
from pytest_django.fixtures import Settings

from aeo.articles.article import Article
from aeo.page_records import register
from aeo.page_records.register import Register
from tests.aeo.conftest import CHANGED, PUBLISHED
from tests.support import starter

PATH = "/p/anker-a1263/ca/cn"

pytestmark = pytest.mark.usefixtures("pages", "now")


def text(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def structured(page: str) -> list[dict[str, object]]:
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    nodes: list[dict[str, object]] = json.loads(found[1])
    return nodes


def test_the_verdict_comes_first_and_all_else_is_there(browser: Client) -> None:
    page = browser.get(PATH).content.decode()
    read = text(page.partition("<main>")[2])
    order = [
        "May the Anker PowerCore 10000 travel on Air China flights from, to and within China?",
        "Banned On its flights within China, not even one unit may travel.",
        "What to do now",
        "collection point for hazardous waste",
        "Conditions",
        "It is subject to a safety recall and may not travel. (only on domestic flights)",
        "Know before you go",
        "Departing",
        "Arriving",
        "Domestic",
        "No other country gets a stricter verdict than an example",
        "This power bank: 37 Wh, computed.",
        "Here: within the limit.",
        "Recalls of exactly this model",
        "What each rule and fact says",
        "recalls of exactly this model are on file",
        "Sources",
        "Ruleset version 2026-11-20",
        "Fresh until 22 November 2026, 00:00 UTC",
        "not legal advice, not a certification and no guarantee",
    ]
    places = [read.find(piece) for piece in order]
    assert -1 not in places
    assert places == sorted(places)
    assert "<script" not in page.replace('<script type="application/ld+json">', "")


def test_a_page_says_no_sentence_twice_but_in_what_opens_on_demand(
    browser: Client, articles: dict[str, Article]
) -> None:
    for path in list(articles)[:40]:
        page = browser.get(path).content.decode().partition("<main>")[2].partition("<h2>Sources")[0]
        open_at_once = re.sub(r"<details>.*?</details>|<svg.*?</svg>", "", page, flags=re.DOTALL)
        pieces = re.findall(r"<(?:p|li|td)\b[^>]*>(.*?)</(?:p|li|td)>", open_at_once, re.DOTALL)
        sentences = [
            one
            for piece in pieces
            for one in re.split(r"(?<=\.) ", text(piece))
            # Several sentences may be only about some flights.
            if len(one) > 20 and not one.startswith("(only on ")
        ]
        assert len(sentences) > 10
        assert len(sentences) == len(set(sentences)), path


def test_a_page_marks_what_to_settle_and_links_where(browser: Client) -> None:
    page = browser.get("/p/anker-a1263/ek/ae").content.decode()
    assert "only once each point “to settle” is settled" in text(page)
    to_settle = re.findall(r"<li>To settle: (.*?)</li>", page)
    assert [text(one) for one in to_settle] == [
        "Units of this model are under recall: check yours at https://www.anker.com/product-recalls "
        "before you fly."
    ]
    assert 'href="https://www.anker.com/product-recalls"' in to_settle[0]
    # What a condition asks for is not a warning too.
    assert text(page.partition("Why")[0]).count("https://www.anker.com/product-recalls") == 1


def test_a_page_links_what_it_rests_on(browser: Client, articles: dict[str, Article]) -> None:
    path, article = next((path, one) for path, one in articles.items() if one.recalls)
    page = browser.get(path).content.decode()
    for citation in article.citations:
        assert f'href="{citation.url.replace("&", "&amp;")}"' in page
        assert f"read {citation.pulled_at.day} {citation.pulled_at:%B %Y}" in page
    content = page.partition("<main>")[2].partition("</main>")[0]
    for address in re.findall(r'href="(?:http://127\.0\.0\.1:8000)?(/[^"]*)"', content):
        if not address.startswith("/static/"):
            assert Client().get(html.unescape(address)).status_code == 200, address


def test_a_page_leads_to_its_model_its_brand_its_airline_its_country_and_its_json(browser: Client) -> None:
    page = browser.get(PATH).content.decode()
    for address in ("/models/anker-a1263", "/brands/anker", "/airlines/ca", "/countries/cn", f"{PATH}.json"):
        assert f'<a href="{address}">' in page


def test_an_indexed_page_is_dated_and_another_one_is_not_for_the_index(
    browser: Client, articles: dict[str, Article]
) -> None:
    indexed = browser.get(next(iter(articles))).content.decode()
    assert "noindex" not in indexed
    article = structured(indexed)[0]
    assert article["dateModified"] == f"{CHANGED:%Y-%m-%dT%H:%M:%SZ}"
    assert article["datePublished"] == f"{PUBLISHED:%Y-%m-%dT%H:%M:%SZ}"
    assert f'<time datetime="{PUBLISHED:%Y-%m-%dT%H:%M:%SZ}">' in indexed

    path = "/p/anker-a1289/ek/jp"
    assert path not in articles
    other = browser.get(path).content.decode()
    assert '<meta name="robots" content="noindex">' in other
    assert not {"dateModified", "datePublished"} & structured(other)[0].keys()


@pytest.mark.django_db
def test_an_article_has_a_picture_and_its_publisher_a_logo_that_can_be_fetched(browser: Client) -> None:
    article: Any = structured(browser.get(PATH).content.decode())[0]
    for url, media_type in (
        (article["image"]["url"], "image/png"),
        (article["publisher"]["logo"]["url"], "image/svg+xml"),
    ):
        answer = Client().get(url.removeprefix("http://127.0.0.1:8000"))
        assert (answer.status_code, answer["Content-Type"]) == (200, media_type)
        answer.close()


def test_a_page_names_its_one_address(browser: Client) -> None:
    page = browser.get(f"{PATH}?utm_source=somewhere", follow=True).content.decode()
    assert f'<link rel="canonical" href="http://127.0.0.1:8000{PATH}">' in page
    assert f'<meta property="og:url" content="http://127.0.0.1:8000{PATH}">' in page
    crumbs = structured(page)[1]["itemListElement"]
    assert isinstance(crumbs, list)
    assert [urlsplit(crumb["item"]).path for crumb in crumbs] == ["/brands", "/brands/anker", PATH]


@pytest.mark.parametrize(
    ("spelling", "address"),
    [
        ("/p/anker-a1263/CA/cn", PATH),
        ("/p/Anker-A1263/ca/CN", PATH),
        (f"{PATH}/", PATH),
        ("/p/anker-a1263/ca/CN.json", f"{PATH}.json"),
        ("/brands/Anker", "/brands/anker"),
        ("/brands/anker/", "/brands/anker"),
    ],
)
def test_another_spelling_is_sent_to_the_one_address(browser: Client, spelling: str, address: str) -> None:
    answer = browser.get(spelling)
    assert (answer.status_code, answer["Location"]) == (301, address)


@pytest.mark.parametrize(
    "path",
    [
        "/p/no-such-model/ca/cn",
        "/p/anker-a1263/xx/cn",
        "/p/anker-a1263/ca/zz",
        "/p/anker-a1263/ca",
        "/p/anker-a1263/ca/cn/jp",
        "/p/%C4%B0/ca/cn",
        "/brands/no-such-brand",
    ],
)
def test_what_is_not_known_is_not_found(browser: Client, path: str) -> None:
    assert browser.get(path).status_code == 404
    assert Client().get(path)["Content-Type"] == "application/problem+json"


def test_an_airline_without_a_rule_in_force_has_no_page(browser: Client) -> None:
    shelf = starter.starter_release().shelf
    silent = next(code for code in shelf.airlines if not shelf.rules_of(code))
    assert browser.get(f"/p/anker-a1263/{silent.lower()}/jp").status_code == 404


@pytest.mark.parametrize("path", [PATH, f"{PATH}.json", "/brands/anker", "/brands"])
def test_who_holds_a_page_gets_304_and_nothing_is_evaluated(
    browser: Client, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = browser.get(path)
    for place in ("rules.verdicts.answer_from", "aeo.brands.hubs.brands", "aeo.brands.hubs.brand"):
        monkeypatch.setattr(place, None)
    for headers in (
        {"if-none-match": first["ETag"]},
        {"if-none-match": f"W/{first['ETag']}"},
        {"if-modified-since": first["Last-Modified"]},
    ):
        answer = browser.get(path, headers=headers)
        assert (answer.status_code, answer.content) == (304, b"")
        assert (answer["ETag"], answer["Cache-Control"]) == (first["ETag"], first["Cache-Control"])


def test_the_next_day_and_the_next_recomputation_are_other_pages(
    browser: Client, monkeypatch: pytest.MonkeyPatch, pages: Register
) -> None:
    path = next(iter(pages.pages))
    tags = {browser.get(path)["ETag"]}
    with time_machine.travel(starter.NOW + datetime.timedelta(days=1), tick=False):
        tags.add(browser.get(path)["ETag"])
    monkeypatch.setattr(register, "current", Register)
    tags.add(browser.get(path)["ETag"])
    assert len(tags) == 3


def test_a_page_is_the_same_at_any_second_of_its_day(browser: Client) -> None:
    morning = browser.get(PATH)
    with time_machine.travel(datetime.datetime(2026, 11, 21, 23, 58, 0, tzinfo=datetime.UTC), tick=False):
        night = browser.get(PATH)
    assert (morning.content, morning["ETag"]) == (night.content, night["ETag"])
    assert morning["Cache-Control"] == "public, max-age=300, stale-if-error=3600"
    assert night["Cache-Control"] == "public, max-age=120, stale-if-error=0"


def test_where_verdicts_hold_shorter_a_page_does_too(browser: Client, settings: Settings) -> None:
    settings.VERDICT_VALIDITY_HOURS = 5
    page = browser.get(PATH).content.decode()
    assert "Fresh until 21 November 2026, 10:00 UTC" in text(page)
    before = browser.get(PATH)["ETag"]
    with time_machine.travel(datetime.datetime(2026, 11, 21, 10, 0, tzinfo=datetime.UTC), tick=False):
        answer = browser.get(PATH)
    assert answer["ETag"] != before
    assert "Fresh until 21 November 2026, 15:00 UTC" in text(answer.content.decode())


def test_pages_are_read_and_never_written(browser: Client) -> None:
    assert browser.post(PATH).status_code == 405
    head = browser.head(PATH)
    assert (head.status_code, head.content) == (200, b"")


def test_without_a_release_nothing_counts_as_allowed(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable() -> None:
        from rules.corpus import NoReleasePublished

        raise NoReleasePublished

    monkeypatch.setattr("rules.corpus.current", unavailable)
    answer = browser.get(PATH)
    assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "5", "no-store")
    assert "Do not count this as allowed" in answer.content.decode()


def test_a_brand_hub_counts_its_models_and_blames_none_for_another(browser: Client) -> None:
    page = text(browser.get("/brands/anker").content.decode())
    devices = [device for device in starter.starter_content().devices if device.brand == "Anker"]
    assert f"{len(devices)} models of Anker are in ruleset 2026-11-20" in page
    assert "A recall applies to the exact model that it names, never to the brand." in page
    assert page.count("of exactly this model.") == sum(
        bool(starter.starter_release().shelf.recalls_of(device.model_id)) for device in devices
    )
