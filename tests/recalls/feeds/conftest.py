"""A server with the hand-made samples of all four feeds, and rounds that ask it."""

import datetime
from collections.abc import Callable, Iterator

import pytest
from pytest_django import Settings

from catalog.devices.actions import record_devices
from catalog.sources.actions import record_sources
from recalls.feeds.notices import FEEDS, Feed
from recalls.feeds.syncing import sync
from tests.recalls.feeds import samples
from tests.recalls.feeds.rows import TODAY
from tests.recalls.feeds.server import NETWORK, FeedServer, serving
from tests.support.factories import a_device, a_source, a_user
from tests.support.roles import acting_as

Round = Callable[..., dict[str, int]]


def answer_with_samples(server: FeedServer) -> None:
    """Let the server tell one recall by each feed, and of Safety Gate by the older of two reports."""
    address = server.address
    item = samples.an_item(link=f"{address}/recalls/sample")
    server.answers = {
        "/RestWebServices/Recall": lambda asked: samples.as_json(
            # A row is in the span of its publication alone.
            [samples.a_cpsc_row()] if _holds(asked, "2025-06-12") else []
        ),
        "/weeklyReport/list/xml/en": samples.an_index(
            {"Report-2018-11": ("16/03/2018", "10000001"), "Report-2018-12": ("23/03/2018", "10000002")}
        ),
        "/weeklyReport/detail/xml/10000001": samples.a_report("16/03/2018", samples.a_notification()),
        "/weeklyReport/detail/xml/10000002": samples.a_report(
            "23/03/2018",
            samples.a_notification(caseNumber="A12/0500/18", product="Doll", description="A doll"),
        ),
        "/HCRSAMOpenData.json": samples.as_json(
            [
                {"NID": "1", "Title": "Peanut butter", "Organization": "CFIA", "Last updated": "2025-01-01"},
                samples.a_canadian_row(),
            ]
        ),
        "/rss/feed.xml/psa_recall": samples.an_rss([item]),
        "/recalls/sample": samples.A_PAGE,
    }


def _holds(asked: str, day: str) -> bool:
    query = dict(part.split("=") for part in asked.partition("?")[2].split("&"))
    return query["LastPublishDateStart"] <= day <= query["LastPublishDateEnd"]


@pytest.fixture
def catalog(db: None) -> None:
    """The models of the samples, and no recall."""
    by = a_user()
    record_sources(by=by, sources=[a_source()])
    numbers = {
        "Anker": ("A1263", "A1647", "A1681", "A1689"),
        "AmazonBasics": ("PB6S",),
        "Baseus": ("BS-30KP365",),
    }
    record_devices(
        by=by,
        devices=[
            a_device(model_id=number.lower(), brand=brand, model_name="Power Bank", model_number=number)
            for brand, of_brand in numbers.items()
            for number in of_brand
        ],
    )


@pytest.fixture
def server(settings: Settings) -> Iterator[FeedServer]:
    """A server with the samples, to which the settings lead."""
    with serving() as feeds:
        answer_with_samples(feeds)
        settings.FEED_ADDRESSES = feeds.addresses()
        settings.FETCH_TEST_NETWORKS = [NETWORK]
        settings.FETCH_HOST_PAUSE_SECONDS = 0
        yield feeds


@pytest.fixture
def read(server: FeedServer) -> Round:
    """Read a feed, or all of them, on some day, with the rights of a worker."""

    def read_feeds(*feeds: Feed, now: datetime.datetime = TODAY) -> dict[str, int]:
        counts: dict[str, int] = {}
        for feed in feeds or FEEDS:
            with acting_as("worker"):
                counts = sync(feed, clock=lambda: now)
        return counts

    return read_feeds
