"""Parts of a file: programs read tables by parts, and downloads go on where they stopped.

RFC 9110, section 14. A request for several parts, or for parts in another unit, gets the whole file.
"""

import re
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse

ONE_PART: Final = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18}))", re.IGNORECASE)


def part(request: HttpRequest, whole: HttpResponse) -> HttpResponse:
    """Return the part that a request asks for, or the whole answer; 416 if the file has no such part.

    `whole` is the complete answer with status 200 and a strong `ETag`.
    """
    whole.headers["Accept-Ranges"] = "bytes"
    size = len(whole.content)
    asked = _asked(request, whole.headers["ETag"], size)
    if asked is None:
        return whole
    first, last = asked
    if first > last:
        whole.status_code = HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
        whole.headers["Content-Range"] = f"bytes */{size}"
        whole.content = b""
        return whole
    whole.status_code = HTTPStatus.PARTIAL_CONTENT
    whole.headers["Content-Range"] = f"bytes {first}-{last}/{size}"
    whole.content = whole.content[first : last + 1]
    return whole


def _asked(request: HttpRequest, etag: str, size: int) -> tuple[int, int] | None:
    """Return the first and the last byte of the part that is asked for; None if that is the whole file.

    The first is after the last if the file has no such part.
    """
    found = ONE_PART.fullmatch(request.headers.get("Range", "").replace(" ", ""))
    # A part of another version would not fit what the reader has.
    if request.method != "GET" or found is None or request.headers.get("If-Range", etag) != etag:
        return None
    first, last, suffix = found.groups()
    if suffix is not None:
        return (size - min(int(suffix), size), size - 1) if int(suffix) else (size, size - 1)
    if last and int(last) < int(first):
        return None
    return int(first), min(int(last), size - 1) if last else size - 1
