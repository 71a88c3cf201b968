"""The judge that stands behind every test's verdicts sees what it should see."""

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client

from compliance.records.receipts.attaching import put_receipt
from rules.corpus import Published
from tests.support.api_requests import ASKING_FOR_RECEIPT, TRIPS, VERIFY, a_request, a_trip, post
from tests.support.receipt_judge import HEADER
from tests.support.starter import NOW


@pytest.mark.parametrize(("path", "body"), [(VERIFY, a_request()), (TRIPS, a_trip())])
def test_a_verdict_without_its_receipt_fails_the_test_that_asked(
    starter_release: Published, client: Client, monkeypatch: pytest.MonkeyPatch, path: str, body: object
) -> None:
    with time_machine.travel(NOW, tick=False):
        assert HEADER in post(client, path, body, **ASKING_FOR_RECEIPT)
        monkeypatch.setattr("compliance.api.protocol.sending.put_receipt", lambda response, body: None)
        with pytest.raises(AssertionError, match="without a receipt"):
            post(client, path, body, **ASKING_FOR_RECEIPT)

        def of_another_answer(response: HttpResponse, body: object) -> None:
            response[HEADER] = "e30.." + "A" * 86

        monkeypatch.setattr("compliance.api.protocol.sending.put_receipt", of_another_answer)
        with pytest.raises(AssertionError, match="does not prove it"):
            post(client, path, body, **ASKING_FOR_RECEIPT)

        monkeypatch.setattr("compliance.api.protocol.sending.put_receipt", put_receipt)
        assert HEADER not in post(client, path, body)
        monkeypatch.setattr("compliance.api.protocol.sending.wants_receipt", lambda request, caller: True)
        with pytest.raises(AssertionError, match="nobody asked for"):
            post(client, path, body)
