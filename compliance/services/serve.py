"""`python -m compliance.services.serve`: the web server alone, where others run the database and the jobs.

Environment: BIND (127.0.0.1:8000; `[::]:8000` for all addresses), WEB_WORKERS (2), WEB_THREADS (4).
SIGTERM stops it once the requests under way are answered, SIGHUP starts its workers anew.
"""

import os
import re
import socket
import sys

from compliance.services import ServiceError, web

ADDRESS = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<four>[0-9.]+)):(?P<port>[0-9]{1,5})")
HIGHEST_PORT = 65_535
WAITING = 2048
"""Connections that may wait until a worker accepts them; the kernel has a bound of its own."""


def main() -> None:
    """Serve until SIGTERM."""
    try:
        web.serve(bound(os.environ.get("BIND") or "127.0.0.1:8000"))
    except ServiceError as error:
        sys.exit(f"serve: {error}")


def bound(address: str) -> socket.socket:
    """Return a socket that listens on an address such as `127.0.0.1:8000` or `[::]:8000`.

    Raises:
        ServiceError: It is no such address, or it cannot be listened on.

    """
    read = ADDRESS.fullmatch(address)
    if read is None or int(read["port"]) > HIGHEST_PORT:
        raise ServiceError(f"BIND is {address!r} and must be such as 127.0.0.1:8000 or [::]:8000")
    family = socket.AF_INET6 if read["six"] else socket.AF_INET
    host = read["six"] or read["four"]
    try:
        return socket.create_server((host, int(read["port"])), family=family, backlog=WAITING)
    except OSError as error:
        raise ServiceError(f"BIND is {address!r}: {(error.strerror or str(error)).lower()}") from error


if __name__ == "__main__":
    main()
