"""`manage.py staff list | unlock | reset-second-factor`: how people sign in to the admin."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.errors import Refused
from catalog.tables.actions.accounts import program_account
from compliance.signin import actions
from compliance.signin.lockout import locked_names

COMMAND_LINE = "command-line"
"""The account that acts from here."""


class Command(BaseCommand):
    """Help people who cannot sign in, also if no one else can."""

    help = "List the people who may sign in to the admin; unlock a name, or reset a second factor."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the three subcommands and their arguments."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        subcommands.add_parser("list", help="list the people who may sign in, and their second factors")
        for subcommand, does in (
            ("unlock", "forget the failed attempts of a name"),
            ("reset-second-factor", "make a person set up a new second factor"),
        ):
            subcommands.add_parser(subcommand, help=does).add_argument("username")

    def handle(self, *args: Any, subcommand: str, **options: Any) -> None:
        """Run one subcommand."""
        try:
            match subcommand:
                case "list":
                    self._list()
                case "unlock":
                    actions.unlock(by=program_account(COMMAND_LINE), username=options["username"])
                    self.stdout.write(f"Unlocked {options['username']}.")
                case "reset-second-factor":
                    self._reset(options["username"])
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal

    def _list(self) -> None:
        locked = locked_names()
        staff = User.objects.filter(is_staff=True, is_active=True).select_related("second_factor")
        for user in staff.order_by("username"):
            factor = (
                f"since {user.second_factor.since:%Y-%m-%d}" if hasattr(user, "second_factor") else "none"
            )
            signed_in = f"{user.last_login:%Y-%m-%d %H:%M:%SZ}" if user.last_login else "never"
            state = "  locked" if user.username in locked else ""
            self.stdout.write(f"{user.username:<24} second factor {factor:<16} signed in {signed_in}{state}")
        if not staff:
            self.stdout.write("No one may sign in yet. Create an account with `manage.py createsuperuser`.")

    def _reset(self, username: str) -> None:
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is no user {username}; `staff list` shows all who may sign in.")
        actions.reset_second_factor(by=program_account(COMMAND_LINE), user=user)
        self.stdout.write(f"{username} must set up a new second factor at the next sign-in.")
