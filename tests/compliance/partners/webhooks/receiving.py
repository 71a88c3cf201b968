"""A receiver of webhooks: a server that answers as a test says, and keeps what it was sent."""

import json
import socket
from dataclasses import dataclass, field
from typing import Any, Self

from tests.catalog.fetching.servers import Server, page

TAKEN = "204 No Content"


@dataclass
class Receiver:
    """Answers with `status`, and with `headers` besides."""

    status: str = TAKEN
    headers: dict[str, str] = field(default_factory=dict)
    bodies: list[bytes] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._server = Server({"/hook": self._take}, certificate="site.pem")
        self._server.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._server.__exit__(*raised)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"{self._server.root}/hook"

    @property
    def sent(self) -> list[tuple[dict[str, str], bytes]]:
        """What came, with its headers."""
        heads = [asked.head.partition("\r\n\r\n")[0].split("\r\n")[1:] for asked in self._server.asked]
        named = [[line.split(": ", 1) for line in head] for head in heads]
        headers = [{name.lower(): value for name, value in head} for head in named]
        return list(zip(headers, self.bodies, strict=True))

    @property
    def events(self) -> list[dict[str, Any]]:
        """What came, read."""
        return [json.loads(body) for body in self.bodies]

    def _take(self, connection: socket.socket) -> None:
        size = int(self._server.asked[-1].headers["content-length"])
        body = b""
        while len(body) < size:
            body += connection.recv(65536)
        self.bodies.append(body)
        connection.sendall(page(b"", self.status, **self.headers))
