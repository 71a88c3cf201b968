"""What a site's `robots.txt` allows us, asked once a day (RFC 9309).

A site without the file allows everything; one that cannot answer allows nothing for now. If a site cannot be
reached at all, the failure has the same reason as for the page. Called by `fetcher` before each request.
"""

import datetime
import threading
import time
from collections import OrderedDict

import msgspec
from protego import Protego

from catalog.fetching.answers import FetchFailed
from catalog.fetching.bodies import read_start
from catalog.fetching.deadline import Deadline
from catalog.fetching.exchange import REDIRECTS, Exchange
from catalog.fetching.policy import Policy
from catalog.fetching.turns import Turns
from catalog.fetching.urls import Target, follow

KEPT_SECONDS = 24 * 60 * 60
TRY_AGAIN = datetime.timedelta(minutes=30)
"""After this time, a site that could not answer is asked again."""
LONGEST_FILE = 500 * 1024
"""Bytes; what comes after them does not count."""
MOST_HOPS = 5
UNREACHABLE = ("forbidden_address", "unknown_host", "no_connection", "tls", "timed_out")
"""Reasons that the page would fail with as well."""
MOST_SITES = 1000
MOST_BYTES = 16 * 1024 * 1024
"""The largest size of all files that are kept."""


class Rules(msgspec.Struct, frozen=True):
    """The rules of one site, and until when they apply (on the monotonic clock)."""

    file: Protego | None
    """None if everything is allowed."""
    refusal: str
    """Why nothing is allowed for now; otherwise empty."""
    size: int
    until: float


class Robots:
    """The rules of sites, for one user agent."""

    def __init__(self, policy: Policy, exchange: Exchange, turns: Turns) -> None:
        self._policy = policy
        self._name = policy.robot
        self._exchange = exchange
        self._turns = turns
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Rules] = OrderedDict()

    def check(self, target: Target, deadline: Deadline) -> float:
        """Return how long to pause after the page. Raises `FetchFailed` if it may not be fetched."""
        rules = self._known(target.root) or self._ask(target, deadline)
        if rules.refusal:
            wait = datetime.timedelta(seconds=max(rules.until - time.monotonic(), 0))
            raise FetchFailed("robots", rules.refusal, retry_after=wait)
        if rules.file is None:
            return self._policy.host_pause_seconds
        if not rules.file.can_fetch(target.url, self._name):
            raise FetchFailed("robots", "The site's robots.txt does not allow programs to fetch this page.")
        wish = min(rules.file.crawl_delay(self._name) or 0.0, self._policy.longest_pause_seconds)
        return max(wish, self._policy.host_pause_seconds)

    def _known(self, site: str) -> Rules | None:
        with self._lock:
            rules = self._kept.get(site)
            if rules is None or rules.until <= time.monotonic():
                return None
            self._kept.move_to_end(site)
            return rules

    def _keep(self, site: str, rules: Rules) -> Rules:
        with self._lock:
            self._kept[site] = rules
            self._kept.move_to_end(site)
            while len(self._kept) > MOST_SITES or sum(kept.size for kept in self._kept.values()) > MOST_BYTES:
                self._kept.popitem(last=False)
        return rules

    def _ask(self, target: Target, deadline: Deadline) -> Rules:
        at = Target(target.scheme, target.host, target.port, "/robots.txt")
        for hop in range(MOST_HOPS + 1):
            # The page comes right after the file, as part of the same visit.
            with self._turns.turn(at.origin, 0, deadline):
                # Another thread may have asked while this one waited.
                if known := self._known(target.root):
                    return known
                try:
                    answer = self._request(at, deadline)
                except FetchFailed as failed:
                    if hop == 0 and failed.reason in UNREACHABLE:
                        raise
                    return self._keep(target.root, _refusal(failed.detail))
            if isinstance(answer, Rules):
                return self._keep(target.root, answer)
            at = answer
        return self._keep(target.root, _everything())

    def _request(self, at: Target, deadline: Deadline) -> Rules | Target:
        with self._exchange.ask(at, "text/plain, */*;q=0.1", deadline) as answer:
            if answer.status in REDIRECTS:
                return follow(at, answer.headers.location)
            if 400 <= answer.status < 500 and answer.status != 429:
                return _everything()
            if not 200 <= answer.status < 300:
                return _refusal(f"it answers with status {answer.status}")
            body = read_start(answer, LONGEST_FILE, deadline)
        if len(body) == LONGEST_FILE:
            # The last line may be incomplete.
            body = body[: body.rfind(b"\n") + 1]
        text = body.decode("utf-8-sig", "replace")
        return Rules(Protego.parse(text), "", len(body), time.monotonic() + KEPT_SECONDS)


def _everything() -> Rules:
    return Rules(None, "", 0, time.monotonic() + KEPT_SECONDS)


def _refusal(why: str) -> Rules:
    detail = f"The site's robots.txt could not be read, so no page is fetched now: {why.rstrip('.')}."
    return Rules(None, detail, 0, time.monotonic() + TRY_AGAIN.total_seconds())
