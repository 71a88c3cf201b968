"""Checks every answer that a test gets from the API against the published contract.

`tests/conftest.py` puts `checked` around Django's test client. An answer that the contract does not promise
fails its test: another status, content type or header, a body of another form, or a field that the contract
does not name.
"""

import functools
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import jsonschema_rs
import yaml
from django.http import HttpResponse

from compliance.api.contract.schemas import Schema
from compliance.api.protocol.caching import CONTRACT
from tests.support.codings import plain

ELSEWHERE = ("/api/docs/", "/api/bench/")
"""Addresses under `/api/` outside the contract: the page that shows the contract, and measurements."""

METHODS = {"GET": "get", "HEAD": "get", "POST": "post", "DELETE": "delete"}


class Contract:
    """The written contract, ready to check answers."""

    def __init__(self, document: Schema) -> None:
        self._document = _closed(document)
        self._addresses = [
            (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operations)
            for path, operations in document["paths"].items()
        ]
        self._validators: dict[str, jsonschema_rs.Validator] = {}

    def problems(self, method: str, path: str, response: HttpResponse) -> list[str]:
        """Return the differences between an answer and the contract."""
        if method == "OPTIONS" and response.status_code < 300:
            return ["OPTIONS is answered with a body"] if response.content else []
        promised = self._promised(method, path, response.status_code)
        if promised is None:
            return [f"status {response.status_code} is not documented"]
        return [
            *self.problems_of_headers(promised.get("headers", {}), response),
            *self._problems_of_body(promised.get("content", {}), method, response),
        ]

    def _promised(self, method: str, path: str, status: int) -> Schema | None:
        """Return the response object of an answer. An answer outside all operations can only be an error."""
        for address, operations in self._addresses:
            if address.fullmatch(path) and METHODS.get(method) in operations:
                promised = operations[METHODS[method]]["responses"].get(str(status))
                return None if promised is None else self._resolved(promised)
        return self._errors.get(status)

    @functools.cached_property
    def _errors(self) -> dict[int, Schema]:
        """The errors that any operation documents, by status."""
        found: dict[int, Schema] = {}
        for operations in self._document["paths"].values():
            for operation in operations.values():
                for status, promised in operation["responses"].items():
                    if int(status) >= 400:
                        found[int(status)] = self._resolved(promised)
        return found

    def promised(self, path: str, status: int) -> Schema:
        """Return the response object of a GET at an address of the contract."""
        return self._resolved(self._document["paths"][path]["get"]["responses"][str(status)])

    def problems_of_headers(self, promised: Mapping[str, Schema], response: HttpResponse) -> list[str]:
        """Return the differences between the headers of an answer and the promised ones."""
        problems = []
        for name, described in promised.items():
            header = self._resolved(described)
            if name not in response.headers:
                problems += [f"header {name} is missing"] if header["required"] else []
                continue
            value: Any = response.headers[name]
            if header["schema"].get("type") == "integer":
                value = int(value) if value.isdigit() else value
            problems += [f"header {name}: {error}" for error in self._errors_of(header["schema"], value)]
        return problems

    def _problems_of_body(
        self, promised: Mapping[str, Schema], method: str, response: HttpResponse
    ) -> list[str]:
        if not promised or method == "HEAD":
            return ["there is a body"] if response.content else []
        content_type = response.headers.get("Content-Type", "")
        if content_type not in promised:
            return [f"content type {content_type} is not documented"]
        described, body = promised[content_type], json.loads(plain(response))
        problems = [f"body: {error}" for error in self._errors_of(described["schema"], body)]
        # The names of an error's examples are its codes.
        if response.status_code >= 400 and body.get("code") not in described["examples"]:
            problems.append(f"code {body.get('code')} is not documented")
        return problems

    def _errors_of(self, schema: Schema, value: Any) -> list[str]:
        key = json.dumps(schema)
        if key not in self._validators:
            self._validators[key] = jsonschema_rs.validator_for(
                {**schema, "components": {"schemas": self._document["components"]["schemas"]}},
                validate_formats=True,
            )
        return [
            f"{error.message} at {error.instance_path}" for error in self._validators[key].iter_errors(value)
        ]

    def _resolved(self, described: Schema) -> Schema:
        pointer = described.get("$ref")
        if pointer is None:
            return described
        _, _, kind, name = pointer.split("/")
        found: Schema = self._document["components"][kind][name]
        return found


@functools.cache
def contract() -> Contract:
    """Return the contract as it is written."""
    return Contract(yaml.load(CONTRACT.read_bytes(), Loader=yaml.CSafeLoader))


def checked(request: Callable[..., Any]) -> Callable[..., Any]:
    """Return the test client's `request` with the check after it."""

    @functools.wraps(request)
    def request_and_check(client: Any, **asked: Any) -> Any:
        response: HttpResponse = request(client, **asked)
        method, path = asked.get("REQUEST_METHOD", "GET"), asked.get("PATH_INFO", "/")
        if path.startswith("/api/") and not path.startswith(ELSEWHERE):
            problems = contract().problems(method, path, response)
            assert not problems, f"{method} {path} breaks the contract: {problems}"
        return response

    return request_and_check


def _closed(schema: Any) -> Any:
    """Return a copy in which no object may have unnamed fields."""
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {key: _closed(value) for key, value in schema.items()}
    if copy.get("type") == "object" and "properties" in copy:
        copy.setdefault("additionalProperties", False)
    return copy
