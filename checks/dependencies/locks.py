"""Checks of the requirements without the network: their origin and their licenses.

Pure except for `installed_licenses`: texts in, problems out. Called by `checks.dependencies` and its tests.
"""

import json
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, distributions
from typing import Any

NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"
PIN = re.compile(rf"^(?P<name>{NAME})(\[[^\]]*\])?==(?P<version>[0-9][0-9A-Za-z.!+_-]*)\s*(;[^\\]*)?$")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")

TERMS = (
    "0BSD", "Apache", "BlueOak", "BSD", "CC0", "CNRI-Python", "ISC", "LGPL", "MIT", "MPL",
    "Mozilla Public License", "PSF", "Python-2.0", "Python Software Foundation", "Unlicense", "WTFPL", "Zlib",
)  # fmt: skip
"""Licenses that allow running, changing and redistributing this service. GPL and AGPL are not among them."""

READ_BY_HAND = {
    "@modelcontextprotocol/inspector": "Apache-2.0, and MIT for older contributions",
    "axe-playwright-python": "MIT, and axe itself MPL-2.0, by the files that it comes with",
    "cedarpy": "Apache-2.0, by the file that it comes with",
    "zen-engine": "MIT, by the files that it comes with",
}
"""Packages without a license in their metadata, and the license that a person found instead."""


def pins(lock: str) -> Iterator[tuple[str, str, str]]:
    """Return each requirement of a lock: its name, its version, and its problem, if there is one."""
    for block in re.split(r"\n(?=\S)", re.sub(r"(?m)^#.*\n?", "", lock)):
        lines = [line.strip().rstrip("\\").strip() for line in block.splitlines()]
        first = next(iter(filter(None, lines)), "")
        if not first:
            continue
        found = PIN.match(first)
        if not found:
            yield first, "", f"`{first}` is not pinned by name and version alone"
            continue
        wrong = "" if HASH.search(block) else f"`{first}` has no hash"
        yield normal(found["name"]), found["version"], wrong


def wrong_in_lock(lock: str, requirements: str) -> Iterator[str]:
    """Return the problems of a lock, and its differences from its requirements."""
    locked: dict[str, str] = {}
    for name, version, wrong in pins(lock):
        if wrong:
            yield wrong
        locked[name] = version
    for line in requirements.splitlines():
        asked = line.partition("#")[0].strip()
        if not asked or asked.startswith("-r "):
            continue
        found = PIN.match(asked)
        if not found:
            yield f"`{asked}` is not pinned by name and version alone"
        elif locked.get(normal(found["name"])) != found["version"]:
            yield f"`{asked}` differs from the lock: run `make lock`"


def wrong_between(lock: str, wider: str) -> Iterator[str]:
    """Return the packages with different versions in two locks, of which the second contains the first."""
    versions = {name: version for name, version, _ in pins(wider)}
    for name, version, _ in pins(lock):
        if versions.get(name) != version:
            yield f"`{name}` is {version} for the service and {versions.get(name)} for development"


def wrong_in_npm_lock(lock: str) -> Iterator[str]:
    """Return the problems of an npm lock: a package without a hash, of another origin or license."""
    packages: Mapping[str, Mapping[str, Any]] = json.loads(lock)["packages"]
    for name, package in packages.items():
        if not name:
            continue
        if not str(package.get("integrity", "")).startswith("sha512-"):
            yield f"`{name}` has no hash"
        if str(package.get("resolved", "https://")).partition("://")[0] != "https":
            yield f"`{name}` comes from {package['resolved']}"
        terms = str(package.get("license", ""))
        if terms and name.rpartition("node_modules/")[2] not in READ_BY_HAND and not is_allowed(terms):
            yield f"`{name}` has the license {terms}"


def installed_licenses() -> Iterator[tuple[str, str]]:
    """Return the names of the installed packages, and their licenses."""
    for found in distributions():
        yield normal(found.metadata["Name"]), _terms(found)


def is_allowed(terms: str) -> bool:
    """Return whether one of the alternative licenses is allowed, and all that apply together are."""
    choices = re.split(r"\s+OR\s+", terms.strip("()"))
    return any(
        all(any(known in part for known in TERMS) for part in re.split(r"\s+AND\s+", choice))
        for choice in choices
    )


def normal(name: str) -> str:
    """Return the normal form of a name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _terms(found: Distribution) -> str:
    said = found.metadata
    if "License-Expression" in said:
        return str(said["License-Expression"])
    classifiers = [line for line in said.get_all("Classifier") or [] if line.startswith("License ::")]
    if named := [line.rpartition(" :: ")[2] for line in classifiers if line != "License :: OSI Approved"]:
        # Several classifiers usually mean a choice.
        return " OR ".join(named)
    return next(iter(str(said["License"]).splitlines()), "") if "License" in said else ""
