"""A release with what its documents are made from."""

from collections.abc import Iterator

import pytest
import time_machine

from aeo.datasets.actions import keep_datasets
from aeo.page_records import register
from aeo.page_records.register import PageRecord, Register
from rules.corpus import Published
from tests.support.ledger import publish, world_content
from tests.support.starter import NOW


@pytest.fixture
def documents_made(starter_release: Published, db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The starter corpus answers, one page is indexed, and there are files of datasets."""
    publish(world_content(), note="First.")
    keep_datasets()
    page = PageRecord("/p/anker-a1263/ca/cn", "anker-a1263", "CA", "CN", NOW, NOW)
    monkeypatch.setattr(register, "current", lambda: Register(1, {page.path: page}, {}))
    with time_machine.travel(NOW, tick=False):
        yield
