"""`manage.py cases export | import`: the verdict cases in force as files, and files as drafts."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.errors import Refused
from catalog.tables.actions.accounts import program_account
from rules.case_editing.importing import differing, import_cases
from rules.case_editing.selectors import cases_in_force
from rules.cases import CaseError, as_files, digest_of_cases, load_cases

PROGRAM = "command-line"


class Command(BaseCommand):
    """Writes the cases in force as files, and drafts what files say otherwise."""

    help = "Write the verdict cases in force as YAML files, or make drafts of what such files say otherwise."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the subcommands and their arguments."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        export = subcommands.add_parser("export", help="write a file for each topic")
        export.add_argument("folder", type=Path, metavar="DIR", help="an empty folder, or a new one")
        load = subcommands.add_parser(
            "import", help="list how files differ from the cases here, and write nothing unless asked to"
        )
        load.add_argument("folder", type=Path, metavar="DIR", help="the folder of the files")
        load.add_argument("--draft", action="store_true", help="make drafts, which another person approves")

    def handle(self, *args: Any, subcommand: str, folder: Path, **options: Any) -> None:
        """Run one subcommand."""
        try:
            if subcommand == "export":
                self._export(folder)
            else:
                self._import(folder, draft=options["draft"])
        except (CaseError, OSError, Refused) as error:
            raise CommandError(str(error)) from error

    def _export(self, folder: Path) -> None:
        cases = cases_in_force()
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise CommandError(f"{folder} is not empty, so nothing was written.")
        files = as_files(cases)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        self.stdout.write(f"{len(cases)} cases in {len(files)} files. SHA-256: {digest_of_cases(cases)}")

    def _import(self, folder: Path, *, draft: bool) -> None:
        cases = load_cases(folder)
        found = import_cases(cases, by=program_account(PROGRAM)) if draft else differing(cases)
        listed = {
            "new": [one.name for one in found.new],
            "changed": [one.name for one in found.changed],
            "has an open revision": found.occupied,
            "only here": found.only_here,
        }
        for what, names in listed.items():
            for name in names:
                self.stdout.write(f"{what}: {name}")
        written = len(found.new) + len(found.changed)
        did = f"{written} drafts were made." if draft else "Nothing was written; `--draft` makes drafts."
        self.stdout.write(f"{len(cases)} cases in the files, {written} new or changed. {did}")
