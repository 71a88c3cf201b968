"""What pages show again and again, made once: structured data in a script, and a source as a list item.

Called by the views.
"""

from collections.abc import Sequence
from functools import lru_cache

from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from aeo.texts import active, say
from aeo.web.assets import asset
from aeo.web.caching import site_address
from aeo.web.formatting import day, listed
from aeo.web.jsonld import Node, Publisher, script_text
from rules.engine.corpus import Citation
from rules.engine.facts import Source


def embedded(nodes: Sequence[Node] | Node) -> SafeString:
    """Return nodes ready to stand inside a script element, which no text of theirs can end."""
    return mark_safe(script_text(nodes))


def publisher() -> Publisher:
    """Return who publishes this site, as structured data name it."""
    return Publisher(site_address(), f"{settings.SITE_URL}{asset('site/icon.svg')}")


def source_item(citation: Citation) -> SafeString:
    """Return a source as an item of a list: who said it, of what kind and where, and when it was read."""
    return _item(citation, active())


def source_note(source: Citation | Source) -> str:
    """Return of what kind a source is, where it counts and when it was read."""
    read = source.pulled_at if isinstance(source, Citation) else source.read_on
    kind = say(f"source.kind.{source.kind}")
    return listed([kind, source.jurisdiction, say("source.read", date=day(read))])


# Thousands of pages cite the same few hundred sources, each page dozens of them.
@lru_cache(maxsize=8192)
def _item(citation: Citation, language: str) -> SafeString:
    """Return a source as an item in a language, which is the active one."""
    return format_html(
        '<li><a href="{}" rel="external">{}</a> <small>{}</small></li>\n',
        citation.url,
        citation.authority,
        source_note(citation),
    )
