"""Pages in several languages: English at the root, each other language below its code (`/ja/guides`).

Only pages have languages. What programs read (the API, feeds, files, pictures) has one address. Called by all
code that writes addresses of pages, and by the middleware that reads them.
"""

from typing import NamedTuple

from django.conf import settings

from aeo.texts import active

NO_PAGES = (
    "/api/",
    "/sandbox/",
    f"/{settings.ADMIN_PATH}",
    "/static/",
    "/feeds/",
    "/mcp",
    "/metrics",
    "/openapi.yaml",
    "/developers",
    "/partners",
)
"""The starts of addresses with one language or none. A last part with a dot also names a file."""

DOTTED_PAGES = "/rulesets/"
"""The folder of pages whose last part may contain a dot: that of the second release of a day."""


class Alternate(NamedTuple):
    """A page in one language. `tag` is its BCP 47 tag; `name` is its own name for itself."""

    tag: str
    name: str
    path: str


def localized(path: str, language: str | None = None) -> str:
    """Return the path of a page in a language, by default the active one.

    Paths of files stay as they are, and so do addresses of other sites.
    """
    code = language or active()
    if code == settings.LANGUAGE_CODE or not is_page(path):
        return path
    return f"/{code}" if path == "/" else f"/{code}{path}"


def split(path: str) -> tuple[str, str]:
    """Return the language of a path, and its path in English."""
    code, _, rest = path.removeprefix("/").partition("/")
    if code in dict(settings.LANGUAGES) and code != settings.LANGUAGE_CODE and is_page(f"/{rest}"):
        return code, f"/{rest}"
    return settings.LANGUAGE_CODE, path


def is_page(path: str) -> bool:
    """Tell whether a path, in English or another language, belongs to a page; an outside address does not."""
    if not path.startswith("/") or path.startswith(("//", *NO_PAGES)):
        return False
    return DOTTED_PAGES in path or "." not in path.partition("?")[0].rpartition("/")[2]


def alternates(path: str) -> list[Alternate]:
    """Return a page, given by its English path, in every language."""
    return [Alternate(tag(code), str(name), localized(path, code)) for code, name in settings.LANGUAGES]


def tag(language: str | None = None) -> str:
    """Return the BCP 47 tag of a language, by default the active one: `zh-Hans`."""
    language = language or active()
    primary, _, script = language.partition("-")
    return f"{primary}-{script.title()}" if script else primary
