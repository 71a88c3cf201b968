"""The rows of the datasets are what the API gives to anybody: no less, no more, and safe in a spreadsheet."""

import csv
import io
from dataclasses import replace
from typing import Any

import msgspec
import pytest
import time_machine

from aeo.datasets import files
from aeo.datasets.rows import DATASETS
from rules.corpus import Published
from tests.support import starter
from tests.support.api_callers import a_client
from tests.support.factories import a_device, a_source

EMPTY: tuple[Any, ...] = (None, [], False, {})


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> Published:
    """The starter corpus, published on the day of asking."""
    release = replace(starter.starter_release(), published_at=starter.NOW)
    monkeypatch.setattr("rules.corpus._current", release)
    return release


def made(name: str, release: Published) -> dict[str, bytes]:
    return {one.file_format: one.body for one in files.make(DATASETS[name], release)}


def rows(name: str, release: Published) -> dict[str, dict[str, Any]]:
    return files.read(DATASETS[name], made(name, release)["jsonl"])


def listed(path: str) -> list[dict[str, Any]]:
    """Walk a list of the API as somebody without a key."""
    found: list[dict[str, Any]] = []
    cursor = ""
    with time_machine.travel(starter.NOW, tick=False):
        while True:
            body = a_client().get(f"{path}?limit=100{cursor}").json()
            [records] = [value for value in body.values() if isinstance(value, list)]
            found += records
            if body["next_cursor"] is None:
                return found
            cursor = f"&cursor={body['next_cursor']}"


def said(record: dict[str, Any]) -> dict[str, Any]:
    """A record without what says that nothing is known, which some answers leave out."""
    return {
        name: said(value) if isinstance(value, dict) else value
        for name, value in record.items()
        if value not in EMPTY
    }


@pytest.mark.parametrize(
    ("name", "path", "beyond", "left_out"),
    [
        ("devices", "/api/devices", {"citations"}, set()),
        ("recalls", "/api/recalls", set(), {"verdict_impact"}),
        ("airline-policies", "/api/airlines", set(), set()),
        # Files that are copied as a whole hold no words of others; disagreements have files of their own.
        ("rules", "/api/rules", set(), {"in_force", "quotes", "disagreements"}),
    ],
)
def test_each_row_is_the_record_of_the_api(
    release: Published, name: str, path: str, beyond: set[str], left_out: set[str]
) -> None:
    found, key = rows(name, release), DATASETS[name].key
    declared = listed(path)
    assert len(declared) > 100
    for record in declared:
        row = {field: value for field, value in found[record[key]].items() if field not in beyond}
        record = {field: value for field, value in record.items() if field not in left_out}
        assert said(row) == said(record)
        assert row.keys() >= record.keys()
    if name != "rules":
        # Rules that are not in force are found by their id alone.
        assert len(found) == len(declared)


def test_rules_that_are_not_in_force_and_sources_of_models_are_public_too(release: Published) -> None:
    found = rows("rules", release)
    active = {record["rule_id"] for record in listed("/api/rules")}
    for rule_id in found.keys() - active:
        record = a_client().get(f"/api/rules/{rule_id}").json()
        assert said(found[rule_id]) == said({name: record[name] for name in found[rule_id]})
    device = rows("devices", release)["anker-a1289"]
    assert device["citations"] == a_client().get("/api/devices/anker-a1289").json()["citations"]


def test_nothing_that_only_partners_or_editors_see_is_in_a_file(release: Published) -> None:
    airlines = b"".join(made("airline-policies", release).values()).decode()
    changes = {change.what for airline in release.shelf.airlines.values() for change in airline.changes}
    notes = {note for airline in release.shelf.airlines.values() for note in airline.notes}
    remarks = {device.notes for device in release.shelf.all_devices if device.notes}
    assert all((changes, notes, remarks))
    assert [text for text in changes | notes if text in airlines] == []
    devices = made("devices", release)["jsonl"].decode()
    assert [text for text in remarks if text in devices] == []
    unread = {source.url for source in release.shelf.sources.values() if not source.citable}
    read = {source.url for source in release.shelf.sources.values() if source.citable}
    for name in DATASETS:
        cited = {one["url"] for row in rows(name, release).values() for one in row.get("citations", [])}
        assert not cited & (unread - read)


def test_csv_has_the_same_records_in_the_same_order(release: Published) -> None:
    for name, dataset in DATASETS.items():
        lines = list(csv.DictReader(io.StringIO(made(name, release)["csv"].decode("utf-8-sig"), newline="")))
        assert [line[dataset.key] for line in lines] == list(rows(name, release))


def test_the_same_release_gives_the_same_bytes(release: Published) -> None:
    again = starter.published(starter.starter_content())
    again = replace(again, published_at=release.published_at)
    for dataset in DATASETS.values():
        assert files.make(dataset, release) == files.make(dataset, again)


def test_no_spreadsheet_runs_what_a_person_typed(release: Published) -> None:
    name = '=HYPERLINK("https://evil.example","x")'
    device = a_device(model_name=name, brand="@SUM(A1)", sources=("lynx-page",))
    source = a_source(id="lynx-page", authority="+1+1")
    content = msgspec.structs.replace(starter.starter_content(), devices=(device,), recalls=())
    content = msgspec.structs.replace(content, sources=(*content.sources, source))
    body = made("devices", starter.published(content))
    [line] = csv.DictReader(io.StringIO(body["csv"].decode("utf-8-sig"), newline=""))
    assert line["model_name"] == f"'{name}"
    assert line["brand"] == "'@SUM(A1)"
    assert not [cell for cell in line.values() if cell and cell[0] in "=+-@\t\r"]
    assert msgspec.json.decode(body["jsonl"])["model_name"] == name


def test_no_file_of_the_starter_corpus_has_more_than_2_mb(release: Published) -> None:
    sizes = {
        f"{name}.{file_format}": len(body)
        for name in DATASETS
        for file_format, body in made(name, release).items()
    }
    assert len(sizes) == 2 * len(DATASETS)
    assert {name: size for name, size in sizes.items() if size > 2_000_000} == {}
