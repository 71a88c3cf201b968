"""One visit: a page is fetched and read. Touches no table, so that many visits can run at once."""

import datetime
import time
from collections.abc import Callable

import msgspec

from catalog.fetching import Fetcher, FetchFailed
from rules.watch.text import Unreadable, extract, fingerprint

ALIVE = frozenset({"too_large"})
"""Failures that prove an answer: enough if only the link is checked."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A page to visit, with what its server sent to recognize the last version."""

    page_id: int
    url: str
    host: str
    follows_text: bool
    etag: str
    last_modified: str


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What a page says: its text, with the bytes that it was read from."""

    text: str
    fingerprint: str
    extractor: str
    body: bytes
    media_type: str
    charset: str


class Visited(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a visit. `seconds` is how long it took.

    `trouble` is a word of `FetchReason` or `UnreadableReason`, empty if all went well; `answered` says
    whether there was an answer at all. `said` is null if the text is not followed, cannot be read or,
    according to the server, is still the same.
    """

    page_id: int
    at: datetime.datetime
    seconds: float
    answered: bool
    status: int | None = None
    trouble: str = ""
    detail: str = ""
    retry_after: datetime.timedelta | None = None
    said: Said | None = None
    size: int = 0
    final_url: str = ""
    etag: str = ""
    last_modified: str = ""


UNREADABLE = {
    "bot_wall": "The server does not show the page to programs, so a person must read it.",
    "broken_page": "The page differs from what a browser shows.",
    "broken_pdf": "The PDF file is damaged, or needs a password.",
    "no_text": "Without JavaScript the page has almost no text, so a person must read it.",
    "not_text": "It is neither a web page nor a PDF file.",
    "took_too_long": "Reading it took too much time or memory.",
}
"""What editors read about a failure, by its word."""


def visit(fetcher: Fetcher, asked: Asked, clock: Callable[[], datetime.datetime]) -> Visited:
    """Fetch a page and read what it says. What goes wrong outside is an outcome, not an exception."""
    at, began = clock(), time.monotonic()

    def visited(*, answered: bool, **more: object) -> Visited:
        seconds = time.monotonic() - began
        return Visited(page_id=asked.page_id, at=at, seconds=seconds, answered=answered, **more)  # type: ignore[arg-type]

    try:
        answer = fetcher.fetch(asked.url, etag=asked.etag or None, last_modified=asked.last_modified or None)
    except FetchFailed as failure:
        if failure.reason in ALIVE and not asked.follows_text:
            return visited(answered=True)
        return visited(
            answered=False,
            status=failure.status,
            trouble=failure.reason,
            detail=failure.detail,
            retry_after=failure.retry_after,
        )
    known = {
        "status": answer.status,
        "size": len(answer.body),
        "final_url": answer.final_url,
        "etag": answer.etag or "",
        "last_modified": answer.last_modified or "",
    }
    if answer.not_modified or not asked.follows_text:
        return visited(answered=True, **known)
    try:
        extracted = extract(answer.body, answer.media_type, answer.charset)
    except Unreadable as failure:
        return visited(answered=True, trouble=failure.reason, detail=UNREADABLE[failure.reason], **known)
    said = Said(
        text=extracted.text,
        fingerprint=fingerprint(extracted.text),
        extractor=extracted.extractor,
        body=answer.body,
        media_type=answer.media_type,
        charset=answer.charset or "",
    )
    return visited(answered=True, said=said, **known)
