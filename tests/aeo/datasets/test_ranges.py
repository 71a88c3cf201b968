"""Parts of files: what programs that read tables by parts, and interrupted downloads, rely on."""

import pytest
from django.test import Client

from aeo.datasets.actions import keep_datasets
from tests.support.ledger import publish, world_content

PATH = "/datasets/2026-11-20/devices.jsonl"

pytestmark = pytest.mark.django_db


@pytest.fixture
def whole() -> bytes:
    publish(world_content(), note="First.")
    keep_datasets()
    answer = Client().get(PATH)
    assert (answer.status_code, answer["Accept-Ranges"]) == (200, "bytes")
    return bytes(answer.content)


@pytest.mark.parametrize("size", [1, 7, 100, 4096, 10**9])
def test_parts_put_together_are_the_file(whole: bytes, size: int) -> None:
    size = max(size, len(whole) // 50)
    read = b""
    while len(read) < len(whole):
        answer = Client().get(PATH, headers={"range": f"bytes={len(read)}-{len(read) + size - 1}"})
        last = min(len(read) + size, len(whole)) - 1
        assert answer.status_code == 206
        assert answer["Content-Range"] == f"bytes {len(read)}-{last}/{len(whole)}"
        assert int(answer["Content-Length"]) == len(answer.content)
        read += answer.content
    assert read == whole


def test_an_interrupted_download_goes_on_only_with_the_same_file(whole: bytes) -> None:
    etag = Client().get(PATH)["ETag"]
    rest = Client().get(PATH, headers={"range": "bytes=10-", "if-range": etag})
    assert (rest.status_code, rest.content, rest["ETag"]) == (206, whole[10:], etag)
    other = Client().get(PATH, headers={"range": "bytes=10-", "if-range": '"another"'})
    assert (other.status_code, other.content) == (200, whole)
    known = Client().get(PATH, headers={"range": "bytes=10-", "if-none-match": etag})
    assert known.status_code == 304


def test_the_end_of_a_file_can_be_read_and_parts_are_never_compressed(whole: bytes) -> None:
    for suffix, expected in ((5, whole[-5:]), (10**9, whole)):
        answer = Client().get(PATH, headers={"range": f"bytes=-{suffix}", "accept-encoding": "gzip, br"})
        assert (answer.status_code, answer.content) == (206, expected)
        assert "Content-Encoding" not in answer


@pytest.mark.parametrize("asked", ["bytes=900000000-", "bytes=900000000-900000009", "bytes=-0"])
def test_a_part_that_the_file_does_not_have_is_416_with_its_size(whole: bytes, asked: str) -> None:
    answer = Client().get(PATH, headers={"range": asked})
    assert (answer.status_code, answer.content) == (416, b"")
    assert answer["Content-Range"] == f"bytes */{len(whole)}"


@pytest.mark.parametrize(
    "asked", ["bytes=0-1,5-6", "bytes=9-3", "lines=1-2", "bytes=-", "bytes=a-b", "bytes", "bytes=" + "9" * 99]
)
def test_what_is_not_one_part_in_bytes_gets_the_whole_file(whole: bytes, asked: str) -> None:
    answer = Client().get(PATH, headers={"range": asked})
    assert (answer.status_code, answer.content) == (200, whole)


def test_head_tells_the_size_of_the_file_and_that_it_can_be_read_by_parts(whole: bytes) -> None:
    answer = Client().head(PATH, headers={"range": "bytes=0-1"})
    assert (answer.status_code, answer["Accept-Ranges"]) == (200, "bytes")


@pytest.mark.parametrize("end", ["jsonl", "csv"])
def test_files_have_one_form_so_that_parts_of_two_downloads_fit(whole: bytes, end: str) -> None:
    path = PATH.replace("jsonl", end)
    etag = Client().get(path)["ETag"]
    answer = Client().get(path, headers={"accept-encoding": "br, gzip"})
    assert "Content-Encoding" not in answer
    assert answer["ETag"] == etag
    assert Client().get(path, headers={"if-match": '"another"'}).status_code == 412
