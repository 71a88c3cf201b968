"""The resources of agents, next to tools: the guides, as Markdown in every language, codes and the manifest.

A resource is named by its address on the site, and has the content of that address.
"""

from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings
from django.utils import timezone

from aeo import editions, guides
from aeo.discovery import manifest
from aeo.discovery.manifest import NothingIndexed
from aeo.editions import Edition
from aeo.guides import Checked
from aeo.guides.page import guide_page
from aeo.pages import markdown
from aeo.pages.record import Shown
from aeo.texts import speaking
from aeo.web.addresses import address
from aeo.web.caching import MAX_AGE_SECONDS
from aeo.web.languages import split
from compliance.api.protocol.bodies import encode
from compliance.api.reads.codes import codes_body

MARKDOWN, JSON = "text/markdown", "application/json"

GUIDES = "/guides/"
CODES = f"/api/codes?language={settings.LANGUAGE_CODE}"
MANIFEST, SCHEMA = "/aeo-manifest.json", "/aeo-manifest.schema.json"

TEMPLATE = f"{settings.SITE_URL}/{{language}}{GUIDES}{{slug}}"
"""Guides in languages other than English."""


class Listed(NamedTuple):
    """A resource as lists show it."""

    uri: str
    name: str
    title: str
    description: str
    mime_type: str


class Text(NamedTuple):
    """The content of a resource, and for how many seconds it can be cached."""

    uri: str
    mime_type: str
    text: str
    seconds: int


def listed() -> list[Listed]:
    """Return all resources, the guides in English. Raises `CorpusUnavailable`."""
    edition = editions.current(timezone.now())
    shown = [one for one in guides.check(edition).values() if one.holds]
    return [
        Listed(
            address(MANIFEST),
            "manifest",
            "Discovery manifest",
            "Every guide, brand hub and verdict page of this site, with their sources. Up to 512 KB of JSON.",
            JSON,
        ),
        Listed(
            address(SCHEMA),
            "manifest-schema",
            "Schema of the manifest",
            "The JSON Schema of the manifest.",
            JSON,
        ),
        Listed(
            address(CODES),
            "codes",
            "Codes of answers and errors",
            "Every code with its severity and its English sentence, as JSON.",
            JSON,
        ),
        *(
            Listed(address(one.guide.path), one.guide.slug, one.prose.title, one.prose.description, MARKDOWN)
            for one in shown
        ),
    ]


def read(uri: str) -> Text | None:
    """Return the content of a resource; none if there is no such resource.

    Raises `CorpusUnavailable` and, before any page is indexed, `NothingIndexed`.
    """
    path = uri.removeprefix(settings.SITE_URL)
    if path == uri:
        return None
    language, english = split(path)
    edition = editions.current(now := timezone.now())
    made = _JSON[english](edition) if english in _JSON else _guide(edition, english, language)
    if made is None:
        return None
    mime_type, text = made
    return Text(uri, mime_type, text, min(MAX_AGE_SECONDS, edition.seconds_left(now)))


def _guide(edition: Edition, path: str, language: str) -> tuple[str, str] | None:
    checked: Checked | None = guides.check(edition).get(path.removeprefix(GUIDES))
    if checked is None or checked.guide.path != path:
        return None
    with speaking(language):
        return MARKDOWN, markdown.text(Shown(page=guide_page(edition, checked), indexed=checked.holds))


_JSON: dict[str, Callable[[Edition], tuple[str, str]]] = {
    MANIFEST: lambda edition: (JSON, manifest.current(edition).body.decode()),
    CODES: lambda edition: (JSON, encode(codes_body(None, settings.LANGUAGE_CODE)).decode()),
    SCHEMA: lambda edition: (JSON, manifest.current(edition).schema.decode()),
}

__all__ = ["TEMPLATE", "Listed", "NothingIndexed", "Text", "listed", "read"]
