"""The check that stands behind every test's answers sees what it should see."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client

from rules.corpus import Published
from tests.support.contract_conformance import contract
from tests.support.starter import NOW


@pytest.fixture
def answer(starter_release: Published, client: Client) -> Iterator[Any]:
    """A good answer of GET /api/devices."""
    with time_machine.travel(NOW, tick=False):
        yield client.get("/api/devices?limit=1")


def problems(answer: Any, method: str = "GET", path: str = "/api/devices") -> list[str]:
    return contract().problems(method, path, answer)


def test_a_good_answer_passes(answer: Any) -> None:
    assert problems(answer) == []


def test_a_field_that_the_contract_does_not_name(answer: Any) -> None:
    answer.content = answer.content.replace(b'"total"', b'"amount":1,"total"')
    assert any("amount" in problem for problem in problems(answer))


def test_a_field_that_is_missing(answer: Any) -> None:
    answer.content = answer.content.replace(b'"total"', b'"sum"')
    assert any("total" in problem for problem in problems(answer))


def test_a_value_of_another_type(answer: Any) -> None:
    answer.content = answer.content.replace(b'"total":', b'"total":true,"was":')
    assert any("at ['total']" in problem for problem in problems(answer))


def test_another_status(answer: Any) -> None:
    answer.status_code = 202
    assert problems(answer) == ["status 202 is not documented"]


def test_another_content_type(answer: Any) -> None:
    answer.headers["Content-Type"] = "text/html"
    assert problems(answer) == ["content type text/html is not documented"]


@pytest.mark.parametrize("name", ["X-Request-ID", "Cache-Control"])
def test_a_header_that_is_missing(answer: Any, name: str) -> None:
    del answer.headers[name]
    assert problems(answer) == [f"header {name} is missing"]


def test_a_header_with_a_wrong_value(answer: Any) -> None:
    answer.headers["RateLimit-Reset"] = "soon"
    assert any(problem.startswith("header RateLimit-Reset") for problem in problems(answer))


def test_an_answer_at_an_address_that_the_contract_does_not_name(answer: Any) -> None:
    assert problems(answer, path="/api/secrets") == ["status 200 is not documented"]


def test_an_error_of_another_shape(answer: Any, client: Client) -> None:
    wrong = client.get("/api/devices?limit=0")
    assert problems(wrong) == []
    wrong.content = wrong.content.replace(b'"VALIDATION_ERROR"', b'"WHATEVER"')
    assert any("code" in problem for problem in problems(wrong))


def test_a_head_with_a_body(answer: Any) -> None:
    assert problems(answer, method="HEAD") == ["there is a body"]


def test_the_test_client_is_checked(
    starter_release: Published, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def undocumented(*_: object, **__: object) -> HttpResponse:
        return HttpResponse(b"{}", status=202)

    monkeypatch.setattr("compliance.api.reads.devices.DevicesView.get", undocumented)
    with pytest.raises(AssertionError, match="status 202 is not documented"):
        client.get("/api/devices")
