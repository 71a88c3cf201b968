"""Fetches web pages that are named in data. It protects this service and respects the sites.

Each request, also one that a redirect leads to, goes through the same checks: is it the address of a public
web page (`urls`), does the site allow it (`robots`), is it our turn (`turns`), may the server's address be
reached (`connecting`)? The answer is limited in time (`deadline`) and size (`bodies`). No cookie, no referrer
and nothing else is kept from one request to the next. Called by everything that reads the outside world;
nothing else connects to addresses from data.
"""

import datetime
import types
from typing import Self

from catalog.fetching.answers import Fetched, FetchFailed
from catalog.fetching.bodies import read_whole
from catalog.fetching.deadline import Deadline
from catalog.fetching.exchange import REDIRECTS, Answer, Exchange
from catalog.fetching.headers import sendable
from catalog.fetching.lookups import Resolver, system_resolver
from catalog.fetching.policy import Policy
from catalog.fetching.robots import Robots
from catalog.fetching.turns import Turns
from catalog.fetching.urls import follow, parse

HTML_AND_PDF = "text/html, application/xhtml+xml, application/pdf;q=0.9, */*;q=0.1"


class Fetcher:
    """Fetches pages from many threads at once. One serves a whole run: it keeps turns and `robots.txt`."""

    def __init__(self, policy: Policy, resolve: Resolver = system_resolver) -> None:
        self.policy = policy
        self._turns = Turns()
        self._exchange = Exchange(policy, resolve)
        self._robots = Robots(policy, self._exchange, self._turns)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: types.TracebackType | None,
    ) -> None:
        """Do nothing: each request closes its connection."""

    def fetch(
        self,
        url: str,
        *,
        etag: str | None = None,
        last_modified: str | None = None,
        accept: str = HTML_AND_PDF,
        max_bytes: int | None = None,
        seconds: float | None = None,
    ) -> Fetched:
        """Return the page at an address, or that it is unchanged by `etag` and `last_modified`.

        `max_bytes` and `seconds` replace those of the policy. Raises `FetchFailed`.
        """
        target = parse(url)
        deadline = Deadline(seconds or self.policy.seconds, self.policy.turn_seconds)
        kept = {"If-None-Match": sendable(etag), "If-Modified-Since": sendable(last_modified)}
        conditions = [(name, value) for name, value in kept.items() if value]
        seen = {target}
        while True:
            pause = self._robots.check(target, deadline)
            with (
                self._turns.turn(target.origin, pause, deadline),
                self._exchange.ask(target, accept, deadline, conditions) as answer,
            ):
                if answer.status not in REDIRECTS:
                    body = self._body(answer, deadline, max_bytes, may_be_same=bool(conditions))
                    break
                location = answer.headers.location
            target = follow(target, location)
            if target in seen:
                raise FetchFailed("too_many_redirects", "The page redirects to itself in a loop.")
            if len(seen) > self.policy.max_redirects:
                raise FetchFailed(
                    "too_many_redirects", f"The page redirects more than {self.policy.max_redirects} times."
                )
            seen.add(target)
            # The validators belong to `url` itself, so no other page gets them.
            conditions = []
        same, direct, headers = answer.status == 304, len(seen) == 1, answer.headers
        return Fetched(
            url=url,
            final_url=target.url,
            status=304 if same else 200,
            body=body,
            media_type=headers.media_type,
            charset=headers.charset,
            # Servers need not repeat them if nothing changed.
            etag=(headers.validator("etag") or (etag if same else None)) if direct else None,
            last_modified=(
                (headers.validator("last-modified") or (last_modified if same else None)) if direct else None
            ),
        )

    def _body(self, answer: Answer, deadline: Deadline, max_bytes: int | None, *, may_be_same: bool) -> bytes:
        headers = answer.headers
        if answer.status == 200:
            is_pdf = headers.media_type == "application/pdf"
            default = self.policy.max_pdf_bytes if is_pdf else self.policy.max_bytes
            return read_whole(answer, max_bytes or default, deadline)
        if answer.status == 304 and may_be_same:
            return b""
        raise FetchFailed(
            "http_status",
            f"The server answers with status {answer.status}.",
            status=answer.status,
            retry_after=headers.retry_after(datetime.datetime.now(datetime.UTC)),
        )
