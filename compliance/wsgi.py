"""The WSGI entry point, `compliance.wsgi:application`, for gunicorn."""

import os
import sys
from typing import Any

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
# Only web processes pool connections. Gunicorn must import this module after it forks, which is its default:
# the workers would share a pool that was opened before a fork.
os.environ.setdefault("DATABASE_POOL", "true")

SWITCH_SECONDS = 0.001


class Request(WSGIRequest):
    """A request whose `Content-Type` may be anything."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        """Read the type. Django fails on a parameter in an unknown character set (RFC 2231).

        No middleware could answer then. The service reads no body of such a type.
        """
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except ValueError:
            self.content_type, self.content_params = "", {}

    def _load_post_and_files(self) -> None:
        """Read a form. One that is refused is refused once: the page that says so looks for fields, too."""
        try:
            super()._load_post_and_files()
        except (BadRequest, SuspiciousOperation):
            self._mark_post_parse_error()  # type: ignore[attr-defined]
            raise


application = get_wsgi_application()
application.request_class = Request


def begin() -> None:
    """Load a release before the first request comes. Workers call this after they are forked."""
    # A thread that computes for seconds, as after a publication, lets the others go on after this interval.
    # Each of them asks for the interpreter several times in a request.
    sys.setswitchinterval(SWITCH_SECONDS)
    # Only now is Django ready.
    from rules import corpus

    corpus.follow()
