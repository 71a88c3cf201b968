"""What is read without asking is limited for each address, and has one address for every cache."""

import inspect
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from django.test import Client
from django.urls import URLPattern
from pytest_django import Settings

from aeo.web.parameters import parameters_of
from checks.hostile.addresses import routes
from compliance.api.protocol.prefixes import FOR_PROGRAMS
from compliance.operations.accounting import is_for_the_signed_in
from tests.support.public_addresses import FILES, PAGES
from tests.support.web_server import VALID

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("starter_release")]

READ = (
    "/",
    "/p/anker-a1289/sq/jp",
    "/p/anker-a1289/sq/jp.json",
    "/ja/models",
    "/models?page=2",
    "/feeds/effective-dates.ics",
    "/llms.txt",
    "/aeo-manifest.json",
    "/no-such-page",
)


def statuses(address: str, path: str, times: int, **headers: str) -> list[int]:
    client = Client(headers={"accept": "text/html", **headers}, REMOTE_ADDR=address)
    return [client.get(path).status_code for _ in range(times)]


@pytest.mark.parametrize("path", READ)
def test_a_flood_is_refused_whatever_it_reads(path: str, settings: Settings) -> None:
    settings.READING_RATE = "3/m"
    address = f"198.19.1.{READ.index(path) + 1}"
    found = statuses(address, path, 5)
    assert 429 not in found[:3]
    assert found[3:] == [429, 429]
    # The same page as Markdown, and any other page, are no way out; others are not concerned.
    assert statuses(address, path, 1, accept="text/markdown") == statuses(address, "/about", 1) == [429]
    assert statuses(f"198.19.2.{READ.index(path) + 1}", "/about", 1) == [200]


def test_who_is_refused_is_told_when_to_come_back(settings: Settings) -> None:
    settings.READING_RATE = "1/m"
    reader = Client(headers={"accept": "text/html"}, REMOTE_ADDR="198.19.3.1")
    reader.get("/about")
    refused = reader.get("/ja/about")
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert refused.headers["Cache-Control"] == "no-store"
    assert 'lang="ja"' in refused.content.decode()
    assert f"{refused.headers['Retry-After']} 秒" in refused.content.decode()
    program = Client(REMOTE_ADDR="198.19.3.1").get("/aeo-manifest.json")
    assert program.headers["Content-Type"] == "application/problem+json"
    assert (program.json()["code"], int(program.headers["Retry-After"]) > 0) == ("RATE_LIMITED", True)


def test_a_large_answer_counts_as_several(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.READING_RATE = "10/m"
    monkeypatch.setattr("compliance.limits.reading.BYTES_OF_ONE", 5_000)
    large = len(Client().get("/llms.txt", REMOTE_ADDR="198.19.4.1").content)
    assert large > 5_000
    allowed = statuses("198.19.4.2", "/llms.txt", 10).count(200)
    assert allowed == -(-10 // (1 + large // 5_000))


def test_a_reader_of_ten_pages_a_second_is_never_refused(settings: Settings) -> None:
    # The default: two thousand pages in 200 seconds are 600 in a minute.
    settings.READING_RATE = "2400/m"
    assert set(statuses("198.19.5.1", "/p/anker-a1289/sq/jp", 700)) == {200}


def test_verdicts_probes_and_small_files_of_pages_do_not_count(settings: Settings) -> None:
    settings.READING_RATE = "1/m"
    reader = Client(REMOTE_ADDR="198.19.6.1")
    reader.get("/about")
    assert reader.get("/about").status_code == 429
    assert reader.get("/healthz").status_code == 200
    assert b"".join(reader.get("/static/site/site.css"))
    asked = reader.post("/api/verify", json.dumps(VALID), content_type="application/json")
    assert asked.status_code == 200


TAKE_ANY = ("/trip", "/card", "/suggest", "/watch", "/embed", "/api/")


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in (*PAGES, *FILES)
        if not path.startswith(TAKE_ANY) and "?" not in path and path != "/compare"
    ],
)
def test_an_address_with_unknown_parameters_leads_to_the_one_without(path: str) -> None:
    for query in ("x=1", "utm_source=mail&utm_campaign=a", "page", "=", "%00"):
        if query == "page" and path in {"/airlines", "/countries", "/models", "/recalls", "/rulesets"}:
            continue
        answer = Client().get(f"{path}?{query}")
        assert (answer.status_code, answer.headers["Location"]) == (301, path), query
        assert answer.headers["Cache-Control"] == "public, max-age=86400"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("/models?page=2&x=1", "/models?page=2"),
        ("/ja/models?utm_source=mail&page=3", "/ja/models?page=3"),
        ("/models?page=2&page=3", "/models?page=3"),
        ("/datasets/changes.json?x=1&before=2026.11.20", "/datasets/changes.json?before=2026.11.20"),
        ("/datasets/changes.json?page=2", "/datasets/changes.json"),
        ("/p/a%20b/sq/jp?x=1", "/p/a%20b/sq/jp"),
        ("//elsewhere.example//about?x=1", "/%2Fabout"),
    ],
)
def test_known_parameters_stay_and_no_address_leads_elsewhere(given: str, wanted: str) -> None:
    answer = Client().get(given)
    assert (answer.status_code, answer.headers["Location"]) == (301, wanted)


def test_addresses_that_take_parameters_keep_all_of_them() -> None:
    reader = Client(headers={"accept": "text/html"})
    for path in (
        "/models?page=2",
        "/embed?theme=dark",
        "/embed/theme.css?round=4",
        "/healthz?x=1",
    ):
        assert reader.get(path).status_code == 200, path


def public_views() -> dict[str, Callable[..., Any]]:
    """Return the views of everything that is read without asking, by their addresses."""
    return {
        route: found.callback
        for route, found in routes()
        if not (route.startswith((*FOR_PROGRAMS, "/mcp")) or is_for_the_signed_in(route))
        and isinstance(found, URLPattern)
    }


def test_a_view_declares_the_parameters_that_it_reads() -> None:
    reads = {
        route: view
        for route, view in public_views().items()
        if "request.GET" in inspect.getsource(inspect.unwrap(view))
    }
    assert {"/check", "/models", "/rulesets", "/datasets/changes.json", "/embed/theme.css"} <= reads.keys()
    assert [route for route, view in reads.items() if parameters_of(view) == frozenset()] == []


def test_a_declared_parameter_is_read() -> None:
    declared = {(view, name) for view in public_views().values() for name in parameters_of(view) or ()}
    assert declared
    for view, name in declared:
        assert f'"{name}"' in inspect.getsource(inspect.unwrap(view)), (view, name)


def test_no_parameter_of_the_contract_leads_away() -> None:
    contract = yaml.load(Client().get("/openapi.yaml").content, Loader=yaml.CSafeLoader)
    asked = [
        (path, parameter["name"])
        for path, operations in contract["paths"].items()
        for parameter in operations.get("get", {}).get("parameters", ())
        if parameter.get("in") == "query"
    ]
    assert len(asked) > 20
    for path, name in asked:
        address = re.sub(r"\{\w+\}", "EK", path)
        assert Client().get(address, {name: "x"}).status_code not in {301, 302}, (path, name)
