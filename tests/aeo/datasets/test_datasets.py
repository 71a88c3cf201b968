"""/datasets: files that never change, a list of what each release changed, and a page that shows both."""

import base64
import gzip
import hashlib
import json
import re
from io import StringIO
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from django.core.management import call_command
from django.test import Client

from aeo.datasets import history
from aeo.datasets.actions import keep_datasets
from aeo.datasets.models import DatasetChange, DatasetFile, DatasetRelease
from aeo.datasets.rows import DATASETS
from rules.models import Release
from tests.support import world
from tests.support.factories import a_device
from tests.support.ledger import DAY, FIRST, publish, world_content
from tests.support.releasing import alter

pytestmark = pytest.mark.django_db

HTML = {"accept": "text/html"}


@pytest.fixture
def first() -> Release:
    """The drawn world, published, with its files."""
    release = publish(world_content(), note="First.")
    assert keep_datasets() == ["2026-11-20"]
    return release


def second(note: str = "A model more.") -> Release:
    """One model more, one rule changed, one recall withdrawn, and a policy change only partners see."""
    northwing, *others = world.AIRLINES
    silent = msgspec.structs.replace(northwing, changes=(), notes=("For editors.",))
    rules = [
        msgspec.structs.replace(rule, summary="At most two, whatever they hold.")
        if rule.rule_id == "n1.two-units"
        else rule
        for rule in world.RULES
    ]
    content = world_content(
        airlines=[silent, *others],
        devices=[*world.DEVICES, a_device(model_id="lynx-5k", sources=("lynx-page",))],
        rules=rules,
        recalls=world.RECALLS[:-1],
    )
    release = publish(content, now=FIRST + DAY, note=note)
    assert keep_datasets() == ["2026-11-21"]
    return release


def changes(path: str = "/datasets/changes.json") -> dict[str, Any]:
    answer = Client().get(path)
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


def test_every_file_that_the_list_names_is_there_with_its_checksum(first: Release) -> None:
    [release] = changes()["releases"]
    assert len(release["files"]) == 2 * len(DATASETS)
    for entry in release["files"]:
        answer = Client().get(urlsplit(entry["url"]).path)
        sha256 = hashlib.sha256(answer.content).hexdigest()
        assert sha256 == entry["sha256"] == answer["X-Service-Content-Hash"]
        assert answer["ETag"] == f'"{sha256}"'
        assert answer["Repr-Digest"] == f"sha-256=:{base64.b64encode(bytes.fromhex(sha256)).decode()}:"
        assert len(answer.content) == entry["size_bytes"]
        assert "immutable" in answer["Cache-Control"]
        not_modified = Client().get(urlsplit(entry["url"]).path, headers={"if-none-match": answer["ETag"]})
        assert (not_modified.status_code, not_modified.content, not_modified["ETag"]) == (
            304,
            b"",
            answer["ETag"],
        )


def test_the_list_is_newest_first_and_names_what_each_release_changed(first: Release) -> None:
    newest = second()
    listed = changes()["releases"]
    assert [entry["ruleset_version"] for entry in listed] == ["2026-11-21", "2026-11-20"]
    assert (listed[0]["note"], listed[0]["published_at"]) == ("A model more.", "2026-11-21T12:00:00Z")
    assert listed[0]["sha256"] == newest.sha256
    nothing: dict[str, list[Any]] = {"added": [], "changed": [], "withdrawn": []}
    assert listed[0]["changes"] == {
        "recalls": nothing | {"withdrawn": ["xb-puma-50k-2026"]},
        # The recall that left is counted with its model.
        "devices": nothing
        | {"added": ["lynx-5k"], "changed": [{"id": "puma-50k", "fields": ["recall_count"]}]},
        # What only partners and editors see changes no public record.
        "airline-policies": nothing,
        "rules": nothing | {"changed": [{"id": "n1.two-units", "fields": ["summary"]}]},
        "disagreements": nothing,
    }
    assert listed[1]["changes"]["devices"]["added"] == sorted(device.model_id for device in world.DEVICES)


def test_a_client_that_follows_the_list_holds_the_newest_records(first: Release) -> None:
    def records(version: str, name: str) -> dict[str, Any]:
        body = Client().get(f"/datasets/{version}/{name}.jsonl").content
        return {row[DATASETS[name].key]: row for row in map(json.loads, body.splitlines())}

    second()
    declared = changes()["releases"][0]["changes"]
    for name in DATASETS:
        replayed, now = records("2026-11-20", name), records("2026-11-21", name)
        for record_id in [*declared[name]["added"], *(one["id"] for one in declared[name]["changed"])]:
            replayed[record_id] = now[record_id]
        for record_id in declared[name]["withdrawn"]:
            del replayed[record_id]
        assert replayed == now


def test_the_list_has_pages_and_the_last_says_so(first: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    second()
    monkeypatch.setattr(history, "MOST_RELEASES", 1)
    page = changes()
    assert [entry["ruleset_version"] for entry in page["releases"]] == ["2026-11-21"]
    older = changes(page["older_url"].removeprefix("http://127.0.0.1:8000"))
    assert [entry["ruleset_version"] for entry in older["releases"]] == ["2026-11-20"]
    assert older["older_url"] is None
    assert Client().get("/datasets/changes.json?before=2020-01-01").status_code == 404


def test_the_newest_has_an_address_of_its_own(first: Release) -> None:
    for version in ("2026-11-20", "2026-11-21"):
        answer = Client().get("/datasets/latest/recalls.csv")
        assert (answer.status_code, answer["Location"]) == (302, f"/datasets/{version}/recalls.csv")
        assert "immutable" not in answer["Cache-Control"]
        if version == "2026-11-20":
            second()


def test_a_file_stays_as_it_is_whatever_comes_after(first: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Client().get("/datasets/2026-11-20/rules.jsonl").content
    second()
    # Even a sentence that later code words otherwise.
    monkeypatch.setattr("aeo.datasets.rows.rule_message", lambda rule, language: "Reworded.")
    assert keep_datasets() == []
    assert Client().get("/datasets/2026-11-20/rules.jsonl").content == before


def test_the_page_shows_the_newest_files_and_says_so_in_structured_data(first: Release) -> None:
    second()
    page = Client(headers=HTML).get("/datasets").content.decode()
    text = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    assert text is not None
    catalog, crumbs = json.loads(text[1])
    assert (catalog["@type"], crumbs["@type"]) == ("DataCatalog", "BreadcrumbList")
    files = {file.path: file for file in DatasetFile.objects.filter(release="2026-11-21")}
    declared = {
        urlsplit(download["contentUrl"]).path: download
        for dataset in catalog["dataset"]
        for download in dataset["distribution"]
    }
    assert declared.keys() == files.keys()
    for path, file in files.items():
        assert f'href="{path}"' in page
        assert file.sha256 in page
        assert declared[path]["sha256"] == file.sha256
        assert declared[path]["contentSize"] == f"{file.size_bytes} B"
    assert {urlsplit(dataset["url"]).fragment for dataset in catalog["dataset"]} == DATASETS.keys()
    for dataset in catalog["dataset"]:
        assert f'id="{urlsplit(dataset["url"]).fragment}"' in page
        # Nobody has granted a license, so none is claimed.
        assert "license" not in dataset
        assert urlsplit(dataset["usageInfo"]).fragment == "reuse"
    assert 'id="reuse"' in page


def test_what_follows_from_the_files_is_held_until_there_are_newer_ones(first: Release) -> None:
    for path in ("/datasets", "/datasets/changes.json"):
        tag = Client(headers=HTML).get(path)["ETag"]
        not_modified = Client().get(path, headers={"if-none-match": tag})
        assert (not_modified.status_code, not_modified.content) == (304, b"")
    second()
    assert Client().get("/datasets/changes.json", headers={"if-none-match": tag}).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/datasets/2026-11-20/users.csv",
        "/datasets/2026-11-20/recalls.xlsx",
        "/datasets/2020-01-01/recalls.csv",
        "/datasets/latest/users.csv",
        "/datasets/latest/recalls.exe",
    ],
)
def test_other_files_are_not_found(first: Release, path: str) -> None:
    assert Client(headers=HTML).get(path).status_code == 404


def test_before_the_first_files_there_is_nothing_yet() -> None:
    for path in ("/datasets", "/datasets/changes.json", "/datasets/latest/recalls.csv"):
        answer = Client(headers=HTML).get(path)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")


def test_releases_that_have_no_files_get_them_in_their_order() -> None:
    publish(world_content())
    publish(world_content(recalls=()), now=FIRST + DAY)
    assert keep_datasets() == ["2026-11-20", "2026-11-21"]
    withdrawn = DatasetChange.objects.filter(release="2026-11-21", name="recalls")
    assert {change.change for change in withdrawn} == {"withdrawn"}
    assert {(change.model_id, change.brand_id) for change in withdrawn} == {
        (recall.model_id, recall.model_id.partition("-")[0]) for recall in world.RECALLS
    }
    assert keep_datasets() == []


def test_a_release_that_was_altered_gets_no_files_and_keeps_no_one_else_from_theirs() -> None:
    altered = publish(world_content())
    publish(world_content(recalls=()), now=FIRST + DAY)
    alter(altered, document=altered.document.replace("Lynx", "Lynks"))
    assert keep_datasets() == ["2026-11-21"]
    assert [release.pk for release in DatasetRelease.objects.all()] == ["2026-11-21"]


def test_the_command_makes_files_and_lists_them() -> None:
    publish(world_content())
    out = StringIO()
    call_command("datasets", "keep", stdout=out)
    call_command("datasets", "keep", stdout=out)
    assert out.getvalue().splitlines() == ["Files were made of 2026-11-20.", "Every release has its files."]
    call_command("datasets", "list", stdout=out)
    assert out.getvalue().count("/datasets/2026-11-20/") == 2 * len(DATASETS)


def test_kept_bodies_are_packed_without_a_time(first: Release) -> None:
    for file in DatasetFile.objects.all():
        assert gzip.compress(gzip.decompress(file.gzipped), mtime=0) == bytes(file.gzipped)
