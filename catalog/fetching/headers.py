"""The head of an answer. Servers send anything there, so each field is checked.

Pure. Called by `exchange` and `fetcher`.
"""

import datetime
import re
from collections.abc import Sequence
from email.utils import parsedate_to_datetime

from catalog.fetching.answers import FetchFailed

MOST_FIELDS = 200
LONGEST_FIELD = 16 * 1024
LONGEST_WAIT = datetime.timedelta(days=1)
"""A longer `Retry-After` than this is cut."""

TOKEN = r"[A-Za-z0-9!#$&^_.+-]{1,100}"
MEDIA_TYPE = re.compile(rf"\s*({TOKEN}/{TOKEN})\s*(?:;|\Z)")
CHARSET = re.compile(r';\s*charset\s*=\s*"?([A-Za-z0-9][A-Za-z0-9._:-]{0,39})"?\s*(?:;|\Z)', re.IGNORECASE)
VALIDATOR = re.compile(r"[\x20-\x7e]{1,512}\Z")


class Headers:
    """The fields of one answer, by name in any case."""

    def __init__(self, fields: Sequence[tuple[bytes, bytes]]) -> None:
        if len(fields) > MOST_FIELDS or any(len(name) + len(value) > LONGEST_FIELD for name, value in fields):
            raise FetchFailed("bad_answer", "The headers of the answer are too long for a web page.")
        self._values: dict[str, list[str]] = {}
        for name, value in fields:
            self._values.setdefault(name.decode("latin-1").lower(), []).append(
                value.decode("latin-1").strip()
            )

    def get(self, name: str) -> str:
        """Return a field, several of one name joined by commas, or nothing."""
        return ", ".join(self._values.get(name, []))

    @property
    def media_type(self) -> str:
        """The type of the body, such as `text/html`; empty if it is not given."""
        found = MEDIA_TYPE.match(self.get("content-type"))
        return found[1].lower() if found else ""

    @property
    def charset(self) -> str | None:
        """The encoding of the body's characters, if it is given."""
        found = CHARSET.search(self.get("content-type"))
        return found[1].lower() if found else None

    @property
    def location(self) -> str:
        """The target of a redirect, as it is written; many servers write UTF-8."""
        written = self.get("location")
        try:
            return written.encode("latin-1").decode()
        except UnicodeDecodeError:
            return written

    @property
    def content_length(self) -> int | None:
        """The number of bytes that the server will send, if it says so."""
        length = self.get("content-length")
        return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else None

    @property
    def encodings(self) -> list[str]:
        """The encodings of the body, in the order in which they were applied."""
        return [name.strip().lower() for name in self.get("content-encoding").split(",") if name.strip()]

    def validator(self, name: str) -> str | None:
        """Return a field that can be sent back as it is, or None."""
        return sendable(self.get(name))

    def retry_after(self, now: datetime.datetime) -> datetime.timedelta | None:
        """Return how long the server asks for a pause, within a day; None if it does not."""
        wish = self.get("retry-after")
        if wish.isascii() and wish.isdigit():
            return min(datetime.timedelta(seconds=int(wish[:9])), LONGEST_WAIT)
        try:
            until = parsedate_to_datetime(wish)
        except (ValueError, OverflowError):
            return None
        if until.tzinfo is None:
            until = until.replace(tzinfo=datetime.UTC)
        return min(max(until - now, datetime.timedelta(0)), LONGEST_WAIT)


def sendable(validator: str | None) -> str | None:
    """Return a value from an earlier answer if a request can contain it, or None."""
    return validator if validator and VALIDATOR.match(validator) else None
