"""Any page can be had as Markdown, from the record that its HTML is made of."""

import html
import re

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from aeo.pages import html as html_of
from aeo.pages import markdown
from aeo.pages.record import Bullets, Code, Drawing, Facts, Link, Note, Paragraph, Section, Table
from aeo.web.negotiation import HTML, MARKDOWN, quality
from tests.aeo.conftest import CHANGED

SITE = "http://127.0.0.1:8000"
VERDICT = "/p/anker-a1263/ca/cn"
PATHS = (
    VERDICT,
    "/guides",
    "/guides/power-banks-on-emirates",
    "/models/anker-a1263",
    "/airlines/ek",
    "/countries/jp",
    "/recalls/us-cpsc-25-338",
    "/models",
    "/brands",
    "/brands/anker",
)

reader = MarkdownIt("commonmark").enable("table")


def words(markup: str) -> list[str]:
    """The words of some HTML, without its tags and without the colons that facts have as Markdown."""
    return html.unescape(re.sub(r"<[^>]+>", " ", markup)).replace(":", " ").split()


def get(path: str, accept: str) -> str:
    answer = Client().get(path, headers={"accept": accept})
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.usefixtures("pages", "now")
@pytest.mark.parametrize("path", PATHS)
def test_the_twin_says_what_the_page_says(path: str) -> None:
    page, twin = get(path, "text/html"), get(path, "text/markdown")
    assert f'<link rel="alternate" type="text/markdown" href="{SITE}{path}">' in page
    shown = page[page.index("<h1>") :].partition("<script")[0]
    # What opens a long list of sources, and pictures: Markdown folds nothing away, and has their facts.
    shown = re.sub('<summary>[^<]*</summary>(?=\\s*<ol class="sources">)|<svg.*?</svg>', "", shown)
    rendered = reader.render(twin)
    said, read = words(shown), words(rendered)
    assert read[: len(said)] == said
    assert " ".join(read[len(said) :]).startswith("Answers of this service are informational and cited.")
    assert "not legal advice, not a certification and no guarantee" in rendered
    links = set(re.findall(r'href="([^"]*)"', shown))
    assert {address if address.startswith("http") else SITE + address for address in links} == set(
        re.findall(r'href="([^"]*)"', rendered)
    )


@pytest.mark.usefixtures("pages", "now")
@pytest.mark.parametrize("path", PATHS)
def test_each_form_has_its_own_tag_and_names_what_it_depends_on(path: str) -> None:
    page = Client().get(path, headers={"accept": "text/html"})
    twin = Client().get(path, headers={"accept": "text/markdown"})
    assert page["ETag"] != twin["ETag"]
    assert page["Vary"] == twin["Vary"] == "Accept, Accept-Encoding"
    assert (page["Content-Type"], twin["Content-Type"]) == (
        "text/html; charset=utf-8",
        "text/markdown; charset=utf-8",
    )
    assert twin["Link"] == f'<{SITE}{path}>; rel="canonical"'
    not_modified = Client().get(path, headers={"accept": "text/markdown", "if-none-match": twin["ETag"]})
    assert (not_modified.status_code, not_modified["ETag"], not_modified["Vary"]) == (
        304,
        twin["ETag"],
        "Accept, Accept-Encoding",
    )
    other = Client().get(path, headers={"accept": "text/html", "if-none-match": twin["ETag"]})
    assert other.status_code == 200


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("", HTML),
        ("*/*", HTML),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", HTML),
        ("text/markdown", MARKDOWN),
        ("text/markdown, text/html", HTML),
        ("text/markdown, */*;q=0.1", MARKDOWN),
        ("text/html;q=0.5, text/markdown;q=0.9", MARKDOWN),
        ("text/html;q=0.9, text/markdown;q=0.5", HTML),
        ("text/*", HTML),
        ("text/*;q=0.5, text/markdown", MARKDOWN),
        ("text/markdown;q=0, */*", HTML),
        ("text/html;q=0, */*", MARKDOWN),
        ("TEXT/Markdown ; charset=utf-8", MARKDOWN),
        ("text/markdown;q=0", HTML),
        ("application/json", HTML),
        ("text/markdown;q=rubbish", MARKDOWN),
    ],
)
@pytest.mark.usefixtures("pages", "now")
def test_the_reader_gets_what_it_prefers_and_html_wins_ties(accept: str, wanted: str) -> None:
    answer = Client().get("/guides", headers={"accept": accept})
    assert answer["Content-Type"] == f"{wanted}; charset=utf-8"


@given(st.text(max_size=60))
def test_no_header_is_too_odd_to_be_weighed(header: str) -> None:
    assert 0 <= quality(header, MARKDOWN) <= 1


@pytest.mark.usefixtures("pages", "now")
def test_a_twin_is_dated_or_kept_from_the_index_as_its_page_is() -> None:
    assert f"Content last changed: {CHANGED:%-d %B %Y, %H:%M} UTC" in get("/airlines/ek", "text/markdown")
    hidden = Client().get("/countries/ad", headers={"accept": "text/markdown"})
    assert hidden["X-Robots-Tag"] == "noindex"
    shown = Client().get("/airlines/ek", headers={"accept": "text/markdown"})
    assert "X-Robots-Tag" not in shown


TEXT = st.text(
    st.one_of(
        st.sampled_from("\\`*_[]<>|#~&!-+=.1)({}:'\" "), st.characters(codec="ascii", min_codepoint=33)
    ),
    min_size=1,
    max_size=40,
).map(lambda text: " ".join(text.split()))


@given(TEXT.filter(bool))
def test_no_character_of_a_text_counts_as_markup(text: str) -> None:
    address = "https://example.com/a_(b)?c=d&e=<f>"
    for block, before, after in (
        (Paragraph((text,)), [], []),
        (Bullets(((text,),)), [], []),
        (Table(("Head", "Value"), (((text,), ("x",)),)), ["Head", "Value"], ["x"]),
        (Paragraph((Link(text, address),)), [], []),
    ):
        rendered = reader.render(markdown.block(block))
        shown = html.unescape(re.sub(r"</?(p|ul|li|table|thead|tbody|tr|t[hd]|a)\b[^>]*>", " ", rendered))
        assert shown.split() == [*before, *text.split(), *after]


@given(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1))
def test_no_text_is_markup_in_html_either(text: str) -> None:
    section = Section(
        text,
        (
            Paragraph((text, Note(text), Link(text, text))),
            Bullets(((text,),)),
            Facts(((text, (text,)),)),
            Table((text,), (((text,),),)),
            Code(text),
        ),
    )
    written = html_of.sections([section])
    elements = re.sub(
        r'</?(h2|p|small|ul|li|dl|dt|dd|table|thead|tbody|tr|pre|code)>|<th scope="(row|col)">|</th>|</a>'
        r'|<a href="[^"<>]*"( rel="external")?>|<div class="table">|</div>',
        "",
        written,
    )
    assert not set('<>"') & set(elements)
    assert html.unescape(elements.replace("\n", "")) == text * 10


def test_names_and_values_are_a_list() -> None:
    block = Facts((("Watt-hours", ("37 Wh",)), ("Model_number", ("A*1*",))))
    assert words(reader.render(markdown.block(block))) == ["Watt-hours", "37", "Wh", "Model_number", "A*1*"]


def test_a_picture_is_for_browsers_and_its_facts_are_for_all() -> None:
    facts = Facts((("Free up to", ("100 Wh",)),))
    drawn = Drawing('<svg class="picture bar" role="img" aria-label="100"/>', facts)
    assert markdown.block(drawn) == markdown.block(facts)
    assert html_of.block(drawn) == f'<figure class="drawing">\n{drawn.svg}\n{html_of.block(facts)}</figure>\n'
