"""The contract names all that there is, nothing else, and says the same to every reader."""

import io
import json
import re
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import pytest
import yaml
from django.core.management import CommandError, call_command
from django.urls import URLPattern
from ruamel.yaml import YAML

from compliance.api import urls
from compliance.api.contract import examples
from compliance.api.contract.described import FIELDS
from compliance.api.contract.documents import DOCUMENTS
from compliance.api.contract.generator import contract
from compliance.api.protocol import codes
from compliance.api.protocol.caching import CONTRACT
from compliance.api.protocol.codes import SINCE
from compliance.api.protocol.errors import PROBLEMS
from compliance.api.protocol.field_codes import FieldCode
from rules.engine.vocabulary import CODES, Nature
from rules.engine.weighing import Gap
from rules.wording.next_steps import StepCode

METHODS = {"delete", "get", "post"}
DOCUMENT: dict[str, Any] = yaml.load(CONTRACT.read_bytes(), Loader=yaml.CSafeLoader)
API = {path: operations for path, operations in DOCUMENT["paths"].items() if path.startswith("/api/")}
FIELDS_OF: dict[str, dict[str, Any]] = {
    name: schema["properties"]
    for name, schema in DOCUMENT["components"]["schemas"].items()
    if "properties" in schema
}
OPERATIONS = {
    operation["operationId"]: operation for operations in API.values() for operation in operations.values()
}


def test_it_documents_exactly_the_routes_of_the_api() -> None:
    routes = {
        ("/api/" + re.sub(r"<str:(\w+)>", r"{\1}", str(route.pattern)), method)
        for route in urls.operations
        if isinstance(route, URLPattern)
        for method in METHODS
        if method in route.callback.view_class.http_method_names  # type: ignore[attr-defined]
    }
    documented = {(path, method) for path, operations in API.items() for method in operations}
    assert documented == routes


def test_what_is_outside_the_api_are_documents_each_with_a_name_of_its_own() -> None:
    others = [operations for path, operations in DOCUMENT["paths"].items() if path not in API]
    names = [operations["get"]["operationId"] for operations in others]
    assert len(names) == len(DOCUMENTS)
    assert len({*names, *OPERATIONS}) == len(names) + len(OPERATIONS)
    assert all([*operations] == ["get"] for operations in others)


def test_every_error_code_is_documented_under_its_status_in_some_operation() -> None:
    documented = set()
    for operation in OPERATIONS.values():
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                named = DOCUMENT["components"]["responses"][response["$ref"].rpartition("/")[2]]
                shown = named["content"]["application/problem+json"]["examples"]
                assert all(example["value"]["status"] == int(status) for example in shown.values())
                documented |= {example["value"]["code"] for example in shown.values()}
    assert documented == set(PROBLEMS)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_says_what_an_integrator_needs(name: str) -> None:
    operation = OPERATIONS[name]
    assert operation["summary"]
    assert operation["description"].endswith(".")
    assert operation["tags"] in [[tag["name"]] for tag in DOCUMENT["tags"]]
    assert operation["security"] == [{}, {"partnerKey": []}, {"bearer": []}]
    assert all(parameter.get("description") or "$ref" in parameter for parameter in operation["parameters"])
    answer = operation["responses"]["200"]
    assert {"X-Request-ID", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} <= set(
        answer["headers"]
    )
    assert answer["content"]["application/json"]["examples"]
    assert {"400", "401", "403", "405", "406", "429", "500", "503"} <= set(operation["responses"])


@pytest.mark.parametrize("name", OPERATIONS)
def test_examples_fit_their_schemas(name: str) -> None:
    operation = OPERATIONS[name]
    contents = [operation["responses"]["200"]["content"]]
    if "requestBody" in operation:
        contents.append(operation["requestBody"]["content"])
    for content in contents:
        described = content["application/json"]
        validator = jsonschema_rs.validator_for(
            {**described["schema"], "components": DOCUMENT["components"]}, validate_formats=True
        )
        for example in described["examples"].values():
            validator.validate(example["value"])
    for parameter in operation["parameters"]:
        if "example" in parameter:
            schema = {**parameter["schema"], "components": DOCUMENT["components"]}
            jsonschema_rs.validate(schema, parameter["example"], validate_formats=True)


def test_every_field_of_every_schema_says_what_it_means() -> None:
    described = {
        f"{schema}.{name}": field.get("description", "")
        for schema, fields in FIELDS_OF.items()
        for name, field in fields.items()
    }
    assert len(described) > 600
    assert [name for name, about in described.items() if not re.fullmatch(r"[A-Z`].*\.", about, re.S)] == []


def test_no_description_of_a_field_is_left_over() -> None:
    shown = {
        (place, name, field["description"])
        for schema, fields in FIELDS_OF.items()
        for name, field in fields.items()
        for place in (schema, "every")
    }
    kept = {(place, name, about) for place, fields in FIELDS.items() for name, about in fields.items()}
    assert kept - shown == set()


def words(name: str) -> list[str]:
    found: list[str] = DOCUMENT["components"]["schemas"][name]["enum"]
    return found


def test_the_enumerations_of_codes_are_those_of_the_engine_and_of_the_api() -> None:
    warnings = {Nature.ADVICE, Nature.NOTICE}
    plain, numbered = DOCUMENT["components"]["schemas"]["ConstraintCode"]["anyOf"]
    of_rules = [name for name, code in CODES.items() if code.from_rules]
    suggested = {problem.suggested.code for problem in PROBLEMS.values()}
    assert words("WarningCode") == [name for name, code in CODES.items() if code.nature in warnings]
    assert {*plain["enum"], "max_units"} == CODES.keys() - words("WarningCode")
    assert re.search(numbered["pattern"], "max_units_over_100wh_2")
    assert words("RuleCode") == sorted(of_rules)
    assert words("GapCode") == [*get_args(Gap)]
    assert {*words("NextStepCode")} == suggested.union(get_args(StepCode))
    assert words("ProblemCode") == [*PROBLEMS]
    assert words("FieldErrorCode") == [*get_args(FieldCode)]


def test_no_code_in_it_is_free_text() -> None:
    # The list of codes has them all.
    free = {"CodeBody.code"}
    assert free == {
        f"{name}.code"
        for name, schema in DOCUMENT["components"]["schemas"].items()
        if schema.get("properties", {}).get("code", {}).get("type") == "string"
        and "enum" not in schema["properties"]["code"]
    }


def test_a_code_that_is_gone_needs_a_new_major_version(monkeypatch: pytest.MonkeyPatch) -> None:
    command = "compliance.management.commands.contract"
    monkeypatch.setattr(
        f"{command}.recorded", lambda: {"warning": {"evidence_stale": "1.0.0", "old": "1.0.0"}}
    )
    with pytest.raises(CommandError, match="lost `old`"):
        call_command("contract", write=True)
    monkeypatch.setattr(f"{command}.VERSION", "2.0.0")
    call_command("contract", check=True)


def test_a_new_code_exists_since_the_present_version(monkeypatch: pytest.MonkeyPatch) -> None:
    known = json.loads(SINCE.read_text())
    assert codes.listed()[0].since == known["constraint"].pop("carry_on_only")
    monkeypatch.setattr(codes, "recorded", lambda: known)
    monkeypatch.setattr(codes, "VERSION", "1.7.0")
    assert codes.listed()[0].since == "1.7.0"
    assert codes.listed()[1].since == known["constraint"]["max_units"]


def test_links_lead_to_operations_and_their_parameters() -> None:
    links = [
        link
        for operation in OPERATIONS.values()
        for link in operation["responses"]["200"].get("links", {}).values()
    ]
    assert links
    for link in links:
        known = {parameter.get("name") for parameter in OPERATIONS[link["operationId"]]["parameters"]}
        assert set(link["parameters"]) <= known


def test_all_references_lead_somewhere() -> None:
    pointers = set(re.findall(r"#/components/(\w+)/(\w+)", CONTRACT.read_text()))
    defined = {(kind, name) for kind, names in DOCUMENT["components"].items() for name in names}
    assert pointers <= defined
    assert defined - pointers == {("securitySchemes", "partnerKey"), ("securitySchemes", "bearer")}


def test_the_boundary_stands_in_it() -> None:
    assert "not legal advice, not a certification and no guarantee" in DOCUMENT["info"]["description"]


def test_readers_of_the_newer_yaml_read_the_same() -> None:
    # In YAML 1.1 `NO` is false and in 1.2 it is Norway; a number may be one in one of them alone.
    assert json.loads(json.dumps(YAML(typ="safe", pure=True).load(CONTRACT.read_bytes()))) == DOCUMENT


def test_making_it_twice_gives_the_same_bytes_and_those_are_the_written_ones() -> None:
    assert contract() == contract() == CONTRACT.read_bytes()


def test_every_operation_has_a_real_question_and_no_question_is_left_over() -> None:
    assert {question.operation_id for question in examples.QUESTIONS} == set(OPERATIONS)


def test_drift_fails_and_names_what_repairs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = tmp_path / "openapi.yaml"
    monkeypatch.setattr("compliance.management.commands.contract.CONTRACT", written)
    written.write_bytes(CONTRACT.read_bytes().replace(b"listDevices", b"listModels"))
    with pytest.raises(CommandError, match="make contract") as caught:
        call_command("contract", check=True)
    assert "listModels" in str(caught.value)
    call_command("contract", write=True, stdout=io.StringIO())
    call_command("contract", check=True)
    assert written.read_bytes() == CONTRACT.read_bytes()
