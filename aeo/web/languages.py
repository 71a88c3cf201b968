"""Pages in several languages: English at the root, each other language below its code (`/ja/guides`).

Only pages have languages. What programs read (the API, feeds, files, pictures) has one address. Called by
whatever writes addresses of pages, and by the middleware that reads them.
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
)
"""Where addresses begin of what is in one language or in none; beside these, a last part with a dot in it
names a file."""

DOTTED_PAGES = "/rulesets/"
"""The folder of pages whose last part may have a dot in it: that of the second release of a day."""


class Alternate(NamedTuple):
    """A page in one language. `tag` is that of BCP 47; `name` is what its speakers call it."""

    tag: str
    name: str
    path: str


def localized(path: str, language: str | None = None) -> str:
    """Return the path of a page in a language, the active one if none is named.

    Paths of files stay as they are, and so do addresses of other sites.
    """
    code = language or active()
    if code == settings.LANGUAGE_CODE or not is_page(path):
        return path
    return f"/{code}" if path == "/" else f"/{code}{path}"


def split(path: str) -> tuple[str, str]:
    """Return the language that a path asks for, and the path that it has in English."""
    code, _, rest = path.removeprefix("/").partition("/")
    if code in dict(settings.LANGUAGES) and code != settings.LANGUAGE_CODE and is_page(f"/{rest}"):
        return code, f"/{rest}"
    return settings.LANGUAGE_CODE, path


def is_page(path: str) -> bool:
    """Tell whether a path, in English or in another language, is one of a page; an address outside is not."""
    if not path.startswith("/") or path.startswith(("//", *NO_PAGES)):
        return False
    return DOTTED_PAGES in path or "." not in path.partition("?")[0].rpartition("/")[2]


def alternates(path: str) -> list[Alternate]:
    """Return a page, named by its path in English, in every language."""
    return [Alternate(tag(code), str(name), localized(path, code)) for code, name in settings.LANGUAGES]


def tag(language: str | None = None) -> str:
    """Return the tag of BCP 47 for a language, the active one if none is named: `zh-Hans`."""
    language = language or active()
    primary, _, script = language.partition("-")
    return f"{primary}-{script.title()}" if script else primary
