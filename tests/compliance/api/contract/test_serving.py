"""GET /openapi.yaml serves the reviewed file byte for byte, and /api/docs/ a page that asks nobody else."""

import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from compliance.api.protocol.caching import CONTRACT

OPENAPI, DOCS = "/openapi.yaml", "/api/docs/"


def test_the_contract_is_served_as_it_was_reviewed(client: Client) -> None:
    answer = client.get(OPENAPI)
    assert answer.status_code == 200
    assert answer.content == CONTRACT.read_bytes()
    assert answer["Content-Type"] == "application/yaml"
    assert answer["Cache-Control"] == "public, max-age=3600, stale-while-revalidate=86400"
    assert re.fullmatch(r'"[0-9a-f]{64}"', answer["ETag"])


def test_who_holds_it_is_told_that_it_still_holds(client: Client) -> None:
    etag = client.get(OPENAPI)["ETag"]
    answer = client.get(OPENAPI, headers={"if-none-match": etag})
    assert answer.status_code == 304
    assert answer.content == b""
    assert answer["ETag"] == etag
    assert "max-age" in answer["Cache-Control"]
    assert client.get(OPENAPI, headers={"if-none-match": '"another"'}).status_code == 200


@pytest.mark.parametrize("path", [OPENAPI, DOCS])
def test_a_head_has_the_same_headers_and_no_body(client: Client, path: str) -> None:
    get, head = client.get(path), client.head(path)
    assert head.status_code == 200
    assert head.content == b""
    different = {"X-Request-ID"}
    assert {name: value for name, value in head.items() if name not in different} == {
        name: value for name, value in get.items() if name not in different
    }


@pytest.mark.parametrize("path", [OPENAPI, DOCS])
def test_nothing_can_be_sent_to_them(client: Client, path: str) -> None:
    answer = client.post(path)
    assert answer.status_code == 405
    assert answer["Allow"] == "GET, HEAD"
    assert answer.json()["code"] == "METHOD_NOT_ALLOWED"


def test_the_page_loads_its_parts_from_here_alone(client: Client) -> None:
    page = client.get(DOCS).content.decode()
    loaded = re.findall(r'<(?:script|link)[^>]* (?:src|href)="([^"]+)"', page)
    assert any(address.endswith("swagger-ui-bundle.js") for address in loaded)
    for address in loaded:
        assert address.startswith("/static/")
        assert finders.find(address.removeprefix("/static/").partition("?")[0]) is not None
    assert 'data-contract="/openapi.yaml"' in page


def test_the_page_holds_no_script_and_may_run_none(client: Client) -> None:
    answer = client.get(DOCS)
    page = answer.content.decode()
    assert all(text == "" for text in re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL))
    assert re.search(r"<style| style=| on\w+=", page) is None
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy


def test_the_page_carries_the_boundary(client: Client) -> None:
    assert "not legal advice" in client.get(DOCS).content.decode()
