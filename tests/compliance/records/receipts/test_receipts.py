"""Whoever asks gets a receipt that anybody can verify, and that nothing else fits. Nobody else gets one."""

import base64
import copy
import hashlib
import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rfc8785
import time_machine
from django.test import Client
from pytest_django import Settings

from battery_travel.receipts import ReceiptKeys
from catalog.signing_keys import new_seed, signing_key
from compliance.partners.register import KnownKey
from compliance.records.receipts.jws import protected_header, sign
from compliance.services.embedded import REPOSITORY
from rules.corpus import Published
from tests.support.api_requests import BATCH, TRIPS, VERIFY, a_request, a_trip, post
from tests.support.receipt_judge import HEADER, is_proven, is_signed, published_keys
from tests.support.starter import NOW

CHECK = "/api/receipts/check"
LANGUAGES = ("en", "zh-hans", "zh-hant", "ja", "ko", "de", "fr", "es")


@pytest.fixture(autouse=True)
def asked_now(starter_release: Published) -> Iterator[Published]:
    with time_machine.travel(NOW, tick=False):
        yield starter_release


def kept(client: Client, path: str = VERIFY, body: Any = None) -> dict[str, Any]:
    """What a client keeps of an answer: as it parsed it, with its receipt."""
    response = post(client, path, body or a_request(), prefer="receipt")
    return {"answer": json.loads(response.content), "receipt": response[HEADER]}


def status_of(client: Client, body: Any) -> str:
    response = post(client, CHECK, body)
    assert response.status_code == 200, response.content
    said: str = response.json()["standing"]
    return said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("path", "body"), [(VERIFY, a_request()), (TRIPS, a_trip())])
def test_a_jose_library_verifies_an_answer_in_every_language(
    client: Client, path: str, body: dict[str, Any], language: str
) -> None:
    response = post(client, path, {**body, "options": {"language": language}}, prefer="receipt")
    assert is_proven(response.content, response[HEADER], published_keys())


def test_openssl_verifies_it_with_the_published_key(client: Client, tmp_path: Path) -> None:
    """The way of `docs/receipts.md`, without any library of ours."""
    response = post(client, VERIFY, a_request(), prefer="receipt")
    (key,) = client.get("/.well-known/jwks.json").json()["keys"]
    header, _, signature = response[HEADER].split(".")
    payload = base64.urlsafe_b64encode(rfc8785.dumps(json.loads(response.content))).rstrip(b"=")
    (tmp_path / "signed").write_bytes(header.encode() + b"." + payload)
    (tmp_path / "signature").write_bytes(base64.urlsafe_b64decode(signature + "=="))
    # What stands before every Ed25519 key in the DER form of RFC 8410.
    der = bytes.fromhex("302a300506032b6570032100") + base64.urlsafe_b64decode(key["x"] + "=")
    (tmp_path / "key.der").write_bytes(der)
    command = (
        "openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in signed -sigfile signature"
    )
    run = subprocess.run(command.split(), cwd=tmp_path, capture_output=True, text=True)
    assert (run.returncode, run.stdout.strip()) == (0, "Signature Verified Successfully")
    (tmp_path / "signed").write_bytes(header.encode() + b"." + payload[:-1] + b"A")
    assert subprocess.run(command.split(), cwd=tmp_path, capture_output=True).returncode != 0


def test_a_fresh_answer_is_valid(client: Client) -> None:
    for path, body in ((VERIFY, a_request()), (TRIPS, a_trip())):
        check_result = post(client, CHECK, kept(client, path, body)).json()
        assert check_result["standing"] == "valid"
        assert check_result["signed_by"] == client.get("/.well-known/jwks.json").json()["keys"][0]["kid"]
        assert check_result["meaning"].startswith("This answer is ours and still valid.")


def test_an_answer_written_again_by_the_client_is_the_same_answer(client: Client) -> None:
    one = kept(client)
    turned = dict(reversed(one["answer"].items()))
    # 74 and 74.0 are one number to JSON.
    turned["device_resolved"]["watt_hour"] = float(turned["device_resolved"]["watt_hour"])
    text = json.dumps({"receipt": one["receipt"], "answer": turned}, indent=3, ensure_ascii=True)
    assert status_of(client, text.encode()) == "valid"


def test_it_expires_with_its_answer(client: Client) -> None:
    one = kept(client)
    end = one["answer"]["expires_at"]
    with time_machine.travel(end, tick=False):
        assert status_of(client, one) == "expired"


def test_a_batch_is_proven_whole_and_expires_with_its_first_item(client: Client) -> None:
    asked = {"items": [a_request(), a_request(model_id="no-such-model")]}
    response = post(client, BATCH, asked, prefer="receipt")
    assert is_proven(response.content, response[HEADER], published_keys())
    one = {"answer": json.loads(response.content), "receipt": response[HEADER]}
    assert status_of(client, one) == "valid"
    altered = copy.deepcopy(one)
    altered["answer"]["items"][1]["status"] = 200
    assert status_of(client, altered) == "not_ours"
    # What was signed is no answer.
    digest = hashlib.sha256(rfc8785.dumps(one["answer"])).hexdigest()
    assert status_of(client, {**one, "answer": {"batch_sha256": digest}}) == "not_ours"
    with time_machine.travel(one["answer"]["items"][0]["answer"]["expires_at"], tick=False):
        assert status_of(client, one) == "expired"


def test_a_batch_without_any_answer_holds_for_no_time(client: Client) -> None:
    assert status_of(client, kept(client, BATCH, {"items": [{}]})) == "expired"


def test_a_later_release_supersedes_it_until_it_expires(
    client: Client, monkeypatch: pytest.MonkeyPatch, asked_now: Published
) -> None:
    one = kept(client)
    later = copy.copy(asked_now)
    object.__setattr__(later, "ruleset_version", "2026-11-21")
    monkeypatch.setattr("rules.corpus._current", later)
    check_result = post(client, CHECK, one).json()
    assert (check_result["standing"], check_result["current_ruleset_version"]) == ("superseded", "2026-11-21")
    with time_machine.travel(one["answer"]["expires_at"], tick=False):
        assert status_of(client, one) == "expired"


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of each value in an answer, however deep."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield (*path, key)
        yield from leaves(item, (*path, key))


def test_no_field_of_an_answer_can_change(client: Client) -> None:
    one = kept(client, VERIFY, {**a_request(), "model_id": "anker-a1263", "serial": "AGXXF31E12345678"})
    places = list(leaves(one["answer"]))
    assert len(places) > 30
    keys = published_keys()
    for path in places:
        other = copy.deepcopy(one["answer"])
        place = other
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = "altered" if place[path[-1]] != "altered" else "again"
        assert not is_proven(json.dumps(other).encode(), one["receipt"], keys)
        assert status_of(client, {"answer": other, "receipt": one["receipt"]}) == "not_ours", path
    more = {**one["answer"], "added": None}
    assert status_of(client, {"answer": more, "receipt": one["receipt"]}) == "not_ours"


def test_no_character_of_a_receipt_can_change(client: Client) -> None:
    one = kept(client)
    receipt = one["receipt"]
    for at in range(len(receipt)):
        for other in ("A" if receipt[at] != "A" else "B", "", "=", ".", "é", "\u0000"):
            altered = receipt[:at] + other + receipt[at + 1 :]
            if altered != receipt:
                assert status_of(client, {**one, "receipt": altered}) == "not_ours", altered
    for added in ("=", " ", "\n", ".", "AA"):
        assert status_of(client, {**one, "receipt": receipt + added}) == "not_ours"
        assert status_of(client, {**one, "receipt": added + receipt}) == "not_ours"


def b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def forged(answer: Any) -> Iterator[str]:
    """Receipts as somebody would make them up who has no key of ours."""
    payload = rfc8785.dumps(answer)
    ours, theirs = published_keys().keys[0].kid, signing_key(new_seed())
    jwk = theirs.public.as_jwk()
    yield sign(payload, protected_header(theirs.public.kid), theirs.private)
    yield sign(payload, protected_header(str(ours)), theirs.private)
    headers: tuple[Any, ...] = (
        {"alg": "none"},
        {"alg": "none", "kid": ours},
        {"alg": "HS256", "kid": ours},
        {"alg": "Ed25519", "kid": ours},
        {"alg": "EdDSA"},
        {"alg": "EdDSA", "kid": ours, "jwk": jwk},
        {"alg": "EdDSA", "jwk": jwk},
        {"alg": "EdDSA", "jku": "https://elsewhere.example/jwks.json", "kid": jwk["kid"]},
        {"alg": "EdDSA", "kid": ours, "b64": False, "crit": ["b64"]},
        {"alg": "EdDSA", "kid": ours, "crit": []},
        {"kid": ours, "alg": "EdDSA"},
        [],
        None,
    )
    for header in headers:
        yield sign(payload, b64(json.dumps(header).encode()).encode(), theirs.private)
        yield f"{b64(json.dumps(header).encode())}.."
    honest = protected_header(str(ours)).decode()
    yield f"{honest}.{b64(payload[:900])}.{'A' * 86}"
    yield f"{honest}..{'A' * 86}"
    yield f"{honest}.."
    yield from (honest, ".", "..", "...", "a.b.c", "{}", "\U0001f50b", "\ud7ff..x", "A" * 2048)


def test_no_made_up_receipt_is_ours(client: Client) -> None:
    one = kept(client)
    made_up = list(forged(one["answer"]))
    assert len(made_up) > 30
    for receipt in made_up:
        assert status_of(client, {**one, "receipt": receipt}) == "not_ours", receipt


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"a": 10**40},
        {"a": -(2**63)},
        {"a": 1.5e308},
        {"\U0001f50b": "\u0000\u007f\u2028"},
        {"expires_at": None, "ruleset_version": []},
    ],
)
def test_what_is_no_answer_is_not_ours(client: Client, answer: Any) -> None:
    assert status_of(client, {**kept(client), "answer": answer}) == "not_ours"


def test_deep_and_large_bodies_are_not_ours_or_refused(client: Client) -> None:
    receipt = kept(client)["receipt"]
    seen = set()
    for depth in (10, 300, 900, 5_000, 20_000):
        body = b'{"receipt": "%s", "answer": {"a": %s}}' % (receipt.encode(), b"[" * depth + b"]" * depth)
        response = post(client, CHECK, body)
        assert response.status_code in {200, 400}
        if response.status_code == 200:
            assert response.json()["standing"] == "not_ours"
        seen.add(response.status_code)
    assert seen == {200, 400}
    assert post(client, CHECK, b" " * (64 * 1024 + 1)).status_code == 413
    assert post(client, CHECK, {"answer": {}, "receipt": "A" * 2049}).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"answer": {}},
        {"receipt": "x"},
        {"answer": [], "receipt": "x"},
        {"answer": "{}", "receipt": "x"},
        {"answer": {}, "receipt": 1},
        {"answer": {}, "receipt": ""},
        {"answer": {}, "receipt": "x", "key": {}},
    ],
)
def test_other_bodies_are_refused_with_their_fields(client: Client, body: Any) -> None:
    response = post(client, CHECK, body)
    assert (response.status_code, response.json()["code"]) == (400, "VALIDATION_ERROR")


def test_an_answer_as_large_as_they_come_can_be_checked(client: Client) -> None:
    places = itertools.islice(itertools.cycle(["JP", "KR", "SG"]), 9)
    legs = [
        {"origin": start, "destination": end, "airline": "SQ"} for start, end in itertools.pairwise(places)
    ]
    trip = {"device": {"model_id": "anker-a1289"}, "trip": {"legs": legs}}
    assert status_of(client, kept(client, TRIPS, trip)) == "valid"


def test_a_partner_gets_the_very_receipt_that_anyone_gets(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = KnownKey("acme", "btk_k3vq7m2a", 100, frozenset(), "https://acme.example/terms", None)
    monkeypatch.setattr("compliance.api.protocol.callers.partner_for", lambda key, now: known)
    anonymous = post(client, VERIFY, a_request(), prefer="receipt")
    partner = post(client, VERIFY, a_request(), prefer="receipt", **{"x-service-key": "any"})
    assert partner["Link"]
    assert partner[HEADER] == anonymous[HEADER]
    header = json.loads(base64.urlsafe_b64decode(partner[HEADER].split(".")[0] + "=="))
    assert sorted(header) == ["alg", "kid"]


@pytest.mark.parametrize(
    ("path", "body"),
    [(VERIFY, a_request()), (TRIPS, a_trip()), (BATCH, {"items": [a_request()]})],
)
def test_who_does_not_ask_gets_none_and_nothing_is_signed(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str, body: Any
) -> None:
    asked = post(client, path, body, prefer="receipt")
    assert asked["Preference-Applied"] == "receipt"
    signed = []
    monkeypatch.setattr("compliance.records.receipts.attaching.sign", lambda *about: signed.append(about))
    response = post(client, path, body)
    assert not signed
    assert response.content == asked.content
    assert not {HEADER, "Preference-Applied"} & set(response.headers)
    # A cache that kept one for the other would answer wrongly.
    assert "Prefer" in response["Vary"].split(", ")
    assert response["Vary"] == asked["Vary"]


@pytest.mark.parametrize(
    ("preference", "asks"),
    [
        ("receipt", True),
        ("Receipt", True),
        ("respond-async, receipt", True),
        ("receipt;x=1, wait=10", True),
        (" wait=10 ,\treceipt ", True),
        ("", False),
        ("return=minimal", False),
        ("receipts", False),
        ("no receipt", False),
        ("wait=receipt", False),
    ],
)
def test_the_preference_is_read_as_http_writes_it(client: Client, preference: str, asks: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        # These spellings are what is tested; the judge of all tests knows the plain one.
        patch.setattr("tests.support.receipt_of_every_verdict.VERDICTS", ())
        assert (HEADER in post(client, VERIFY, a_request(), prefer=preference)) is asks


def test_a_partner_who_agreed_to_it_gets_one_with_every_verdict(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = KnownKey("acme", "btk_k3vq7m2a", 100, frozenset(), "https://acme.example/terms", None, True)
    monkeypatch.setattr("compliance.api.protocol.callers.partner_for", lambda key, now: known)
    response = post(client, VERIFY, a_request(), **{"x-service-key": "any"})
    assert is_proven(response.content, response[HEADER], published_keys())
    assert "Preference-Applied" not in response


def test_errors_and_reads_carry_none(client: Client) -> None:
    prefer = {"prefer": "receipt"}
    for response in (
        post(client, VERIFY, {}, **prefer),
        post(client, VERIFY, b"{", **prefer),
        client.get("/api/devices", headers=prefer),
    ):
        assert HEADER not in response
        assert "Preference-Applied" not in response


def test_a_browser_page_of_another_site_can_read_it(client: Client) -> None:
    response = post(client, VERIFY, a_request(), prefer="receipt", origin="https://trips.example")
    assert HEADER in response
    assert {HEADER, "Preference-Applied"} <= set(response["Access-Control-Expose-Headers"].split(", "))
    asking = {"origin": "https://trips.example", "access-control-request-method": "POST"}
    preflight = client.options(VERIFY, headers=asking)
    assert "prefer" in preflight["Access-Control-Allow-Headers"].split(", ")
    keys = client.get("/.well-known/jwks.json", headers={"origin": "https://trips.example"})
    assert keys["Access-Control-Allow-Origin"] == "*"


# --- Keys ---


def test_keys_rotate_without_a_gap(client: Client, settings: Settings) -> None:
    old, new = new_seed(), new_seed()
    settings.RECEIPT_KEYS, settings.RECEIPT_RETIRED_KEYS = (old,), ()
    first = kept(client)
    # The new key is published before it signs, so that whoever keeps our keys knows it in time.
    settings.RECEIPT_KEYS = (old, new)
    assert kept(client)["receipt"] == first["receipt"]
    assert is_signed(rfc8785.dumps(first["answer"]), first["receipt"], published_keys())
    settings.RECEIPT_KEYS = (new, old)
    second = kept(client)
    assert second["receipt"] != first["receipt"]
    # The old secret is gone; its receipts stay ours.
    settings.RECEIPT_KEYS, settings.RECEIPT_RETIRED_KEYS = (new,), (signing_key(old).public.x,)
    for one in (first, second):
        assert status_of(client, one) == "valid"
        assert is_signed(rfc8785.dumps(one["answer"]), one["receipt"], published_keys())
    # A key that others know is taken out altogether.
    settings.RECEIPT_RETIRED_KEYS = ()
    assert status_of(client, first) == "not_ours"


def test_the_other_name_of_the_algorithm_is_read_always_and_written_by_setting(
    client: Client, settings: Settings
) -> None:
    before = kept(client)
    settings.RECEIPT_ALGORITHM = "Ed25519"
    after = kept(client)
    assert after["receipt"] != before["receipt"]
    header = json.loads(base64.urlsafe_b64decode(after["receipt"].split(".")[0] + "=="))
    assert header["alg"] == "Ed25519"
    answer = rfc8785.dumps(after["answer"])
    jwks = client.get("/.well-known/jwks.json").json()
    assert all("alg" not in key for key in jwks["keys"])
    for one in (before, after):
        # Their keys fit both, whichever name the reader's library insists on.
        assert is_signed(answer, one["receipt"], published_keys())
        assert ReceiptKeys(jwks).signed(answer, one["receipt"])
        assert status_of(client, one) == "valid"
    settings.RECEIPT_ALGORITHM = "EdDSA"
    assert [status_of(client, one) for one in (before, after)] == ["valid", "valid"]
    assert {key["alg"] for key in client.get("/.well-known/jwks.json").json()["keys"]} == {"EdDSA"}


def test_without_a_key_answers_come_without_a_receipt(client: Client, settings: Settings) -> None:
    one = kept(client)
    settings.RECEIPT_KEYS = ()
    response = post(client, VERIFY, a_request(), prefer="receipt")
    assert response.status_code == 200
    assert HEADER not in response
    assert "Preference-Applied" not in response
    assert client.get("/.well-known/jwks.json").json() == {"keys": []}
    assert status_of(client, one) == "not_ours"


def test_the_keys_may_be_kept_and_are_not_sent_twice(client: Client, settings: Settings) -> None:
    response = client.get("/.well-known/jwks.json")
    assert response["Content-Type"] == "application/jwk-set+json"
    assert {"public", "max-age=3600"} <= set(response["Cache-Control"].split(", "))
    conditional = {"if-none-match": response["ETag"]}
    assert client.get("/.well-known/jwks.json", headers=conditional).status_code == 304
    settings.RECEIPT_KEYS = (*settings.RECEIPT_KEYS, new_seed())
    assert client.get("/.well-known/jwks.json", headers=conditional).status_code == 200


def test_no_secret_is_published_or_shown(client: Client, settings: Settings) -> None:
    seed = settings.RECEIPT_KEYS[0]
    secret = base64.urlsafe_b64decode(seed + "=")
    shown = client.get("/.well-known/jwks.json").content.decode() + repr(signing_key(seed))
    assert seed not in shown
    assert secret.hex() not in shown
    assert sorted(json.loads(client.get("/.well-known/jwks.json").content)["keys"][0]) == [
        "alg", "crv", "kid", "kty", "use", "x",
    ]  # fmt: skip


def test_the_program_of_the_documentation_tells_ours_from_others(client: Client, tmp_path: Path) -> None:
    page = (REPOSITORY / "docs" / "receipts.md").read_text()
    program, _ = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    one = kept(client)
    (tmp_path / "answer.json").write_text(json.dumps(one["answer"], indent=4))
    (tmp_path / "receipt.txt").write_text(one["receipt"] + "\n")
    (tmp_path / "jwks.json").write_bytes(client.get("/.well-known/jwks.json").content)

    def run() -> "subprocess.CompletedProcess[str]":
        # A warning would let a reader doubt the result.
        command = [sys.executable, "-W", "error", "-c", program]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    assert run().stdout == f"ours, until {one['answer']['expires_at']}\n"
    (tmp_path / "answer.json").write_text(
        json.dumps({**one["answer"], "verdict_id": "vdt_aaaaaaaaaaaaaaaaaaaaaaaaaa"})
    )
    completed = run()
    assert (completed.returncode, completed.stdout) == (1, "")
    assert "InvalidSignature" in completed.stderr
