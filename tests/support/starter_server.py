"""The web server of `make run` on a free port, with the starter corpus in memory: it needs no database.

`python -m tests.support.starter_server` runs it. Its first line of output gives its address. PATIENCE_SECONDS
sets how long it waits for its clients, MOST_CONNECTIONS how many it keeps.
"""

import os
from typing import Any
from unittest.mock import patch

from compliance.services import ports, web, web_worker


class _Server(web._Server):
    """Workers load the corpus before they answer."""

    def load(self) -> Any:
        application = super().load()
        from rules import corpus
        from tests.support.starter import starter_release

        corpus._current = starter_release()
        return application


if __name__ == "__main__":
    if patience := os.environ.get("PATIENCE_SECONDS"):
        web_worker.SILENCE_SECONDS = int(patience)
        web_worker.REQUEST_SECONDS = 2 * int(patience)
    if most := os.environ.get("MOST_CONNECTIONS"):
        web_worker.CONNECTIONS = int(most)
    # The kernel gives a free port for 0.
    with ports.claim(0) as listener, patch.object(web, "_Server", _Server):
        web.serve(listener)
