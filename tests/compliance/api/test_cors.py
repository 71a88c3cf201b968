"""Pages of other sites ask the API from a browser, and can read what it answers, errors too."""

import pytest
from django.test import Client

from tests.support.api_callers import a_client, ask
from tests.support.api_requests import VERIFY, a_request, problem

PAGE = "https://trips.example"

pytestmark = pytest.mark.usefixtures("asked_now")


def listed(text: str) -> set[str]:
    return {item.strip().lower() for item in text.split(",")}


@pytest.mark.parametrize("path", [VERIFY, "/api/devices", "/api/devices/anker-a1263", "/openapi.yaml"])
@pytest.mark.parametrize("origin", [PAGE, "http://127.0.0.1:8001", "null"])
def test_a_browser_may_send_what_the_api_takes(path: str, origin: str) -> None:
    preflight = ask(
        a_client(),
        "OPTIONS",
        path,
        origin=origin,
        access_control_request_method="POST",
        access_control_request_headers="content-type, x-service-key",
    )
    assert preflight.status_code == 200
    assert preflight["Access-Control-Allow-Origin"] == "*"
    assert listed(preflight["Access-Control-Allow-Methods"]) == {"get", "head", "post", "delete", "options"}
    assert listed(preflight["Access-Control-Allow-Headers"]) == {
        "content-type", "x-service-key", "authorization", "if-none-match", "x-request-id", "idempotency-key",
        "prefer", "accept-signature", "content-digest",
    }  # fmt: skip
    assert preflight["Access-Control-Max-Age"] == "86400"
    # No cookie of ours goes along with a page of somebody else.
    assert "Access-Control-Allow-Credentials" not in preflight


def test_a_page_can_read_answers_and_errors_of_every_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    client = a_client()
    seen = []

    def hear(method: str, path: str, body: object = None, **headers: str) -> None:
        answered = ask(client, method, path, body, origin=PAGE, **headers)
        seen.append(answered.status_code)
        assert answered["Access-Control-Allow-Origin"] == "*"
        assert {"date", "etag", "link", "retry-after", "x-request-id"} <= listed(
            answered["Access-Control-Expose-Headers"]
        )
        assert "ratelimit-remaining" in listed(answered["Access-Control-Expose-Headers"])
        assert "origin" in listed(answered["Vary"])
        if answered.status_code >= 400:
            problem(answered)

    hear("POST", VERIFY, a_request())
    hear("POST", VERIFY, {})
    hear("GET", VERIFY)
    hear("GET", "/api/nothing")
    hear("GET", "/api/devices", accept="text/html")
    hear("GET", "/api/devices", host="elsewhere.example")
    monkeypatch.setattr("rules.verdicts.answer_from", None)
    hear("POST", VERIFY, a_request())
    monkeypatch.setattr("django.middleware.common.CommonMiddleware.__call__", None)
    client.raise_request_exception = False
    hear("GET", "/api/devices")
    monkeypatch.undo()
    assert seen == [200, 400, 405, 404, 406, 400, 500, 500]


DOCUMENTS = (
    "/aeo-manifest.json",
    "/aeo-manifest.schema.json",
    "/aeo-preview.json",
    "/aeo-datasets.json",
    "/datasets",
    "/datasets/latest/devices.jsonl",
    "/feeds/rulesets.atom",
    "/feeds/effective-dates.ics",
)


@pytest.mark.django_db
@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_page_can_read_documents_and_a_cache_keeps_one_copy_for_all_origins(
    client: Client, path: str
) -> None:
    answers = [ask(client, "GET", path, origin=PAGE), ask(client, "GET", path)]
    for answered in answers:
        assert answered["Access-Control-Allow-Origin"] == "*"
        assert {"etag", "x-service-content-hash"} <= listed(answered["Access-Control-Expose-Headers"])
        assert "origin" not in listed(answered.headers.get("Vary", ""))
    preflight = ask(
        client,
        "OPTIONS",
        path,
        origin=PAGE,
        access_control_request_method="GET",
        access_control_request_headers="if-none-match",
    )
    assert preflight.status_code == 200
    assert "if-none-match" in listed(preflight["Access-Control-Allow-Headers"])


def test_pages_outside_the_api_are_for_no_one_elses_scripts(client: Client) -> None:
    for path in ("/metrics", "/nowhere", "/openapi.yaml.bak", "/apix", "/datasetsx", "/models", "/"):
        answered = ask(client, "GET", path, origin=PAGE)
        assert "Access-Control-Allow-Origin" not in answered
