"""Whose frame is it, and whose pages may show it.

Browsers hold every page above a frame to its `frame-ancestors`. So a frame of nobody whom we know, or of a
partner for whom no origin was agreed, stands in no page at all. Called by `compliance.channels.embed.views`.
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
"""The key under which caches may be told to drop what they keep of what frames load."""


class Frame(msgspec.Struct, frozen=True):
    """A frame by the public id of a key, with the origins of the pages that may show it."""

    key: str
    origins: tuple[str, ...]


def frame_of(key: str, now: datetime.datetime) -> Frame | None:
    """Return the frame of a key by its public id; None where none is live at that instant.

    Raises `django.db.Error` where that cannot be told.
    """
    if key == DEMO:
        return Frame(key, (SELF,))
    known = partner_named(key, now)
    if known is None:
        return None
    # A policy cannot name an address of IPv6.
    return Frame(key, tuple(sorted(origin for origin in known.allowed_origins if "[" not in origin)))


def let_in(response: HttpResponse, frame: Frame | None) -> HttpResponse:
    """Say on an answer whose pages may show it, and what it may load."""
    ancestors = list(frame.origins) if frame and frame.origins else [NONE]
    response.headers["Content-Security-Policy"] = build_policy(
        config=settings.EMBED_CONTENT_SECURITY_POLICY, replace={"frame-ancestors": ancestors}
    )
    if frame is not None and frame.key != DEMO and frame.origins:
        # Pages that are isolated from others (COEP) show only frames that say so themselves.
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        response.headers["Cross-Origin-Embedder-Policy"] = "require-corp"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
