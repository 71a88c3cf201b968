"""What is documented is published whole, leads nowhere dead, and its commands work."""

import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatch
from http import HTTPStatus
from itertools import pairwise
from pathlib import PurePath
from urllib.parse import urlsplit

import pytest
import time_machine
from django.conf import LazySettings
from django.test import Client
from django.urls import resolve
from markdown_it import MarkdownIt

from aeo.documentation import documents as published
from aeo.documentation.documents import FILES, Document, documents
from aeo.documentation.links import rewritten
from aeo.documentation.rendering import headings, html
from compliance.api.verdicts.batch_request import MAX_BATCH_BYTES, OF_FLIGHTS, OF_ITINERARIES
from compliance.services.embedded import REPOSITORY
from compliance.services.environments import KEYS, OF_CLIENTS, OF_OURS
from tests.aeo.documentation.reading import code
from tests.support.starter import NOW

HTML = {"accept": "text/html"}
MARKDOWN = {"accept": "text/markdown"}
SITE = published.WRITTEN_FOR

NAMES = sorted(FILES)


def links(text: str) -> list[str]:
    """Return where the links of a text in Markdown lead."""
    tokens = [one for token in MarkdownIt().enable("table").parse(text) for one in token.children or ()]
    return [str(one.attrGet("href")) for one in tokens if one.type == "link_open"]


def commands(document: Document) -> Iterator[list[str]]:
    """Return the commands with curl in a document, as the arguments of each.

    A command with variables of a shell is run by `test_quick_start`, and one with a key (`…`) by no one.
    """
    for block in (*code(document, ""), *code(document, "sh")):
        for command in re.split(r"^(?=curl )", block, flags=re.MULTILINE):
            if command.startswith("curl ") and "$" not in command and "…" not in command:
                yield shlex.split(command.replace("\\\n", " "))


def problem_of(command: list[str]) -> str | None:
    """Send the request of a command, and return the code of the error that it gets, if it gets one."""
    [address] = [one for one in command if one.startswith(SITE)]
    headers = {
        name: value
        for before, one in pairwise(command)
        if before == "-H"
        for name, _, value in [one.partition(": ")]
    }
    body = next((one for before, one in pairwise(command) if before == "-d"), None)
    kind = headers.pop("content-type", "")
    path = address.removeprefix(SITE)
    client = Client(headers=headers)
    response = client.get(path) if body is None else client.post(path, body, content_type=kind)
    if response.status_code in {HTTPStatus.OK, HTTPStatus.CREATED}:
        return None
    return str(response.json()["code"])


@pytest.mark.parametrize("name", NAMES)
def test_a_link_leads_to_a_page_or_a_heading_that_is_there(name: str) -> None:
    for url in links(documents()[name].body):
        parts = urlsplit(url)
        if parts.netloc:
            assert parts.scheme == "https", url
            continue
        path = parts.path or documents()[name].path
        assert resolve(path), url
        of_page = [one for one in documents().values() if one.path == path]
        if parts.fragment and of_page:
            assert parts.fragment in {one.anchor for one in headings(of_page[0].body)}, url


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_markdown_is_lost_or_left_over_on_a_page(name: str) -> None:
    document = documents()[name]
    shown = html(document.body)
    # Markup in documents would be shown as text, and no document has pictures.
    assert "<img" not in shown
    prose = re.sub(r"<pre.*?</pre>|<code>.*?</code>", "", shown, flags=re.DOTALL)
    assert re.findall(r"\]\(|```|\*\*|&lt;!--|\.md\b", prose.replace("add .md", "")) == []
    # A line of a list or table that is not read as one would run into the paragraph before.
    assert re.search(r"<p>[^<]*\n(- |\|)", prose) is None
    assert re.search(r"<th[^>]*></th>", shown) is None
    anchors = re.findall(r' id="([^"]+)"', shown)
    assert len(anchors) == len(set(anchors)) == len(headings(document.body))


def test_every_document_is_listed_on_the_first_page() -> None:
    first = documents()[published.INDEX]
    assert {one.path for one in documents().values()} - set(links(first.body)) == {first.path}


def test_what_is_for_operators_and_other_files_are_not_published() -> None:
    everything = "\n".join(one.body for one in documents().values())
    assert "For operators" not in everything
    assert "manage.py" not in everything
    # Their words remain.
    assert rewritten("see [operations](operations.md)", lambda _: None) == "see operations"
    assert Client(headers=HTML).get("/developers/operations").status_code == 404


@pytest.mark.parametrize("name", NAMES)
def test_a_page_names_nothing_that_only_operators_can_open(name: str) -> None:
    body = documents()[name].body
    settings_named = [one for one in (*OF_CLIENTS, *OF_OURS, *KEYS) if re.search(rf"\b{one}\b", body)]
    assert settings_named == []
    assert re.findall(r"decision \d+|(?<![/\w])(?:aeo|compliance|docs|rules|tests)/[a-z]\w+", body) == []


def test_what_is_published_is_part_of_the_image() -> None:
    left_out = [line for line in (REPOSITORY / ".dockerignore").read_text().splitlines() if line[:1] != "#"]
    assert "docs/pictures" in left_out
    for file in FILES.values():
        parents = [str(one) for one in (PurePath(file), *PurePath(file).parents)]
        assert [line for line in left_out for one in parents[:-1] if fnmatch(one, line)] == []


def test_code_is_published_as_it_is() -> None:
    text = "`[a](b.md)` and [`c`](d.md)\n\n```\n[e](f.md)\n```\n"
    assert rewritten(text, str.upper) == "`[a](b.md)` and [`c`](D.MD)\n\n```\n[e](f.md)\n```\n"
    assert "<script>" not in html("<script>alert(1)</script>\n\n[x](javascript:alert(1))")
    assert "href=" not in html("[x](javascript:alert(1))")


def test_each_cell_of_a_table_with_many_columns_names_its_column() -> None:
    narrow, wide = (
        html("| A | B |\n|---|---|\n| 1 | 2 |"),
        html("| A | `B` | C |\n|---|---|---|\n| 1 | 2 | 3 |"),
    )
    assert '<table class="many">' not in narrow
    assert '<table class="many">' in wide
    assert '<th scope="row">1</th>\n<td data-head="B">2</td>\n<td data-head="C">3</td>' in wide


def test_pages_show_the_address_of_the_site(settings: LazySettings) -> None:
    settings.SITE_URL = "https://batteries.example"
    for document in documents().values():
        for headers in (HTML, MARKDOWN):
            page = Client(headers=headers).get(document.path).content.decode()
            assert "127.0.0.1" not in page
            without_code = re.sub(r"<pre.*?</pre>|^```.*?^```", "", page, flags=re.DOTALL | re.MULTILINE)
            assert re.search(r"<style| style=| on\w+=", without_code) is None
    assert "https://batteries.example/api/verify" in documents()["quick-start"].body


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_also_markdown_whose_links_can_be_read_anywhere(name: str) -> None:
    path = documents()[name].path
    asked, file = Client(headers=MARKDOWN).get(path), Client(headers=HTML).get(f"{path}.md")
    for response in (asked, file):
        assert response["content-type"] == "text/markdown; charset=utf-8"
        assert response["link"] == f'<{SITE}{path}>; rel="canonical"'
        assert response["content-language"] == "en"
    text = asked.content.decode()
    assert text == file.content.decode()
    assert text.startswith("# ")
    assert [url for url in links(text) if not url.startswith(("https://", f"{SITE}/", "#"))] == []
    # The file is no second page for search engines, and the page has one address for each form.
    assert file["x-robots-tag"] == "noindex"
    assert "x-robots-tag" not in asked
    assert len({asked["etag"], file["etag"], Client(headers=HTML).get(path)["etag"]}) == 3


def test_a_page_has_one_address_in_all_languages() -> None:
    others = ("/ja/developers/errors", "/de/developers/errors", "/developers/errors/", "/developers/Errors")
    for path in others:
        response = Client(headers=HTML).get(path)
        assert response.status_code == 301
        assert response["location"] == "/developers/errors", path
    assert Client(headers=HTML).get("/ja/developers")["location"] == "/developers"
    search = Client(headers=HTML).get("/ja/developers/search?q=limit&x=1", follow=True)
    assert [address for address, _ in search.redirect_chain][-1] == "/developers/search?q=limit"
    page = Client(headers=HTML).get("/developers/errors")
    assert page["content-language"] == "en"
    assert "hreflang" not in page.content.decode()


def test_a_reader_who_has_a_page_gets_304() -> None:
    client = Client(headers=HTML)
    etag = client.get("/developers/errors")["etag"]
    again = client.get("/developers/errors", headers={"if-none-match": etag})
    assert again.status_code == 304
    assert "max-age=300" in again["cache-control"]


@pytest.mark.django_db
@pytest.mark.usefixtures("starter_release")
@pytest.mark.parametrize("name", NAMES)
def test_its_commands_are_answered_without_an_error_unless_they_show_one(name: str) -> None:
    shown = {"errors": ["VALIDATION_ERROR", "VALIDATION_ERROR"], "authentication": ["INVALID_KEY"]}
    with time_machine.travel(NOW, tick=False):
        problems = [problem_of(command) for command in commands(documents()[name])]
    assert [one for one in problems if one] == shown.get(name, [])


def test_there_are_commands() -> None:
    assert sum(len(list(commands(one))) for one in documents().values()) > 12


def test_the_documented_sizes_are_those_of_the_service() -> None:
    limits = documents()["limits"].body
    assert f"| questions in `POST /api/verify/batch` | {OF_FLIGHTS.questions:,} |" in limits
    assert f"| itineraries in `POST /api/itineraries/verify/batch` | {OF_ITINERARIES.questions} |" in limits
    assert f"| the body of a batch | {MAX_BATCH_BYTES // 2**20} MiB |" in limits


def test_changes_of_the_contract_are_listed_by_day_the_newest_first() -> None:
    changes = documents()[published.CHANGES]
    days = [one.words for one in headings(changes.body)]
    assert len(days) >= 6
    assert days == sorted(days, reverse=True)
    assert all(re.fullmatch(r"\d{4}-\d{2}-\d{2}", day) for day in days)
    changelog = (REPOSITORY / "CHANGELOG.md").read_text()
    contract = re.split(r"^### ", changelog, flags=re.MULTILINE)[1]
    assert contract.startswith("Contract")
    assert changes.body.count("\n- ") == contract.count("\n- ") > 70
    # Nothing comes before the first day.
    assert contract.partition("####")[0].split() == ["Contract"]
    assert "Editors" not in changes.body
