"""Structured data as pages embed them. Called by the views."""

from collections.abc import Sequence

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from aeo.web.addresses import site_address
from aeo.web.assets import asset
from aeo.web.jsonld import Node, Publisher, script_text


def embedded(nodes: Sequence[Node] | Node) -> SafeString:
    """Return nodes for a script element; no text in them can end it."""
    return mark_safe(script_text(nodes))


def publisher() -> Publisher:
    """Return the publisher of this site for structured data."""
    return Publisher(site_address(), f"{settings.SITE_URL}{asset('site/icon.svg')}")
