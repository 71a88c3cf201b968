"""The imports between modules of the five rooms, read from the source, also those inside functions."""

import ast
import functools
from collections.abc import Iterator, Mapping
from pathlib import Path

from compliance.services.embedded import REPOSITORY

ROOMS = ("aeo", "catalog", "compliance", "recalls", "rules")

Graph = Mapping[str, frozenset[str]]


@functools.cache
def modules() -> Mapping[str, Path]:
    """Return the files of all modules by their dotted names, without migrations."""
    files = [path for room in ROOMS for path in sorted((REPOSITORY / room).rglob("*.py"))]
    return {_name(path): path for path in files if "migrations" not in path.parts}


@functools.cache
def imports() -> Graph:
    """Return for each module the modules of the rooms that it imports."""
    return {name: frozenset(_imported(name, path)) - {name} for name, path in modules().items()}


def packages() -> frozenset[str]:
    """Return the modules that are folders."""
    return frozenset(name for name, path in modules().items() if path.name == "__init__.py")


def between_siblings(graph: Graph) -> frozenset[tuple[str, str]]:
    """Return the imports as pairs of two parts of one package, importer first."""
    pairs = {_siblings(importer, name) for importer, names in graph.items() for name in names}
    return frozenset(pair for pair in pairs if pair is not None)


def circles(graph: Graph) -> list[list[str]]:
    """Return the groups of modules that import each other, directly or through others."""
    reached = {name: _reachable(graph, name) for name in graph}
    groups = {
        tuple(sorted(other for other in names if name in reached[other])) for name, names in reached.items()
    }
    return sorted(list(group) for group in groups if len(group) > 1)


def _reachable(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def _siblings(importer: str, name: str) -> tuple[str, str] | None:
    """Return the parts of the deepest common package that contain two modules, if there is one."""
    left, right = importer.split("."), name.split(".")
    common = 0
    while common < min(len(left), len(right)) and left[common] == right[common]:
        common += 1
    if common in {0, len(left), len(right)}:
        return None
    return ".".join(left[: common + 1]), ".".join(right[: common + 1])


def _name(path: Path) -> str:
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(name: str, path: Path) -> Iterator[str]:
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (found for alias in node.names if (found := _known(alias.name)))
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (found for alias in node.names if (found := _known(f"{base}.{alias.name}")))


def _known(name: str) -> str | None:
    """Return our module that contains a dotted name, if there is one."""
    while name not in modules() and "." in name:
        name = name.rpartition(".")[0]
    return name if name in modules() else None
