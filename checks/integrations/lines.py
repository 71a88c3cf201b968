"""The lines of docs/integrations.md: a tool, what it does with the service, and the command."""

import re
from typing import NamedTuple

from compliance.services.embedded import REPOSITORY

PAGE = REPOSITORY / "docs" / "integrations.md"
_ROW = re.compile(r"^\| (?P<tool>[^|]+) \| (?P<does>[^|]+) \| `(?P<command>[^|`]+)` \|$", re.MULTILINE)


class Line(NamedTuple):
    """A row of the page. `command` is for bash, in a folder with the tools and our examples."""

    tool: str
    does: str
    command: str


def lines(wanted: str = "") -> list[Line]:
    """Return the rows of the page, or those whose tool or command contains a text."""
    found = [Line(*row) for row in _ROW.findall(PAGE.read_text())]
    return [one for one in found if wanted.lower() in f"{one.tool} {one.does} {one.command}".lower()]
