"""`python -m compliance.services.serve`: only the web server; the database and the jobs run elsewhere.

Environment: BIND (127.0.0.1:8000; `[::]:8000` for all addresses), WEB_WORKERS (2), WEB_THREADS (4). SIGTERM
stops it after it has answered the requests under way. SIGHUP restarts its workers.
"""

import os
import re
import socket
import sys

from compliance.services import ServiceError, private_files, web
from compliance.services.keys import RELEASE_KEY

ADDRESS = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<four>[0-9.]+)):(?P<port>[0-9]{1,5})")
HIGHEST_PORT = 65_535
WAITING = 2048
"""Connections that may wait until a worker accepts them; the kernel has its own limit."""


def main() -> None:
    """Serve until SIGTERM."""
    private_files.begin()
    if os.environ.get(RELEASE_KEY):
        sys.exit("serve: RELEASE_KEY is set, but only the publisher may have it")
    try:
        web.serve(bound(os.environ.get("BIND") or "127.0.0.1:8000"))
    except ServiceError as error:
        sys.exit(f"serve: {error}")


def bound(address: str) -> socket.socket:
    """Return a socket that listens on an address such as `127.0.0.1:8000` or `[::]:8000`.

    Raises:
        ServiceError: It is no such address, or the server cannot listen on it.

    """
    read = ADDRESS.fullmatch(address)
    if read is None or int(read["port"]) > HIGHEST_PORT:
        raise ServiceError(f"BIND is {address!r}, but must look like 127.0.0.1:8000 or [::]:8000")
    family = socket.AF_INET6 if read["six"] else socket.AF_INET
    host = read["six"] or read["four"]
    try:
        return socket.create_server((host, int(read["port"])), family=family, backlog=WAITING)
    except OSError as error:
        raise ServiceError(f"BIND is {address!r}: {(error.strerror or str(error)).lower()}") from error


if __name__ == "__main__":
    main()
