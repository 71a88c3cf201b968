"""`manage.py translations`: check that translations are complete, or update their keys from the texts."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from aeo.management import translations


class Command(BaseCommand):
    """Checks (`--check`) or writes (`--write`) the files in `locale/`."""

    help = "Check that every text is translated into every language, or write the files with today's keys."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the two options, one of which is required."""
        mode = parser.add_mutually_exclusive_group(required=True)
        mode.add_argument("--check", action="store_true", help="name what is missing or wrong; exit 1 if any")
        mode.add_argument("--write", action="store_true", help="write the files with the keys of today")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check or write every language."""
        if options["write"]:
            for language in translations.languages():
                self.stdout.write(f"{language}: {translations.bring_in_line(language)} texts to translate")
            return
        found = [
            f"{language}: {problem}"
            for language in translations.languages()
            for problem in translations.problems(language)
        ]
        if found:
            raise CommandError("\n".join([*found, "Translate in locale/, or run `make texts` for new keys."]))
        self.stdout.write(
            f"{len(translations.texts())} texts, each in {len(translations.languages()) + 1} languages."
        )
