"""Every address under `/admin/`, from the table that requests are matched with."""

import re
from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RegexPattern

PLACE = re.compile(r"<[^>]+>")


def admin_addresses() -> list[str]:
    """Return all addresses, with a 1 in place of each parameter."""
    return [path for path, _ in admin_patterns()]


def admin_patterns() -> list[tuple[str, URLPattern]]:
    """Return each address with its view."""
    return [(path, found) for path, found in _below("/", get_resolver()) if path.startswith("/admin/")]


def _below(prefix: str, resolver: URLResolver) -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        pattern = entry.pattern
        text = (
            re.sub(r"\(\?P<\w+>.*?\)|\(\.\*\)|[\^$?]", lambda m: "1" if len(m[0]) > 1 else "", str(pattern))
            if isinstance(pattern, RegexPattern)
            else PLACE.sub("1", str(pattern))
        )
        if isinstance(entry, URLResolver):
            yield from _below(prefix + text, entry)
        else:
            yield prefix + text, entry
