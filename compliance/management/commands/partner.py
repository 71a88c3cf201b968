"""`manage.py partner add | list | show | issue | rotate | revoke | webhook | end-webhook | close`.

Partners, their keys and their webhooks.
"""

import datetime
from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from catalog.errors import Refused
from catalog.tables.actions.accounts import program_account
from compliance.partners.actions.keys import OVERLAP, IssuedKey, issue_key, revoke_key, rotate_key
from compliance.partners.actions.partners import close_partner, record_partner
from compliance.partners.agreement import Agreement
from compliance.partners.keys import public_id
from compliance.partners.models import WANTED, Partner, PartnerKey
from compliance.partners.webhooks.actions import Subscription, end_webhook, register_webhook, send_test

COMMAND_LINE = "command-line"
"""The account that acts from here."""


class Command(BaseCommand):
    """Record partners, issue, rotate and revoke their keys, register and end their webhooks."""

    help = "Record and close partners; issue, rotate and revoke their keys; register and end their webhooks."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the ten subcommands and their arguments."""
        subcommands = parser.add_subparsers(dest="subcommand", required=True, metavar="VERB")
        add = subcommands.add_parser("add", help="record a partner")
        add.add_argument("slug", help="its name in the service, such as acme-travel")
        add.add_argument("--name", required=True)
        add.add_argument("--email", required=True, help="email address of the contact")
        add.add_argument("--rate", required=True, type=int, help="requests per minute for each key")
        add.add_argument("--terms", required=True, help="https address of the support terms")
        add.add_argument(
            "--origin", action="append", default=[], help="web origin that may use a key; repeat for more"
        )
        add.add_argument(
            "--receipts", action="store_true", help="give every verdict a receipt, asked for or not"
        )
        subcommands.add_parser("list", help="list all partners")
        for subcommand, does in (
            ("show", "show a partner and its keys"),
            ("issue", "issue a key"),
            ("rotate", "issue a key in place of the live ones"),
            ("webhook", "register a webhook"),
            ("close", "close the partner, revoke all keys and end all webhooks"),
        ):
            subcommands.add_parser(subcommand, help=does).add_argument("slug")
        for subcommand in ("issue", "rotate"):
            subcommands.choices[subcommand].add_argument(
                "--days", type=days, help="how many days the key is valid; without it, until it is revoked"
            )
        subcommands.choices["rotate"].add_argument(
            "--overlap-days",
            type=days,
            default=OVERLAP,
            help=f"how many days the live keys stay valid; {OVERLAP.days} by default",
        )
        subcommands.choices["webhook"].add_argument(
            "url", help="an https address that is reachable on the public internet"
        )
        subcommands.choices["webhook"].add_argument(
            "--event", action="append", choices=WANTED, help="an event that it gets; repeat for more"
        )
        subcommands.choices["webhook"].add_argument(
            "--model", action="append", default=[], help="a model whose new recalls it gets; repeat for more"
        )
        ending = subcommands.add_parser("end-webhook", help="end a webhook: it gets no more deliveries")
        ending.add_argument("webhook_id", help="the id of the webhook, such as whk_k3vq7m2ak3vq7m2a")
        testing = subcommands.add_parser("test-webhook", help="send a test to a webhook")
        testing.add_argument("webhook_id", help="the id of the webhook")
        revoke = subcommands.add_parser("revoke", help="end a key at once")
        revoke.add_argument(
            "public_id", help="the public id of the key, such as btk_k3vq7m2a; never the whole key"
        )

    def handle(self, *args: Any, subcommand: str, **options: Any) -> None:
        """Run one subcommand."""
        now = timezone.now()
        try:
            match subcommand:
                case "add":
                    self._add(now, options)
                case "list":
                    self._list(now)
                case "show":
                    self._show(now, options["slug"])
                case "issue":
                    self._issue(now, options)
                case "rotate":
                    self._rotate(now, options)
                case "revoke":
                    self._revoke(now, options["public_id"])
                case "webhook":
                    self._webhook(now, options)
                case "end-webhook":
                    self._end_webhook(now, options["webhook_id"])
                case "test-webhook":
                    self._test_webhook(now, options["webhook_id"])
                case "close":
                    self._close(now, options["slug"])
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal

    def _add(self, now: datetime.datetime, options: dict[str, Any]) -> None:
        agreement = Agreement(
            name=options["name"],
            contact_email=options["email"],
            rate_per_minute=options["rate"],
            terms_url=options["terms"],
            allowed_origins=tuple(options["origin"]),
            receipts=options["receipts"],
        )
        partner = record_partner(
            by=program_account(COMMAND_LINE), now=now, slug=options["slug"], agreement=agreement
        )
        self.stdout.write(f"Recorded partner {partner}. It has no key yet: `partner issue {partner}`.")

    def _list(self, now: datetime.datetime) -> None:
        partners: Collection[Any] = Partner.objects.with_keys(now).order_by("slug")
        for partner in partners:
            state = "closed" if partner.closed_at else f"{partner.live_keys} live keys"
            self.stdout.write(
                f"{partner.slug:<24} {state:<12} {partner.rate_per_minute:>7}/min  "
                f"last used {_instant(partner.last_used, 'never'):<20}  {partner.name}"
            )
        if not partners:
            self.stdout.write("No partner is recorded.")

    def _show(self, now: datetime.datetime, slug: str) -> None:
        partner = Partner.objects.select_related("created_by", "closed_by").filter(pk=slug).first()
        if partner is None:
            raise CommandError(f"There is no partner {slug}; `partner list` shows all.")
        self.stdout.write(f"Partner {partner}: {partner.name}")
        for title, value in (
            ("contact", partner.contact_email),
            ("rate", f"{partner.rate_per_minute} requests per minute for each key"),
            ("origins", ", ".join(partner.allowed_origins) or "none: only servers may use its keys"),
            ("terms", partner.terms_url),
            ("receipts", "with every verdict" if partner.receipts else "only if a request asks for one"),
            ("watches", f"{partner.trip_watches.count():,} of {settings.PARTNER_WATCHES:,} trips"),
            ("recorded", f"{_instant(partner.created_at)} by {partner.created_by}"),
            (
                "closed",
                f"{_instant(partner.closed_at)} by {partner.closed_by}" if partner.closed_at else "no",
            ),
        ):
            self.stdout.write(f"  {title:<9} {value or 'no'}")
        for webhook in partner.webhooks.all():
            state = "ended" if webhook.ended else "live"
            self.stdout.write(
                f"  {webhook}  {state:<5}  registered {_instant(webhook.created_at)}  {webhook.url}"
            )
        for key in partner.keys.all():
            self.stdout.write(
                f"  {key}  {key.state(now):<7}  issued {_instant(key.created_at)}  "
                f"expires {_instant(key.valid_until, 'never')}  last used {_instant(key.last_used, 'never')}"
            )

    def _issue(self, now: datetime.datetime, options: dict[str, Any]) -> None:
        issued = issue_key(
            by=program_account(COMMAND_LINE),
            now=now,
            partner=options["slug"],
            valid_until=_end(now, options["days"]),
        )
        self._hand_over(issued)

    def _rotate(self, now: datetime.datetime, options: dict[str, Any]) -> None:
        issued = rotate_key(
            by=program_account(COMMAND_LINE),
            now=now,
            partner=options["slug"],
            overlap=options["overlap_days"],
            valid_until=_end(now, options["days"]),
        )
        self._hand_over(issued)
        older = PartnerKey.objects.live(now).filter(partner=issued.row.partner).exclude(pk=issued.row.pk)
        for key in older:
            self.stdout.write(f"{key} stays valid until {_instant(key.valid_until)}.")

    def _hand_over(self, issued: IssuedKey) -> None:
        """Print a key, which cannot be read again later."""
        end = issued.row.valid_until
        self.stdout.write(f"Key {issued.row} of {issued.row.partner}, shown only this once:")
        self.stdout.write(issued.plain.reveal())
        self.stdout.write(f"It expires {_instant(end)}." if end else "It is valid until it is revoked.")

    def _revoke(self, now: datetime.datetime, named: str) -> None:
        known = public_id(named)
        if known is not None and known != named:
            # The typed command is in the shell's history now.
            raise CommandError(
                f"That is more than the public id {known}. If it was the whole key, others may have read it: "
                f"end it by `partner revoke {known}`."
            )
        key = revoke_key(by=program_account(COMMAND_LINE), now=now, public_id=named)
        self.stdout.write(f"Revoked {key} of {key.partner_id}.")

    def _webhook(self, now: datetime.datetime, options: dict[str, Any]) -> None:
        events = options["event"] or ["trip_watch.changed"]
        registered = register_webhook(
            by=program_account(COMMAND_LINE),
            now=now,
            partner=options["slug"],
            url=options["url"],
            wants=Subscription(events, options["model"]),
        )
        self.stdout.write(f"Webhook {registered.row} of {options['slug']}; its secret, shown only this once:")
        self.stdout.write(registered.secret)
        self.stdout.write(f"A first delivery is on its way to {registered.row.url}.")

    def _end_webhook(self, now: datetime.datetime, webhook_id: str) -> None:
        webhook = end_webhook(webhook_id=webhook_id, because="ended by command", now=now)
        self.stdout.write(f"Ended {webhook} of {webhook.partner_id}; it gets no more deliveries.")

    def _test_webhook(self, now: datetime.datetime, webhook_id: str) -> None:
        delivery = send_test(webhook_id=webhook_id, now=now)
        self.stdout.write(f"Test {delivery} is on its way to {delivery.webhook.url}.")

    def _close(self, now: datetime.datetime, slug: str) -> None:
        partner = close_partner(by=program_account(COMMAND_LINE), now=now, slug=slug)
        self.stdout.write(f"Closed partner {partner}; none of its keys is valid any longer.")


def days(text: str) -> datetime.timedelta:
    """Return a whole number of days for argparse. Raises `ValueError`, which argparse reports."""
    return datetime.timedelta(days=int(text))


def _end(now: datetime.datetime, days: datetime.timedelta | None) -> datetime.datetime | None:
    return None if days is None else now + days


def _instant(instant: datetime.datetime | None, otherwise: str = "") -> str:
    return f"{instant:%Y-%m-%d %H:%M:%SZ}" if instant else otherwise
