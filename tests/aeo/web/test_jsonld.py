"""Structured data says what it was given, and nothing in it can end the element that it stands in."""

import datetime
import json
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from aeo.web import jsonld
from aeo.web.jsonld import Crumb, Image, Product, Publisher
from rules.engine.corpus import Citation

CITATION = Citation(
    "airline", "Emirates", "AE", "https://example.com/a?b=1&c=<2>", datetime.date(2026, 11, 20)
)


class Scripts(HTMLParser):
    """Reads a page as a browser does: where a script element ends is decided by its text."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = False
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.inside = tag == "script"

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "script"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts.append(data)


def article(body: str, headline: str = "May it travel?") -> jsonld.Node:
    return jsonld.article(
        publisher=Publisher("https://example.com/", "https://example.com/icon.svg"),
        image=Image("https://example.com/p/a/b/c.png", 1200, 630),
        url="https://example.com/p/a/b/c",
        headline=headline,
        body=body,
        language="en",
        ruleset_version="2026-11-20",
        expires=datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC),
        about=Product("a", "A", "B", None),
        citations=[CITATION],
    )


@given(
    st.one_of(
        st.text(),
        st.lists(
            st.sampled_from(["</script>", "<!--", "<script>", "]]>", "&lt;", "\u2028", "\\", '"', "x"])
        ).map("".join),
    )
)
def test_any_text_comes_back_as_it_was_from_inside_a_page(text: str) -> None:
    nodes = [article(text, headline=text)]
    page = (
        f'<!doctype html><script type="application/ld+json">{jsonld.script_text(nodes)}</script><p>after</p>'
    )
    reader = Scripts()
    reader.feed(page.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass"))
    assert json.loads("".join(reader.texts)) == nodes
    assert not set("<>&\u2028\u2029") & set(jsonld.script_text(nodes))


def test_a_citation_tells_kind_place_and_day() -> None:
    [node] = article("x")["citation"]
    assert node["citation_kind"] == "airline"
    assert node["citation_jurisdiction"] == "AE"
    assert node["pulled_at"] == "2026-11-20T00:00:00Z"
    assert node["url"] == CITATION.url


def test_what_schema_org_has_a_name_for_has_that_name_too() -> None:
    [node] = article("x")["citation"]
    assert node["publisher"] == {"@type": "Organization", "name": "Emirates"}
    assert node["spatialCoverage"] == {"@type": "AdministrativeArea", "identifier": "AE"}
    assert node["genre"] == "airline"
    # The day on which a page was read is not the day on which it was changed.
    assert "dateModified" not in node
    everywhere = jsonld.citation_node(replace(CITATION, jurisdiction="INTL"))
    assert "spatialCoverage" not in everywhere


def test_a_page_that_no_one_dated_has_no_date() -> None:
    assert "dateModified" not in jsonld.dated(article("x"), None)
    changed = datetime.datetime(2026, 11, 20, 12, 30, tzinfo=datetime.UTC)
    assert jsonld.dated(article("x"), changed)["dateModified"] == "2026-11-20T12:30:00Z"
    assert "datePublished" not in jsonld.dated(article("x"), changed)
    assert jsonld.dated(article("x"), None, changed)["datePublished"] == "2026-11-20T12:30:00Z"


def test_crumbs_are_numbered_from_one() -> None:
    crumbs = jsonld.breadcrumbs(
        [Crumb("Brands", "https://example.com/brands"), Crumb("Anker", "https://e.com/b")]
    )
    assert [item["position"] for item in crumbs["itemListElement"]] == [1, 2]
