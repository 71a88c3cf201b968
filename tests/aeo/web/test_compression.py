"""Answers arrive in the form that the reader accepts, and each form has an entity tag of its own."""

from itertools import product

import pytest
from django.conf import settings
from django.test import Client

from aeo.web.codings import WORTH_COMPRESSING, coding_of
from tests.support.api_requests import BATCH, VERIFY, a_request, post
from tests.support.codings import UNPACK, plain

READ = ("/api/devices?limit=50", "/sandbox/api/devices", "/openapi.yaml", "/aeo-datasets.json", "/guides")
EXACT = ("/aeo-manifest.json", "/aeo-manifest.schema.json")

pytestmark = pytest.mark.usefixtures("pages", "now")


@pytest.fixture(name="client")
def a_client() -> Client:
    return Client(headers={"accept": "*/*"})


@pytest.mark.parametrize("path", READ)
def test_each_form_has_a_strong_tag_and_any_of_them_is_a_304(client: Client, path: str) -> None:
    forms = {coding: client.get(path, headers={"accept-encoding": coding}) for coding in UNPACK}
    assert [form.get("Content-Encoding", "") for form in forms.values()] == list(UNPACK)
    assert {plain(form) for form in forms.values()} == {forms[""].content}
    tags = [form["ETag"] for form in forms.values()]
    assert len(set(tags)) == len(tags)
    assert all(tag.startswith('"') for tag in tags)
    for form in forms.values():
        assert form["Content-Length"] == str(len(form.content))
        assert "accept-encoding" in form["Vary"].lower()
    for sent, coding in product(tags, UNPACK):
        for known in (sent, f"W/{sent}", f'"other", {sent}'):
            headers = {"accept-encoding": coding, "if-none-match": known}
            answer = client.get(path, headers=headers)
            assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", sent)
            assert "accept-encoding" in answer["Vary"].lower()


@pytest.mark.parametrize("path", READ)
def test_of_several_tags_a_304_names_that_of_the_accepted_form(client: Client, path: str) -> None:
    forms = {coding: client.get(path, headers={"accept-encoding": coding})["ETag"] for coding in UNPACK}
    for coding, tag in forms.items():
        headers = {"accept-encoding": coding, "if-none-match": ", ".join(forms.values())}
        assert client.get(path, headers=headers)["ETag"] == tag
    other = {"accept-encoding": "br", "if-none-match": '"other-br"'}
    assert client.get(path, headers=other).status_code == 200


@pytest.mark.parametrize("path", EXACT)
def test_the_manifest_and_its_schema_have_one_form_whose_tag_is_their_hash(client: Client, path: str) -> None:
    for coding in ("", "gzip", "br"):
        answer = client.get(path, headers={"accept-encoding": coding})
        assert "Content-Encoding" not in answer
        assert "no-transform" in answer["Cache-Control"]
        content_hash = answer.get("X-Service-Content-Hash") or answer["X-Service-Schema-Hash"]
        assert answer["ETag"] == f'"{content_hash}"'
        again = client.get(path, headers={"accept-encoding": coding, "if-none-match": answer["ETag"]})
        assert (again.status_code, again["ETag"]) == (304, answer["ETag"])


@pytest.mark.parametrize("coding", ["gzip", "br"])
def test_verdicts_of_programs_are_compressed_and_their_receipts_are_the_same(
    client: Client, coding: str
) -> None:
    uncompressed = post(client, VERIFY, a_request(), prefer="receipt")
    form = post(client, VERIFY, a_request(), prefer="receipt", **{"accept-encoding": coding})
    assert form["Content-Encoding"] == coding
    assert plain(form) == uncompressed.content
    assert form["X-Service-Receipt"] == uncompressed["X-Service-Receipt"]
    assert len(form.content) < len(uncompressed.content) / 2
    assert "ETag" not in form


def test_a_large_batch_is_a_hundredth_of_its_size(client: Client) -> None:
    items = {"items": [a_request(quantity=number % 9 + 1) for number in range(300)]}
    whole = len(post(client, BATCH, items).content)
    forms = {coding: post(client, BATCH, items, **{"accept-encoding": coding}) for coding in ("gzip", "br")}
    assert len(forms["br"].content) < whole / 100
    assert len(forms["gzip"].content) < whole / 10


@pytest.mark.django_db
def test_short_answers_errors_and_the_desk_are_sent_as_they_are(client: Client) -> None:
    accepted = {"accept-encoding": "gzip, br"}
    for path in ("/api/devices?limit=0", "/.well-known/jwks.json", f"/{settings.ADMIN_PATH}/login/"):
        assert "Content-Encoding" not in client.get(path, headers=accepted)
    assert len(client.get("/.well-known/jwks.json").content) < WORTH_COMPRESSING


@pytest.mark.parametrize("path", READ)
def test_the_answer_to_head_has_the_headers_of_the_answer_to_get(client: Client, path: str) -> None:
    headers = {"accept-encoding": "gzip", "x-request-id": "the-same"}
    read, head = client.get(path, headers=headers), client.head(path, headers=headers)
    changing = ("RateLimit", "RateLimit-Remaining", "RateLimit-Reset")
    assert {name: value for name, value in head.items() if name not in changing} == {
        name: value for name, value in read.items() if name not in changing
    }


@pytest.mark.parametrize(
    ("header", "coding"),
    [
        ("gzip, deflate, br", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0.1, gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("GZIP;Q=1", "gzip"),
        ("gzip;q=²", ""),
        ("deflate, zstd", ""),
        ("identity", ""),
        ("", ""),
    ],
)
def test_the_form_is_the_one_that_the_reader_wants_most(header: str, coding: str) -> None:
    assert coding_of(header) == coding


def test_the_length_of_a_page_that_is_made_for_one_visitor_says_less(client: Client) -> None:
    path = "/check?model=anker-a1263&airline=CA&from=CN&to=JP"
    sizes = {len(client.get(path, headers={"accept-encoding": "gzip"}).content) for _ in range(20)}
    assert len(sizes) > 1
