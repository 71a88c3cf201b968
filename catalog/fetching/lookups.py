"""From a host name to its addresses, once, and not for longer than the fetch may take.

The system's resolver cannot be interrupted, so a thread asks it, and is abandoned if it takes too long. The
number of such threads is limited. Called by `connecting`.
"""

import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from queue import Empty, SimpleQueue

from catalog.fetching.addresses import Address
from catalog.fetching.answers import FetchFailed
from catalog.fetching.deadline import Deadline

Resolver = Callable[[str, int], Sequence[Address]]
"""Host and port to addresses, the preferred one first. Raises `OSError` if the name has none."""

MOST_LOOKUPS = 32
_slots = threading.BoundedSemaphore(MOST_LOOKUPS)


def system_resolver(host: str, port: int) -> Sequence[Address]:
    """Return the addresses of a host from the system."""
    # The final dot keeps the search list of this machine's network out.
    found = socket.getaddrinfo(f"{host}.", port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    addresses = []
    for _family, _type, _protocol, _name, place in found:
        zone = f"%{place[3]}" if len(place) == 4 and place[3] else ""
        addresses.append(ip_address(f"{place[0]}{zone}"))
    return addresses


def look_up(host: str, port: int, resolve: Resolver, deadline: Deadline) -> Sequence[Address]:
    """Return the addresses of a host. Raises `FetchFailed`: `unknown_host` or `timed_out`."""
    if not _slots.acquire(timeout=deadline.left()):
        raise deadline.missed()
    answers: SimpleQueue[Sequence[Address] | Exception] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put(resolve(host, port))
        except Exception as error:
            answers.put(error)
        finally:
            _slots.release()

    threading.Thread(target=ask, name="host-lookup", daemon=True).start()
    try:
        answer = answers.get(timeout=deadline.left())
    except Empty:
        raise deadline.missed() from None
    if isinstance(answer, OSError | UnicodeError) or (not isinstance(answer, Exception) and not answer):
        raise FetchFailed("unknown_host", f"There is no server with the name {host}.")
    if isinstance(answer, Exception):
        raise answer
    return answer
