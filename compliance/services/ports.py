"""Loopback ports: find a free one, or claim the one that a person asked for.

`python -m compliance.services.ports PORT` fails with one line when the port is taken.
"""

import socket
import sys

from compliance.services import ServiceError

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """Return a port that is free now. Another program may take it a moment later: callers try again."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def parse(text: str) -> int:
    """Return the port number that a person wrote.

    Raises:
        ServiceError: It is not a whole number.

    """
    try:
        return int(text)
    except ValueError as error:
        raise ServiceError(f"PORT is {text!r}, but must be a whole number: make run PORT=8001") from error


def claim(port: int) -> socket.socket:
    """Return a socket that listens on `port` of the loopback address; the caller closes it.

    No other program can take the port meanwhile. Connections wait in the queue until a server accepts them.

    Raises:
        ServiceError: The port is taken, out of range, or needs privileges.

    """
    listener = socket.socket()
    # Connections of a stopped service stay for a minute. Without this option they would block the port that
    # long.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        # Binding alone does not claim a port: with SO_REUSEADDR a second socket can bind it until one of them
        # listens.
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise ServiceError(
            f"port {port} cannot be used: {reason.lower()}. Choose another: make run PORT={port % 60000 + 1}"
        ) from error
    return listener


def main() -> None:
    """Exit with one line if the port named on the command line cannot be claimed."""
    try:
        claim(parse(sys.argv[1])).close()
    except ServiceError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
