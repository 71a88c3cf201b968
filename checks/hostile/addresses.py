"""Every address of the service, from the table that requests are matched with."""

import re
from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RegexPattern

PLACE = re.compile(r"<[^>]+>")
"""The place of a parameter in an address."""


def routes() -> list[tuple[str, URLPattern]]:
    """Return each address, with the places of its parameters such as `<str:name>`, and its view."""
    return [*_below("/", get_resolver())]


def admin_addresses() -> list[str]:
    """Return all addresses under `/admin/`, with a 1 in place of each parameter."""
    return [path for path, _ in admin_patterns()]


def admin_patterns() -> list[tuple[str, URLPattern]]:
    """Return each address under `/admin/` with its view."""
    return [(PLACE.sub("1", path), found) for path, found in routes() if path.startswith("/admin/")]


def _below(prefix: str, resolver: URLResolver) -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        pattern = entry.pattern
        text = (
            re.sub(
                r"\(\?P<\w+>.*?\)|\(\.\*\)|[\^$?]", lambda m: "<re>" if len(m[0]) > 1 else "", str(pattern)
            )
            if isinstance(pattern, RegexPattern)
            else str(pattern)
        )
        if isinstance(entry, URLResolver):
            yield from _below(prefix + text, entry)
        else:
            yield prefix + text, entry
