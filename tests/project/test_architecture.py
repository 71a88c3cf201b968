"""docs/architecture.md is true: its picture, the order of its folders, and the way of its walks."""

import ast
import re

import pytest

from compliance.services.embedded import REPOSITORY
from tests.support.import_graph import ROOMS, between_siblings, imports, packages

PAGE = (REPOSITORY / "docs" / "architecture.md").read_text()

REGISTRIES = {"admin", "management", "migrations", "models", "static", "tasks", "templatetags", "urls"}
"""Where Django and Celery look, and what serves them; they may import all folders of their room."""

OUTSIDE = (r"\.ci", "bench", "checks", "clients", "docs", "locale", "templates", "tests")

HOP = re.compile(r"^ *\d+\. (?:`(\S+?)`(?: `(\w+)`)?)?", re.M)
"""A step of a walk: a file, and a function or class in it. A step that runs inside another is indented."""


def _section(heading: str) -> str:
    return PAGE.partition(f"\n{heading}\n")[2].partition("\n## ")[0].partition("\n### ")[0]


def _walks() -> list[tuple[str, str]]:
    return [(path, name) for path, name in HOP.findall(PAGE.partition("\n## Three walks\n")[2])]


def _folders(room: str) -> list[str]:
    """Return the names in the first column of a room's table, in their order."""
    table = re.search(rf"\n### {room}: .*?\n(.*?)(?=\n##|\Z)", PAGE, re.S)
    assert table, room
    cells = re.findall(r"^\| (`.*?) \|", table[1], re.M)
    return [name.strip("/") for cell in cells for name in re.findall(r"`(\S+?)`", cell)]


def test_the_picture_shows_which_room_imports_which() -> None:
    drawn = set(re.findall(r"^    (\w+) --> (\w+)$", PAGE, re.M))
    rooms = {(a.split(".")[0], b.split(".")[0]) for a, names in imports().items() for b in names}
    assert drawn == {(above, below) for above, below in rooms if above != below}


@pytest.mark.parametrize("room", ROOMS)
def test_the_table_of_a_room_names_its_folders(room: str) -> None:
    named = {name for name in _folders(room) if not name.endswith(".py")}
    there = {
        name.split(".")[1] for name in packages() if name.count(".") == 1 and name.startswith(f"{room}.")
    }
    assert named == there - REGISTRIES


@pytest.mark.parametrize("room", ROOMS)
def test_a_folder_imports_only_folders_below_it_in_the_table(room: str) -> None:
    order = {f"{room}.{name.removesuffix('.py')}": place for place, name in enumerate(_folders(room))}
    upward = {
        (above, below)
        for above, below in between_siblings(imports())
        if above in order and below in order and order[above] >= order[below]
    }
    assert upward == set()


def test_each_hop_of_a_walk_is_there() -> None:
    assert len(_walks()) > 20
    for path, name in _walks():
        tree = ast.parse((REPOSITORY / path).read_text())
        defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert name in defined, f"{path} does not define {name}"


def test_every_file_and_folder_that_the_page_names_is_there() -> None:
    named = re.findall(rf"`((?:{'|'.join((*ROOMS, *OUTSIDE))})/[^`]*)`", PAGE)
    assert named
    assert [path for path in named if not (REPOSITORY / path).exists()] == []


def test_the_tables_name_each_folder_once() -> None:
    orders = [_folders(room) for room in ROOMS]
    assert all(len(set(order)) == len(order) for order in orders)
    assert sum(map(len, orders)) > 50
