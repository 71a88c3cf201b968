"""nginx as an edge: it keeps what the service's `Cache-Control` allows, below a key that names the release.

nginx cannot purge by surrogate key. So the version of the release is part of each key, and is changed in one
file: then nothing that was made of the release before is found again.
"""

import contextlib
import shutil
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from compliance.services.ports import LOOPBACK, free_port

SETTINGS = """\
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/errors.log;
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    log_format edge '$upstream_cache_status';
    access_log {folder}/edge.log edge;
    proxy_cache_path {folder}/kept levels=1:2 keys_zone=edge:100m max_size=10g use_temp_path=off;
    include {folder}/release.conf;
    server {{
        listen {address};
        # A reader keeps its connection for all its reads; otherwise nginx closes it after a thousand.
        keepalive_requests 10000000;
        location / {{
            proxy_pass http://{origin};
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_cache edge;
            proxy_cache_key $release$request_uri;
            proxy_cache_lock on;
            proxy_cache_revalidate on;
        }}
    }}
}}
"""
START_SECONDS = 10


class Edge:
    """A running nginx in front of a port, with nothing kept at first. Its folder is made anew."""

    def __init__(self, folder: Path, origin: int) -> None:
        self.port = free_port()
        self._folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        self._read = 0
        self._command = ["nginx", "-c", str(folder / "nginx.conf")]
        address = f"{LOOPBACK}:{self.port}"
        (folder / "nginx.conf").write_text(
            SETTINGS.format(folder=folder, address=address, origin=f"{LOOPBACK}:{origin}")
        )

    @contextlib.contextmanager
    def running(self, release: str) -> Iterator[None]:
        """Run it until the block ends."""
        self._name(release)
        with subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *self._command]) as process:
            try:
                wait_for(self.port)
                yield
            finally:
                process.terminate()

    def purge(self, release: str) -> None:
        """Forget what was made of the release before."""
        self._name(release)
        subprocess.run([*self._command, "-s", "reload"], check=True)

    def statuses(self) -> Counter[str]:
        """Return how the requests since the last call were answered: HIT, MISS, EXPIRED and others."""
        with (self._folder / "edge.log").open() as log:
            log.seek(self._read)
            lines = log.read()
            self._read = log.tell()
        return Counter(lines.split())

    def _name(self, release: str) -> None:
        (self._folder / "release.conf").write_text(f'map "" $release {{ default "{release}"; }}\n')


def wait_for(port: int) -> None:
    """Wait until a server listens. Raises `OSError` if none does for some time."""
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection((LOOPBACK, port), 1).close()
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
