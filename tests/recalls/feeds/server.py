"""A small server on loopback in place of the four official sites. What it answers is set by each test."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HOST = "127.0.1.7"
NETWORK = "127.0.1.0/24"


class FeedServer:
    """Answers by path: with bytes, with a status, or with what a function makes of the path and query."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.answers: dict[str, bytes | int | Callable[[str], bytes | int]] = {}
        self.asked: list[str] = []
        self.conditional: list[str] = []

    def addresses(self) -> dict[str, str]:
        """Return where the feeds are, as the settings name it."""
        return {
            "cpsc": f"{self.address}/RestWebServices/Recall",
            "safety_gate": f"{self.address}/weeklyReport",
            "health_canada": f"{self.address}/HCRSAMOpenData.json",
            "accc": f"{self.address}/rss/feed.xml/psa_recall",
        }

    def answer(self, path: str) -> bytes | int:
        """Return what a path is answered with; the query is part of what is asked."""
        self.asked.append(path)
        found = self.answers.get(path, self.answers.get(path.partition("?")[0], 404))
        return found(path) if callable(found) else found


@contextmanager
def serving() -> Iterator[FeedServer]:
    """Serve until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/robots.txt":
                self.send_error(404)
                return
            if etag := self.headers.get("If-None-Match"):
                feeds.conditional.append(self.path)
                if etag == self.etag():
                    self.send_response(304)
                    self.end_headers()
                    return
            said = feeds.answer(self.path)
            if isinstance(said, int):
                self.send_response(said)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(200)
            self.send_header("ETag", self.etag())
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def etag(self) -> str:
            return f'"{hash(repr(feeds.answers.get(self.path)))}"'

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer((HOST, 0), Handler)
    feeds = FeedServer(f"http://{HOST}:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield feeds
    server.shutdown()
    thread.join()
    server.server_close()
