"""Whatever a server sends, a fetch ends with an answer or with a named reason, and with nothing else."""

import datetime
import gzip
import zlib
from collections.abc import Iterator

import brotli
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from catalog.fetching import Fetcher, FetchFailed
from catalog.fetching.headers import LONGEST_WAIT, Headers
from tests.catalog.fetching.servers import Server, policy

BODIES = [
    b"",
    b"<p>text</p>",
    *(pack(b"<p>text</p>" * 99) for pack in (gzip.compress, zlib.compress, brotli.compress)),
]

fields = st.tuples(
    st.sampled_from(
        [
            "Content-Type",
            "Content-Length",
            "Content-Encoding",
            "Transfer-Encoding",
            "Location",
            "Retry-After",
            "ETag",
        ]
    ).map(str.encode),
    st.sampled_from(
        [
            b"text/html",
            b"5",
            b"11",
            b"gzip",
            b"deflate",
            b"br",
            b"chunked",
            b"/",
            b"//x",
            b"http://[",
            b"\xff\xfe",
            b"\x00",
        ]
    )
    | st.binary(max_size=20),
)
statuses = st.sampled_from(
    [b"200", b"301", b"304", b"404", b"429", b"100", b"101", b"204", b"999", b"20", b"-1"]
)


@st.composite
def answers(draw: st.DrawFn) -> bytes:
    """Return what a server sends: more or less HTTP, with bytes changed or missing."""
    head = b"".join(b"%b: %b\r\n" % field for field in draw(st.lists(fields, max_size=4)))
    sent = b"HTTP/1.1 " + draw(statuses) + b" Word\r\n" + head + b"\r\n" + draw(st.sampled_from(BODIES))
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(sent)))
        sent = sent[:place] + draw(st.binary(max_size=3)) + sent[place + draw(st.integers(0, 3)) :]
    return sent[: draw(st.just(len(sent)) | st.integers(0, len(sent)))]


@pytest.fixture(scope="module")
def mirror() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(scope="module")
def patient() -> Iterator[Fetcher]:
    with Fetcher(policy(max_redirects=1)) as opened:
        yield opened


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(sent=answers(), by=st.sampled_from(["/", "/robots.txt"]))
def test_whatever_is_sent_has_a_name(mirror: Server, patient: Fetcher, sent: bytes, by: str) -> None:
    mirror.pages.clear()
    mirror.pages[by] = sent
    # The file of a site is asked for once by each fetcher.
    fetcher = patient if by == "/" else Fetcher(policy())
    try:
        fetched = fetcher.fetch(mirror.root, etag='"1"')
    except FetchFailed as failed:
        detail = failed.detail
    else:
        detail = "."
        assert len(fetched.body) <= policy().max_bytes
    assert detail.endswith(".")
    assert detail.isprintable()


@given(
    st.binary(max_size=40)
    | st.from_regex(
        rb"(Wed, )?[0-9]{1,3} (Nov|Feb) [0-9]{1,6} [0-9:]{1,30} ([+-][0-9]{1,30}|GMT)?", fullmatch=True
    )
)
@example(b"Wed, 1 Nov 2027 99999999999999999999:00:00 GMT")
@example(b"Wed, 1 Nov 2027 00:00:00 +99999999999999999999")
def test_whatever_wish_is_sent_is_none_or_within_a_day(wish: bytes) -> None:
    granted = Headers([(b"Retry-After", wish)]).retry_after(
        datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC)
    )
    assert granted is None or datetime.timedelta(0) <= granted <= LONGEST_WAIT
