"""The answer on its way to a client, which may read it slowly: no thread waits for that.

It replaces the socket for gunicorn. What the client does not take at once stays here, and the loop
of `web_worker` sends it. A thread waits only between the pieces of a long stream.
"""

import errno
import select
import socket
from collections import deque

from compliance.services.incoming import Incoming

AHEAD_BYTES = 4 * 1024 * 1024
"""A piece of a stream waits while so much of the pieces before it has not left."""


class Outgoing:
    """What a client has not taken yet. One thread at a time uses it."""

    def __init__(self, taken: socket.socket, patience_seconds: float, incoming: Incoming) -> None:
        """Send to a socket that does not block; `patience_seconds` limit a wait in which nothing leaves.

        `incoming` is what the client has sent: it says in which form a refusal is read.
        """
        self.incoming = incoming
        self._socket = taken
        self._patience = patience_seconds
        self._pieces: deque[memoryview] = deque()
        self.left = 0
        """How many bytes have not left."""

    def sendall(self, data: bytes) -> None:
        """Take a piece of an answer. Raises `OSError` if the client is away, or reads none of a stream."""
        while self.left > AHEAD_BYTES and not self.push():
            self._wait()
        if data:
            self._pieces.append(memoryview(data))
            self.left += len(data)
            self.push()

    def push(self) -> bool:
        """Send what the client takes now; return whether everything has left. Raises `OSError`."""
        while self._pieces:
            piece = self._pieces[0]
            try:
                sent = self._socket.send(piece)
            except BlockingIOError:
                return False
            self.left -= sent
            if sent == len(piece):
                self._pieces.popleft()
            else:
                self._pieces[0] = piece[sent:]
        return True

    def _wait(self) -> None:
        """Wait until the client takes more."""
        # `select` itself knows no handles above 1023.
        poll = select.poll()
        poll.register(self._socket, select.POLLOUT)
        if not poll.poll(self._patience * 1000):
            raise BrokenPipeError(errno.EPIPE, "the client does not read its answer")

    def send(self, data: bytes) -> int:
        """Say nothing: gunicorn sends only `100 Continue` by this, and the loop has done so in time."""
        return len(data)

    def setblocking(self, flag: bool) -> None:
        """Do nothing: the socket never blocks, and this never needs to."""

    def shutdown(self, how: int) -> None:
        """Refuse to end the connection, which gunicorn wants after half an answer: the loop ends it."""
        raise OSError(errno.ENOTCONN, "the loop ends connections")

    def close(self) -> None:
        """Do nothing, as for `shutdown`."""
