"""The texts of pages: each key once, each one said somewhere, each value named."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from aeo.texts import AREAS, TEXTS
from rules.wording.translating import Plural

KEY_IN_TEMPLATE = re.compile(r"{% say(?:_with)? \"([\w.-]+)\"")
VALUE = re.compile(r"%(?!%|\(\w+\)[sd])")
ANYTHING = r"[\w./-]+"
CODE = ("aeo", "compliance")


def sources(suffix: str) -> Iterator[Path]:
    for folder in (*CODE, "templates"):
        yield from (Path(settings.BASE_DIR) / folder).rglob(f"*{suffix}")


def spelled(tree: ast.AST) -> Iterator[str]:
    """The strings of a module as patterns: what is filled in later can be anything."""
    if isinstance(tree, ast.Assign | ast.AnnAssign) and "TEXTS" in ast.unparse(tree).partition("=")[0]:
        return
    match tree:
        case ast.Constant(value=str(text)):
            yield re.escape(text)
        case ast.JoinedStr(values=parts):
            yield "".join(
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else ANYTHING for part in parts
            )
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Add()):
            yield re.escape(text) + ANYTHING
    for child in ast.iter_child_nodes(tree):
        yield from spelled(child)


def test_no_two_areas_share_a_key() -> None:
    counted = Counter(key for area in AREAS.values() for key in area)
    assert [key for key, count in counted.items() if count > 1] == []


def test_every_text_is_said_somewhere() -> None:
    patterns = {
        pattern
        for path in sources(".py")
        for pattern in spelled(ast.parse(path.read_text(encoding="utf-8")))
        if len(pattern) < 100 and re.search(r"[a-z]{2}", pattern.replace(ANYTHING, ""))
    }
    said = re.compile("|".join(sorted(patterns)))
    in_templates = {
        key for path in sources(".html") for key in KEY_IN_TEMPLATE.findall(path.read_text(encoding="utf-8"))
    }

    def is_said(key: str) -> bool:
        # Some are put together from two literals: what they are about, and which one.
        return bool(said.fullmatch(key)) or all(map(said.fullmatch, key.rpartition(".")[::2]))

    assert [key for key in TEXTS if key not in in_templates and not is_said(key)] == []
    assert in_templates - TEXTS.keys() == set()


@pytest.mark.parametrize("key", TEXTS)
def test_every_value_of_a_text_is_named(key: str) -> None:
    text = TEXTS[key]
    forms = [text.one, text.other] if isinstance(text, Plural) else [text]
    for form in forms:
        assert VALUE.search(form) is None
        assert form == form.strip()
        assert form
    if isinstance(text, Plural):
        assert f"%({text.by})" in text.other or text.by == "count"
