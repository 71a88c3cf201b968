"""Two web servers on one PostgreSQL and one Redis, as two machines would be: they swap and count together."""

import itertools
import json
import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from catalog.sources.actions import record_source
from compliance.services import ports
from compliance.services.redis import Redis
from rules.publishing.actions.releases import publish_release
from tests.support.factories import a_source, a_user
from tests.support.processes import Start, wait_until
from tests.support.releasing import NOON
from tests.support.roles import url_of
from tests.support.web_server import Server
from tests.support.world import build_world

ALLOWED = 30
QUESTION = {"model_id": "lynx-27k", "trip": {"origin": "XA", "destination": "XB", "airline": "N1"}}


@pytest.fixture
def machines(committing_db: None, redis: Redis, start: Start, tmp_path: Path) -> list[Server]:
    """Two servers of two processes each, and the first release."""
    build_world(by=a_user())
    _publish("The first.")
    servers = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        port = ports.free_port()
        process = start(
            "-m",
            "compliance.services.serve",
            BIND=f"127.0.0.1:{port}",
            DATABASE_URL=url_of("web"),
            REDIS_URL=redis.url,
            SECRET_KEY="only-for-tests",
            VERDICT_KEY="only-for-tests",
            RELEASE_PUBLIC_KEYS=os.environ["RELEASE_PUBLIC_KEYS"],
            # Who asks is what a proxy says, so each part of the test is another caller.
            TRUSTED_PROXIES="1",
            ANONYMOUS_RATE=f"{ALLOWED}/d",
            WEB_WORKERS="2",
            CORPUS_POLL_SECONDS="0.2",
            DATA_DIR=str(folder),
            LOG_LEVEL="ERROR",
        )
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Serving on")
        # On a busy machine a worker takes its time to load; no request is to wait for that.
        # It ends with the test.
        servers.append(Server(port, str))
    # On a busy machine a worker takes its time to load; no request is to wait for that.
    wait_until(lambda: all(map(_answers, servers)), seconds=300)
    return servers


def _answers(server: Server) -> bool:
    with suppress(OSError):
        return server.ask("GET", "/healthz", X_Forwarded_For="203.0.113.1").status == 200
    return False


def _publish(note: str) -> str:
    release = publish_release(by=a_user("publisher"), note=note, now=NOON, cases=())
    return str(release.ruleset_version)


@pytest.fixture
def addresses() -> Iterator[str]:
    return (f"203.0.{third}.{last}" for third, last in itertools.product(range(256), range(1, 255)))


def test_machines_swap_to_a_release_and_count_a_limit_together(
    machines: list[Server], addresses: Iterator[str]
) -> None:
    def versions(machine: Server) -> set[str]:
        """Ask so often that both of its processes have answered."""
        answers = [
            machine.ask("POST", "/api/verify", QUESTION, X_Forwarded_For=next(addresses)) for _ in range(12)
        ]
        assert {answer.status for answer in answers} == {200}
        return {json.loads(answer.body)["ruleset_version"] for answer in answers}

    assert [versions(machine) for machine in machines] == [{"2026-11-20"}] * 2
    record_source(by=a_user("another"), source=a_source(id="another-page"))
    newer = _publish("The second.")
    assert newer != "2026-11-20"
    wait_until(lambda: [versions(machine) for machine in machines] == [{newer}] * 2, seconds=30)

    caller = next(addresses)
    with ThreadPoolExecutor(8) as threads:
        statuses = Counter(
            threads.map(
                lambda machine: machine.ask("POST", "/api/verify", QUESTION, X_Forwarded_For=caller).status,
                machines * ALLOWED,
            )
        )
    assert statuses == {200: ALLOWED, 429: ALLOWED}
