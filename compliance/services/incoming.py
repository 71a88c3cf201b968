"""What a client has sent and no thread has read: it says when a whole request is there.

It only counts. Where a request ends, and whether it is one, is decided by gunicorn's parser, which reads
from here as if this were the socket: a request that looks odd here is given to it at once, and it refuses
that. If it asks for more than is there, it gets the end of the connection. The loop of `web_worker` adds.
"""

import re
from collections.abc import Callable
from typing import Final, Literal

LINE_BYTES: Final = 4094
"""The limit of the first line; `web` tells the parser the same."""
HEAD_BYTES: Final = 64 * 1024
"""The limit of all headers, and of what follows the last chunk of a body."""
BODY_BYTES: Final = 34 * 1024 * 1024
"""The limit of a body: the largest file that editors import, and its form. Views have lower limits."""

LONGEST_LENGTH: Final = 20
"""Digits of a length that is read as a number."""

Whole = Literal["whole"]
Refused = Literal[413, 431]

_HEAD_END = re.compile(rb"\n\r?\n")
_LENGTH = re.compile(rb"\ncontent-length[ \t]*:([^\r\n]*)", re.IGNORECASE)
_CODING = re.compile(rb"\ntransfer-encoding[ \t]*:([^\r\n]*)", re.IGNORECASE)
_EXPECTS = re.compile(rb"\nexpect[ \t]*:[ \t]*100-continue", re.IGNORECASE)
_PAGES = re.compile(rb"\naccept[ \t]*:[^\r\n]*text/html", re.IGNORECASE)
_SIZE = re.compile(rb"[0-9a-fA-F]{1,8}")


class Incoming:
    """The bytes of one connection, in place of its socket for gunicorn's parser."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self.ran_dry = False
        """The parser asked for more than there was. What comes later is the rest of something given up."""
        self._at = self._body = self._length = 0
        self._expects = False
        self.reads_pages = False
        """Whether the head of the request says that the client shows HTML."""
        self._look: Callable[[], Whole | Refused | None] = self._find_head

    def __len__(self) -> int:
        return len(self._bytes)

    def add(self, data: bytes) -> None:
        """Take what the client sent."""
        self._bytes += data

    def put_back(self, data: bytes) -> None:
        """Take back what was read beyond the end of a request. The next request begins there."""
        self._bytes[:0] = data
        self._begin()

    def recv(self, most: int) -> bytes:
        """Return at most so many bytes; none, as at the end of a connection, if there are none."""
        taken = bytes(self._bytes[:most])
        del self._bytes[:most]
        self.ran_dry = self.ran_dry or not taken
        return taken

    def found(self) -> Whole | Refused | None:
        """Return whether a whole request is there, or the status that refuses it; None if more must come."""
        return self._look()

    def waits_for_a_word(self) -> bool:
        """Whether the client sends its body only after `100 Continue`. True once for each request."""
        waits = self._expects
        self._expects = False
        return waits

    def _begin(self) -> None:
        """Look for a request from the first byte on."""
        self._at = self._body = self._length = 0
        self._expects = self.reads_pages = False
        self._look = self._find_head

    def _find_head(self) -> Whole | Refused | None:
        """Find the end of the head, and what it says about the body."""
        # One empty line in front is allowed.
        start = 2 if self._bytes.startswith(b"\r\n") else 0
        ends = _HEAD_END.search(self._bytes, max(start, self._at - 2))
        if ends is None:
            self._at = len(self._bytes)
            longest = start + LINE_BYTES + 2
            if self._at > longest and self._bytes.find(b"\r\n", start, longest) < 0:
                return "whole"
            return 431 if self._at > HEAD_BYTES else None
        self._at = self._body = ends.end()
        head = bytes(self._bytes[: self._body])
        self._expects = _EXPECTS.search(head) is not None
        self.reads_pages = _PAGES.search(head) is not None
        match _LENGTH.findall(head), _CODING.findall(head):
            case [length], [] if (digits := length.strip(b" \t")).isdigit():
                # Python refuses to read very long numbers.
                self._length = int(digits) if len(digits) < LONGEST_LENGTH else BODY_BYTES + 1
                self._look = self._compare
            case [], [coding] if coding.strip(b" \t").lower() == b"chunked":
                self._look = self._walk
            case _:
                # It has no body, or one that the parser refuses.
                return "whole"
        return self._look()

    def _compare(self) -> Whole | Refused | None:
        """Compare what has come with the length that was announced."""
        if self._length > BODY_BYTES:
            return 413
        return "whole" if len(self._bytes) >= self._body + self._length else None

    def _walk(self) -> Whole | Refused | None:
        """Go from chunk to chunk as far as they have come."""
        while self._at < len(self._bytes):
            line_end = self._bytes.find(b"\r\n", self._at)
            if line_end < 0:
                return "whole" if len(self._bytes) - self._at > HEAD_BYTES else None
            size = _SIZE.match(self._bytes, self._at, line_end)
            if size is None:
                return "whole"
            length = int(size[0], 16)
            if length == 0:
                return self._find_end(line_end)
            self._at = line_end + 2 + length + 2
            if self._at - self._body > BODY_BYTES:
                return 413
        return None

    def _find_end(self, line_end: int) -> Whole | None:
        """Look for the empty line that ends a body, behind the line of its last chunk."""
        if _HEAD_END.search(self._bytes, line_end + 1) or len(self._bytes) - line_end > HEAD_BYTES:
            return "whole"
        return None
