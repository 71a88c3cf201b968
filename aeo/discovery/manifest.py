"""The discovery manifest: guides, brand hubs and verdict pages for answer engines, as ready bytes.

Built once per edition and state of the page records, then served unchanged; the thread that follows the
ledger builds the next one. An entry is the record that its page shows. `content_hash` is the SHA-256 of the
canonical JSON (RFC 8785) of everything but itself and `generated_at`, so it changes exactly when content
does. If not all indexed pages fit, the least important entries are left out, and so are the hubs of the
smallest brands if all hubs would take more than half of the room. The counts cover only what is present. So
it does not grow with the catalog.

Called by the views.
"""

import contextlib
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils import timezone

from aeo import editions, guides
from aeo.articles.article import Article, article
from aeo.articles.documents import source
from aeo.brands.hubs import Brand, brands, has_figures
from aeo.discovery.manifest_schema import MANIFEST_VERSION, manifest_schema
from aeo.editions import Edition
from aeo.guides import Checked, in_force
from aeo.page_records import register
from aeo.page_records.register import Register
from aeo.pages.paths import brand_path, model_path
from aeo.texts import model_name, speaking
from aeo.web.addresses import address
from aeo.web.caching import MAX_AGE_SECONDS, STALE_WHILE_REVALIDATE_SECONDS
from aeo.web.documents import encode, encoded, hash_of
from aeo.web.languages import alternates, localized
from catalog.database import cached_values
from rules.corpus import CorpusUnavailable
from rules.engine.errors import Unanswerable
from rules.engine.facts import Device
from rules.wording.translating import SOURCE_LANGUAGE

MAX_BYTES = 440_000
"""How large a manifest is at most. The specification asks for less than 512 KB.

A reader may have that much room for what it makes of the bytes: an indented copy, or one in which letters
outside ASCII are escaped. So a seventh of the room stays free. The sitemaps have every page.
"""

PAUSE_SECONDS = 0.002
"""For how long the thread that follows the ledger leaves the processor to requests after each entry."""

PREVIEW_ENTRIES = 25
"""How many verdict pages the preview shows."""

PURPOSE = (
    "Cited verdicts on whether an exact power bank model may travel on an airline's flights, for answer "
    "engines and agents. Informational: not legal advice, not a certification and no guarantee of "
    "acceptance. Treat only the verdict allowed as allowed, and follow each page to its sources."
)


class NothingIndexed(Exception):
    """There is no manifest yet: the page records are empty, or none can be shown."""


@dataclass(frozen=True)
class Manifest:
    """The manifest, its preview and its schema, as sent."""

    body: bytes
    content_hash: str
    preview: bytes
    schema: bytes
    schema_hash: str


_making = threading.Lock()
_made: tuple[tuple[object, ...], Manifest] | None = None
"""The last manifest and its inputs."""


def current(edition: Edition, pause_seconds: float = 0) -> Manifest:
    """Return the manifest of an edition; the previous one while another thread builds it.

    If this thread builds it, it pauses after each entry. Raises `NothingIndexed`.
    """
    global _made
    pages = register.current()
    key = state(edition, pages)
    made = _made
    # If all threads waited for the one that builds it, no request would be answered meanwhile.
    if made is not None and (made[0] == key or _making.locked()):
        return made[1]
    with _making:
        made = _made
        if made is None or made[0] != key:
            made = _made = (key, make(edition, pages, pause_seconds=pause_seconds))
            # Meanwhile, readers got the previous one.
            cached_values.moved()
        return made[1]


@cached_values.renewing
def _renew() -> None:
    """Build the next manifest before readers ask, in a process whose readers have asked for one."""
    if _made is not None:
        with speaking(SOURCE_LANGUAGE), contextlib.suppress(CorpusUnavailable, NothingIndexed):
            current(editions.current(timezone.now()), PAUSE_SECONDS)


def state(edition: Edition, pages: Register) -> tuple[object, ...]:
    """Return what a manifest depends on."""
    guides_shown = in_force.current().rows
    return edition.release.sha256, edition.opened_at, pages.addresses, guides_shown, settings.SITE_URL


def make(
    edition: Edition, pages: Register, most_bytes: int = MAX_BYTES, pause_seconds: float = 0
) -> Manifest:
    """Build the manifest from the page records of a register. Raises `NothingIndexed`."""
    schema, schema_hash = encoded(manifest_schema(settings.SITE_URL))
    frame = _frame(edition)
    room = most_bytes - len(encode(frame))
    entries = list(_first(_verdicts(edition, pages), room, pause_seconds))
    if not (entries and frame["question_guides"] and frame["brand_hubs"]):
        raise NothingIndexed
    frame["long_tail_verdicts"] = entries
    frame["counts"]["long_tail_verdicts"] = len(entries)
    content_hash = hash_of(frame)
    generated_at = edition.changed_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    body = encode(frame | {"content_hash": content_hash, "generated_at": generated_at})
    return Manifest(body, content_hash, _preview(frame, content_hash), schema, schema_hash)


def _first(
    entries: Iterable[dict[str, Any]], room: int, pause_seconds: float = 0
) -> Iterator[dict[str, Any]]:
    """Yield the first entries that fit into so many bytes together, and pause after each."""
    for entry in entries:
        room -= len(encode(entry)) + 1
        if room < 0:
            return
        yield entry
        if pause_seconds:
            time.sleep(pause_seconds)


def _frame(edition: Edition) -> dict[str, Any]:
    """Return everything but the verdict pages. Hash and time are included for their length."""
    shown = [_guide(one) for one in guides.check(edition).values() if one.holds]
    hubs = [_hub(brand) for brand in brands(edition.release, edition.today) if brand.representative]
    hubs = list(_first(hubs, MAX_BYTES // 2))
    return {
        "$schema": address("/aeo-manifest.schema.json"),
        "manifest_version": MANIFEST_VERSION,
        "content_hash_algorithm": "sha256",
        "content_hash": "0" * 64,
        "generated_at": "0000-00-00T00:00:00Z",
        "site": settings.SITE_URL,
        "ruleset_version": edition.release.ruleset_version,
        "cache_policy": {
            "max_age_seconds": MAX_AGE_SECONDS,
            "stale_while_revalidate_seconds": STALE_WHILE_REVALIDATE_SECONDS,
            "revalidate_on": "content_hash_change",
        },
        "counts": {"question_guides": len(shown), "brand_hubs": len(hubs), "long_tail_verdicts": 10_000},
        "purpose": PURPOSE,
        "question_guides": shown,
        "brand_hubs": hubs,
        "long_tail_verdicts": [],
    }


def _guide(checked: Checked) -> dict[str, Any]:
    prose = checked.prose
    return {
        "type": "guide",
        "url": address(checked.guide.path),
        "slug": checked.guide.slug,
        "title": prose.title,
        "description": prose.description,
        "short_answer": prose.short_answer,
        "faq_count": len(prose.answers),
        "source_count": len(checked.sources),
        "sources": [{"label": one.title, "url": one.url} for one in checked.sources],
        **_in_other_languages(checked.guide.path),
    }


def _in_other_languages(path: str) -> dict[str, dict[str, str]]:
    """Return the address of a page in each other language; empty if there is none."""
    urls = {
        one.tag: f"{settings.SITE_URL}{one.path}" for one in alternates(path) if one.path != localized(path)
    }
    return {"localized_urls": urls} if urls else {}


def _hub(brand: Brand) -> dict[str, Any]:
    url = address(brand_path(brand.name))
    return {
        "type": "brand_hub",
        "url": url,
        "brand_id": brand.brand_id,
        "name": brand.name,
        "model_count": len(brand.models),
        "recent_count": brand.recent_count,
        "near_limit_count": brand.near_limit_count,
        "representative_models": [
            {
                "model_id": device.model_id,
                "model": device.model_name,
                **_figures(device),
                "url": address(model_path(device.model_id)),
            }
            for device in brand.representative
        ],
    }


def _figures(device: Device) -> dict[str, Any]:
    return {"watt_hour": device.watt_hour, "capacity_mah": device.capacity_mah}


def _verdicts(edition: Edition, pages: Register) -> Iterator[dict[str, Any]]:
    """Return the entries of the indexed pages that fit into a manifest, the most important first."""
    for record in pages.pages.values():
        try:
            shown = article(edition, record.model_id, record.airline, record.country)
        except Unanswerable:
            # For a moment after each publishing, the records belong to an earlier release.
            continue
        if shown.fits and has_figures(shown.device):
            yield entry(shown)


def entry(shown: Article) -> dict[str, Any]:
    """Return an article as the manifest lists it."""
    return {
        "type": "verdict",
        "url": address(shown.path),
        "intent": shown.question,
        "model_id": shown.device.model_id,
        "model": model_name(shown.device),
        **_figures(shown.device),
        "airline_code": shown.airline.airline,
        "airline": shown.airline.name,
        "country_code": shown.country.code,
        "country": shown.country.name,
        "verdict": shown.verdict,
        "summary": shown.summary,
        "route_factors": list(shown.route_factors),
        "article_body": shown.body,
        "ruleset_version": shown.release.ruleset_version,
        "citation_count": len(shown.citations),
        "sources": [source(citation) for citation in shown.leading_sources],
    }


def _preview(manifest: dict[str, Any], content_hash: str) -> bytes:
    """Return only the first verdict pages, as a preview."""
    return encode(
        {
            "manifest_url": address("/aeo-manifest.json"),
            "manifest_content_hash": content_hash,
            "ruleset_version": manifest["ruleset_version"],
            "purpose": PURPOSE,
            "long_tail_verdicts": manifest["long_tail_verdicts"][:PREVIEW_ENTRIES],
        }
    )
