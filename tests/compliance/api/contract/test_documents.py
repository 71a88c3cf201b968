"""The documents of the contract are served as it says, and pages of any site may read them."""

import re
from typing import Any

import pytest
from django.test import Client

from compliance.api.contract.documents import DOCUMENTS, Document
from tests.support.contract_conformance import contract

pytestmark = pytest.mark.django_db

VALUES = {
    "name": "devices",
    "format": "csv",
    "code": "ek",
    "brand": "anker",
    "model_id": "anker-a1263",
    "version": "2026-11-20",
}
UNKNOWN = {
    "name": "devices",
    "format": "csv",
    "code": "zz",
    "brand": "no-such-brand",
    "model_id": "no-such-model",
    "version": "1999-01-01",
}
NAMES = {document.operation_id: document for document in DOCUMENTS}
ATOM = "application/atom+xml"


def ask(path: str, **sent: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in sent.items()}
    answer = Client().get(path, headers=named | {"origin": "https://elsewhere.example"})
    assert answer["Access-Control-Allow-Origin"] == "*"
    return answer


def wrong_headers(document: Document, answer: Any) -> list[str]:
    promised = contract().promised(document.path, answer.status_code)
    return contract().problems_of_headers(promised["headers"], answer)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("documents_made")
def test_a_document_has_the_media_type_and_the_headers_of_the_contract(name: str) -> None:
    document = NAMES[name]
    answer = ask(document.path.format(**VALUES))
    if document.moved == 302:
        assert answer.status_code == 302
        assert wrong_headers(document, answer) == []
        answer = ask(answer["Location"])
    assert answer.status_code == 200
    assert answer["Content-Type"] in document.media_types or (
        not document.media_types and answer["Content-Type"].startswith(ATOM) and ATOM in document.description
    )
    assert wrong_headers(document, answer) == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("documents_made")
def test_a_copy_that_is_still_valid_is_answered_with_304_and_its_tag(name: str) -> None:
    document = NAMES[name]
    path = document.path.format(**VALUES).replace("latest", VALUES["version"])
    answer = ask(path)
    again = ask(path, if_none_match=answer["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", answer["ETag"])
    assert wrong_headers(document, again) == []


@pytest.mark.parametrize("name", [name for name, one in NAMES.items() if one.parameters])
@pytest.mark.usefixtures("documents_made")
def test_what_does_not_exist_is_a_problem(name: str) -> None:
    document = NAMES[name]
    path = document.path.format(**{**UNKNOWN, "name": "no-such-dataset"})
    answer: Any = Client().get(path if "{" in document.path else f"{path}?before=1999-01-01")
    assert answer.status_code == 404
    assert contract().problems("GET", document.path, answer) == []


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("Feed") and NAMES[name].parameters])
@pytest.mark.usefixtures("documents_made")
def test_capital_letters_lead_to_the_address_without_them(name: str) -> None:
    document = NAMES[name]
    answer = ask(document.path.format(**{key: value.upper() for key, value in VALUES.items()}))
    assert answer.status_code == 301
    assert answer["Location"] == document.path.format(**VALUES)
    assert wrong_headers(document, answer) == []


def test_every_parameter_of_an_address_is_described_and_its_example_fits() -> None:
    for document in DOCUMENTS:
        described = {one["name"]: one for one in document.parameters if one["in"] == "path"}
        assert described.keys() == {*re.findall(r"\{(\w+)\}", document.path)}
        for one in described.values():
            schema = one["schema"]
            assert one["example"] in schema.get("enum", [one["example"]])
            assert re.search(schema.get("pattern", ""), one["example"])


@pytest.mark.usefixtures("documents_made")
def test_a_parameter_that_is_given_twice_leads_to_the_address_without_it() -> None:
    document = NAMES["listDatasetChanges"]
    answer = ask(f"{document.path}?before=2026-11-20&before=2026-11-20")
    assert answer.status_code == 301
    assert wrong_headers(document, answer) == []
    assert ask(answer["Location"]).status_code == 200
