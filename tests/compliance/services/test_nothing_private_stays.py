"""After requests with a serial, a key and an address, none stands in the log, in Redis or in the metrics.

Errors are provoked that quote them; the log is read in both of its formats.
"""

import json
from pathlib import Path

import pytest
from redis import Redis as Client

from compliance.partners.keys import make_key
from compliance.services.redis import Redis
from tests.compliance.services.failing_server import FAILS_FOR
from tests.support.processes import Start
from tests.support.web_server import VERIFY, Server, serve_starter

SERIAL = "57VQX8GKPZR2M4"
KEY = make_key().reveal()
SECRET = KEY.rpartition("_")[2]
ADDRESS = "203.0.113.77"
HEADERS = {"X_Forwarded_For": ADDRESS, "User_Agent": f"agent {SERIAL}", "Referer": f"http://x/?s={SERIAL}"}


def ask_in_every_way(server: Server) -> set[int]:
    """Send the serial and the key wherever somebody could put them; return the statuses."""
    unit = {"model_id": "anker-a1263", "serial": SERIAL}
    trip = {"origin": "US", "destination": "GB", "airline": "BA"}
    posts = [
        (VERIFY, {**unit, "trip": trip}),
        (VERIFY, {**unit, "trip": trip, SERIAL: 1}),
        (VERIFY, {**unit, "trip": {**trip, "airline": "ZZ"}}),
        (VERIFY, {**unit, "serial": f"{SERIAL}\x00", "trip": trip}),
        (VERIFY, [SERIAL]),
        ("/api/trips/verify", {"device": unit, "trip": trip}),
        ("/api/trips/verify", {"device": {**unit, "model_id": "no-such-model"}, "trip": trip}),
    ]
    statuses = {server.ask("POST", f"{path}?serial={SERIAL}", body, **HEADERS).status for path, body in posts}
    # The server fails about this model, and the error quotes the question.
    statuses.add(server.ask("POST", VERIFY, {**unit, "model_id": FAILS_FOR, "trip": trip}, **HEADERS).status)
    gets = [
        f"/api/devices/anker-a1263?serial={SERIAL}",
        f"/api/devices/anker-a1263/recalls?serial={SERIAL}",
        f"/api/recalls?model_id=anker-a1263&serial={SERIAL}",
        f"/api/recalls?serial={SERIAL}",
        f"/api/devices?serial={SERIAL}",
        f"/nowhere?serial={SERIAL}",
        f"/admin/nowhere/?serial={SERIAL}",
        f"/{SERIAL}",
        f"/api/devices/{SERIAL}",
    ]
    statuses |= {server.ask("GET", path, **HEADERS).status for path in gets}
    statuses.add(server.ask("GET", gets[0], Host=f"{SERIAL}.example").status)
    statuses.add(server.ask(SERIAL, gets[0]).status)
    # No database is there to look the session up in.
    statuses.add(server.ask("GET", "/admin/", Cookie=f"sessionid={SERIAL}", **HEADERS).status)
    statuses.add(server.verify(Authorization=f"Basic {KEY}").status)
    # No database is there to look a key up in.
    statuses.add(server.ask("GET", "/api/rules", x_service_key=KEY).status)
    # With these the limit is spent.
    for _ in range(2):
        statuses.add(server.verify(x_service_key=KEY, Authorization="Bearer another", **HEADERS).status)
    return statuses


def stored(url: str) -> str:
    """Return every key and value of a Redis as text."""
    with Client.from_url(url) as client:
        names = list(client.scan_iter())
        values = [client.get(name) for name in names if client.type(name) == b"string"]
    return repr([*names, *values])


@pytest.mark.parametrize("log_format", ["json", "text"])
def test_nothing_private_stays_behind(start: Start, redis: Redis, tmp_path: Path, log_format: str) -> None:
    server = serve_starter(
        start,
        tmp_path,
        "tests.compliance.services.failing_server",
        REDIS_URL=redis.url,
        LOG_FORMAT=log_format,
        LOG_LEVEL="DEBUG",
        ANONYMOUS_RATE="14/d",
        TRUSTED_PROXIES="1",
    )
    statuses = ask_in_every_way(server)
    # Each kind of answer was seen: also the refused key, the spent limit, and errors of ours.
    assert statuses >= {200, 400, 401, 404, 429, 500, 503}
    left = {
        "metrics": server.ask("GET", "/metrics").body.decode(),
        "readiness": server.ask("GET", "/readyz").body.decode(),
        "Redis": stored(redis.url),
        "log": server.stop(),
    }
    assert "compliance:limits:" in left["Redis"]
    assert "/api/recalls" in left["log"]
    assert "LookupError, after ValueError" in left["log"]
    for place, text in left.items():
        for private in (SERIAL, SECRET[:20], SECRET[20:], ADDRESS):
            assert private not in text, place
    if log_format == "json":
        for line in left["log"].splitlines():
            assert {"time", "level", "logger", "message"} <= json.loads(line).keys()
