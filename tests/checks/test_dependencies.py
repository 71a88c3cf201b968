"""What `make check` says of the requirements is found where it is wrong."""

import json

import pytest

from checks.dependencies import locks
from checks.dependencies.__main__ import LOCK, WIDER, text

HASH = "    --hash=sha256:" + "0" * 64


@pytest.mark.parametrize(
    "line",
    [
        "one>=1.0",
        "one",
        "one @ https://example.com/one.whl",
        "git+https://example.com/one.git",
        "-e .",
        "--index-url https://example.com/simple",
        "--extra-index-url https://example.com/simple",
        "one==1.*",
    ],
)
def test_what_is_not_pinned_by_name_and_version_is_found(line: str) -> None:
    assert list(locks.wrong_in_lock(f"{line} \\\n{HASH}\n", ""))


def test_a_pin_without_a_hash_is_found() -> None:
    assert list(locks.wrong_in_lock("one==1.0\n", "")) == ["`one==1.0` has no hash"]
    assert list(locks.wrong_in_lock(f"one==1.0 \\\n{HASH}\n    # via two\n", "")) == []


def test_a_requirement_that_is_not_what_is_locked_is_found() -> None:
    lock = f"one-two[x]==1.0 ; python_version < '3.13' \\\n{HASH}\n"
    assert list(locks.wrong_in_lock(lock, "One_Two[x]==1.0  # why\n\n-r other.txt\n")) == []
    for asked in ("one-two==1.1", "three==1.0", "one-two"):
        assert list(locks.wrong_in_lock(lock, f"{asked}  # why"))
    assert list(locks.wrong_between(lock, lock.replace("1.0", "1.1")))


@pytest.mark.parametrize(
    ("terms", "allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("MPL-1.1 OR GPL-2.0-only OR LGPL-2.1-or-later", True),
        ("MIT AND GPL-2.0-only", False),
        ("AGPL-3.0", False),
        ("", False),
    ],
)
def test_terms_are_read_as_they_are_meant(terms: str, allowed: bool) -> None:
    assert locks.is_allowed(terms) is allowed


@pytest.mark.parametrize(
    "package",
    [
        {"license": "MIT"},
        {"integrity": "sha1-x", "license": "MIT"},
        {"integrity": "sha512-x", "resolved": "git+ssh://example.com/x.git"},
        {"integrity": "sha512-x", "license": "GPL-3.0"},
    ],
)
def test_an_odd_package_of_npm_is_found(package: dict[str, str]) -> None:
    sound = {"": {}, "node_modules/one": {"integrity": "sha512-x", "license": "MIT"}}
    assert list(locks.wrong_in_npm_lock(json.dumps({"packages": sound}))) == []
    assert list(locks.wrong_in_npm_lock(json.dumps({"packages": sound | {"node_modules/two": package}})))


def test_all_that_is_locked_is_read() -> None:
    for lock in (text(LOCK), text(WIDER)):
        assert len(list(locks.pins(lock))) == lock.count("==") - lock.count("#    make lock ==") - markers(
            lock
        )


def markers(lock: str) -> int:
    """Return how many `==` of a lock stand in markers."""
    return sum(line.partition(";")[2].count("==") for line in lock.splitlines())
