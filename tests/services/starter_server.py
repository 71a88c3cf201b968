"""The web server of `make run` on a free port, with the starter corpus in memory: it needs no database.

`python -m tests.services.starter_server` runs it. Its first line of output says where it answers.
"""

from typing import Any
from unittest.mock import patch

from compliance.services import ports, web


class _Server(web._Server):
    """Workers hold the corpus before they answer."""

    def load(self) -> Any:
        application = super().load()
        from rules import corpus
        from tests.starter import starter_release

        corpus._current = starter_release()
        return application


if __name__ == "__main__":
    # The kernel gives a free port for 0.
    with ports.claim(0) as listener, patch.object(web, "_Server", _Server):
        web.serve(listener)
