"""Pages of somebody else, on origins of their own, and a partner who may show the check on one of them."""

import contextlib
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from compliance.services.embedded import REPOSITORY


class Page(NamedTuple):
    """A page of another site, its content security policy, and whether it isolates itself from others."""

    body: str
    policy: str = ""
    isolated: bool = False


class Site(NamedTuple):
    """Another site: its origin, and its pages by their paths, which may change while it runs."""

    origin: str
    pages: dict[str, Page]


@contextlib.contextmanager
def another_site() -> Iterator[Site]:
    """Serve another site on this machine, under a name that is not that of the service."""
    pages: dict[str, Page] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = pages.get(self.path)
            body = page.body.encode() if page else b""
            self.send_response(200 if page else 204)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            if page and page.policy:
                self.send_header("Content-Security-Policy", page.policy)
            if page and page.isolated:
                self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Site(f"http://localhost:{server.server_port}", pages)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def partner_of(origin: str, environment: Mapping[str, str]) -> str:
    """Record a partner whose pages are on an origin, and return the public id of a key."""
    terms = ("--terms", "https://shop.example/terms")
    _partner(environment, "add", "shop", "--name", "Shop", "--email", "it@shop.example", "--rate", "60",
             *terms, "--origin", origin)  # fmt: skip
    (public_id,) = re.findall(r"^(btk_[a-z2-7]{8})_", _partner(environment, "issue", "shop"), re.MULTILINE)
    return str(public_id)


def _partner(environment: Mapping[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", "partner", *arguments],
        cwd=REPOSITORY,
        env=dict(environment),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout
