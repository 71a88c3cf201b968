"""`manage.py receipts new-key | list`: the keys that sign receipts."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from catalog.signing_keys import new_seed, signing_key
from compliance.records.receipts.keyring import keyring


class Command(BaseCommand):
    """Make a key, and list those of this installation."""

    help = "Make a key for receipts; list the keys of this installation."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the two subcommands."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        subcommands.add_parser("new-key", help="make a key and print it; nothing is stored")
        subcommands.add_parser("list", help="list the published keys, without their secrets")

    def handle(self, *args: Any, subcommand: str, **options: Any) -> None:
        """Run one subcommand."""
        if subcommand == "new-key":
            self._make()
        else:
            self._list()

    def _make(self) -> None:
        seed = new_seed()
        public = signing_key(seed).public
        self.stdout.write("A new key, shown only this once. Store its seed only in RECEIPT_KEYS:")
        self.stdout.write(f"  seed    {seed}")
        self.stdout.write(f"  kid     {public.kid}")
        self.stdout.write(f"  public  {public.x}")

    def _list(self) -> None:
        ring = keyring()
        for key in ring.published:
            signs = ring.signer is not None and key == ring.signer.key.public
            self.stdout.write(f"{key.kid}  {'signs' if signs else 'published':<9}  public {key.x}")
        if not ring.published:
            self.stdout.write(
                "There is no key. Make one with `receipts new-key` and put it into RECEIPT_KEYS."
            )
