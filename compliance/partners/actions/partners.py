"""The actions of partners: record, change, change the origins, close."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from catalog.errors import NotRecorded, Unfit, WrongState
from catalog.tables.actions.inserting import insert
from compliance.notices.actions import notify
from compliance.partners.models import Partner, PartnerKey, Webhook, WebhookDelivery
from compliance.partners.origins import normalized


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """The agreement with a partner; the fields of `Partner`. Origins may be spelled in any way."""

    name: str
    contact_email: str
    rate_per_minute: int
    terms_url: str
    allowed_origins: Sequence[str] = ()
    receipts: bool = False

    def columns(self, slug: str) -> dict[str, Any]:
        """Return the columns of that partner's row. Raises `Unfit` for a text that is no origin."""
        origins = []
        for origin in self.allowed_origins:
            try:
                origins.append(normalized(origin))
            except ValueError as error:
                raise Unfit(slug, f"`allowed_origins`: {origin!r} {error}") from None
        return {
            "name": self.name.strip(),
            "contact_email": self.contact_email.strip(),
            "rate_per_minute": self.rate_per_minute,
            "terms_url": self.terms_url.strip(),
            "allowed_origins": list(dict.fromkeys(origins)),
            "receipts": self.receipts,
        }


def record_partner(*, by: User, now: datetime.datetime, slug: str, agreement: Agreement) -> Partner:
    """Record a partner, who has no key yet. Raises `AlreadyRecorded` or `Unfit`."""
    partner = Partner(slug=slug, created_at=now, created_by=by, **agreement.columns(slug))
    insert([partner])
    return partner


@transaction.atomic
def change_partner(*, by: User, now: datetime.datetime, slug: str, agreement: Agreement) -> Partner:
    """Replace the agreement with a partner. It takes effect for all keys in `PARTNER_KEYS_TTL_SECONDS`.

    Raises `NotRecorded`, `WrongState` for a closed partner, or `Unfit`; nothing has changed then.
    """
    partner = open_partner(slug)
    for column, value in agreement.columns(slug).items():
        setattr(partner, column, value)
    partner.changed_at, partner.changed_by = now, by
    try:
        partner.clean_fields(exclude=["created_by", "changed_by"])
        partner.validate_constraints()
    except ValidationError as error:
        field, messages = next(iter(error.message_dict.items()))
        raise Unfit(slug, f"`{field}`: {' '.join(messages).rstrip('.')}") from None
    partner.save(force_update=True)
    return partner


@transaction.atomic
def close_partner(*, by: User, now: datetime.datetime, slug: str) -> Partner:
    """Close a partner finally: all keys are revoked, all webhooks end, its people can no longer sign in.

    Raises `NotRecorded`, or `WrongState` if it is closed.
    """
    partner = open_partner(slug)
    PartnerKey.objects.filter(partner=partner, revoked_at=None).update(revoked_at=now, revoked_by=by)
    webhooks = Webhook.objects.filter(partner=partner, ended=None)
    webhooks.update(ended=now, ended_because="the partner was closed")
    WebhookDelivery.objects.filter(webhook__partner=partner, outcome="waiting").delete()
    partner.invitations.all().delete()
    partner.closed_at, partner.closed_by = now, by
    partner.save(force_update=True)
    tell_partner(partner, "The partner was closed. All its keys are revoked, and all webhooks end.", now=now)
    return partner


@transaction.atomic
def change_origins(*, by: User, now: datetime.datetime, slug: str, allowed_origins: Sequence[str]) -> Partner:
    """Replace the origins of a partner, and nothing else of its agreement. Raises as `change_partner`."""
    partner = open_partner(slug)
    agreement = Agreement(
        name=partner.name,
        contact_email=partner.contact_email,
        rate_per_minute=partner.rate_per_minute,
        terms_url=partner.terms_url,
        allowed_origins=allowed_origins,
        receipts=partner.receipts,
    )
    changed = change_partner(by=by, now=now, slug=slug, agreement=agreement)
    origins = ", ".join(changed.allowed_origins) or "none: only servers may use a key"
    tell_partner(changed, f"The origins were changed. They are: {origins}.", now=now)
    return changed


def tell_partner(partner: Partner, what: str, *, now: datetime.datetime) -> None:
    """Tell the contact of a partner by mail what was changed. It contains no key."""
    text = (
        f"{now:%Y-%m-%d %H:%M} UTC, partner {partner.name}:\n\n{what}\n\n"
        "If you did not ask for this, tell us at once. No key is ever sent by mail.\n"
    )
    notify(recipient=partner.contact_email, subject=f"Keys of {partner.name}", text=text, now=now)


def open_partner(slug: str) -> Partner:
    """Return a partner that is not closed, locked until the transaction ends.

    Every action that changes a partner or issues a key begins here, so they run one after the other. Raises
    `NotRecorded` or `WrongState`.
    """
    partner = Partner.objects.select_for_update(of=("self",)).filter(pk=slug).first()
    if partner is None:
        raise NotRecorded(slug, "there is no such partner")
    if partner.closed_at is not None:
        raise WrongState(slug, "the partner is closed")
    return partner
