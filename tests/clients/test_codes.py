"""The Python client reads the codes of the service, and recognizes a code with its numbers."""

import httpx
import msgspec

from battery_travel import Client, Lookup
from battery_travel.lookups import ListedCode
from compliance.api.protocol.codes import listed
from compliance.api.reads.codes import codes_body


def codes(kind: str | None = None, language: str = "en") -> Lookup[ListedCode]:
    def service(request: httpx.Request) -> httpx.Response:
        asked = request.url.params
        body = msgspec.json.encode(codes_body(asked.get("kind"), asked["language"]))
        return httpx.Response(200, content=body, headers={"content-type": "application/json"})

    with Client(
        "https://service.example", language=language, transport=httpx.MockTransport(service)
    ) as client:
        return client.codes(kind)


def test_every_code_of_the_service_is_read() -> None:
    found = codes().found
    assert found is not None
    assert [(one.kind, one.code) for one in found] == [(one.kind, one.code) for one in listed()]
    assert all(one.sentences for one in found)


def test_codes_of_one_kind_are_read_in_the_language_of_the_client() -> None:
    found = codes("constraint", "de").found
    assert found is not None
    assert {one.kind for one in found} == {"constraint"}
    [units] = [one for one in found if one.code == "max_units"]
    assert any("{max_units}" in sentence and "Powerbank" in sentence for sentence in units.sentences)


def test_a_code_with_numbers_is_recognized() -> None:
    found = codes("constraint").found
    assert found is not None
    for written, code in (
        ("max_units_2", "max_units"),
        ("max_units_over_100wh_2", "max_units"),
        ("carry_on_only", "carry_on_only"),
    ):
        assert [one.code for one in found if one.stands_for(written)] == [code]
    assert not any(one.stands_for("max_units_21") for one in found)
