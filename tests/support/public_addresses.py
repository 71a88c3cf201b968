"""All public addresses, at least one of each kind, with data of the starter corpus.

`VERSION` in one is a placeholder for the version of the current release.

Any process with a release answers `GIVEN`. `tests.compliance.services.test_without_a_database` checks that no
kind of address is missing.
"""

from collections.abc import Iterable, Iterator

from django.conf import settings

from aeo.documentation.documents import documents
from aeo.web.languages import localized

CHECK = "model=anker-a1263&airline=CA&from=CN&to=JP"

PAGES = (
    "/",
    "/trip",
    "/card/offline",
    "/p/anker-a1263/ca/cn",
    "/p/anker-a1289/sq/jp",
    "/guides",
    "/guides/power-banks-on-emirates",
    "/brands",
    "/brands/anker",
    "/airlines",
    "/airlines?sort=units",
    "/airlines/ek",
    "/airlines/sq",
    "/compare",
    "/compare/ek-qr",
    "/countries",
    "/countries/jp",
    "/models",
    "/models/anker-a1263",
    "/recalls",
    "/recalls/us-cpsc-25-338",
    "/methodology",
    "/coverage",
    "/disagreements",
    "/policy-changes",
    "/map",
    "/map/mark",
    "/timeline",
    "/timeline?who=airline-ek",
    "/about",
    "/data-boundary",
    "/limits-of-this-check",
    "/scorecard",
    "/rulesets",
    "/rulesets/VERSION",
    "/status",
    "/datasets",
    "/embed",
    "/embed/demo",
    "/watch/ended",
)
"""Pages in English; each exists in every language."""

FILES = (
    "/p/anker-a1263/ca/cn.json",
    "/p/anker-a1263/ca/cn.png",
    "/card-worker.js",
    "/aeo-manifest.json",
    "/aeo-manifest.schema.json",
    "/aeo-preview.json",
    "/aeo-datasets.json",
    "/datasets/changes.json",
    "/feeds/rulesets.atom",
    "/feeds/airlines/ek.atom",
    "/feeds/recalls/brands/anker.atom",
    "/feeds/recalls/models/anker-a1263.atom",
    "/feeds/effective-dates.ics",
    "/airlines.csv",
    "/robots.txt",
    "/llms.txt",
    "/sitemap.xml",
    "/sitemaps/pages.xml",
    "/sitemaps/references-1.xml",
    "/sitemaps/verdicts-1.xml",
    "/suggest/models?text=anker",
    "/suggest/airlines?text=emi",
    "/suggest/places?text=tok",
    "/embed.js",
    "/embed/theme.css?round=4",
    "/openapi.yaml",
    "/.well-known/jwks.json",
    "/.well-known/ai-catalog.json",
    "/mcp/server-card",
    "/mcp/server.json",
    "/rulesets/VERSION/proof.json",
    "/api/docs/",
    "/developers/clients",
    "/developers/clients/SHA256SUMS",
    "/developers/clients/vectors.json",
    *(document.path for document in documents().values()),
    "/developers.md",
    "/developers/limits.md",
    "/developers/search?q=limits",
)

READS = (
    "/api/devices",
    "/api/devices?q=anker",
    "/api/devices/anker-a1263",
    "/api/devices/anker-a1263/recalls",
    "/api/recalls",
    "/api/airlines",
    "/api/airlines/EK",
    "/api/places?q=Frankfurt",
    "/api/policy-changes",
    "/api/policy-changes?airline=EK",
    "/api/rules",
    "/api/rules/intl.icao.carry-on-up-to-100wh",
    "/api/sources",
    "/api/coverage",
    "/api/codes",
    "/sandbox/api/devices",
    "/sandbox/api/devices/sandbox-allowed",
    "/sandbox/api/devices/sandbox-allowed/recalls",
    "/sandbox/api/recalls",
    "/sandbox/api/airlines",
    "/sandbox/api/airlines/00",
    "/sandbox/api/places?q=Frankfurt",
    "/sandbox/api/rules",
    "/sandbox/api/rules/sandbox.intl.cabin-up-to-160wh",
    "/sandbox/api/sources",
    "/sandbox/api/codes",
    "/sandbox/api/outcomes",
)


LANGUAGES = tuple(code for code, _ in settings.LANGUAGES)


def pages(languages: Iterable[str] = LANGUAGES) -> Iterator[str]:
    """Return every page in some languages."""
    for code in languages:
        for page in PAGES:
            yield localized(page, code)


def downloads() -> Iterator[str]:
    """Return every file of every dataset of the first release."""
    for name in ("devices", "recalls", "airline-policies", "rules", "disagreements"):
        for file_format in ("jsonl", "csv"):
            yield f"/datasets/VERSION/{name}.{file_format}"
            yield f"/datasets/latest/{name}.{file_format}"


def given(languages: Iterable[str] = LANGUAGES) -> list[str]:
    """Return all addresses that answer a GET."""
    return [*pages(languages), *FILES, *READS, *downloads()]
