"""Pictures of the desk for its guide, `docs/editing-rules.md`: small files, made while the tests walk."""

import io
import re
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from compliance.services.embedded import REPOSITORY

GUIDE = REPOSITORY / "docs" / "editing-rules.md"
FOLDER = GUIDE.parent / "pictures"
WIDTH, HEIGHT = 1280, 760
COLORS = 96


def named(text: str) -> list[str]:
    """Return the pictures that a text shows, in its order. Each has a width and a text for who cannot see."""
    return re.findall(r'<img src="pictures/([a-z-]+)\.png" width="860" alt="[^"]+">', text)


def take(folder: Path | None, name: str, page: Page) -> None:
    """Write a picture of what a page shows, once nothing on it is waited for. Without a folder, only wait."""
    expect(page.locator(".rule-busy, .recall-busy")).to_have_count(0)
    if folder is None:
        return
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    folder.mkdir(exist_ok=True)
    shot = Image.open(io.BytesIO(page.screenshot(animations="disabled", caret="hide"))).convert("RGB")
    few = shot.quantize(COLORS, dither=Image.Dither.NONE)
    few.save(folder / f"{name}.png", optimize=True)
