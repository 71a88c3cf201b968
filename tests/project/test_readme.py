"""The examples of the README and of docs/examples.md give the answers that are printed there."""

import json
import re

import pytest
import time_machine
from django.test import Client

from compliance.services.embedded import REPOSITORY
from tests.support.starter import NOW

README = (REPOSITORY / "README.md").read_text()
TEXT = README + (REPOSITORY / "docs" / "examples.md").read_text()

EXAMPLES = re.findall(
    r"^curl -s '?http://127\.0\.0\.1:8000([^\s']+)'? "
    r"(?:-H \S+ \S+ -d '(.*?)')?[^`]*? grep -E '(.*?)'\n```\n\n```\n(.*?)```",
    TEXT,
    flags=re.DOTALL | re.MULTILINE,
)
"""Address, body (empty for a GET), the lines that are shown, and what they say."""


def test_every_example_is_found() -> None:
    assert len(EXAMPLES) == TEXT.count("\ncurl ") >= 6


@pytest.mark.usefixtures("starter_release")
@pytest.mark.parametrize(("path", "body", "shown", "printed"), EXAMPLES)
def test_an_example_gives_what_is_printed_under_it(path: str, body: str, shown: str, printed: str) -> None:
    with time_machine.travel(NOW, tick=False):
        client = Client()
        answer = client.post(path, body, content_type="application/json") if body else client.get(path)
    lines = json.dumps(answer.json(), indent=4).splitlines(keepends=True)
    assert "".join(line for line in lines if re.search(shown, line)) == printed


def test_the_readme_stays_short() -> None:
    assert len(README.splitlines()) <= 150
