"""`manage.py audit export | check`: verdicts of a period as a signed archive, and its check."""

import datetime
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from catalog.errors import Refused
from compliance.records.audit_export.actions import export_audit
from compliance.records.audit_export.checking import NotAnArchive, Report, check, kid_of
from compliance.records.audit_export.layout import Period


class Command(BaseCommand):
    """Export answers, and check such an export; the check needs no database."""

    help = "Export the verdicts of a period as a signed archive, or check such an archive offline."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the two subcommands and their arguments."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        export = subcommands.add_parser("export", help="write the verdicts of a period into a signed archive")
        export.add_argument(
            "--from", dest="first", type=datetime.date.fromisoformat, required=True, metavar="DAY"
        )
        export.add_argument(
            "--to", dest="last", type=datetime.date.fromisoformat, required=True, metavar="DAY"
        )
        export.add_argument("--out", type=Path, help="the archive; by default audit-FROM-TO.tar.gz")
        export.add_argument(
            "--by", required=True, metavar="USER", help="the user who exports; a member of the group Auditor"
        )
        export.add_argument(
            "--reason", required=True, help="the reason, in a sentence; the audit log keeps it"
        )
        checked = subcommands.add_parser("check", help="check an archive; needs no database")
        checked.add_argument("archive", type=Path)
        expected = checked.add_mutually_exclusive_group(required=True)
        expected.add_argument("--kid", help="the `kid` of the key that must have signed it, as in jwks.json")
        expected.add_argument("--key", type=Path, help="the same key as a file (PEM), not the one inside")

    def handle(self, *args: Any, subcommand: str, **options: Any) -> None:
        """Run one subcommand."""
        if subcommand == "export":
            self._export(options)
        else:
            self._check(options["archive"], options["kid"], options["key"])

    def _export(self, options: dict[str, Any]) -> None:
        period = Period(options["first"], options["last"])
        archive: Path = options["out"] or Path(f"{period.folder}.tar.gz")
        by = User.objects.filter(username=options["by"]).first()
        if by is None:
            raise CommandError(f"There is no user {options['by']}; `staff list` shows all who may sign in.")
        try:
            export = export_audit(
                by=by, now=timezone.now(), period=period, reason=options["reason"], archive=archive
            )
        except (Refused, OSError) as error:
            raise CommandError(f"Not exported: {error}") from error
        manifest = export.manifest
        self.stdout.write(
            f"Exported {sum(manifest.verdicts.values())} verdicts and {len(manifest.releases)} releases "
            f"to {archive}."
        )
        self.stdout.write(f"  sha256     {export.sha256}")
        self.stdout.write(f"  signed by  {manifest.signed_by}")
        if manifest.waiting_bytes:
            self.stdout.write(
                f"{manifest.waiting_bytes} bytes of verdicts on this machine are not in the log yet: the "
                "newest verdicts may be missing."
            )

    def _check(self, archive: Path, kid: str, key: Path | None) -> None:
        try:
            expected = kid if key is None else kid_of(key.read_bytes())
        except (ValueError, OSError) as error:
            raise CommandError(f"{key} is not a public key: {error}.") from error
        try:
            report = check(archive, kid=expected)
        except NotAnArchive as error:
            raise CommandError(f"{archive} is not an audit export: {error}.") from error
        except OSError as error:
            raise CommandError(str(error)) from error
        self._print_report(report)
        if report.problems:
            lines = [f"  {problem}" for problem in report.problems]
            if report.more:
                lines.append(f"  … and {report.more} more")
            raise CommandError("\n".join(["The archive is damaged or was altered:", *lines]))
        self.stdout.write("The archive is intact.")

    def _print_report(self, report: Report) -> None:
        manifest, outcomes = report.manifest, report.outcomes
        if manifest is not None:
            self.stdout.write(
                f"Verdicts from {manifest.period.first} to {manifest.period.last}, exported "
                f"{manifest.exported.at:%Y-%m-%d %H:%M:%SZ} by {manifest.exported.by}: "
                f"{manifest.exported.reason}"
            )
            self.stdout.write(f"  releases   {len(manifest.releases)}")
        if report.key is not None:
            self.stdout.write(f"  key        {report.key.kid}")
        self.stdout.write(f"  replayed   {outcomes.total()} verdicts")
        self.stdout.write(f"  same       {outcomes['same']}")
        self.stdout.write(f"  other      {outcomes['other']}")
        self.stdout.write(
            f"  by serial  {outcomes['by_serial']} (a serial decided, and serials are not stored)"
        )
        self.stdout.write(f"  unreadable {outcomes['unreadable']}")
