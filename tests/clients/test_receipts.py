"""A client that is given the keys of the service takes no answer that they have not signed."""

import json
from typing import Any

import httpx
import pytest
import time_machine
from django.test import Client as DjangoClient

from battery_travel import Client, Question
from battery_travel.receipts import ReceiptKeys
from rules.corpus import Published
from tests.clients.made_up import ALLOWED, read, reply, vector
from tests.clients.playing import Stage
from tests.support.api_requests import TRIPS, VERIFY, a_request, a_trip, post
from tests.support.starter import NOW

HEADER = "X-Service-Receipt"


@pytest.fixture
def keys() -> ReceiptKeys:
    return ReceiptKeys(DjangoClient().get("/.well-known/jwks.json").json())


@pytest.mark.parametrize("language", ["en", "ja", "de"])
@pytest.mark.parametrize(("path", "body"), [(VERIFY, a_request()), (TRIPS, a_trip())])
@time_machine.travel(NOW, tick=False)
def test_an_answer_of_the_service_is_signed_and_no_other(
    client: DjangoClient,
    starter_release: Published,
    keys: ReceiptKeys,
    path: str,
    body: dict[str, Any],
    language: str,
) -> None:
    answered = post(client, path, {**body, "options": {"language": language}}, prefer="receipt")
    receipt = answered[HEADER]
    assert keys.signed(answered.content, receipt)
    # As somebody else writes the same values.
    assert keys.signed(json.dumps(answered.json(), indent=1).encode(), receipt)
    changed = {**answered.json(), "verdict": "allowed", "summary": "Allowed."}
    assert not keys.signed(json.dumps(changed).encode(), receipt)
    for other in ("", "..", receipt[:-1], receipt + "=", receipt.replace("..", "."), f"x{receipt}", "é..é"):
        assert not keys.signed(answered.content, other)
    for content in (b"", b"{", b"NaN", b"\xff"):
        assert not keys.signed(content, receipt)


def test_keys_of_another_person_sign_nothing(keys: ReceiptKeys) -> None:
    with pytest.raises(ValueError, match="no Ed25519 key"):
        ReceiptKeys({"keys": [{"kty": "RSA", "kid": "1", "n": "x"}]})


@pytest.mark.parametrize(
    ("receipt", "why_not"), [("good", None), ("forged", "receipt_invalid"), (None, "receipt_missing")]
)
def test_an_answer_without_its_receipt_is_not_clear(receipt: str | None, why_not: str | None) -> None:
    class Keys:
        def signed(self, content: bytes, receipt: str) -> bool:
            return json.loads(content) == ALLOWED and receipt == "good"

    headers: dict[str, Any] = {} if receipt is None else {"x_service_receipt": receipt}
    played = vector("receipt", "", reply(ALLOWED, **headers), read(why_not))
    stage = Stage(played)
    answer = stage.ask(receipt_keys=Keys())
    assert stage.reads(answer) == played["reads"]


@pytest.mark.parametrize(
    ("settings", "asks"), [({}, False), ({"receipts": True}, True), ({"receipt_keys": "given"}, True)]
)
def test_a_client_asks_for_receipts_if_it_is_told_to_or_checks_them(
    keys: ReceiptKeys, settings: dict[str, Any], asks: bool
) -> None:
    sent = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers.get("prefer"))
        return httpx.Response(404)

    if "receipt_keys" in settings:
        settings = {"receipt_keys": keys}
    with Client("https://service.example", transport=httpx.MockTransport(answer), **settings) as client:
        client.verify(Question(model_id="anker-a1289", origin="AE", destination="GB", airline="EK"))
    assert sent == ["receipt" if asks else None]
