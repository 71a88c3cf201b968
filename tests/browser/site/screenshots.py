"""Pictures of every page, for people to look at: on a phone, a tablet and a desk, in light and dark."""

import html
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from playwright.sync_api import BrowserContext

from aeo.web.languages import localized
from checks.public_pages import PublicPage

TALLEST = 6000
"""CSS pixels. What stands below is more of the same."""


class View(NamedTuple):
    """One way to look at a page."""

    language: str
    width: int
    dark: bool = False

    @property
    def name(self) -> str:
        """Return the name of its pictures."""
        return f"{self.language}-{self.width}{'-dark' if self.dark else ''}"


# German has the longest words, Japanese none that a space ends.
VIEWS = (
    View("en", 390),
    View("en", 390, dark=True),
    View("en", 768),
    View("en", 1440),
    View("de", 390),
    View("de", 1440),
    View("ja", 390),
    View("ja", 1440),
)


class Album:
    """A folder of pictures, with a page that shows them all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kinds: list[str] = []
        folder.mkdir(parents=True, exist_ok=True)

    def take(self, visitor: BrowserContext, what: PublicPage) -> None:
        """Take all pictures of a page."""
        self.kinds.append(what.kind)
        with visitor.new_page() as page:
            shown = ""
            for view in _views():
                page.set_viewport_size({"width": view.width, "height": 900})
                page.emulate_media(color_scheme="dark" if view.dark else "light", reduced_motion="reduce")
                if view.language != shown:
                    page.goto(localized(what.path, view.language))
                    shown = view.language
                height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
                page.screenshot(
                    path=self._picture(what.kind, view),
                    full_page=True,
                    clip={"x": 0, "y": 0, "width": view.width, "height": height},
                )

    def bind(self) -> None:
        """Write the page that shows them all."""
        sections = "".join(self._section(kind) for kind in self.kinds)
        (self.folder / "index.html").write_text(
            "<!doctype html><html lang=en><meta charset=utf-8><title>Every page</title><style>"
            "body{font:1rem/1.4 system-ui;margin:1rem;background:#ddd}"
            "div{display:flex;flex-wrap:wrap;gap:1rem;align-items:start}figure{margin:0}"
            "img{max-block-size:40rem;object-fit:cover;object-position:top}"
            f"</style><h1>Every page</h1>{sections}"
        )

    def _section(self, kind: str) -> str:
        figures = "".join(
            f'<figure><figcaption>{view.name}</figcaption><a href="{source}">'
            f'<img src="{source}" alt="{kind}, {view.name}" width={view.width // 2} loading=lazy>'
            "</a></figure>"
            for view in _views()
            for source in [html.escape(self._picture(kind, view).name)]
        )
        return f"<h2>{html.escape(kind)}</h2><div>{figures}</div>"

    def _picture(self, kind: str, view: View) -> Path:
        return self.folder / f"{kind}-{view.name}.png"


def _views() -> Iterator[View]:
    languages = dict(settings.LANGUAGES)
    return (view for view in VIEWS if view.language in languages)
