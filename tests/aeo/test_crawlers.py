"""robots.txt, llms.txt and sitemaps: what crawlers read first is well-formed, true and small in memory."""

import datetime
import tracemalloc
from xml.etree import ElementTree

import pytest
from django.test import Client

from aeo import sitemaps
from aeo.datasets.actions import keep_datasets
from aeo.register import PageRecord, Register
from aeo.sitemaps import MOST_IN_SHARD, Place
from tests.aeo.conftest import CHANGED
from tests.aeo.ledger import publish, world_content

NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
SITE = "http://127.0.0.1:8000"


def read(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    return b"".join(answer).decode()


def listed(path: str) -> dict[str, str | None]:
    """The addresses of a sitemap, with their `lastmod`."""
    root = ElementTree.fromstring(read(path))
    found = {}
    for element in root:
        address = element.findtext("s:loc", namespaces=NAMES)
        assert address is not None
        assert address.startswith(SITE)
        found[address.removeprefix(SITE)] = element.findtext("s:lastmod", namespaces=NAMES)
    return found


@pytest.mark.django_db
@pytest.mark.usefixtures("now")
def test_the_index_leads_to_every_indexed_page_with_the_day_of_its_last_change(pages: Register) -> None:
    index = listed("/sitemap.xml")
    changed = f"{CHANGED:%Y-%m-%dT%H:%M:%SZ}"
    assert index == {"/sitemaps/pages.xml": None, "/sitemaps/verdicts-1.xml": changed}
    assert listed("/sitemaps/verdicts-1.xml") == dict.fromkeys(pages.pages, changed)
    publish(world_content())
    keep_datasets()
    others = listed("/sitemaps/pages.xml")
    assert len(others) > 100
    assert all(Client(headers={"accept": "text/html"}).get(path).status_code == 200 for path in others)


@pytest.mark.usefixtures("now")
def test_who_holds_a_sitemap_gets_304(pages: Register) -> None:
    for path in ("/sitemap.xml", "/sitemaps/pages.xml", "/sitemaps/verdicts-1.xml", "/llms.txt"):
        tag = Client().get(path)["ETag"]
        answer = Client().get(path, headers={"if-none-match": tag})
        assert (answer.status_code, answer.content) == (304, b"")


@pytest.mark.usefixtures("starter_release")
def test_more_pages_than_a_shard_holds_make_more_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    day = datetime.timedelta(days=1)
    records = {
        f"/p/m/{number}/jp": PageRecord(
            f"/p/m/{number}/jp", "m", "AA", "JP", CHANGED + day * (number // MOST_IN_SHARD)
        )
        for number in range(MOST_IN_SHARD + 1)
    }
    monkeypatch.setattr("aeo.register.current", lambda: Register(1, records))
    index = listed("/sitemap.xml")
    assert index["/sitemaps/verdicts-2.xml"] == f"{CHANGED + day:%Y-%m-%dT%H:%M:%SZ}"
    assert len(listed("/sitemaps/verdicts-1.xml")) == MOST_IN_SHARD
    assert list(listed("/sitemaps/verdicts-2.xml")) == [f"/p/m/{MOST_IN_SHARD}/jp"]
    for number in (0, 3):
        assert Client().get(f"/sitemaps/verdicts-{number}.xml").status_code == 404


def test_many_addresses_take_no_more_memory_than_a_few() -> None:
    def peak(pages: int) -> int:
        places = (Place(f"{SITE}/p/model-{number}/ek/jp", CHANGED) for number in range(pages))
        tracemalloc.start()
        for piece in sitemaps.urlset(places):
            assert piece
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert peak(30_000) < 2 * peak(300) + 10_000


def test_addresses_are_escaped() -> None:
    text = "".join(sitemaps.urlset([Place("https://example.com/?a=1&b=<2>")]))
    [element] = ElementTree.fromstring(text)
    assert element.findtext("s:loc", namespaces=NAMES) == "https://example.com/?a=1&b=<2>"


@pytest.mark.usefixtures("starter_release")
def test_robots_may_read_everything_but_the_desk() -> None:
    lines = read("/robots.txt").splitlines()
    assert lines[0] == "User-agent: *"
    assert [line for line in lines if line.startswith("Disallow")] == [
        "Disallow: /admin",
        "Disallow: /metrics",
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
