"""Whoever prefers Markdown gets the answer of `/check` in Markdown, and what a question lacks."""

import json
from typing import Any

import pytest
from django.test import Client

from aeo.web.languages import localized
from tests.aeo.markdown import in_markdown

pytestmark = pytest.mark.usefixtures("starter_release", "now")

ROUTE = "&airline=EK&from=AE&to=GB"
MARKDOWN = {"accept": "text/markdown"}

ANSWERED = (
    f"/check?model=anker-a1289{ROUTE}",
    f"/check?model=anker-a1289{ROUTE}&date=2026-12-20&count=2",
    f"/check?model=anker-a1263{ROUTE}&recall=affected",
    "/check?model=anker-a1263&airline=QR&from=QA&to=GB",
    "/check?model=anker-a1289&airline=CA&from=CN&to=CN&mark=absent",
    "/de/check?model=anker-a1263&airline=BA&from=US&to=IE&bag=checked",
    f"/ja/check?wh=120{ROUTE}",
    f"/check?mah=20000&v=none{ROUTE}",
)


@pytest.mark.parametrize("path", ANSWERED)
def test_an_answer_in_markdown_has_the_facts_of_its_page(browser: Client, path: str) -> None:
    answer = in_markdown(browser, path)
    assert answer.headers["Cache-Control"].startswith("private, max-age=")
    assert answer.headers["Link"].endswith(f'{path}>; rel="canonical"')


def test_it_has_the_question_for_programs_and_their_answer(browser: Client) -> None:
    text = browser.get(ANSWERED[1], headers=MARKDOWN).content.decode()
    body = json.loads(text.partition("-d '")[2].partition("'\n")[0])
    answer = Client().post("/api/verify", json.dumps(body), content_type="application/json").json()
    assert answer["verdict"] == "banned"
    assert answer["verdict_id"] in text.replace("\\", "")
    assert text.startswith("# Anker 737 Power Bank (PowerCore 24K) with Emirates\n\n**Banned**\n")


@pytest.mark.parametrize("language", ["en", "de", "ko"])
def test_a_question_without_an_answer_says_what_it_lacks(browser: Client, language: str) -> None:
    path = f"{localized('/check', language)}?model=nonsense&airline=EK&from=AE"
    answer = browser.get(path, headers=MARKDOWN)
    assert answer.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    text = answer.content.decode()
    assert "**" not in text
    if language == "en":
        assert "Nothing has been answered yet." in text
        assert "No power bank called “nonsense” is on file." in text
        assert "Choose where the flight arrives." in text


def test_unused_words_are_shown_and_no_verdict_is_given(browser: Client) -> None:
    text = in_words(browser, "/check?q=Anker+737+on+Emirates+from+Dubai+to+London+flurbed")
    assert "“flurbed”" in text
    assert "Anker 737" in text.partition("## This was understood")[2]
    assert "**" not in text


def test_what_is_not_covered_is_not_cleared_and_another_thing_gets_no_verdict(browser: Client) -> None:
    text = in_words(browser, "/check?model=anker-a1289&airline=ZZ&from=AE&to=GB")
    assert text.startswith("# No answer for ZZ\n\n**Not cleared**\n")
    assert "Do not count this as allowed." in text
    text = in_words(browser, "/check?q=my+drone+on+Emirates")
    assert "It gives no answer for “drone”." in text
    assert "International Civil Aviation Organization" in text
    assert "**" not in text


def in_words(browser: Client, path: str) -> str:
    """Return a page in Markdown, wherever its address leads."""
    answer: Any = browser.get(path, headers=MARKDOWN, follow=True)
    assert answer.headers["Content-Type"] == "text/markdown; charset=utf-8"
    text: str = answer.content.decode()
    return text
