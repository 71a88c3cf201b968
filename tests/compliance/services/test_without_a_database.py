"""Everything public is answered while PostgreSQL is really stopped, or hangs, once a release is loaded."""

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from django.urls import URLPattern, get_resolver, resolve

from aeo.web.languages import split
from checks import migrated_cluster
from checks.whole_service import environment_of, serving
from compliance.services import throwaway
from compliance.services.controlling import descendants
from compliance.services.postgres import UNSAFE_AND_FAST, Cluster
from compliance.services.redis import Redis
from compliance.services.roles import ROLES
from compliance.services.throwaway import Addresses
from tests.support.agent_client import CALLS, message
from tests.support.processes import wait_until
from tests.support.public_addresses import CHECK, LANGUAGES, given
from tests.support.sandbox_outcomes import a_question
from tests.support.web_server import VALID, Heard, Server

SLOW_SECONDS = 1.5
"""An answer takes milliseconds, even of a busy machine; who waits for a connection does so for 2 seconds."""

PASSING = {"date", "x-request-id", "ratelimit-remaining", "ratelimit-reset", "content-length", "age"}
PASSING |= {"x-service-receipt", "cache-control", "ratelimit", "ratelimit-limit", "ratelimit-policy"}

OF_NOW = ("/check", "/itinerary", "/trip?", "/card?", "/embed/demo/")

ASKED = (
    f"/check?{CHECK}",
    f"/itinerary?{CHECK}&people=2",
    f"/itinerary/card?{CHECK}&people=2",
    f"/trip?{CHECK}&qty=1",
    f"/card?{CHECK}&qty=1",
    f"/embed/demo/check?{CHECK}",
    f"/embed/demo/itinerary?{CHECK}&people=2",
)
"""What is made for one visitor: an answer, or the way to the one spelling of the question."""


@dataclass(frozen=True)
class Running:
    """The service with one web process, and the servers that it uses."""

    server: Server
    cluster: Cluster
    redis: Redis

    def walk(self, *languages: str) -> dict[str, Heard]:
        """Ask every address, and give the answers. Hardly any may be slow: nothing waits for a server."""
        heard, waited = {}, []
        version = json.loads(self.server.verify().body)["ruleset_version"]
        for address in (one.replace("VERSION", version) for one in (*given(languages), *ASKED)):
            began = time.monotonic()
            heard[address] = self.server.ask("GET", address, Accept="text/html, application/json;q=0.9")
            waited.append(time.monotonic() - began)
        assert sum(seconds > SLOW_SECONDS for seconds in waited) < len(waited) / 20
        return heard


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("service")
    with ExitStack() as stack:
        throwaway.unpack(migrated_cluster.archive(), folder)
        cluster, redis = Cluster(folder / "postgres", UNSAFE_AND_FAST), Redis(folder)
        cluster.start()
        stack.callback(cluster.stop)
        redis.start()
        stack.callback(redis.stop)
        own = {role: cluster.url_of(role) for role in ROLES}
        addresses = Addresses(cluster.url, own, redis.url, str(folder))
        variables = environment_of(addresses) | {
            "CORPUS_POLL_SECONDS": "0.2",
            "PAGES_RATE": "10000000/m",
            "READING_RATE": "10000000/m",
            "WEB_WORKERS": "1",
        }
        url = stack.enter_context(serving(variables, folder / "service.log"))
        yield Running(Server(urlsplit(url).port or 0, str), cluster, redis)


def statuses(heard: dict[str, Heard]) -> dict[str, int]:
    return {address: one.status for address, one in heard.items() if one.status not in (200, 302)}


def parts_of(heard: Heard) -> tuple[int, bytes, dict[str, str]]:
    """Return what an answer says, without what is another at every question."""
    return (
        heard.status,
        heard.body,
        {key: value for key, value in heard.headers.items() if key not in PASSING},
    )


def test_every_kind_of_public_address_is_walked() -> None:
    # The file of security needs no database, and a contact to be there at all.
    apart = {"<slug:key>.txt", ".well-known/security.txt", "metrics", "healthz", "readyz"}
    # A watch is a row of the database.
    apart |= {"watch", "api/watches", "api/watches/<str:watch_id>"}
    apart |= {f"watch/<str:secret>{ending}" for ending in ("", ".atom", ".ics", ".json", "/end")}
    routes = {
        f"{included.pattern}{one.pattern}" if included is not one else f"{one.pattern}"
        for included in get_resolver().url_patterns
        for one in getattr(included, "url_patterns", (included,))
        if isinstance(one, URLPattern)
        and not str(getattr(included, "pattern", "")).startswith(("admin", "partners"))
    }
    # With a language there is a redirect alone: the documents are in English.
    apart |= {route for route in routes if route.endswith("/developers(?P<rest>/.*|)$")}
    # With a final slash there is a redirect alone; the verbs that POST are asked below.
    wanted = {route for route in routes if not route.endswith("/") or route == "api/docs/"}
    walked = {resolve(split(urlsplit(address).path)[1]).route for address in (*given(), *ASKED)} | {
        "api/verify",
        "api/verify/batch",
        "api/receipts",
        "api/receipts/check",
        "api/recalls/check",
        "sandbox/api/recalls/check",
        "api/trips/verify",
        "api/itineraries/verify",
        "api/itineraries/verify/batch",
        "sandbox/api/verify",
        "sandbox/api/verify/batch",
        "sandbox/api/trips/verify",
        "sandbox/api/itineraries/verify",
        "sandbox/api/itineraries/verify/batch",
        "mcp",
    }
    assert wanted - apart - walked == set()


def test_everything_public_outlives_the_database(running: Running) -> None:
    server, cluster = running.server, running.cluster
    # The process holds a release, and was never asked for any page.
    assert server.verify().status == 200
    time.sleep(2)
    cluster.stop()
    unseen = running.walk(*LANGUAGES)
    assert statuses(unseen) == {}
    assert server.verify().status == 200
    made_up = {"items": [a_question()]}
    assert server.ask("POST", "/sandbox/api/verify/batch", made_up).status == 200
    for path in (f"/watch/{'a' * 32}", f"/watch/{'a' * 32}.json"):
        assert server.ask("GET", path).status == 503
    for tool, arguments in CALLS.items():
        said = server.ask("POST", "/mcp", message(tool, arguments), accept="application/json")
        assert json.loads(said.body)["result"]["structuredContent"]["answer"], tool

    cluster.start()
    wait_until(lambda: server.ask("GET", "/admin/login/").status == 200)
    before = running.walk("en", "ja")
    assert statuses(before) == {}
    cluster.stop()
    warm = running.walk("en", "ja")
    cluster.start()
    for address in before:
        # These tell the instant at which they were asked, or what the source watch sees at it.
        if not address.endswith("/status") and not address.startswith(("/api/policy-changes", *OF_NOW)):
            assert parts_of(warm[address]) == parts_of(before[address]), address
            assert parts_of(unseen[address]) == parts_of(before[address]), address
    wait_until(lambda: server.ask("GET", "/admin/login/").status == 200)


def test_nothing_waits_for_a_database_that_hangs(running: Running) -> None:
    server, cluster = running.server, running.cluster
    assert server.verify().status == 200
    pid = cluster.pid()
    assert pid is not None
    frozen = [pid, *descendants(pid)]
    for one in frozen:
        os.kill(one, signal.SIGSTOP)
    try:
        time.sleep(4)
        assert statuses(running.walk("en")) == {}
        assert server.ask("POST", "/api/verify", VALID).status == 200
        # The desk needs it, and says so soon.
        began = time.monotonic()
        assert server.ask("GET", "/admin/login/", Cookie="sessionid=x").status in (200, 503)
        assert time.monotonic() - began < 2
    finally:
        for one in frozen:
            os.kill(one, signal.SIGCONT)
    wait_until(lambda: server.ask("GET", "/admin/login/").status == 200)
