"""When all of a request has come: at its last byte and not before, in whatever pieces it comes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compliance.services.incoming import BODY_BYTES, HEAD_BYTES, Incoming

HEAD = b"POST /api/verify HTTP/1.1\r\nHost: 127.0.0.1\r\n"
PAUSE = b"Expect: 100-continue\r\n"


def measured(body: bytes) -> bytes:
    return HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body


def in_chunks(pieces: list[bytes], ending: bytes = b"\r\n") -> bytes:
    sent = b"".join(b"%x;a=b\r\n%b\r\n" % (len(piece), piece) for piece in pieces)
    return HEAD + b"transfer-encoding:\tChunked\r\n\r\n" + sent + b"0\r\n" + ending


bodies = st.binary(max_size=60) | st.sampled_from([b"\r\n\r\n", b"0\r\n\r\n", b"\n\n", b"5\r\nhello"])
requests = st.one_of(
    st.just(HEAD + b"\r\n"),
    st.just(b"\r\n" + HEAD + b"\r\n"),
    bodies.map(measured),
    st.builds(
        in_chunks,
        st.lists(bodies.filter(len), max_size=4),
        st.sampled_from([b"\r\n", b"X-After: it\r\nX-More: of it\r\n\r\n"]),
    ),
)


def given_to(incoming: Incoming, data: bytes) -> object:
    incoming.add(data)
    return incoming.found()


@given(requests, st.lists(st.integers(1, 50), max_size=40))
def test_a_request_is_whole_with_its_last_byte_and_not_before(request_bytes: bytes, sizes: list[int]) -> None:
    incoming, rest = Incoming(), request_bytes[:-1]
    for size in [*sizes, len(rest)]:
        piece, rest = rest[:size], rest[size:]
        if piece:
            assert given_to(incoming, piece) is None
    assert given_to(incoming, request_bytes[-1:]) == "whole"


@given(st.binary(max_size=200), st.sampled_from([b"", HEAD, HEAD + b"Transfer-Encoding: chunked\r\n\r\n"]))
def test_no_bytes_make_it_fail(nonsense: bytes, before: bytes) -> None:
    incoming = Incoming()
    for byte in before + nonsense:
        if given_to(incoming, bytes([byte])) is not None:
            break


@given(st.lists(requests, min_size=2, max_size=3))
def test_requests_that_come_together_are_found_one_by_one(several: list[bytes]) -> None:
    incoming = Incoming()
    incoming.add(b"".join(several))
    for number, one in enumerate(several):
        assert incoming.found() == "whole"
        rest = b"".join(several[number + 1 :])
        # Gunicorn reads ahead, and gives back what is not of this request.
        assert incoming.recv(100_000) == one + rest
        incoming.put_back(rest)
    assert incoming.found() is None
    assert not incoming.ran_dry


def test_reading_beyond_the_end_is_remembered() -> None:
    incoming = Incoming()
    incoming.add(b"GET / HTTP/1.1\r\n\r\n")
    assert (incoming.recv(8), incoming.recv(100), incoming.ran_dry) == (b"GET / HT", b"TP/1.1\r\n\r\n", False)
    assert (incoming.recv(100), incoming.ran_dry) == (b"", True)


@pytest.mark.parametrize(
    "odd",
    [
        HEAD + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\n",
        HEAD + b"Content-Length: +5\r\n\r\n",
        HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        HEAD + b"Transfer-Encoding: \x0bchunked\r\n\r\n",
        HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nnonsense\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * (HEAD_BYTES + 1),
        b"GET / HTTP/1.1\nHost: 127.0.0.1\n\n",
        b"GET /" + b"a" * 5000,
    ],
)
def test_what_looks_odd_is_left_to_the_parser_at_once(odd: bytes) -> None:
    assert given_to(Incoming(), odd) == "whole"


@pytest.mark.parametrize(
    ("large", "status"),
    [
        (HEAD + b"Content-Length: %d\r\n\r\n" % (BODY_BYTES + 1), 413),
        (HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", 413),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % (BODY_BYTES + 1), 413),
        (HEAD + b"X-Long: a\r\n" * (HEAD_BYTES // 10), 431),
    ],
)
def test_what_is_too_large_is_refused_before_it_has_come(large: bytes, status: int) -> None:
    assert given_to(Incoming(), large) == status


def test_a_client_that_waits_for_a_word_is_told_once() -> None:
    incoming = Incoming()
    assert given_to(incoming, HEAD) is None
    assert not incoming.waits_for_a_word()
    assert given_to(incoming, PAUSE + b"Content-Length: 2\r\n\r\n") is None
    assert (incoming.waits_for_a_word(), incoming.waits_for_a_word()) == (True, False)
    assert given_to(incoming, b"{}") == "whole"
