"""The texts and links of page templates, in the active language. Templates contain no text of their own."""

import datetime
from collections.abc import Iterable

from django import template
from django.conf import settings
from django.utils.html import conditional_escape, escape, format_html
from django.utils.safestring import SafeString, mark_safe

from aeo.pages import parts
from aeo.texts import active
from aeo.texts import say as said
from aeo.web import formatting, languages
from rules.selectors.evidence import Cited
from rules.wording.translating import SOURCE_LANGUAGE

register = template.Library()

FIRST_PLACE = 0xE000
"""The first of the characters without a meaning of their own (Unicode's private use area)."""


@register.simple_tag
def say(key: str, **values: str | int) -> str:
    """Return a text by its key, filled in."""
    return said(key, **values)


@register.simple_tag
def say_with(key: str, **values: str) -> SafeString:
    """Return a text by its key, filled with markup from the template; the text itself is escaped."""
    # A text contains no markup: it is filled with characters that no one types, and then escaped.
    places = {name: chr(FIRST_PLACE + number) for number, name in enumerate(values)}
    shown: str = escape(said(key, **places))
    for name, place in places.items():
        shown = shown.replace(place, conditional_escape(values[name]))
    return mark_safe(shown)


@register.simple_tag
def quoted(note: str) -> SafeString:
    """Return English words of a record: a quotation on a page in another language."""
    if active() == SOURCE_LANGUAGE:
        return escape(note)
    return format_html('<q lang="en">{}</q>', note)


@register.simple_tag
def comma() -> str:
    """Return the separator of the items of a list."""
    return formatting.comma()


@register.simple_tag
def gap() -> str:
    """Return the separator of two sentences."""
    return formatting.gap()


@register.filter
def in_thousands(value: int) -> str:
    """Return `20,000`."""
    return formatting.number(value)


@register.filter
def in_words(at: datetime.datetime) -> str:
    """Return `20 November 2026, 12:30 UTC`."""
    return formatting.instant_words(at)


@register.filter
def as_duration(seconds: int) -> str:
    """Return `27 seconds`."""
    return formatting.duration(seconds)


@register.filter
def as_day(date: datetime.date) -> str:
    """Return `20 November 2026`."""
    return formatting.day(date)


@register.filter
def source_read(source: Cited) -> str:
    """Return when a source was read, and if it was not its own page, what was read."""
    return parts.source_read(source)


@register.simple_tag
def newest(citations: Iterable[Cited]) -> datetime.date:
    """Return the newest day on which one of some sources was read."""
    return max(citation.pulled_at for citation in citations)


@register.simple_tag
def page(path: str) -> str:
    """Return the path of a page in the active language."""
    return languages.localized(path)


@register.simple_tag
def language_tag() -> str:
    """Return the BCP 47 tag of the active language."""
    return languages.tag(active())


@register.simple_tag
def alternate_links(path: str) -> SafeString:
    """Return the links to a page, given by its English path, in every language; none if it has only one.

    A loop in a template would take as long as a verdict.
    """
    found = languages.alternates(path) if languages.is_page(path) else []
    if len(found) < 2:
        return SafeString()
    named = [*((one.tag, one.path) for one in found), ("x-default", path)]
    return mark_safe(
        "".join(
            f'\n    <link rel="alternate" hreflang="{tag}" href="{escape(site() + at)}">' for tag, at in named
        )
    )


@register.simple_tag
def site() -> str:
    """Return the base address of this service, without a final slash."""
    return str(settings.SITE_URL)
