"""What templates of pages say and where they lead, in the active language; they spell no text themselves."""

from django import template
from django.conf import settings

from aeo import languages
from aeo.texts import active
from aeo.texts import say as said

register = template.Library()


@register.simple_tag
def say(key: str, **values: str | int) -> str:
    """Return a text by its key, filled in."""
    return said(key, **values)


@register.simple_tag
def page(path: str) -> str:
    """Return the path of a page in the active language."""
    return languages.localized(path)


@register.simple_tag
def language_tag() -> str:
    """Return the BCP 47 tag of the active language."""
    return languages.tag(active())


@register.simple_tag
def in_languages(path: str) -> list[languages.Alternate]:
    """Return a page, named by its path in English, in every language."""
    return languages.alternates(path)


@register.simple_tag
def site() -> str:
    """Return the address under which readers find this service, without a final slash."""
    return str(settings.SITE_URL)
