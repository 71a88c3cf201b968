"""After requests with a serial and a key, neither stands in the server's log, in Redis or in the metrics."""

from pathlib import Path

from redis import Redis as Client

from compliance.partner_keys import make_key
from compliance.services.redis import Redis

from .processes import Start
from .serving import VERIFY, Server, serve_starter

SERIAL = "57VQX8GKPZR2M4"
KEY = make_key().reveal()
SECRET = KEY.rpartition("_")[2]


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
    statuses = {server.ask("POST", path, body).status for path, body in posts}
    gets = [
        f"/api/devices/anker-a1263?serial={SERIAL}",
        f"/api/devices/anker-a1263/recalls?serial={SERIAL}",
        f"/api/recalls?model_id=anker-a1263&serial={SERIAL}",
        f"/api/recalls?serial={SERIAL}",
        f"/api/devices?serial={SERIAL}",
        f"/nowhere?serial={SERIAL}",
        f"/admin/nowhere/?serial={SERIAL}",
    ]
    statuses |= {server.ask("GET", path).status for path in gets}
    statuses |= {server.ask("GET", path, Host="elsewhere.example").status for path in gets[:1]}
    statuses.add(server.verify(Authorization=f"Basic {KEY}").status)
    # No database is there to look a key up in.
    statuses.add(server.ask("GET", "/api/rules", x_service_key=KEY).status)
    # With these the limit is spent.
    for _ in range(2):
        statuses.add(server.verify(x_service_key=KEY, Authorization="Bearer another").status)
    return statuses


def stored(url: str) -> str:
    """Return every key and value of a Redis as text."""
    with Client.from_url(url) as client:
        names = list(client.scan_iter())
        values = [client.get(name) for name in names if client.type(name) == b"string"]
    return repr([*names, *values])


def test_no_serial_and_no_key_stays_behind(start: Start, redis: Redis, tmp_path: Path) -> None:
    server = serve_starter(start, tmp_path, REDIS_URL=redis.url, LOG_LEVEL="DEBUG", ANONYMOUS_RATE="14/d")
    statuses = ask_in_every_way(server)
    # Each kind of answer was seen: also the refused key, and the spent limit.
    assert statuses >= {200, 400, 401, 404, 429, 503}
    left = {
        "metrics": server.ask("GET", "/metrics").body.decode(),
        "Redis": stored(redis.url),
        "log": server.stop(),
    }
    assert "compliance:limits:" in left["Redis"]
    assert "/api/recalls" in left["log"]
    for place, text in left.items():
        assert SERIAL not in text, place
        assert SECRET[:20] not in text, place
        assert SECRET[20:] not in text, place
