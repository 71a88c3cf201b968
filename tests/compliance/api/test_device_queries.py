"""A query for devices or recalls that is wrong is refused by name: a lost filter would say too much."""

import pytest
from django.test import Client

from tests.support.api_requests import errors

WRONG: list[tuple[str, dict[str, str]]] = [
    ("devices?recnt=true", {"recnt": "unknown_parameter"}),
    ("devices?serial=4711", {"serial": "unknown_parameter"}),
    ("devices?q=", {"q": "invalid_format"}),
    ("devices?q=%20", {"q": "invalid_format"}),
    ("devices?q=a%00b", {"q": "invalid_format"}),
    ("devices?q=" + "a" * 201, {"q": "invalid_format"}),
    ("devices?q=%ff", {"query": "malformed_query"}),
    ("devices?q=%ed%a0%80", {"query": "malformed_query"}),
    ("devices?q=anker&q=xiaomi", {"q": "repeated"}),
    ("devices?q=anker&%71=xiaomi", {"q": "repeated"}),
    ("devices?brand=" + "a" * 61, {"brand": "invalid_format"}),
    ("devices?recent=yes", {"recent": "invalid_choice"}),
    ("devices?limit=0", {"limit": "out_of_range"}),
    ("devices?limit=201", {"limit": "out_of_range"}),
    ("devices?limit=ten", {"limit": "wrong_type"}),
    ("devices?cursor=AAAA", {"cursor": "stale_cursor"}),
    ("devices?limit=0&recent=1", {"limit": "out_of_range", "recent": "invalid_choice"}),
    ("devices/anker-a1263?q=x", {"q": "unknown_parameter"}),
    ("devices/anker-a1263?serial=", {"serial": "invalid_format"}),
    ("devices/anker-a1263?serial=" + "1" * 65, {"serial": "invalid_format"}),
    ("devices/anker-a1263?serial=1&serial=2", {"serial": "repeated"}),
    ("devices/anker-a1263?serial=%ff", {"query": "malformed_query"}),
    ("devices/anker-a1263/recalls?serial=%07", {"serial": "invalid_format"}),
    ("devices/anker-a1263/recalls?limit=1", {"limit": "unknown_parameter"}),
    ("recalls?model_id=ANKER-A1263", {"model_id": "invalid_format"}),
    ("recalls?model_id=", {"model_id": "invalid_format"}),
    ("recalls?jurisdiction=us", {"jurisdiction": "invalid_format"}),
    ("recalls?jurisdiction=ZZ", {"jurisdiction": "unknown_jurisdiction"}),
    ("recalls?brand=anker", {"brand": "unknown_parameter"}),
    ("recalls?status=closed", {"status": "invalid_choice"}),
]


@pytest.mark.usefixtures("asked_now")
@pytest.mark.parametrize(("address", "wrong"), WRONG, ids=[address[:50] for address, _ in WRONG])
def test_a_wrong_query_is_refused_by_name_and_never_half_answered(
    client: Client, address: str, wrong: dict[str, str]
) -> None:
    assert errors(client.get(f"/api/{address}")) == wrong


@pytest.mark.usefixtures("asked_now")
@pytest.mark.parametrize(
    "address", ["devices", "devices/anker-a1263", "devices/anker-a1263/recalls", "recalls"]
)
def test_a_read_takes_no_other_method_and_no_final_slash(client: Client, address: str) -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        response = client.generic(method, f"/api/{address}", b"{}", "application/json")
        assert (response.status_code, response["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert client.get(f"/api/{address}/").status_code == 404
    head, full = client.head(f"/api/{address}"), client.get(f"/api/{address}")
    assert (head.status_code, head.content) == (200, b"")
    assert head["ETag"] == full["ETag"]
    assert int(head["Content-Length"]) == len(full.content)
