"""The actions of partners: record, change, change the origins, close."""

import datetime
from collections.abc import Sequence

import msgspec
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from catalog.dates import moment_words
from catalog.errors import ChangedSinceSeen, NotRecorded, Unfit, WrongState
from catalog.tables.actions.inserting import insert
from compliance.notices.actions import notify
from compliance.partners.agreement import Agreement
from compliance.partners.models import Partner, PartnerKey, Webhook, WebhookDelivery


def record_partner(*, by: User, now: datetime.datetime, slug: str, agreement: Agreement) -> Partner:
    """Record a partner, who has no key yet. Raises `AlreadyRecorded` or `Unfit`."""
    partner = Partner(slug=slug, created_at=now, created_by=by, **agreement.columns(slug))
    insert([partner])
    return partner


@transaction.atomic
def change_partner(*, by: User, now: datetime.datetime, slug: str, agreement: Agreement) -> Partner:
    """Replace the agreement with a partner. It takes effect for all keys in `PARTNER_KEYS_TTL_SECONDS`.

    The contact is told of changed origins. Raises `NotRecorded`, `WrongState` for a closed partner, or
    `Unfit`; nothing has changed then.
    """
    partner = open_partner(slug)
    before = partner.allowed_origins
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
    if partner.allowed_origins != before:
        origins = _listed(partner.allowed_origins)
        tell_partner(partner, f"The origins were changed. They are now: {origins}.", now=now)
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
def change_origins(
    *, by: User, now: datetime.datetime, slug: str, allowed_origins: Sequence[str], seen: Sequence[str]
) -> Partner:
    """Replace the origins of a partner that a person has `seen`, and nothing else of its agreement.

    Raises `ChangedSinceSeen` if they are others by now, or as `change_partner`.
    """
    present = open_partner(slug).to_record()
    if tuple(seen) != present.allowed_origins:
        raise ChangedSinceSeen(
            slug,
            "the origins were changed after you opened this page. "
            f"They are now: {_listed(present.allowed_origins)}. Check yours, and save again",
        )
    agreement = msgspec.structs.replace(present, allowed_origins=tuple(allowed_origins))
    return change_partner(by=by, now=now, slug=slug, agreement=agreement)


def _listed(origins: Sequence[str]) -> str:
    return ", ".join(origins) or "none, so only servers may use a key"


def tell_partner(partner: Partner, what: str, *, now: datetime.datetime) -> None:
    """Tell the contact of a partner by mail what was changed. It contains no key."""
    text = (
        f"{moment_words(now)}, partner {partner.name}:\n\n{what}\n\n"
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
