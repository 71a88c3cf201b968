"""The laws of the layout that import-linter cannot say. `docs/architecture.md` says them to readers."""

import ast

import pytest

from aeo.scorecard import figures
from aeo.web.caching import SHOWN_BY
from compliance.services.embedded import REPOSITORY
from rules.scorecard.figures import DECIDED_BY
from tests.support.import_graph import ROOMS, between_siblings, circles, imports, modules, packages

MOST_LOOSE = 60
"""So many modules may lie directly in the five rooms together; `__init__` does not count."""


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circles(imports()) == []


def test_no_two_folders_of_one_package_import_each_other() -> None:
    pairs = between_siblings(imports())
    mutual = {tuple(sorted(pair)) for pair in pairs if (pair[1], pair[0]) in pairs}
    assert {pair for pair in mutual if set(pair) <= packages()} == set()


def test_few_modules_lie_loose_in_a_room() -> None:
    loose = [name for name, path in modules().items() if name.count(".") == 1 and path.name != "__init__.py"]
    assert len(loose) <= MOST_LOOSE


@pytest.mark.parametrize("name", sorted(packages()))
def test_each_folder_says_what_it_is_for(name: str) -> None:
    assert ast.get_docstring(ast.parse(modules()[name].read_text())), f"{name} has no docstring"


def test_all_rooms_are_read() -> None:
    assert {name.split(".")[0] for name in modules()} == set(ROOMS)


def test_a_circle_would_be_found() -> None:
    letters = {name: frozenset[str]() for name in "abcd"} | {
        "a": frozenset("b"),
        "b": frozenset("c"),
        "c": frozenset("a"),
    }
    assert circles(letters) == [["a", "b", "c"]]


def test_neighbors_that_import_each_other_would_be_found() -> None:
    found = between_siblings({"r.one.x": frozenset({"r.two.y"}), "r.two.z": frozenset({"r.one"})})
    assert found == {("r.one", "r.two"), ("r.two", "r.one")}
    assert not any(a == b for a, b in found)


def test_the_folders_by_whose_files_figures_and_pages_are_renewed_are_there() -> None:
    folders = [
        figures.READ_BY,
        *(REPOSITORY / "rules" / name for name in DECIDED_BY),
        *(REPOSITORY / name for name in SHOWN_BY),
    ]
    assert [folder for folder in folders if not any(folder.rglob("*.*"))] == []
