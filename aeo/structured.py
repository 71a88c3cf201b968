"""What pages show again and again, made once: structured data in a script, and a source as a list item.

Called by the views.
"""

from collections.abc import Sequence
from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from aeo.jsonld import Node, script_text
from aeo.pages.words import day
from rules.engine.corpus import Citation


def embedded(nodes: Sequence[Node]) -> SafeString:
    """Return nodes ready to stand inside a script element, which no text of theirs can end."""
    return mark_safe(script_text(nodes))


# Thousands of pages cite the same few hundred sources, each page dozens of them.
@lru_cache(maxsize=4096)
def source_item(citation: Citation) -> SafeString:
    """Return a source as an item of a list: who said it, of what kind and where, and when it was read."""
    return format_html(
        '<li><a href="{}" rel="external">{}</a> <small>{}, {}, read {}</small></li>\n',
        citation.url,
        citation.authority,
        citation.kind,
        citation.jurisdiction,
        day(citation.pulled_at),
    )
