"""A spool of its own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from compliance.records.verdict_log import recording, shipping, spool


@pytest.fixture(autouse=True)
def folder(settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The folder where this process writes verdicts down. No thread sends them on."""
    settings.VERDICT_SPOOL_DIR = tmp_path / "spool"
    monkeypatch.setattr(spool, "_spool", None)
    monkeypatch.setattr(recording, "_said", float("-inf"))
    monkeypatch.setattr(recording, "_lost", 0)
    yield settings.VERDICT_SPOOL_DIR
    shipping.stop()
    for segment in spool.spool().take():
        segment.leave()
