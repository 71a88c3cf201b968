"""`manage.py contract --write | --check`: keep the published contract in line with the code."""

import difflib
import json
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from compliance.api.contract.codes_page import codes_page
from compliance.api.contract.generator import contract
from compliance.api.protocol.caching import CONTRACT
from compliance.api.protocol.codes import SINCE, VERSION, listed, recorded

CODES_PAGE = Path(settings.BASE_DIR) / "docs" / "codes.md"

SHOWN_LINES = 60


class Command(BaseCommand):
    """Writes or checks the files of the contract. Needs no database."""

    help = "Write the OpenAPI contract and its codes, which the service publishes, or check that they match."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the two things to do."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--write", action="store_true", help="write the contract made from the code")
        what.add_argument("--check", action="store_true", help="fail if the written contract differs from it")

    def handle(self, *, write: bool, **options: Any) -> None:
        """Do one of them."""
        _refuse_lost_codes()
        made = {CONTRACT: contract(), SINCE: _versions(), CODES_PAGE: codes_page().encode()}
        for path, content in made.items():
            if write:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                self.stdout.write(f"Wrote {path.name}. Review the difference before you commit it.")
                continue
            written = path.read_bytes() if path.exists() else b""
            if written != content:
                raise CommandError(
                    f"{path.name} does not match the code. Run `make contract` and review the difference:\n"
                    + "\n".join(islice(_difference(written, content), SHOWN_LINES))
                )


def _versions() -> bytes:
    """Return since when each code exists. A new code gets the present version of the contract."""
    versions: dict[str, dict[str, str]] = {}
    for one in listed():
        versions.setdefault(one.kind, {})[one.code] = one.since
    return f"{json.dumps(versions, indent=2)}\n".encode()


def _refuse_lost_codes() -> None:
    """Raise `CommandError` if a code is gone and the contract has no new major version."""
    known = {(one.kind, one.code) for one in listed()}
    lost = sorted(
        f"`{code}`"
        for kind, codes in recorded().items()
        for code, since in codes.items()
        if (kind, code) not in known and _major(since) == _major(VERSION)
    )
    if lost:
        raise CommandError(
            f"The contract has lost {', '.join(lost)}. Clients may depend on a code: keep it, or give the "
            f"contract a new major version. If no release has it, delete it from {SINCE.name}."
        )


def _major(version: str) -> str:
    return version.partition(".")[0]


def _difference(written: bytes, made: bytes) -> Iterator[str]:
    return difflib.unified_diff(
        written.decode().splitlines(), made.decode().splitlines(), "as written", "as made", lineterm="", n=2
    )
