"""Finds the owner of a frame, and the pages that may show it.

Browsers apply the `frame-ancestors` of a frame to every page above it. So no page shows a frame of an unknown
key, or of a partner without an agreed origin. Called by `compliance.channels.embed.views`.
"""

import datetime

import msgspec
from csp.constants import NONE, SELF
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpResponse

from compliance.partners.register import partner_named

DEMO = "demo"
"""In place of a key: a frame that our own pages may show."""

KEPT_BY_CACHES = "embed"
"""The key by which caches can drop their copies of files that frames load."""


class Frame(msgspec.Struct, frozen=True):
    """A frame by the public id of a key, with the origins of the pages that may show it."""

    key: str
    origins: tuple[str, ...]


def frame_of(key: str, now: datetime.datetime) -> Frame | None:
    """Return the frame of a key by its public id; None if no such key is valid at that time.

    Raises `django.db.Error` if that is unknown.
    """
    if key == DEMO:
        return Frame(key, (SELF,))
    known = partner_named(key, now)
    if known is None:
        return None
    # A policy cannot name an IPv6 address.
    return Frame(key, tuple(sorted(origin for origin in known.allowed_origins if "[" not in origin)))


def let_in(response: HttpResponse, frame: Frame | None) -> HttpResponse:
    """Put on an answer whose pages may show it, and what it may load."""
    ancestors = list(frame.origins) if frame and frame.origins else [NONE]
    response.headers["Content-Security-Policy"] = build_policy(
        config=settings.EMBED_CONTENT_SECURITY_POLICY, replace={"frame-ancestors": ancestors}
    )
    if frame is not None and frame.key != DEMO and frame.origins:
        # Pages that are isolated from others (COEP) show only frames that allow it themselves.
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        response.headers["Cross-Origin-Embedder-Policy"] = "require-corp"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
