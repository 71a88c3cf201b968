"""A caller who asks by `Accept-Signature` gets a signature that binds the answer to the question."""

import base64
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from compliance.records.receipts.message_signatures import COMPONENTS, CannotSign, wanted
from compliance.services.embedded import REPOSITORY
from rules.corpus import Published
from tests.support.api_requests import (
    BATCH,
    ITINERARIES,
    ITINERARY_BATCH,
    TRIPS,
    VERIFY,
    a_request,
    a_trip,
    post,
    problem,
)
from tests.support.signature_judge import as_json, digest_of, is_signed, parameters_of
from tests.support.starter import NOW

LEAST = '"@status" "content-digest" "content-digest";req "@path";req'
ASK = f"sig1=({LEAST})"
ITINERARY = {
    "items": [{"model_id": "anker-a1289"}],
    "segments": [{"origin": "DXB", "destination": "LHR", "operating_airline": "EK"}],
}
QUESTIONS = {
    VERIFY: a_request(),
    TRIPS: a_trip(),
    ITINERARIES: ITINERARY,
    BATCH: {"items": [a_request(), a_request(model_id="no-such-model")]},
    ITINERARY_BATCH: {"items": [ITINERARY]},
}


@pytest.fixture(autouse=True)
def asked_now(starter_release: Published) -> Iterator[Published]:
    with time_machine.travel(NOW, tick=False):
        yield starter_release


def asking(client: Client, path: str, body: bytes, ask: str = ASK, **headers: str) -> Any:
    """Ask with the digest of the body."""
    return post(client, path, body, **{"accept-signature": ask, "content-digest": digest_of(body), **headers})


def holds(client: Client, response: Any, sent: bytes, path: str = VERIFY, /, **changes: Any) -> bool:
    """Judge the signature of an answer, with changes of what the client has."""
    about = {
        "label": "sig1",
        "url": f"http://testserver{path}",
        "sent": sent,
        "sent_digest": digest_of(sent),
        "status": response.status_code,
        "headers": response.headers,
        "content": response.content,
        "jwks": client.get("/.well-known/jwks.json").json(),
    }
    return is_signed(**about | changes)


@pytest.mark.parametrize("path", QUESTIONS)
def test_every_kind_of_verdict_is_signed_with_its_question(client: Client, path: str) -> None:
    sent = as_json(QUESTIONS[path])
    named = {"x-request-id": "the-same-for-both"}
    response = asking(client, path, sent, **named)
    assert response.status_code == 200, response.content
    assert holds(client, response, sent, path)
    # The answer to another question, from another address, with another status or another content.
    other = sent.replace(b"anker-a1289", b"anker-a1336")
    assert not holds(client, response, sent, path, sent=other, sent_digest=digest_of(other))
    assert not holds(client, response, sent, path, url="http://testserver/api/other")
    assert not holds(client, response, sent, path, status=201)
    assert not holds(client, response, sent, path, content=response.content + b" ")
    # It is the answer that anyone gets.
    assert post(client, path, sent, **named).content == response.content


def test_nothing_is_signed_for_those_who_do_not_ask(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compliance.records.receipts.message_signatures.Wanted.fields", pytest.fail)
    response = post(client, VERIFY, a_request())
    assert not {"Signature", "Signature-Input", "Content-Digest"} & set(response.headers)
    assert response["Cache-Control"] == "no-store"
    assert "Accept-Signature" in response["Vary"].split(", ")


def test_all_that_can_be_covered_is_as_the_messages_have_it(client: Client) -> None:
    sent = as_json(a_request())
    components = " ".join(sorted(COMPONENTS))
    response = asking(client, VERIFY, sent, f"sig1=({components})")
    assert holds(client, response, sent)
    response = asking(client, VERIFY, sent, f"sig1=({components})", host="TestServer:80")
    assert response.status_code == 200, response.content
    assert holds(client, response, sent)
    for changed in ("http://elsewhere.example/api/verify", "https://testserver/api/verify"):
        assert not holds(client, response, sent, url=changed)


def test_a_signature_says_when_by_which_key_and_what_it_was_asked_to_repeat(client: Client) -> None:
    sent = as_json(a_request())
    (key,) = client.get("/.well-known/jwks.json").json()["keys"]
    first = f'a=({LEAST});created;nonce="n-\\"1";tag="shop"'
    ask = f'{first},\t*b.c=( {LEAST}  ); alg="ed25519";keyid="{key["kid"]}"'
    response = asking(client, VERIFY, sent, ask)
    assert response.status_code == 200, response.content
    created = int(NOW.timestamp())
    known = f';created={created};keyid="{key["kid"]}";alg="ed25519"'
    assert parameters_of(response.headers, "a") == f'({LEAST}){known};nonce="n-\\"1";tag="shop"'
    assert parameters_of(response.headers, "*b.c") == f"({LEAST}){known}"
    for label in ("a", "*b.c"):
        assert holds(client, response, sent, label=label)


@pytest.mark.parametrize("coding", ["gzip", "br", "gzip, identity;q=0"])
def test_what_is_signed_arrives_as_it_was_signed(client: Client, coding: str) -> None:
    """A reader whose library unpacks answers could not compare the digest with what it unpacked."""
    sent = as_json({"items": [a_request()] * 3})
    response = asking(client, BATCH, sent, **{"accept-encoding": coding, "prefer": "receipt"})
    assert "Content-Encoding" not in response
    assert response["Cache-Control"] == "no-store, no-transform"
    assert holds(client, response, sent, BATCH)


def test_both_kinds_of_receipts_can_be_asked_for_at_once(client: Client) -> None:
    sent = as_json(a_request())
    response = asking(client, VERIFY, sent, prefer="receipt")
    assert response["Preference-Applied"] == "receipt"
    assert holds(client, response, sent)


@pytest.mark.parametrize(
    "ask",
    [
        "",
        "sig1",
        "sig1=()",
        "sig1=?1",
        f"sig1=({LEAST}",
        f"Sig1=({LEAST})",
        f"sig1=({LEAST}),",
        f"sig1=({LEAST}) sig2=({LEAST})",
        f"sig1=({LEAST}), sig1=({LEAST})",
        f'sig1=({LEAST} "@path";req)',
        f'sig1=({LEAST} "@path";req=?1)',
        # One that would leave answer, question or operation open.
        'sig1=("@status")',
        'sig1=("content-digest")',
        'sig1=("@status" "content-digest" "@path";req)',
        'sig1=("@status" "content-digest" "content-digest";req)',
        'sig1=("@status" "content-digest";req "@path";req)',
        'sig1=("content-digest" "content-digest";req "@path";req)',
        # Components that are not covered here.
        f'sig1=({LEAST} "@path")',
        f'sig1=({LEAST} "@method")',
        f'sig1=({LEAST} "@status";req)',
        f'sig1=({LEAST} "x-request-id")',
        f'sig1=({LEAST} "authorization";req)',
        f'sig1=({LEAST} "content-type";sf)',
        f'sig1=({LEAST} "content-type";req;bs)',
        f'sig1=({LEAST} "content-type";req=?0)',
        f'sig1=({LEAST} "@query-param";name="q";req)',
        f'sig1=({LEAST} "Content-Type")',
        f"sig1=({LEAST} content-type)",
        # Parameters that cannot be fulfilled.
        f"sig1=({LEAST});expires",
        f"sig1=({LEAST});created=1618884475",
        f'sig1=({LEAST});alg="rsa-pss-sha512"',
        f'sig1=({LEAST});keyid="another"',
        f"sig1=({LEAST});tag",
        f"sig1=({LEAST});tag=?1",
        f'sig1=({LEAST});colour="red"',
        f'sig1=({LEAST});tag="\x01"',
        f'sig1=({LEAST});tag="é"',
        ", ".join(f"sig{number}=({LEAST})" for number in range(5)),
        f'sig1=({LEAST});tag="{"x" * 2048}"',
    ],
)
def test_a_signature_that_cannot_be_made_is_refused_with_the_reason(client: Client, ask: str) -> None:
    response = asking(client, VERIFY, as_json(a_request()), ask)
    assert response.status_code == 400
    (error,) = problem(response)["errors"]
    assert (error["field"], error["code"]) == ("Accept-Signature", "cannot_be_signed")
    assert "Signature" not in response


@given(st.text(alphabet=st.sampled_from('sig1=()";, @abcreq-\\\t\u00e9'), max_size=60))
def test_no_text_breaks_the_reader(field: str) -> None:
    try:
        found = wanted(field, "kid")
    except CannotSign:
        return
    pytest.fail(f"{field!r} asks for {found}")


@pytest.mark.parametrize("digest", [None, "sha-1=:AAAA:", "unixsum=:AAAA:"])
def test_a_question_without_a_digest_cannot_be_bound(client: Client, digest: str | None) -> None:
    headers = (
        {"accept-signature": ASK} if digest is None else {"accept-signature": ASK, "content-digest": digest}
    )
    response = post(client, VERIFY, a_request(), **headers)
    (error,) = problem(response)["errors"]
    assert error["field"] == "Accept-Signature"
    assert "Content-Digest" in error["message"]


@pytest.mark.parametrize("path", [VERIFY, BATCH, "/api/receipts/check"])
def test_a_body_that_was_altered_on_its_way_gets_no_answer(client: Client, path: str) -> None:
    meant, arrived = as_json(a_request()), as_json(a_request(quantity=2))
    response = post(client, path, arrived, **{"content-digest": digest_of(meant)})
    (error,) = problem(response)["errors"]
    assert (error["field"], error["code"]) == ("Content-Digest", "other_digest")


@pytest.mark.parametrize(
    "form",
    ["{};p", "{};", "SHA-256{}", "{},", "", "sha-256=:!!!!:", "sha-256", "unixsum=10", "sha-256=:AA==:, {}"],
)
def test_a_digest_that_is_wrong_or_cannot_be_read_gets_no_answer_signed_or_not(
    client: Client, form: str
) -> None:
    other = digest_of(as_json(a_request(quantity=2)))
    digest = form.replace("SHA-256{}", other.upper()).format(other)
    response = post(client, VERIFY, as_json(a_request()), **{"content-digest": digest})
    (error,) = problem(response)["errors"]
    assert (error["field"], error["code"]) == ("Content-Digest", "other_digest")


def test_digests_are_read_as_http_writes_them(client: Client) -> None:
    sent = as_json(a_request())
    long = f"sha-512=:{base64.b64encode(hashlib.sha512(sent).digest()).decode()}:"
    both = f"md5=:AAAA:, {digest_of(sent)};p=1,\t{long}"
    for digest in (long, both):
        response = asking(client, VERIFY, sent, **{"content-digest": digest})
        assert response.status_code == 200, response.content
        assert holds(client, response, sent, sent_digest=digest) is (digest == both)
    wrong = both.replace(long[10:20], "AAAAAAAAAA")
    assert asking(client, VERIFY, sent, **{"content-digest": wrong}).status_code == 400
    # Others are no matter of ours.
    assert post(client, VERIFY, sent, **{"content-digest": "md5=:AAAA:"}).status_code == 200


def test_errors_and_reads_are_not_signed(client: Client) -> None:
    for response in (
        asking(client, VERIFY, b"{}"),
        client.get("/api/devices", headers={"accept-signature": ASK}),
    ):
        assert "Signature" not in response


def test_a_batch_that_asks_for_an_impossible_signature_costs_one_request(client: Client) -> None:
    sent = as_json({"items": [a_request()] * 20})
    before = int(asking(client, VERIFY, as_json(a_request()))["RateLimit-Remaining"])
    response = asking(client, BATCH, sent, "sig1=()")
    assert response.status_code == 400
    assert int(response["RateLimit-Remaining"]) == before - 1


def test_an_installation_without_a_key_answers_unsigned(client: Client, settings: Settings) -> None:
    settings.RECEIPT_KEYS = ()
    response = asking(client, VERIFY, as_json(a_request()))
    assert response.status_code == 200
    assert "Signature" not in response


def test_the_sandbox_signs_nothing(client: Client) -> None:
    sent = as_json(
        {"model_id": "sandbox-allowed", "trip": {"origin": "US", "destination": "JP", "airline": "00"}}
    )
    response = asking(client, "/sandbox/api/verify", sent)
    assert response.status_code == 200
    assert "Signature" not in response


def test_a_page_of_another_site_can_ask_and_read_it(client: Client) -> None:
    sent = as_json(a_request())
    response = asking(client, VERIFY, sent, origin="https://trips.example")
    shown = set(response["Access-Control-Expose-Headers"].split(", "))
    assert {"Signature", "Signature-Input", "Content-Digest"} <= shown
    preflight = client.options(
        VERIFY, headers={"origin": "https://trips.example", "access-control-request-method": "POST"}
    )
    taken = set(preflight["Access-Control-Allow-Headers"].split(", "))
    assert {"accept-signature", "content-digest"} <= taken


def test_the_program_of_the_documentation_tells_this_question_and_answer_from_others(
    client: Client, tmp_path: Path
) -> None:
    page = (REPOSITORY / "docs" / "receipts.md").read_text()
    _, program = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (ask,) = re.findall(r"accept-signature: (.*?)'", page)
    sent = as_json(a_request())
    response = asking(client, VERIFY, sent, ask)
    headers = {name.lower(): value for name, value in response.headers.items()}
    (tmp_path / "headers.json").write_text(json.dumps(headers))
    (tmp_path / "jwks.json").write_bytes(client.get("/.well-known/jwks.json").content)

    def run(sent: bytes, answer: bytes) -> "subprocess.CompletedProcess[str]":
        (tmp_path / "sent.json").write_bytes(sent)
        (tmp_path / "answer.bin").write_bytes(answer)
        return subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)

    completed = run(sent, response.content)
    assert completed.stdout == f"ours, for this question, until {response.json()['expires_at']}\n", (
        completed.stderr
    )
    assert "InvalidSignature" in run(as_json(a_request(quantity=2)), response.content).stderr
    assert "another answer" in run(sent, response.content.replace(b"allowed", b"banned ", 1)).stderr
