"""Agents have the limits and keys of the API; a page of another site cannot speak in its reader's name."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from compliance.partners import register
from compliance.records.verdict_log import entries, recording, spool
from tests.support.agent_client import CALLS, MCP, call, say, tool_result
from tests.support.api_callers import a_client, ask
from tests.support.api_requests import VERIFY, a_request, post
from tests.support.partners import Desk

ASKED = CALLS["verify_power_bank"]
SERIAL = "57VQX8GKPZR2M4"
HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "an agent", "version": "1"},
}


@pytest.fixture
def key(db: None) -> Iterator[str]:
    """The key of a partner."""
    register.forget()
    yield Desk().issue().plain.reveal()
    register.forget()


@pytest.fixture
def written(settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder where this test writes verdicts down."""
    settings.VERDICT_SPOOL_DIR = tmp_path / "spool"
    monkeypatch.setattr(spool, "_spool", None)
    monkeypatch.setattr(recording, "_said", float("-inf"))
    return tmp_path / "spool"


def test_a_call_costs_one_request_of_the_rate_that_the_api_has(client: Client, settings: Settings) -> None:
    settings.ANONYMOUS_RATE = "3/h"
    assert post(client, VERIFY, a_request())["RateLimit-Remaining"] == "2"
    for remaining in ("1", "0"):
        response = say(client, "tools/call", {"name": "verify_power_bank", "arguments": ASKED})
        assert response["RateLimit-Remaining"] == remaining
    assert post(client, VERIFY, a_request()).status_code == 429


def test_one_call_too_many_is_told_to_the_model_with_how_long_to_wait(
    client: Client, settings: Settings
) -> None:
    settings.ANONYMOUS_RATE = "1/h"
    call(client, "verify_power_bank", **ASKED)
    response = say(client, "tools/call", {"name": "verify_power_bank", "arguments": ASKED})
    result = response.json()["result"]
    assert result["isError"]
    assert result["structuredContent"]["clear_to_pack"] is False
    gap = result["structuredContent"]["gap"]
    assert (gap["reason_code"], gap["suggested_next_step"]["code"]) == ("RATE_LIMITED", "wait_and_retry")
    assert gap["retry_after_seconds"] == int(response["Retry-After"]) > 0
    # What is no call of a tool has no model that could read it.
    listed = say(client, "tools/list")
    assert (listed.status_code, listed.json()["error"]["data"]["code"]) == (429, "RATE_LIMITED")
    assert listed["Retry-After"]
    assert tool_result(a_client(), "verify_power_bank", **ASKED)["clear_to_pack"] is True


def test_an_itinerary_costs_what_it_costs_in_the_api_and_all_of_it_or_nothing_is_answered(
    client: Client, settings: Settings
) -> None:
    settings.ANONYMOUS_RATE = "10/h"
    flight = {"origin": "AE", "destination": "GB", "operating_airline": "EK"}

    def asked(quantity: int, flights: int) -> Any:
        given = {
            "items": [{"model_id": "anker-a1289", "quantity": quantity}],
            "segments": [flight] * flights,
        }
        return say(client, "tools/call", {"name": "verify_itinerary", "arguments": given})

    assert asked(1, 1)["RateLimit-Remaining"] == "9"
    assert asked(20, 3)["RateLimit-Remaining"] == "3"
    # A refused call is counted, as a refused request is, and its question is not.
    refused = asked(20, 3)
    assert refused["RateLimit-Remaining"] == "2"
    result = refused.json()["result"]
    assert result["isError"]
    assert result["structuredContent"]["answer"] is None
    gap = result["structuredContent"]["gap"]
    assert gap["reason_code"] == "RATE_LIMITED"
    assert gap["retry_after_seconds"] == int(refused["Retry-After"]) > 0
    never = asked(20, 6).json()["result"]["structuredContent"]["gap"]
    assert never["reason_code"] == "BATCH_EXCEEDS_LIMIT"
    assert never["suggested_next_step"]["code"] == "send_less"
    assert "retry_after_seconds" not in never


def test_a_partner_has_a_rate_of_its_own_and_sees_policies_in_full(client: Client, key: str) -> None:
    response = say(
        client,
        "tools/call",
        {"name": "get_airline_policy", "arguments": {"airline": "EK"}},
        x_service_key=key,
    )
    assert response["RateLimit-Limit"] == "600"
    assert response.json()["result"]["structuredContent"]["answer"]["depth"] == "full"
    assert tool_result(client, "get_airline_policy", airline="EK")["answer"]["depth"] == "preview"


def test_a_key_changes_no_verdict(client: Client, key: str) -> None:
    asked = {"name": "verify_power_bank", "arguments": ASKED}
    answers = [
        say(client, "tools/call", asked, **headers).json()["result"]
        for headers in ({}, {"x_service_key": key}, {"authorization": f"Bearer {key}"})
    ]
    assert answers[0] == answers[1] == answers[2]


def test_a_wrong_key_is_refused_and_never_anonymous_and_is_counted(
    client: Client, settings: Settings
) -> None:
    settings.ANONYMOUS_RATE = "2/h"
    refused = say(client, "initialize", {}, x_service_key="wrong")
    assert (refused.status_code, refused.json()["error"]["data"]["code"]) == (401, "INVALID_KEY")
    called = say(
        client, "tools/call", {"name": "verify_power_bank", "arguments": ASKED}, x_service_key="wrong"
    )
    assert called.json()["result"]["structuredContent"]["gap"]["reason_code"] == "INVALID_KEY"
    assert say(client, "tools/list", x_service_key="wrong").status_code == 429


def test_a_page_of_another_site_cannot_speak_here(client: Client, key: str) -> None:
    def status(**headers: str) -> int:
        return say(client, "tools/list", None, **headers).status_code

    assert status(origin="https://evil.example") == 403
    assert status(origin="null") == 403
    # Of our own pages, and of those that the partner whose key is sent has agreed on.
    assert status(origin="http://testserver") == 200
    assert status(origin="https://app.acme.example", x_service_key=key) == 200
    assert status(origin="https://evil.example", x_service_key=key) == 403
    # A name that was made to lead to this machine is not one of ours (DNS rebinding).
    assert status(origin="http://rebound.example", host="rebound.example") == 400
    answer = ask(client, "OPTIONS", MCP, origin="https://evil.example", access_control_request_method="POST")
    assert "Access-Control-Allow-Origin" not in answer


def test_no_session_is_kept_and_no_cookie_is_set_or_read(client: Client) -> None:
    client.cookies["sessionid"] = "somebody-of-the-staff"
    response = say(client, "initialize", HANDSHAKE)
    assert response.status_code == 200
    assert "Mcp-Session-Id" not in response
    assert not response.cookies
    assert response["Cache-Control"] == "no-store"
    for method in ("GET", "DELETE", "PUT"):
        refused = ask(client, method, MCP)
        assert (refused.status_code, refused["Allow"]) == (405, "POST, OPTIONS")


def test_there_is_one_address_for_agents_of_every_language(client: Client) -> None:
    assert ask(client, "POST", f"/de{MCP}", {"jsonrpc": "2.0", "id": 1, "method": "ping"}).status_code == 404


@pytest.mark.parametrize("beside", ["quantity", "Arguments", "args"])
def test_a_fact_beside_the_arguments_is_refused_and_not_dropped(client: Client, beside: str) -> None:
    params = {"name": "verify_power_bank", "arguments": {}, beside: {"quantity": 9}}
    refusal = say(client, "tools/call", params).json()
    assert refusal["error"]["code"] == -32602
    assert f"`{beside}` is not known beside `arguments`" in refusal["error"]["message"]


def test_a_fact_in_the_address_is_refused_and_not_dropped(client: Client) -> None:
    refused = ask(client, "POST", f"{MCP}?quantity=9", {"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert refused.status_code == 400
    assert [one["field"] for one in refused.json()["error"]["data"]["errors"]] == ["quantity"]


@pytest.mark.parametrize("method", ["subscriptions/listen", "resources/subscribe"])
@pytest.mark.parametrize(("revision", "status"), [("2025-11-25", 200), ("2026-07-28", 404)])
def test_who_wants_to_be_told_of_changes_is_told_that_there_is_no_such_method(
    client: Client, method: str, revision: str, status: int
) -> None:
    envelope = {
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"_meta": envelope, "notifications": {}, "uri": "https://example.com"}
    response = say(client, method, params, mcp_protocol_version=revision, mcp_method=method)
    assert (response.status_code, response.json()["error"]["code"]) == (status, -32601)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b" ", 400),
        (b"[]", 400),
        (b"\xff", 400),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}', 400),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":7}', 400),
        (b'{"a":"' + b"x" * 70_000 + b'"}', 413),
    ],
)
def test_what_is_no_message_is_refused_in_the_shape_of_the_protocol(
    client: Client, body: bytes, status: int
) -> None:
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}
    response = client.post(MCP, body, content_type="application/json", headers=headers)
    refusal = response.json()
    assert (response.status_code, refusal["jsonrpc"]) == (status, "2.0")
    assert refusal["error"]["message"]
    assert "result" not in refusal


def test_every_verdict_is_recorded_as_given_to_an_agent_without_any_serial(
    client: Client, key: str, written: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    asked = {"model_id": "anker-a1263", "origin": "US", "destination": "GB", "airline": "BA"}
    for tool, arguments in (
        ("verify_power_bank", {**asked, "serial": SERIAL, "language": "ja"}),
        ("verify_trip", {**asked, "serial": SERIAL}),
        (
            "verify_itinerary",
            {
                "items": [{"ref": "mine", "model_id": "anker-a1263", "serial": SERIAL}],
                "segments": [{"origin": "US", "destination": "GB", "operating_airline": "BA"}],
                "language": "de",
            },
        ),
        ("check_recall", {"model_id": "anker-a1263", "serial": SERIAL}),
        ("verify_power_bank", {**asked, "serial": SERIAL, "nonsense": SERIAL}),
        (SERIAL, {}),
    ):
        say(client, "tools/call", {"name": tool, "arguments": arguments}, x_service_key=key)
    for method, params in (
        (SERIAL, {}),
        (f"notifications/{SERIAL}", {"_meta": 7}),
        ("tools/call", {"a": SERIAL}),
    ):
        say(client, method, params, x_service_key=key)
    raw = b"".join(path.read_bytes() for path in written.iterdir())
    recorded, _ = entries.read(raw)
    assert [(one.kind, one.channel, one.language) for one in recorded] == [
        ("leg", "mcp", "ja"),
        ("trip", "mcp", "en"),
        ("itinerary", "mcp", "de"),
    ]
    assert all(one.partner and one.serial_given == "serial" for one in recorded)
    assert SERIAL not in raw.decode()
    assert SERIAL not in caplog.text
    assert key not in caplog.text


def test_a_verdict_that_cannot_be_recorded_where_it_has_to_be_is_not_given(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise recording.NotRecorded

    monkeypatch.setattr("compliance.records.verdict_log.recording.record", full)
    result = call(client, "verify_power_bank", **ASKED)
    assert result["isError"]
    assert result["structuredContent"]["answer"] is None
    assert result["structuredContent"]["gap"]["reason_code"] == "SERVICE_UNAVAILABLE"
