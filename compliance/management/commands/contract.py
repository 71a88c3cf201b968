"""`manage.py contract --write | --check`: keep the published contract in line with the code."""

import difflib
from argparse import ArgumentParser
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from compliance.api.contract.generator import contract
from compliance.api.protocol.caching import CONTRACT

SHOWN_LINES = 60


class Command(BaseCommand):
    """Writes or checks `docs/contract/openapi.yaml`. Needs no database."""

    help = "Write the OpenAPI contract that the service publishes, or check that it matches the code."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the two things to do."""
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--write", action="store_true", help="write the contract made from the code")
        what.add_argument("--check", action="store_true", help="fail if the written contract differs from it")

    def handle(self, *, write: bool, **options: Any) -> None:
        """Do one of them."""
        made = contract()
        if write:
            CONTRACT.parent.mkdir(parents=True, exist_ok=True)
            CONTRACT.write_bytes(made)
            self.stdout.write(f"Wrote {CONTRACT.name}. Review the difference before you commit it.")
            return
        written = CONTRACT.read_bytes() if CONTRACT.exists() else b""
        if written != made:
            raise CommandError(
                f"{CONTRACT.name} does not match the code. Run `make contract` and review the difference:\n"
                + "\n".join(islice(_difference(written, made), SHOWN_LINES))
            )


def _difference(written: bytes, made: bytes) -> Any:
    return difflib.unified_diff(
        written.decode().splitlines(), made.decode().splitlines(), "as written", "as made", lineterm="", n=2
    )
