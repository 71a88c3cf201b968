"""Varnish as an edge: it keeps what `Cache-Control` allows in memory, and purges by surrogate keys.

A purge is a ban of Varnish, which needs no module: an object whose `Surrogate-Key` has the word is not used
any more. Varnish looks at an object when it is asked for the next time.
"""

import contextlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bench.scale.nginx import wait_for
from compliance.services.ports import LOOPBACK, free_port


class Edge:
    """A running Varnish in front of a port."""

    def __init__(self, folder: Path, origin: int) -> None:
        self.port = free_port()
        self._folder = folder / "varnish"
        self._origin = origin
        self._known = {"hit": 0, "miss": 0}

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Run it until the block ends."""
        command = ["varnishd", "-F", "-n", str(self._folder), "-a", f"{LOOPBACK}:{self.port}"]
        command += ["-b", f"{LOOPBACK}:{self._origin}", "-s", "default,4G"]
        with subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", *command],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                wait_for(self.port)
                yield
            finally:
                process.terminate()

    def purge(self, key: str) -> None:
        """Forget all pages with a surrogate key: a word, between the ends of the header or spaces."""
        # A space would end the expression.
        self._ask("varnishadm", "ban", "obj.http.Surrogate-Key", "~", f"(^|[^a-z0-9-]){key}([^a-z0-9-]|$)")

    def hit_rate(self) -> float:
        """Return the share of the requests since the last call that were answered from memory."""
        found = json.loads(self._ask("varnishstat", "-j", "-f", "MAIN.cache_hit", "-f", "MAIN.cache_miss"))
        now = {name: found["counters"][f"MAIN.cache_{name}"]["value"] for name in self._known}
        since = {name: now[name] - before for name, before in self._known.items()}
        self._known = now
        return float(since["hit"] / sum(since.values()))

    def _ask(self, program: str, *words: str) -> str:
        done = subprocess.run(
            [program, "-n", str(self._folder), *words], stdout=subprocess.PIPE, check=True, text=True
        )
        return done.stdout
