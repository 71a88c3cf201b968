"""Nothing opens connections to addresses from data but `catalog.fetching`."""

import ast
from collections.abc import Iterator

import pytest

from compliance.services.embedded import REPOSITORY

APPS = ("aeo", "catalog", "compliance", "recalls", "rules")

WAYS_OUT = (
    "aiohttp",
    "asyncio.open_connection",
    "ftplib",
    "http.client",
    "httpcore",
    "httpcore2",
    "httpx",
    "httpx2",
    "poplib",
    "requests",
    "smtplib",
    "socket",
    "ssl",
    "telnetlib",
    "urllib.request",
    "urllib3",
    "websockets",
    "xmlrpc",
)
"""What connections are made with."""

MAY_GO_OUT = {
    "catalog/fetching": "everything that is named in data",
    "aeo/discovery/indexnow.py": "one address, which is a setting",
    "compliance/services": "the services that run beside this one, on this machine",
}


def ways_out(source: str) -> Iterator[str]:
    """Return what a module uses of `WAYS_OUT`, imported by whatever name."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute):
            names.add(ast.unparse(node))
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module") and node.args:
            names.add(ast.unparse(node.args[0]).strip("'\""))
    return (name for name in sorted(names) if f"{name}.".startswith(tuple(f"{way}." for way in WAYS_OUT)))


def test_only_the_fetcher_goes_where_data_says() -> None:
    found = {
        path.relative_to(REPOSITORY).as_posix(): names
        for app in APPS
        for path in (REPOSITORY / app).rglob("*.py")
        if (names := list(ways_out(path.read_text())))
    }
    assert [name for name in found if not name.startswith(tuple(MAY_GO_OUT))] == []
    # Whoever no longer goes out is no longer named.
    assert [place for place in MAY_GO_OUT if not any(name.startswith(place) for name in found)] == []


@pytest.mark.parametrize(
    "line",
    [
        "import httpx2",
        "import httpx as client",
        "from httpcore2 import HTTPConnection",
        "import urllib.request",
        "from urllib import request",
        "from urllib.request import urlopen",
        "from http.client import HTTPSConnection",
        "import socket",
        "importlib.import_module('requests')",
    ],
)
def test_it_sees_this_way_out(line: str) -> None:
    assert list(ways_out(line))


@pytest.mark.parametrize(
    "line",
    [
        "from urllib.parse import urlsplit",
        "from http import HTTPStatus",
        "from . import ssl",
    ],
)
def test_it_leaves_this_line_alone(line: str) -> None:
    assert list(ways_out(line)) == []
