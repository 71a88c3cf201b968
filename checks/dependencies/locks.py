"""What can be said of the requirements without asking anybody: whence they come, and under which terms.

Pure but for `installed_licenses`: texts in, what is wrong out. Called by `checks.dependencies` and its tests.
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
    "Mozilla Public License", "PSF", "Python Software Foundation", "Unlicense", "WTFPL", "Zlib",
)  # fmt: skip
"""Terms under which this service may be run, changed and passed on. GPL and AGPL are none of them."""

READ_BY_HAND = {
    "axe-playwright-python": "MIT, and axe itself MPL-2.0, by the files that it comes with",
    "zen-engine": "MIT, by the files that it comes with",
}
"""Packages whose metadata does not say it, and what somebody read instead."""


def pins(lock: str) -> Iterator[tuple[str, str, str]]:
    """Return each requirement of a lock: its name, its version, and what is wrong with it, if anything."""
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
    """Return what is wrong with a lock, and where it says something else than its requirements."""
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
            yield f"`{asked}` is not what is locked: run `make lock`"


def wrong_between(lock: str, wider: str) -> Iterator[str]:
    """Return what two locks lock in two versions, where the second is to hold the first."""
    versions = {name: version for name, version, _ in pins(wider)}
    for name, version, _ in pins(lock):
        if versions.get(name) != version:
            yield f"`{name}` is {version} for the service and {versions.get(name)} for development"


def wrong_in_npm_lock(lock: str) -> Iterator[str]:
    """Return what is wrong with a lock of npm: packages without a hash, from elsewhere, or with odd terms."""
    packages: Mapping[str, Mapping[str, Any]] = json.loads(lock)["packages"]
    for name, package in packages.items():
        if not name:
            continue
        if not str(package.get("integrity", "")).startswith("sha512-"):
            yield f"`{name}` has no hash"
        if str(package.get("resolved", "https://")).partition("://")[0] != "https":
            yield f"`{name}` comes from {package['resolved']}"
        terms = str(package.get("license", ""))
        if terms and not is_allowed(terms):
            yield f"`{name}` comes under {terms}"


def installed_licenses() -> Iterator[tuple[str, str]]:
    """Return the names of what is installed here, and the terms that each says it comes under."""
    for found in distributions():
        yield normal(found.metadata["Name"]), _terms(found)


def is_allowed(terms: str) -> bool:
    """Tell whether one of the terms that may be chosen is allowed, and all that come together are."""
    choices = re.split(r"\s+OR\s+", terms.strip("()"))
    return any(
        all(any(known in part for known in TERMS) for part in re.split(r"\s+AND\s+", choice))
        for choice in choices
    )


def normal(name: str) -> str:
    """Return the one spelling of a name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _terms(found: Distribution) -> str:
    said = found.metadata
    if "License-Expression" in said:
        return str(said["License-Expression"])
    classifiers = [line for line in said.get_all("Classifier") or [] if line.startswith("License ::")]
    if named := [line.rpartition(" :: ")[2] for line in classifiers if line != "License :: OSI Approved"]:
        # Several classifiers are a choice more often than not.
        return " OR ".join(named)
    return next(iter(str(said["License"]).splitlines()), "") if "License" in said else ""
