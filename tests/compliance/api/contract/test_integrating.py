"""What docs/integrating.md tells an integrator to send is answered, and as it says."""

import json
import re
from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client

from compliance.services.embedded import REPOSITORY
from rules.corpus import Published
from tests.support.starter import NOW

PAGE = (REPOSITORY / "docs" / "integrating.md").read_text()
ADDRESS = "http://127.0.0.1:8000"

WATCHES = "/api/watches"
GETS = re.findall(rf"^curl -si? {ADDRESS}(\S+)(?: \||$)", PAGE, re.MULTILINE)
POSTS = re.findall(rf"^curl -s {ADDRESS}(\S+) -H .*? -d '(.*?)'", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def asked(starter_release: Published) -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def test_every_example_is_found() -> None:
    assert len(GETS) + len(POSTS) == PAGE.count("\ncurl ") >= 4


@pytest.mark.parametrize("path", [path for path in GETS if "limit=0" not in path])
def test_a_read_is_answered(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer["ETag"]


@pytest.mark.parametrize(("path", "body"), [(path, body) for path, body in POSTS if path != WATCHES])
def test_a_question_is_answered(client: Client, path: str, body: str) -> None:
    answer = client.post(path, body, content_type="application/json").json()
    if "items" in answer:
        assert [item["status"] for item in answer["items"]] == [200, 404]
        answer = answer["items"][0]["answer"]
    assert answer["verdict"] == "conditional"
    assert answer["suggested_next_step"]["code"] == "check_recall_list"


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


def test_the_error_is_the_one_that_is_shown(client: Client) -> None:
    shown = re.search(r"```\n(\{.*?\})\n```", PAGE, re.DOTALL)
    assert shown is not None
    answered = client.get("/api/devices?limit=0").json()
    assert json.loads(shown[1].replace("\n", "")) == {**answered, "request_id": "…"}
