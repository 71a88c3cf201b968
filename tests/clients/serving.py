"""A web server in this process that answers as a test wants, badly too."""

import contextlib
import http.server
import threading
from collections.abc import Callable, Iterator
from typing import Any

Answer = Callable[[http.server.BaseHTTPRequestHandler], None]


@contextlib.contextmanager
def served(answer: Answer) -> Iterator[str]:
    """Serve on a free port of this machine; give the address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            # Who has waited long enough hangs up.
            with contextlib.suppress(ConnectionError):
                answer(self)
            self.close_connection = True

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def whole(status: int, content: bytes, **headers: str) -> Answer:
    """Return an answer that says how long it is."""

    def answer(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("content-length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return answer
