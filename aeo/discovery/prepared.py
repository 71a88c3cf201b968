"""Large documents that are made once for each state of the data in a process, and kept compressed.

Sitemaps compress to a twentieth or less, so all of them fit. Called by the views of sitemaps.
"""

import gzip
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from catalog.database.cached_values import generation

MOST_BYTES = 8 * 1024 * 1024
"""The memory limit. Above it, the document whose last request is oldest is dropped."""


class Prepared:
    """Compressed documents by their version, which is an entity tag, and the state of the data."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def gzipped(self, version: str, make: Callable[[], str]) -> bytes:
        """Return the document of a version; `make` is called if it is not here, by one thread at a time."""
        state = version, generation()
        with self._lock:
            if state in self._kept:
                self._kept.move_to_end(state)
                return self._kept[state]
            # Without a time inside, so that the same document is the same bytes.
            made = gzip.compress(make().encode(), mtime=0)
            self._kept[state] = made
            self._bytes += len(made)
            while self._bytes > MOST_BYTES:
                self._bytes -= len(self._kept.popitem(last=False)[1])
            return made
