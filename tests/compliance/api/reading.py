"""Reading the API's lists as a client does: one answer, or page after page."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from rules.engine.document import Content
from rules.policy_history import selectors
from tests.support.starter import published


def answer_from(monkeypatch: pytest.MonkeyPatch, **records: Any) -> None:
    """Let the process answer from these records alone, the first that were ever published."""
    release = published(Content(**records))
    monkeypatch.setattr("rules.corpus._current", release)
    selectors.starts_with(release)


def read(client: Client, address: str, **query: Any) -> dict[str, Any]:
    """Return what an address answers to a query, which must be 200."""
    response = client.get(address, query)
    assert response.status_code == 200, response.content
    answered: dict[str, Any] = response.json()
    return answered


def pages(client: Client, address: str, **query: Any) -> Iterator[dict[str, Any]]:
    """Yield all pages of a list by following its cursors."""
    cursor: dict[str, str] = {}
    while True:
        answered = read(client, address, **query, **cursor)
        yield answered
        if answered["next_cursor"] is None:
            return
        cursor = {"cursor": answered["next_cursor"]}


def walk(client: Client, address: str, records: str, **query: Any) -> list[dict[str, Any]]:
    """Return all records of a list, page after page."""
    return [record for page in pages(client, address, **query) for record in page[records]]
