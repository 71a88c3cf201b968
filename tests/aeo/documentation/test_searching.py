"""The search finds what is documented by its words, and leads to the section that has them."""

import re

import pytest
from django.test import Client

from aeo.documentation.documents import documents
from aeo.documentation.rendering import headings
from aeo.documentation.searching import MOST_RESULTS, search


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("errors", "/developers/errors"),
        ("Limits", "/developers/limits"),
        ("limit sizes", "/developers/limits#sizes"),
        ("webhooks", "/developers/webhooks"),
        ("recall_check", "/developers/integrating#serial-numbers"),
        ("Idempotency-Key", "/developers/integrating#send-it-again"),
        ("REQUEST_IN_PROGRESS", "/developers/integrating#send-it-again"),
        ("next_cursor", "/developers/paging"),
        ("If-None-Match", "/developers/caching#lists-and-records"),
        ("npm", "/developers/client-javascript"),
        ("install clients", "/developers/clients-guide#install"),
        ("answers in other languages", "/developers/integrating#languages"),
        ("rated limits", "/developers/limits#above-the-limit"),
        ("cached", "/developers/caching"),
        ("retried requests", "/developers/limits#above-the-limit"),
        ("limiting", "/developers/limits"),
        ("quick start python", "/developers/quick-start#python"),
    ],
)
def test_words_lead_to_their_section(query: str, path: str) -> None:
    assert path in [one.path for one in search(query)[:3]]


@pytest.mark.parametrize("name", sorted(documents()))
def test_each_heading_is_found_by_its_words(name: str) -> None:
    document = documents()[name]
    for heading in headings(document.body):
        paths = [one.path for one in search(f"{document.title} {heading.words}"[:100])]
        assert f"{document.path}#{heading.anchor}" in paths, heading


def test_every_result_has_most_of_the_words_and_an_anchor_that_exists() -> None:
    anchors = {one.path: {head.anchor for head in headings(one.body)} for one in documents().values()}
    results = search("key origin browser")
    assert 0 < len(results) <= MOST_RESULTS
    for one in results:
        path, _, anchor = one.path.partition("#")
        assert not anchor or anchor in anchors[path]
        assert len(one.excerpt) < 220


@pytest.mark.parametrize("query", ["", " ", "...", "qzxv", "'\"<>&", "\x00", "(", "a" * 5000])
def test_what_is_no_word_of_it_finds_nothing(query: str) -> None:
    assert search(query) == []
    response = Client(headers={"accept": "text/html"}).get("/developers/search", {"q": query})
    assert response.status_code == 200
    assert '<ol class="plain">' not in response.content.decode()


def test_the_page_of_results_works_without_a_script_and_shows_typed_markup_as_text() -> None:
    client = Client(headers={"accept": "text/html"})
    page = client.get("/developers/search", {"q": "429 <b>"}).content.decode()
    assert "<b>" not in page
    assert "<script" not in page
    found = client.get("/developers/search", {"q": "retry-after"})
    assert found["x-robots-tag"] == "noindex"
    assert found["cache-control"] == "private, no-cache"
    assert re.search(r'<a href="/developers/limits#above-the-limit">', found.content.decode())
    assert "<mark>Retry-After</mark>" in found.content.decode()


def test_programs_get_the_results_as_markdown() -> None:
    response = Client(headers={"accept": "text/markdown"}).get("/developers/search", {"q": "next_cursor"})
    assert response["content-type"] == "text/markdown; charset=utf-8"
    assert "](http://127.0.0.1:8000/developers/paging)" in response.content.decode()


@pytest.mark.parametrize(
    ("inflected", "word"),
    [
        ("rated", "rate"),
        ("limited", "limit"),
        ("retrying", "retry"),
        ("queries", "query"),
        ("caches", "cache"),
    ],
)
def test_a_word_with_an_ending_finds_at_least_what_the_word_finds(inflected: str, word: str) -> None:
    best = [one.path for one in search(word)]
    assert best
    assert {*best[:3]} <= {one.path for one in search(inflected)} or len(best) == MOST_RESULTS
    assert search(inflected)


def test_a_part_of_a_word_that_only_looks_like_an_ending_stays() -> None:
    assert all("feed" in one.excerpt.casefold() or "feed" in one.title.casefold() for one in search("feed"))
