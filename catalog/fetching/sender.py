"""Sends to addresses that are named in data, by the same way out as pages are fetched.

It sends only to public web servers, only over TLS, only to the address that was checked, and within limited
time. It follows no redirect, tries nothing twice, and reads only the head of the answer. It does not ask
`robots.txt`: the owner of the address asked for the notices. Called by the delivery of webhooks.
"""

from collections.abc import Mapping

from django.utils import timezone

from catalog.fetching.addresses import is_special_name, literal
from catalog.fetching.answers import FetchFailed
from catalog.fetching.connecting import check_place
from catalog.fetching.deadline import Deadline
from catalog.fetching.exchange import Exchange
from catalog.fetching.lookups import Resolver, system_resolver
from catalog.fetching.policy import Policy
from catalog.fetching.urls import Target, parse

SECONDS = 10.0


class Sender:
    """Sends from many threads at once."""

    def __init__(self, policy: Policy, resolve: Resolver = system_resolver) -> None:
        self.policy = policy
        self._exchange = Exchange(policy, resolve)

    def check(self, url: str) -> None:
        """Refuse an address that would get nothing, as far as this is known without a request.

        Raises `FetchFailed`: `bad_url` or `forbidden_address`.
        """
        target = _target(url)
        address = literal(target.host)
        check_place(self.policy, address, target.port)
        if address is None and is_special_name(target.host):
            raise FetchFailed(
                "forbidden_address", "This name leads into a private or otherwise special network."
            )

    def post(self, url: str, body: bytes, headers: Mapping[str, str], *, seconds: float = SECONDS) -> None:
        """Post JSON. The server has accepted it if it answers with a status of 2xx.

        Raises `FetchFailed`: also `bad_redirect` for a redirect, and `http_status` for any other status.
        """
        target = _target(url)
        deadline = Deadline(seconds, 0)
        more = [("Content-Type", "application/json"), *headers.items()]
        with self._exchange.ask(target, "*/*", deadline, more, body) as answer:
            status, said = answer.status, answer.headers
        if 200 <= status < 300:
            return
        if 300 <= status < 400:
            raise FetchFailed("bad_redirect", "The server redirects; a delivery does not follow redirects.")
        raise FetchFailed(
            "http_status",
            f"The server answers with status {status}.",
            status=status,
            retry_after=said.retry_after(timezone.now()),
        )


def _target(url: str) -> Target:
    target = parse(url)
    if target.scheme != "https":
        raise FetchFailed("bad_url", "It must begin with https://.")
    return target
