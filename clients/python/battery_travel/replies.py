"""The response to one request, not yet interpreted. It knows no HTTP library."""

import datetime
import email.utils
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from battery_travel.instants import Instant

Failure = Literal["timeout", "unreachable"]

_HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [1-9][0-9]{3} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT")


@dataclass(frozen=True, slots=True)
class Reply:
    """The response of the network to one request.

    Attributes:
        sent: When the request left.
        received: When the last byte arrived, or when the client stopped waiting.
        status: The HTTP status; 0 if there is none.
        headers: By lower-case name.
        content: The body. It can repeat a serial, so it is not in `repr`.
        failure: Why there is no status.

    """

    sent: Instant
    received: Instant
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    content: bytes = field(default=b"", repr=False)
    failure: Failure | None = None

    def date(self) -> datetime.datetime | None:
        """Return the time at which the service says that it answered; None if that is not clear."""
        return http_date(self.headers.get("date", ""))


def http_date(text: str) -> datetime.datetime | None:
    """Return the time of an HTTP date (RFC 9110); None for anything else."""
    if _HTTP_DATE.fullmatch(text) is None:
        return None
    try:
        return email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
