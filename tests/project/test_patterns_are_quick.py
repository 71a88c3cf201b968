"""No regular expression of ours takes long, whatever it is put to: nobody stops a thread with a long word."""

import ast
import re
import time
from collections.abc import Iterator

import pytest

from compliance.services.embedded import REPOSITORY

APPS = ("aeo", "catalog", "compliance", "recalls", "rules")

LENGTH = 300
"""Little for a pattern that takes time by the square, and without end for one that doubles it by letter."""
SECONDS = 1.0

WORDS = ("a", "A", "1", " ", "-", ".", "a-", "a.", "1.", "Ab", "a b ", "<a ", "(", "\n", "ä", "a,", "/a")


def patterns() -> Iterator[tuple[str, str]]:
    """Return each pattern that stands in the code, and where."""
    for app in APPS:
        for path in sorted((REPOSITORY / app).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if (
                    isinstance(node, ast.Call)
                    and ast.unparse(node.func).startswith("re.")
                    and node.args
                    and isinstance(node.args[0], ast.Constant)
                    and isinstance(node.args[0].value, str)
                ):
                    yield f"{path.relative_to(REPOSITORY)}:{node.lineno}", node.args[0].value


def slowest(pattern: str) -> float:
    """Return for how many seconds the worst of some long texts keeps a pattern busy."""
    compiled = re.compile(pattern)
    spent = 0.0
    for word in WORDS:
        text = word * (LENGTH // len(word)) + "!"
        for match in (compiled.fullmatch, compiled.search):
            began = time.process_time()
            match(text)
            spent = max(spent, time.process_time() - began)
    return spent


def test_no_pattern_is_slow() -> None:
    found = dict(patterns())
    assert len(found) > 80
    assert [(place, pattern) for place, pattern in found.items() if slowest(pattern) > SECONDS] == []


@pytest.mark.parametrize("pattern", [r"(\w+\s?)*\.x", r"(a|a?)+x"])
def test_a_pattern_that_takes_twice_as_long_with_each_letter_would_be_seen(pattern: str) -> None:
    def seconds(letters: int) -> float:
        began = time.process_time()
        re.compile(pattern).fullmatch("a" * letters + "!")
        return time.process_time() - began

    # The least of some: the processor may have been busy with others.
    assert seconds(18) > 4 * min(seconds(14) for _ in range(5))
