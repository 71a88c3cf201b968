"""The starter corpus as an edition, and its indexed pages as a process would hold them."""

import datetime
import functools
from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client
from pytest_django.fixtures import Settings

from aeo import editions
from aeo.articles.article import Article, article, path
from aeo.discovery.curation import curated
from aeo.editions import Edition
from aeo.page_records import register
from aeo.page_records.models import Curation
from aeo.page_records.register import Combination, PageRecord, Register
from aeo.reference.indexing import indexed_paths
from aeo.scorecard import figures
from aeo.scorecard.figures import Figures
from rules.corpus import Published
from tests.support import starter

CHANGED = datetime.datetime(2026, 11, 20, 12, 30, 0, 123_456, tzinfo=datetime.UTC)
"""When the indexed pages of these tests last changed."""

PUBLISHED = CHANGED - datetime.timedelta(days=3)
"""When they were first published."""


@functools.cache
def indexed_combinations() -> list[Combination]:
    """The indexed verdict pages of the starter corpus, the most important first."""
    return curated(_edition(), Curation())


@functools.cache
def _articles() -> dict[str, Article]:
    return {path(*combination): article(_edition(), *combination) for combination in indexed_combinations()}


@functools.cache
def _edition() -> Edition:
    return editions.of(starter.starter_release(), starter.NOW)


@pytest.fixture(autouse=True)
def _site(settings: Settings) -> None:
    """Whatever address the person at the keyboard has set, tests expect the default."""
    settings.SITE_URL = "http://127.0.0.1:8000"


@pytest.fixture(autouse=True, scope="session")
def _a_release_is_counted_once_a_day() -> Iterator[None]:
    """Count each release once for each day: it takes seconds.

    That the figures depend on nothing else is tested in `tests/rules/scorecard`.
    """
    measure, counted = figures.measure, dict[tuple[str, datetime.date], Figures]()

    def measure_once(edition: Edition) -> Figures:
        key = edition.release.sha256, edition.today
        if key not in counted:
            counted[key] = measure(edition)
        return counted[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "measure", measure_once)
        yield


@pytest.fixture
def edition() -> Edition:
    """The edition of the starter corpus at the instant at which tests ask."""
    return _edition()


@pytest.fixture
def combinations() -> list[Combination]:
    """The indexed pages, the most important first."""
    return indexed_combinations()


@pytest.fixture
def articles() -> dict[str, Article]:
    """The articles of the indexed pages, by address."""
    return _articles()


@pytest.fixture
def pages(starter_release: Published, monkeypatch: pytest.MonkeyPatch) -> Register:
    """The starter corpus published, its pages indexed, at the instant at which tests ask."""
    records = {
        address: PageRecord(address, *combination, CHANGED, PUBLISHED)
        for combination in indexed_combinations()
        for address in [path(*combination)]
    }
    register_now = Register(1, records, dict.fromkeys(sorted(indexed_paths(_edition())), CHANGED))
    monkeypatch.setattr(register, "current", lambda: register_now)
    return register_now


@pytest.fixture
def now() -> object:
    """Stop the clock at the instant at which tests ask."""
    with time_machine.travel(starter.NOW, tick=False):
        yield


@pytest.fixture
def browser() -> Client:
    """A client that asks for HTML, as browsers do."""
    return Client(headers={"accept": "text/html"})
