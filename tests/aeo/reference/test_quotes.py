"""Quotes of rules where people read rules: in their own words, as quotations, only where there is one."""

import html
import re
from collections.abc import Iterator

import pytest
from django.test import Client
from markdown_it import MarkdownIt
from msgspec.structs import replace
from pytest_django.fixtures import Settings

from rules import corpus
from rules.engine.facts import Quote
from rules.policy_history import selectors
from rules.wording import translating
from tests.aeo.texts.test_no_page_is_half_translated import LANGUAGES, Bracketed, left_over, names, shown
from tests.support.starter import published, starter_content

LABEL = "In the words of the source:"
WORDS = '1台 <まで> * [持ち込み] & "1. no more"'
WHERE = "section Power banks, second bullet"
ANSWER = "/check?model=anker-a1289&airline=EK&from=AE&to=GB"
PAGES = ("/airlines/ek", "/countries/jp")

pytestmark = pytest.mark.usefixtures("pages", "now", "_quoted")


@pytest.fixture
def _quoted() -> Iterator[None]:
    """The starter corpus, in which one rule of Emirates and one of Japan quote what no page says."""
    content = starter_content()
    quotable = {source.id for source in content.sources if source.citable}
    quoted = []
    for rule in content.rules:
        if rule.rule_id in {"ek.max-units", "jp.mlit.checked-baggage"}:
            source = next(name for name in rule.sources if name in quotable)
            rule = replace(rule, quotes=(Quote(source=source, words=WORDS, where=WHERE),))
        quoted.append(rule)
    release = published(replace(content, rules=tuple(quoted)))
    with corpus.answering_from(release):
        selectors.starts_with(release)
        yield


def page(path: str, accept: str = "text/html") -> str:
    answer = Client().get(path, headers={"accept": accept})
    assert answer.status_code == 200
    return answer.content.decode()


def figures(text: str) -> list[str]:
    return re.findall(r'<figure class="quote">.*?</figure>', text, re.DOTALL)


@pytest.mark.parametrize("path", [*PAGES, ANSWER])
def test_the_words_stand_where_their_rule_is_shown_as_a_quotation_of_their_page(path: str) -> None:
    (figure,) = figures(page(path))
    quotation = re.search(r'<blockquote lang="" cite="(https?://[^"]+)">(.*?)</blockquote>', figure)
    assert quotation is not None
    assert html.unescape(quotation[2]) == WORDS
    assert f'<a href="{quotation[1]}" rel="external">' in figure
    assert LABEL in figure


@pytest.mark.parametrize("path", ["/airlines/lh", "/countries/fr", ANSWER.replace("EK", "LH")])
def test_where_no_rule_is_quoted_nothing_stands(path: str) -> None:
    text = page(path)
    assert "blockquote" not in text
    assert LABEL not in text


@pytest.mark.parametrize("path", PAGES)
def test_the_twin_quotes_the_same_in_the_item_of_its_rule(path: str) -> None:
    rendered = MarkdownIt("commonmark").enable("table").render(page(path, "text/markdown"))
    (item,) = [one for one in re.split(r"(?=<li>)", rendered) if "<blockquote>" in one]
    quotation = item.partition("<blockquote>")[2].partition("</blockquote>")[0]
    assert html.unescape(re.sub(r"</?p>", "", quotation)).strip() == WORDS
    assert LABEL in item.partition("<blockquote>")[0]
    assert item.index("<blockquote>") < item.index("</li>")
    assert WHERE in item


@pytest.mark.parametrize("path", PAGES)
def test_structured_data_says_no_more_than_before(path: str) -> None:
    said = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page(path), re.DOTALL)
    assert said
    assert not any("1台" in one for one in said)


@pytest.mark.parametrize("path", [*PAGES, ANSWER])
def test_in_another_language_the_words_stay_and_what_an_editor_says_of_them_goes(
    path: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LANGUAGES = LANGUAGES
    monkeypatch.setattr(translating, "translations", lambda language: Bracketed())
    text = shown(path)
    (figure,) = figures(text)
    assert html.escape(WORDS) in figure
    assert f"⟦{LABEL}⟧" in figure
    assert WHERE not in text
    assert left_over(text, corpus.current()) == set()
    assert names(corpus.current())
