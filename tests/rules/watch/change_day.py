"""A day on which many pages change: a server on loopback that plays five hundred sources.

Every address of 127.0.1.0/24 is a host with ten pages; those of 127.0.2.0/24 are hosts that hang on the day
of changes. What a page says on a day is decided by its number alone, so a test knows it.
"""

import gzip
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

PAGES = 500
PER_HOST = 10
HANGING = range(0, 5)
REDIRECTED = range(5, 7)
BOMB = range(7, 8)
COSMETIC = range(20, 60)
CHANGED = range(60, 72)
QUOTE_GONE = range(72, 75)
QUOTED = range(66, 100)
"""Pages with a quote: six that change around it, three that lose it, the others stay."""

WORDS = "at most two power banks per passenger"

_PAGE = """<!doctype html><html lang="en"><head><title>Airline {number}: batteries</title></head>
<body><header><nav><a href="/">Home</a> <a href="/book">Book</a> <a href="/help">Help</a></nav></header>
<main><h1>Power banks on flights of Airline {number}</h1>
<p>We carry power banks up to {watt_hour} Wh in the cabin, {words}. Protect their terminals against short
circuits, and keep them where you can see them during the whole flight.</p>
<h2>In checked baggage</h2><p>Power banks never travel in checked baggage. Take them out before you check a
cabin bag at the gate, and ask our staff number {number} where you are in doubt.</p>
<ul><li>Do not charge a power bank on board.</li><li>Report a hot battery at once.</li></ul></main>
<footer><p>{footer}</p></footer></body></html>"""


_BOMB = gzip.compress(bytes(200_000_000), 1)


def url_of(number: int, port: int) -> str:
    """Return the address of a page on the first day and on the day of changes."""
    if number in HANGING:
        return f"http://127.0.2.{number + 1}:{port}/{number}"
    return f"http://127.0.1.{number // PER_HOST + 1}:{port}/{number}"


def page_of(number: int, *, change_day: bool) -> bytes:
    """Return what a page says."""
    text = _PAGE.format(
        number=number,
        watt_hour=160 if change_day and number in CHANGED else 100,
        words="one per passenger" if change_day and number in QUOTE_GONE else WORDS,
        footer="© 2027 Airline. Page viewed 3,412 times." if change_day else "© 2026 Airline.",
    )
    if change_day and number in COSMETIC:
        text = (
            text.replace("<p>", "\n  <p class='new'>").replace(" the ", "  the&#32;").replace("Book<", "Fly<")
        )
    return text.encode()


class ChangeDay:
    """The server. `requests` are the pages that were asked for, each time; `most` at one host at once.

    The hosts that hang do not count there: they never know that whoever asked is dead.
    """

    def __init__(self) -> None:
        self.change_day = False
        self.requests: Counter[int] = Counter()
        self.most = 0
        self._there: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._over = threading.Event()
        day = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                host = self.connection.getsockname()[0]
                with day._lock:
                    day._there[host] += 1
                    if host.startswith("127.0.1."):
                        day.most = max(day.most, day._there[host])
                status, body, headers = self._answer()
                # Whoever has the answer may ask again before this thread has its turn.
                with day._lock:
                    day._there[host] -= 1
                self.send_response(status)
                headers = {"Content-Type": "text/html; charset=utf-8", "Connection": "close", **headers}
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def _answer(self) -> tuple[int, bytes, dict[str, str]]:
                if self.path == "/robots.txt":
                    return 404, b"", {}
                number = int(self.path[1:])
                with day._lock:
                    day.requests[number] += 1
                if day.change_day and number in HANGING:
                    day._over.wait()
                if day.change_day and number in REDIRECTED:
                    return 302, b"", {"Location": "http://169.254.169.254/latest/meta-data/"}
                if day.change_day and number in BOMB:
                    return 200, _BOMB, {"Content-Encoding": "gzip"}
                return 200, page_of(number, change_day=day.change_day), {}

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        # Every address of 127.0.0.0/8 leads here.
        self._server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()

    def wait_for_requests(self, count: int, seconds: float = 60) -> None:
        """Wait until so many pages were asked for."""
        end = time.monotonic() + seconds
        while self.requests.total() < count:
            assert time.monotonic() < end, f"only {self.requests.total()} requests"
            time.sleep(0.01)
