"""What keeps somebody from using a page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

WCAG_22_AA = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
HABITS = "best-practice"
"""What no criterion asks for, and readers of screens are used to: landmarks, and headings in their order."""


def barriers(page: Page, *also: str) -> list[str]:
    """Return what keeps somebody from using a page, by the rules of WCAG 2.2 AA that a program can check.

    `also` names further kinds of rules, such as `HABITS`.
    """
    rules = {"type": "tag", "values": [*WCAG_22_AA, *also]}
    found = Axe().run(page, options={"runOnly": rules, "resultTypes": ["violations"]}).response
    return [
        f"{rule['id']}: {node['target']}: {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
