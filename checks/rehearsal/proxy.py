"""nginx on loopback with the configuration of docs/deployment, and clients that ask through it."""

import contextlib
import http.client
import json
import shlex
import socket
import ssl
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from compliance.services.embedded import REPOSITORY
from compliance.services.ports import LOOPBACK, free_port

SHIPPED = REPOSITORY / "docs" / "deployment" / "nginx" / "compliance.conf"
NAME = "compliance.example"
CLIENTS = 4
START_SECONDS = 10

FRAME = """\
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/start.log;
events {{}}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/compliance.conf;
}}
"""


class _Connection(http.client.HTTPSConnection):
    """A connection to a name, which is on the loopback address here."""

    def __init__(self, name: str, port: int, timeout: float, context: ssl.SSLContext) -> None:
        super().__init__(name, port, timeout=timeout, context=context)
        self._tls = context

    def connect(self) -> None:
        """Connect, and name the server that is wanted."""
        connection = socket.create_connection((LOOPBACK, self.port), self.timeout)
        self.sock = self._tls.wrap_socket(connection, server_hostname=self.host)


class Proxy:
    """A running nginx. `upstream` is the file that names the server behind it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.plain_port = free_port()
        self.upstream = folder / "compliance-upstream.conf"
        self.reload = f"nginx -c {folder / 'nginx.conf'} -s reload"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, asked: int) -> None:
        """Start it in front of a port, and wait until it listens."""
        self._certificate()
        self.upstream.write_text(f"upstream compliance {{ server {LOOPBACK}:{asked}; }}\n")
        (self.folder / "compliance.conf").write_text(self._shipped())
        (self.folder / "nginx.conf").write_text(FRAME.format(folder=self.folder))
        self._process = subprocess.Popen(["nginx", "-c", self.folder / "nginx.conf"])
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                self.ask("GET", "/openapi.yaml")
                return
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def ask_instead(self, port: int) -> None:
        """Use another port from now on."""
        self.upstream.write_text(f"upstream compliance {{ server {LOOPBACK}:{port}; }}\n")
        subprocess.run(shlex.split(self.reload), check=True)

    def stop(self) -> None:
        """Stop it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, bytes]:
        """Send one request over TLS, on a connection of its own."""
        connection = _Connection(NAME, self.port, timeout=60, context=self._context())
        sent = {"Host": NAME} | {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            sent["Content-Type"] = "application/json"
        with contextlib.closing(connection):
            connection.request(method, path, None if body is None else json.dumps(body), sent)
            response = connection.getresponse()
            return response.status, response.read()

    def redirects_to(self, path: str) -> str | None:
        """Ask without TLS; return where that leads."""
        with contextlib.closing(http.client.HTTPConnection(LOOPBACK, self.plain_port, timeout=60)) as plain:
            plain.request("GET", path, headers={"Host": NAME})
            return plain.getresponse().headers["Location"]

    def answers_to(self, name: str) -> list[str]:
        """Return how it answers to a name: in plain text, over TLS."""
        answered = []
        with contextlib.closing(http.client.HTTPConnection(LOOPBACK, self.plain_port, timeout=60)) as plain:
            plain.request("GET", "/", headers={"Host": name})
            with contextlib.suppress(http.client.RemoteDisconnected):
                plain.getresponse()
                answered.append("plain")
        with (
            contextlib.suppress(ssl.SSLError),
            contextlib.closing(_Connection(name, self.port, timeout=60, context=self._context())) as secure,
        ):
            secure.connect()
            answered.append("TLS")
        return answered

    def _context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.folder / "fullchain.pem")

    def logged(self) -> str:
        """Return all that it has logged."""
        return "".join(path.read_text(errors="replace") for path in self.folder.glob("*.log"))

    def _shipped(self) -> str:
        text = SHIPPED.read_text()
        for shipped, here in (
            ("listen [::]:80;", ""),
            ("listen [::]:443 ssl http2;", ""),
            ("listen [::]:80 default_server;", ""),
            ("listen [::]:443 ssl http2 default_server;", ""),
            ("listen 80", f"listen {LOOPBACK}:{self.plain_port}"),
            ("listen 443", f"listen {LOOPBACK}:{self.port}"),
            # All clients of the rehearsal come from one address.
            ("rate=50r/s", "rate=10000r/s"),
            ("/etc/nginx/", f"{self.folder}/"),
            ("/etc/ssl/compliance/", f"{self.folder}/"),
            ("/var/log/nginx/", f"{self.folder}/"),
        ):
            if shipped not in text:
                raise RuntimeError(f"{SHIPPED} no longer says {shipped!r}")
            text = text.replace(shipped, here)
        return text

    def _certificate(self) -> None:
        made = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={NAME}"
        names = ["-addext", f"subjectAltName=DNS:{NAME},IP:{LOOPBACK}"]
        files = ["-keyout", f"{self.folder}/key.pem", "-out", f"{self.folder}/fullchain.pem"]
        subprocess.run([*shlex.split(made), *names, *files], check=True, capture_output=True)


class Asking:
    """Clients that ask for verdicts one after another until the block ends, and count their answers."""

    def __init__(self, proxy: Proxy, question: object) -> None:
        self.answers: Counter[str] = Counter()
        self.slowest_seconds = 0.0
        self._proxy, self._question = proxy, question
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._keep_asking) for _ in range(CLIENTS)]

    def __enter__(self) -> "Asking":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _keep_asking(self) -> None:
        while not self._over.is_set():
            began = time.monotonic()
            try:
                status, body = self._proxy.ask("POST", "/api/verify", self._question)
                got = json.loads(body)["verdict"] if status == 200 else str(status)
            except OSError as error:
                got = type(error).__name__
            with self._lock:
                self.answers[got] += 1
                self.slowest_seconds = max(self.slowest_seconds, time.monotonic() - began)


@contextlib.contextmanager
def in_front_of(port: int, folder: Path) -> Iterator[Proxy]:
    """Run nginx in front of a port."""
    folder.mkdir()
    proxy = Proxy(folder)
    try:
        proxy.start(port)
        yield proxy
    finally:
        proxy.stop()
