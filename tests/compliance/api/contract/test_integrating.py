"""What the pages for integrators tell them to send is answered, and as they say."""

import json
import re
from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client

from compliance.services.embedded import REPOSITORY
from rules.corpus import Published
from tests.support.starter import NOW

DOCS = REPOSITORY / "docs"
PAGE, ERRORS, BATCH = ((DOCS / f"{name}.md").read_text() for name in ("integrating", "errors", "batch"))
ADDRESS = "http://127.0.0.1:8000"

WATCHES = "/api/watches"
CHECK = "/api/recalls/check"
POST = re.compile(rf"^curl -s {ADDRESS}(\S+) -H .*? -d '(.*?)'", re.MULTILINE | re.DOTALL)
GETS = re.findall(rf"^curl -si? {ADDRESS}(\S+)(?: \||$)", PAGE, re.MULTILINE)
POSTS = POST.findall(PAGE)


@pytest.fixture(autouse=True)
def asked(starter_release: Published) -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def test_every_example_is_found() -> None:
    assert len(GETS) + len(POSTS) == PAGE.count("\ncurl ") >= 4


@pytest.mark.parametrize("path", GETS)
def test_a_read_is_answered(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer["ETag"]


@pytest.mark.parametrize(("path", "body"), [pair for pair in POSTS if pair[0] not in {WATCHES, CHECK}])
def test_a_question_is_answered(client: Client, path: str, body: str) -> None:
    answer = client.post(path, body, content_type="application/json").json()
    # As the page says: a verdict that is open has a next step, one that is not has none.
    step = {"conditional": "check_recall_list", "allowed": None}
    assert answer.get("suggested_next_step", {}).get("code") == step[answer["verdict"]]


def test_a_unit_is_checked(client: Client) -> None:
    (body,) = [body for path, body in POSTS if path == CHECK]
    answer = client.post(CHECK, body, content_type="application/json").json()
    assert answer["recall_status"] == "external_check_required"
    assert answer["recalls"]


@pytest.mark.django_db
def test_a_watch_is_made_once(client: Client) -> None:
    (body,) = [body for path, body in POSTS if path == WATCHES]
    (key,) = re.findall(r"'idempotency-key: (.*?)'", PAGE)
    first, second = (
        client.post(WATCHES, body, content_type="application/json", headers={"idempotency-key": key})
        for _ in range(2)
    )
    assert first.json()["page_url"].startswith(f"{ADDRESS}/watch/")
    assert first.content == second.content


def test_a_batch_is_answered_item_by_item(client: Client) -> None:
    ((path, body),) = POST.findall(BATCH)
    answer = client.post(path, body, content_type="application/json").json()
    sent = json.loads(body)["items"]
    assert [item["status"] for item in answer["items"]] == [200] * (len(sent) - 1) + [404]
    assert [item.get("ref") for item in answer["items"]] == [item.get("ref") for item in sent]


def test_the_error_is_the_one_that_is_shown(client: Client) -> None:
    shown = re.search(r"```\n(\{.*?\})\n```", ERRORS, re.DOTALL)
    assert shown is not None
    answered = client.get("/api/devices?limit=0").json()
    assert json.loads(shown[1].replace("\n", "")) == {**answered, "request_id": "…"}


def test_a_refused_request_comes_back_corrected_and_is_then_answered(client: Client) -> None:
    ((path, body),) = POST.findall(ERRORS)
    refused = client.post(path, body, content_type="application/json")
    assert refused.status_code == 400
    corrected = refused.json()["corrected_request"]
    assert client.post(path, corrected, content_type="application/json").json()["verdict"] == "conditional"
