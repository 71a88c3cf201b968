"""The documents that are published, in the order of their list, each with its Markdown.

A file that is not listed here is not published, and links to it become plain text. A part of a
document below the heading `For operators` is not published either.
"""

import functools
import hashlib
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from aeo.documentation import changes, links, rendering

ROOT = Path(settings.BASE_DIR)

WRITTEN_FOR = "http://127.0.0.1:8000"
"""The address of the service in the files."""

INDEX = ""
"""The name of the first page, `/developers` itself."""

CHANGES = "changes"
"""The name of the page that is made from the changelog."""

FILES: dict[str, str] = {
    INDEX: "docs/developers.md",
    "quick-start": "docs/quick-start.md",
    "integrating": "docs/integrating.md",
    "clients-guide": "clients/README.md",
    "client-python": "clients/python/README.md",
    "client-javascript": "clients/js/README.md",
    "authentication": "docs/authentication.md",
    "partner-pages": "docs/partner-pages.md",
    "limits": "docs/limits.md",
    "errors": "docs/errors.md",
    "codes": "docs/codes.md",
    "paging": "docs/paging.md",
    "caching": "docs/caching.md",
    "itineraries": "docs/itineraries.md",
    "batch": "docs/batch.md",
    "examples": "docs/examples.md",
    "agents": "docs/agents.md",
    "embed": "docs/embed.md",
    "receipts": "docs/receipts.md",
    "trip-watch": "docs/trip-watch.md",
    "webhooks": "docs/webhooks.md",
    "sandbox": "docs/sandbox.md",
    "integrations": "docs/integrations.md",
    CHANGES: "CHANGELOG.md",
}
"""The published files by the last part of their addresses."""

_TITLE = "# "

_FOR_OPERATORS = "\n## For operators\n"


class Document(NamedTuple):
    """A published document. `lead` is its first paragraph in words, `body` all below its title, as Markdown.

    Links in `body` begin with `/` where they lead to this site.
    """

    name: str
    title: str
    lead: str
    body: str

    @property
    def path(self) -> str:
        """Return the path of the page."""
        return path_of(self.name)

    @property
    def markdown(self) -> str:
        """Return the whole document as Markdown with full addresses, so that it can be read anywhere."""
        body = links.rewritten(self.body, lambda url: settings.SITE_URL + url if url.startswith("/") else url)
        return f"# {self.title}\n\n{body}\n"


@functools.cache
def digest() -> str:
    """Return a digest of all published files."""
    return hashlib.sha256(repr(_TEXTS).encode()).hexdigest()


def path_of(name: str) -> str:
    """Return the path of a document."""
    return f"/developers/{name}" if name else "/developers"


def documents() -> dict[str, Document]:
    """Return all documents by name, with the address of this site in their code."""
    return _of_site(settings.SITE_URL)


@functools.lru_cache(maxsize=4)
def _of_site(site: str) -> dict[str, Document]:
    return {name: _document(name, text.replace(WRITTEN_FOR, site)) for name, text in _TEXTS.items()}


def _document(name: str, text: str) -> Document:
    file = FILES[name]
    published = changes.dated(text) if name == CHANGES else text.partition(_FOR_OPERATORS)[0]
    title, _, rest = published.partition("\n")
    body = links.rewritten(rest.strip(), lambda url: _place(file, url))
    first = rendering.sections(body)[0].paragraphs
    if not title.startswith(_TITLE) or not first:
        raise ValueError(f"{file} does not begin with a title and a paragraph")
    return Document(name, title.removeprefix(_TITLE), first[0], body)


def _place(file: str, url: str) -> str | None:
    """Return where a link of a file leads on the site; None if its target is not published."""
    if ":" in url or url.startswith(("/", "#")):
        return url
    target, _, fragment = url.partition("#")
    path = _PATHS.get((ROOT / file).parent.joinpath(target).resolve())
    return path if path is None or not fragment or "#" in path else f"{path}#{fragment}"


_TEXTS = {name: (ROOT / file).read_text() for name, file in FILES.items()}

_PATHS = {
    **{(ROOT / file).resolve(): path_of(name) for name, file in FILES.items()},
    (ROOT / "docs/contract/openapi.yaml").resolve(): "/openapi.yaml",
    (ROOT / "clients/kit/README.md").resolve(): "/developers/clients#python",
}
"""Where files are on the site: documents, the contract, and the kit, which is offered as a package."""
