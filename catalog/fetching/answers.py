"""The result of a fetch: an answer, or one of a few named reasons for a failure."""

import datetime
from typing import Literal

import msgspec

FetchReason = Literal[
    "bad_url",
    "forbidden_address",
    "unknown_host",
    "no_connection",
    "tls",
    "timed_out",
    "busy",
    "robots",
    "too_many_redirects",
    "bad_redirect",
    "http_status",
    "too_large",
    "bad_answer",
]
"""Why there is no answer. Programs decide by these words; `FetchFailed.detail` is for editors.

bad_url: not the address of a public web page. forbidden_address: it leads into a private or otherwise special
network. unknown_host: the name does not resolve. no_connection: no server listens, or the connection broke.
tls: the server could not prove its identity. timed_out: the time of one fetch is over. busy: other requests
to the same host took all the time that this one could wait. robots: the site does not allow the fetch, or
could not answer. bad_redirect: a redirect that is not followed. http_status: another status than 200 or 304.
too_large: a longer body than allowed, or one that unpacks to far more than was sent. bad_answer: not HTTP,
broken, or in an encoding that was not requested.
"""


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """A usable answer: a whole page, or the information that it has not changed."""

    url: str
    """The address as asked for."""
    final_url: str
    """Where the body comes from, after redirects."""
    status: Literal[200, 304]
    body: bytes
    """Unpacked; empty if the status is 304."""
    media_type: str
    """Without parameters, in lower case: `text/html`. Empty if the server does not send it."""
    charset: str | None
    etag: str | None
    """For the next fetch of `url`. Only without redirects: otherwise it belongs to another page."""
    last_modified: str | None
    """As `etag`."""

    @property
    def not_modified(self) -> bool:
        """Return whether the page is the one whose validators were sent."""
        return self.status == 304


class FetchFailed(Exception):
    """There is no answer. `detail` is a sentence for editors, with nothing secret and no query string.

    `status` is that of the server if the reason is `http_status`. `retry_after` is how long to pause requests
    to the host, if that is known.
    """

    def __init__(
        self,
        reason: FetchReason,
        detail: str,
        *,
        status: int | None = None,
        retry_after: datetime.timedelta | None = None,
    ) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason: FetchReason = reason
        self.detail = detail
        self.status = status
        self.retry_after = retry_after
