"""Style sheets: a missing brace puts all that follows inside one rule, and no browser says so."""

import re
from pathlib import Path

import pytest
from django.conf import settings

SHEETS = [
    path
    for room in ("compliance", "aeo", "rules", "recalls", "catalog")
    for path in sorted(Path(settings.BASE_DIR, room).glob("static/**/*.css"))
]


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_every_rule_is_closed_before_the_next_one(path: Path) -> None:
    depth = 0
    for number, line in enumerate(re.sub(r'"[^"\n]*"', "", path.read_text()).splitlines(), start=1):
        # What stands at the margin begins a rule, or goes on in a list of its selectors.
        assert depth == 0 or not line or line[0] in " }", f"{path.name}, line {number}"
        depth += line.count("{") - line.count("}")
    assert depth == 0
