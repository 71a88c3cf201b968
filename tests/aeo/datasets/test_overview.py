"""/aeo-datasets.json says what the API says, keeps the specification's promises, and draws the line."""

import hashlib
from typing import Any

import pytest
import rfc8785
from django.test import Client

from aeo.datasets.files import FORMATS
from aeo.datasets.overview import PARTNER_CHANGE_FIELDS, PARTNER_FIELDS, PREVIEW_FIELDS
from aeo.datasets.rows import DATASETS
from aeo.page_records.register import Register
from tests.support.api_callers import a_client
from tests.support.partner_depth import ask_as_partner

SITE = "http://127.0.0.1:8000"


@pytest.fixture
def served(pages: Register, now: None) -> dict[str, Any]:
    answer = Client().get("/aeo-datasets.json")
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


def api(path: str) -> dict[str, Any]:
    answer = a_client().get(path)
    assert answer.status_code == 200
    body: dict[str, Any] = answer.json()
    return body


def test_a_recall_never_leaves_its_model(served: dict[str, Any]) -> None:
    recalls = served["datasets"]["recall_intelligence"]
    assert recalls["model_specific_only"] is True
    assert recalls["no_brand_level_inference"] is True
    assert recalls["counts"]["recalls"] == api("/api/recalls")["total"]
    assert sum(recalls["counts"]["by_jurisdiction"].values()) == recalls["counts"]["recalls"]


def test_its_figures_are_those_that_the_api_gives_to_anyone(served: dict[str, Any]) -> None:
    policies, declared = served["datasets"]["airline_policy_intelligence"], api("/api/policy-changes")
    assert policies["policy_changes_api_url"] == f"{SITE}/api/policy-changes"
    # What the watch sees now is the API's alone: this document is as old as its release.
    assert policies["source_monitoring"].items() <= declared["watch"].items()
    # Those that editors recorded.
    assert sum(policies["counts"]["policy_changes"].values()) == declared["counts"]["by_kind"]["recorded"]
    assert policies["counts"]["airlines"] == api("/api/airlines")["total"]
    for word, count in policies["counts"]["by_confidence"].items():
        assert api(f"/api/airlines?confidence={word}")["total"] == count
    assert served["ruleset_version"] == declared["ruleset_version"]


def test_it_draws_the_line_between_preview_and_partners_where_the_api_draws_it(
    served: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    access = served["datasets"]["airline_policy_intelligence"]["access"]
    anonymous, changes = api("/api/airlines/EK"), api("/api/policy-changes")
    ask_as_partner(monkeypatch)
    partner, all_changes = api("/api/airlines/EK"), api("/api/policy-changes")
    assert access["public_preview"]["airline_fields"] == list(PREVIEW_FIELDS)
    assert {*PREVIEW_FIELDS} == anonymous.keys() - {"depth", "ruleset_version"}
    assert (
        {*access["partner_detail"]["airline_fields"]}
        == {*PARTNER_FIELDS}
        == partner.keys() - anonymous.keys()
    )
    lists = {name for name in all_changes.keys() - changes.keys() if isinstance(all_changes[name], list)}
    assert access["partner_detail"]["policy_changes_fields"] == list(PARTNER_CHANGE_FIELDS)
    assert {*PARTNER_CHANGE_FIELDS} == lists


def test_its_hash_is_that_of_what_it_says_and_anyone_who_names_it_gets_304(served: dict[str, Any]) -> None:
    answer = Client().get("/aeo-datasets.json")
    said = {name: value for name, value in served.items() if name not in {"content_hash", "generated_at"}}
    content_hash = hashlib.sha256(rfc8785.dumps(said)).hexdigest()
    assert served["content_hash"] == content_hash == answer["X-Service-Content-Hash"]
    assert answer["ETag"] == f'"{content_hash}"'
    not_modified = Client().get("/aeo-datasets.json", headers={"if-none-match": answer["ETag"]})
    assert (not_modified.status_code, not_modified.content, not_modified["X-Service-Content-Hash"]) == (
        304,
        b"",
        content_hash,
    )


def test_it_leads_to_the_newest_files(served: dict[str, Any]) -> None:
    declared = {
        download["url"] for dataset in served["datasets"].values() for download in dataset["downloads"]
    }
    assert declared == {
        f"{SITE}/datasets/latest/{name}.{file_format}" for name in DATASETS for file_format in FORMATS
    }


def test_manifest_and_datasets_lead_to_each_other(served: dict[str, Any]) -> None:
    assert served["manifest_url"] == f"{SITE}/aeo-manifest.json"
    link = Client().get("/aeo-manifest.json")["Link"]
    assert f'<{SITE}/aeo-datasets.json>; rel="related"' in link
