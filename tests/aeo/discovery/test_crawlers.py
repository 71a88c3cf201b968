"""robots.txt, llms.txt and sitemaps: what crawlers read first is well-formed, true and small."""

import datetime
import gzip
import html
import re
from collections.abc import Iterable
from functools import partial
from typing import Any, NoReturn
from xml.etree import ElementTree

import pytest
from django.test import Client
from pytest_django import Settings

from aeo.datasets.actions import keep_datasets
from aeo.discovery import sitemaps
from aeo.discovery.prepared import Prepared
from aeo.discovery.sitemaps import MOST_IN_SHARD, Place
from aeo.page_records.models import IndexedPage
from aeo.page_records.register import Register
from aeo.web.languages import is_page, localized, split
from tests.aeo.conftest import CHANGED
from tests.support.ledger import publish, world_content
from tests.support.public_addresses import PAGES

NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
NAMED = ("references", "verdicts")
SITE = "http://127.0.0.1:8000"

NOT_LISTED = ("/card/offline", "/embed/demo", "/watch/ended")
"""Pages that search engines may not list, and that are no answers."""


def read(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    return b"".join(answer).decode()


def refuse(*_: object) -> NoReturn:
    raise AssertionError("it was made again")


def row(path: str, rank: int, changed: datetime.datetime) -> dict[str, Any]:
    return {
        "path": path,
        "model_id": "m",
        "airline": "AA",
        "country": "JP",
        "rank": rank,
        "content_hash": "0" * 64,
        "last_changed": changed,
    }


def write_down(pages: Iterable[tuple[str, datetime.datetime]]) -> None:
    """Record indexed pages, the most important first."""
    rows = (IndexedPage(**row(path, rank, changed)) for rank, (path, changed) in enumerate(pages, start=1))
    IndexedPage.objects.bulk_create(rows, batch_size=5_000)


def listed(path: str) -> dict[str, str | None]:
    """The addresses of a sitemap in English, with their `lastmod`."""
    root = ElementTree.fromstring(read(path))
    found = {}
    for element in root:
        address = element.findtext("s:loc", namespaces=NAMES)
        assert address is not None
        assert address.startswith(SITE)
        if split(address.removeprefix(SITE))[0] != "en":
            continue
        found[address.removeprefix(SITE)] = element.findtext("s:lastmod", namespaces=NAMES)
    return found


@pytest.mark.django_db
@pytest.mark.usefixtures("now")
def test_the_index_leads_to_every_indexed_page_with_the_day_of_its_last_change(pages: Register) -> None:
    write_down((path, page.last_changed) for path, page in pages.pages.items())
    publish(world_content())
    keep_datasets()
    index = listed("/sitemap.xml")
    changed = f"{CHANGED:%Y-%m-%dT%H:%M:%SZ}"
    assert index.pop("/sitemaps/pages.xml") is None
    assert set(index.values()) == {changed}
    shards = {name: [path for path in index if path.startswith(f"/sitemaps/{name}-")] for name in NAMED}
    assert sorted(index) == sorted([*shards["references"], *shards["verdicts"]])
    references, verdicts = (
        [entry for path in shards[name] for entry in listed(path).items()] for name in NAMED
    )
    assert references == [(path, changed) for path in pages.references]
    assert verdicts == [(path, changed) for path in pages.pages]
    others = listed("/sitemaps/pages.xml")
    assert len(others) > 100
    assert all(Client(headers={"accept": "text/html"}).get(path).status_code == 200 for path in others)


@pytest.mark.django_db
@pytest.mark.usefixtures("starter_release")
def test_more_pages_than_a_shard_holds_make_more_shards() -> None:
    day = datetime.timedelta(days=1)
    write_down([(f"/p/m/{number}/jp", CHANGED) for number in range(MOST_IN_SHARD)])
    IndexedPage.objects.create(**row(f"/p/m/{MOST_IN_SHARD}/jp", MOST_IN_SHARD + 1, CHANGED + day))
    index = listed("/sitemap.xml")
    assert index["/sitemaps/verdicts-1.xml"] == f"{CHANGED:%Y-%m-%dT%H:%M:%SZ}"
    assert index["/sitemaps/verdicts-2.xml"] == f"{CHANGED + day:%Y-%m-%dT%H:%M:%SZ}"
    first = list(listed("/sitemaps/verdicts-1.xml"))
    assert first == [f"/p/m/{number}/jp" for number in range(MOST_IN_SHARD)]
    assert list(listed("/sitemaps/verdicts-2.xml")) == [f"/p/m/{MOST_IN_SHARD}/jp"]
    for number in (0, 3):
        assert Client().get(f"/sitemaps/verdicts-{number}.xml").status_code == 404


@pytest.mark.django_db
@pytest.mark.usefixtures("starter_release")
def test_no_sitemap_has_more_than_2_mb(settings: Settings) -> None:
    settings.SITE_URL = "https://power-banks-in-cabins.compliance-of-travelers.example"
    write_down([(f"/p/a-brand-with-a-long-name-a{number}/ek/jp", CHANGED) for number in range(MOST_IN_SHARD)])
    assert 1_000_000 < len(read("/sitemaps/verdicts-1.xml")) < 2_000_000
    for path in ("/sitemap.xml", "/sitemaps/pages.xml"):
        assert len(read(path)) < 2_000_000, path


@pytest.mark.django_db
@pytest.mark.usefixtures("starter_release")
def test_a_sitemap_is_made_once_for_each_state_and_sent_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    write_down([("/p/m/ek/jp", CHANGED)])
    plain = read("/sitemaps/verdicts-1.xml")
    monkeypatch.setattr(sitemaps, "urlset", refuse)
    sent = Client(headers={"accept-encoding": "br, gzip"}).get("/sitemaps/verdicts-1.xml")
    assert sent.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(sent.content).decode() == plain == read("/sitemaps/verdicts-1.xml")
    again = {"accept-encoding": "gzip", "if-none-match": sent.headers["ETag"]}
    assert Client(headers=again).get("/sitemaps/verdicts-1.xml").status_code == 304


def test_documents_beyond_the_memory_limit_make_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aeo.discovery.prepared.MOST_BYTES", 100)
    prepared, made = Prepared(), []

    def make(name: str) -> str:
        made.append(name)
        return name * 10

    for name in ("first", "second", "first", "third", "fourth", "first"):
        assert gzip.decompress(prepared.gzipped(name, partial(make, name))).decode() == name * 10
    # Each takes some 30 bytes: the last four requests name three documents.
    assert made == ["first", "second", "third", "fourth"]
    prepared.gzipped("second", partial(make, "second"))
    assert made[-1] == "second"


@pytest.mark.django_db
@pytest.mark.usefixtures("starter_release")
def test_a_page_is_listed_in_each_language_with_the_addresses_of_all(settings: Settings) -> None:
    settings.LANGUAGES = [("en", "English"), ("zh-hant", "繁體中文")]
    write_down([("/p/m/ek/jp", CHANGED)])
    root = ElementTree.fromstring(read("/sitemaps/verdicts-1.xml"))
    english, chinese = f"{SITE}/p/m/ek/jp", f"{SITE}/zh-hant/p/m/ek/jp"
    assert [element.findtext("s:loc", namespaces=NAMES) for element in root] == [english, chinese]
    for element in root:
        links = element.findall("x:link", NAMES)
        assert {link.get("hreflang"): link.get("href") for link in links} == {
            "en": english,
            "zh-Hant": chinese,
            "x-default": english,
        }


def test_addresses_are_escaped() -> None:
    text = sitemaps.urlset([Place("https://example.com/?a=1&b=<2>")])
    [element] = ElementTree.fromstring(text)
    assert element.findtext("s:loc", namespaces=NAMES) == "https://example.com/?a=1&b=<2>"


@pytest.mark.usefixtures("starter_release")
def test_robots_may_read_everything_but_desk_and_sandbox() -> None:
    lines = read("/robots.txt").splitlines()
    assert lines[0] == "User-agent: *"
    assert [line for line in lines if line.startswith("Disallow")] == [
        "Disallow: /admin",
        "Disallow: /healthz",
        "Disallow: /metrics",
        "Disallow: /readyz",
        "Disallow: /sandbox/",
    ]
    assert f"Sitemap: {SITE}/sitemap.xml" in lines


@pytest.mark.usefixtures("starter_release")
def test_llms_txt_opens_with_a_title_a_summary_and_the_boundary() -> None:
    lines = read("/llms.txt").splitlines()
    assert lines[0] == "# Battery travel compliance"
    assert lines[2].startswith("> ")
    assert "not legal advice, not a certification and no guarantee" in lines[4]
    assert sum(line.startswith("- [") and "/guides/" in line for line in lines) >= 14
    assert not any("&#x27;" in line for line in lines)


@pytest.mark.django_db
@pytest.mark.usefixtures("now", "pages")
def test_every_page_that_llms_txt_promises_as_markdown_is_markdown() -> None:
    version = publish(world_content()).ruleset_version
    keep_datasets()
    client = Client(headers={"accept": "text/markdown, text/html;q=0.5"})
    links = re.findall(rf"\]\({SITE}(/[^)]*)\)", read("/llms.txt"))
    files = [path for path in links if not is_page(path) and not path.startswith("/developers")]
    assert len(links) > 50
    assert len(files) < 12
    for path in {*links, *(page.replace("VERSION", version) for page in PAGES)} - {*files, *NOT_LISTED}:
        response = client.get(path)
        assert response.status_code == 200, path
        assert response["content-type"] == "text/markdown; charset=utf-8", path
        assert response.content.decode().startswith("# "), path
    # Browsers get the page, and caches do not mix the two.
    for path in ("/", "/trip", "/datasets", "/embed", "/developers"):
        page = Client(headers={"accept": "text/html"}).get(path)
        assert page["content-type"] == "text/html; charset=utf-8", path
        assert "Accept" in page["vary"].split(", "), path
        assert page["etag"] != client.get(path)["etag"], path


@pytest.mark.django_db
@pytest.mark.usefixtures("now", "pages")
@pytest.mark.parametrize("path", ["/", "/trip", "/datasets", "/embed"])
def test_the_markdown_of_a_page_says_what_its_html_says(path: str) -> None:
    publish(world_content())
    keep_datasets()
    for language in ("en", "ja"):
        address = localized(path, language)
        page = Client(headers={"accept": "text/html"}).get(address).content.decode()
        text = Client(headers={"accept": "text/markdown"}).get(address).content.decode().replace("\\", "")
        [title] = re.findall(r"<h1>(.*?)</h1>", page)
        [lead] = re.findall(r'<p class="lead">(.*?)</p>', page)
        assert f"# {html.unescape(title)}" in text
        assert html.unescape(lead) in text
        headings = re.findall(r"<h2[^>]*>(.*?)</h2>", page)
        shared = [one for one in headings if f"## {html.unescape(one)}" in text]
        assert len(shared) >= len(headings) - 1, set(headings) - set(shared)
