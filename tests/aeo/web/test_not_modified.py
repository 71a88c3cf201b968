"""Whoever names the tag of what is there gets 304, and nobody works out a verdict for it."""

from typing import NoReturn

import pytest
from django.test import Client

from aeo.datasets import overview
from aeo.datasets.actions import keep_datasets
from aeo.guides import checking
from aeo.page_records.models import Recomputation
from aeo.page_records.register import Register
from rules.corpus import Published
from tests.aeo.discovery.test_crawlers import write_down
from tests.support import starter
from tests.support.ledger import publish

pytestmark = pytest.mark.django_db

PATHS = (
    "/aeo-manifest.json",
    "/aeo-manifest.schema.json",
    "/aeo-preview.json",
    "/aeo-datasets.json",
    "/datasets",
    "/datasets/changes.json",
    "/datasets/2026-11-20/recalls.jsonl",
    "/datasets/2026-11-20/rules.csv",
    "/feeds/rulesets.atom",
    "/feeds/airlines/ek.atom",
    "/feeds/recalls/brands/anker.atom",
    "/feeds/recalls/models/anker-a1263.atom",
    "/feeds/effective-dates.ics",
    "/p/anker-a1263/ca/cn",
    "/p/anker-a1263/ca/cn.json",
    "/guides",
    "/guides/power-banks-on-emirates",
    "/brands",
    "/brands/anker",
    "/llms.txt",
    "/sitemap.xml",
    "/sitemaps/pages.xml",
    "/sitemaps/verdicts-1.xml",
)


@pytest.fixture
def client(pages: Register, now: None, starter_release: Published) -> Client:
    """A browser, with the starter corpus published, indexed and kept as files."""
    publish(starter.starter_content())
    keep_datasets()
    write_down((path, page.last_changed) for path, page in pages.pages.items())
    Recomputation.objects.create(
        release_sha256=starter_release.sha256,
        day=starter.NOW.date(),
        finished=starter.NOW,
        pages=1,
        changed=1,
    )
    return Client(headers={"accept": "text/html"})


def refuse(*args: object) -> NoReturn:
    raise AssertionError("a verdict was worked out")


def test_304_is_sent_without_working_out_a_verdict(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    tags = {}
    for path in PATHS:
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert b"".join(answer)
        tags[path] = answer["ETag"]
    assert len(set(tags.values())) == len(tags)
    # Every evaluation of a leg asks what the recalls of its model know.
    monkeypatch.setattr("rules.engine.evaluate.recall_impact", refuse)
    checking._check.cache_clear()
    overview._made.cache_clear()
    for path, tag in tags.items():
        answer = client.get(path, headers={"if-none-match": tag})
        assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag), path
    for path in ("/p/anker-a1263/ca/cn", "/guides"):
        # And it is the evaluation that is missing: without the tag nothing can be answered.
        with pytest.raises(AssertionError, match="a verdict was worked out"):
            client.get(path)
