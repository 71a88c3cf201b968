"""Bodies, unpacked as they arrive and never beyond what is allowed.

Ten gigabytes of zeros fit into a few kilobytes. So no piece is unpacked as a whole: the unpackers are asked
for `PIECE` bytes at a time, and the output is compared with the limit and with the input. Pure except for the
deadline. Called by `fetcher` and `robots`.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO

import brotli

from catalog.fetching.answers import FetchFailed
from catalog.fetching.deadline import Deadline
from catalog.fetching.exchange import Answer

PIECE = 64 * 1024
HARMLESS = 1024 * 1024
"""Up to this many bytes, the compression ratio does not matter."""
MOST_TIMES = 250
"""Beyond that, a body with a higher compression ratio than this counts as an attack."""

FRAMED = 2
"""How many times its size a body may take on the network: chunks have headers of their own."""

GZIP = zlib.MAX_WBITS | 16
"""The zlib parameter for gzip."""

Unpacker = Callable[[bytes], Iterator[bytes]]


def read_whole(answer: Answer, most: int, deadline: Deadline) -> bytes:
    """Return a body of at most `most` bytes. Raises `FetchFailed`: `too_large`, `bad_answer`, `timed_out`."""
    too_large = FetchFailed("too_large", f"The page is larger than {most / 1024 / 1024:.3g} MiB.")
    if (answer.headers.content_length or 0) > most:
        raise too_large
    answer.allow(FRAMED * most)
    body = BytesIO()
    for piece in unpacked(answer.chunks, answer.headers.encodings, deadline):
        if body.tell() + len(piece) > most:
            raise too_large
        body.write(piece)
    # Unlike `bytes` of a bytearray, no second copy.
    return body.getvalue()


def read_start(answer: Answer, most: int, deadline: Deadline) -> bytes:
    """Return the first `most` bytes of a body, or all of a shorter one. Raises as `read_whole`."""
    answer.allow(FRAMED * most)
    body = bytearray()
    for piece in unpacked(answer.chunks, answer.headers.encodings, deadline):
        body += piece
        if len(body) >= most:
            break
    return bytes(body[:most])


def unpacked(chunks: Iterable[bytes], encodings: list[str], deadline: Deadline) -> Iterator[bytes]:
    """Return the pieces of an unpacked body. Raises `FetchFailed`, `too_large` for a compression bomb."""
    unpack, finish = _unpacker(encodings)
    taken = given = 0
    try:
        for chunk in chunks:
            taken += len(chunk)
            for piece in unpack(chunk):
                deadline.left()
                given += len(piece)
                if given > HARMLESS and given > MOST_TIMES * taken:
                    raise FetchFailed(
                        "too_large", "The page is far larger after unpacking than it was when sent."
                    )
                yield piece
        if taken:
            finish()
    except (zlib.error, brotli.error):
        raise FetchFailed("bad_answer", "The page is compressed and cannot be unpacked.") from None


def _unpacker(encodings: list[str]) -> tuple[Unpacker, Callable[[], None]]:
    match [name for name in encodings if name != "identity"]:
        case []:
            return (lambda chunk: iter((chunk,))), (lambda: None)
        case ["gzip" | "x-gzip"]:
            unzip = _Zlib(GZIP)
            return unzip.unpack, unzip.finish
        case ["deflate"]:
            inflate = _Zlib(zlib.MAX_WBITS)
            return inflate.unpack, inflate.finish
        case ["br"]:
            unbrotli = _Brotli()
            return unbrotli.unpack, unbrotli.finish
    raise FetchFailed("bad_answer", "The page is compressed in a way that was not requested.")


class _Zlib:
    """gzip, also with several members; deflate, also without the frame that some servers forget."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._unpacker = zlib.decompressobj(window)
        self._head = b""
        self._members = 0
        self._within = False

    def unpack(self, chunk: bytes) -> Iterator[bytes]:
        """Return the pieces that a chunk unpacks to."""
        if self._window == zlib.MAX_WBITS and not self._within:
            chunk = self._head = self._head + chunk
            if len(chunk) < 2:
                return
            # A frame has its method in the first byte, and 31 divides the first two.
            if chunk[0] & 0x0F != 8 or int.from_bytes(chunk[:2]) % 31:
                self._window = -zlib.MAX_WBITS
                self._unpacker = zlib.decompressobj(self._window)
        while True:
            if not self._within:
                # Some pad their answers with zeros.
                chunk = chunk.lstrip(b"\0") if self._members else chunk
                if not chunk:
                    return
                if self._members and self._window != GZIP:
                    raise zlib.error("bytes after the end")
                self._within = True
            piece = self._unpacker.decompress(chunk, PIECE)
            if piece:
                yield piece
            if self._unpacker.eof:
                chunk = self._unpacker.unused_data
                self._unpacker = zlib.decompressobj(self._window)
                self._members += 1
                self._within = False
            else:
                chunk = self._unpacker.unconsumed_tail
                # After a full piece, there may be more output.
                if not chunk and len(piece) < PIECE:
                    return

    def finish(self) -> None:
        """Raise if the end is missing."""
        if self._within or not self._members:
            raise zlib.error("the end is missing")


class _Brotli:
    def __init__(self) -> None:
        self._unpacker = brotli.Decompressor()

    def unpack(self, chunk: bytes) -> Iterator[bytes]:
        """Return the pieces that a chunk unpacks to."""
        piece = self._unpacker.process(chunk, output_buffer_limit=PIECE)
        # It reports that it takes more input before it has returned all its output.
        while piece or not self._unpacker.can_accept_more_data():
            yield piece
            piece = self._unpacker.process(b"", output_buffer_limit=PIECE)

    def finish(self) -> None:
        """Raise if the end is missing."""
        if not self._unpacker.is_finished():
            raise brotli.error("the end is missing")
