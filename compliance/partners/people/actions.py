"""The actions of the people of partners: invite, take back, accept, remove; and notes of what they do.

Only the mail of an invitation has the secret of its link.
"""

import datetime
import secrets

from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q
from django.urls import reverse

from catalog.dates import moment_words
from catalog.errors import NotRecorded, Refused, Unfit, WrongState
from catalog.tables.actions.inserting import insert
from compliance.notices.actions import notify
from compliance.partners.actions.partners import open_partner, tell_partner
from compliance.partners.keys import digest
from compliance.partners.models import Partner
from compliance.partners.people.models import Invitation, PartnerPerson

LINK_VALID = datetime.timedelta(days=3)

MOST_PEOPLE = 20
"""How many people a partner has at most, with those who are invited."""

LONGEST_ADDRESS = 150
"""Characters of a mail address, which is also the name to sign in with."""


class TooManyPeople(Refused):
    """The partner has the maximum number of people."""

    def __init__(self, partner: str) -> None:
        super().__init__(partner, f"has {MOST_PEOPLE} people and invitations; remove one of them first")


@transaction.atomic
def invite(*, by: User, now: datetime.datetime, partner: str, email: str) -> Invitation:
    """Send a person a link with which they become a person of a partner. An earlier link ends.

    Raises `NotRecorded`, `WrongState` for a closed partner or an address that is invited to another one,
    `TooManyPeople`, or `Unfit` for an address that belongs to an account.
    """
    owner = open_partner(partner)
    email = name_of(email)
    if len(email) > LONGEST_ADDRESS:
        raise Unfit(partner, f"`email`: at most {LONGEST_ADDRESS} characters")
    if _taken(email):
        raise Unfit(partner, "`email`: this address belongs to an account of the service already")
    Invitation.objects.filter(Q(email=email, partner=owner) | Q(ends__lte=now)).delete()
    if Invitation.objects.filter(email=email).exists():
        raise WrongState(partner, "this address is invited to another partner")
    present = owner.people.filter(removed_at=None).count() + owner.invitations.count()
    if present >= MOST_PEOPLE:
        raise TooManyPeople(partner)
    secret = secrets.token_urlsafe(32)
    invitation = Invitation(
        email=email,
        partner=owner,
        digest=digest(secret),
        ends=now + LINK_VALID,
        created_at=now,
        created_by=by,
    )
    insert([invitation])
    subject = f"Your access to the pages of {owner.name}"
    notify(recipient=email, subject=subject, text=_letter(owner, invitation, secret), now=now)
    return invitation


@transaction.atomic
def take_back(*, partner: str, email: str) -> None:
    """End an open invitation; its link no longer works. Raises `NotRecorded`."""
    if not Invitation.objects.filter(partner=partner, email=email).delete()[0]:
        raise NotRecorded(partner, "there is no such invitation")


def invitation_of(secret: str, *, now: datetime.datetime) -> Invitation | None:
    """Return the invitation of a link; None if it is used, over, taken back, or was never one."""
    found = Invitation.objects.select_related("partner")
    return found.filter(digest=digest(secret), ends__gt=now, partner__closed_at=None).first()


@transaction.atomic
def accept(*, secret: str, password: str, now: datetime.datetime) -> User:
    """Make the account of an invited person, with a password. The link does not work again.

    A person who was removed gets their account back. Raises `NotRecorded` for a link that does not work,
    `WrongState` for a closed partner, or `Unfit` if the address belongs to another account by now.
    """
    known = invitation_of(secret, now=now)
    if known is None:
        raise NotRecorded("invitation", "this link is not valid any more")
    partner = open_partner(known.partner_id)
    # Of two who use the link at once, the second finds it deleted.
    if not Invitation.objects.filter(pk=known.pk).delete()[0]:
        raise NotRecorded("invitation", "this link is not valid any more")
    if _taken(known.email):
        raise Unfit(partner.slug, "this address belongs to an account of the service already")
    user = User.objects.filter(username=known.email).first() or User(username=known.email)
    user.email, user.is_active = known.email, True
    user.set_password(password)
    user.save()
    person = PartnerPerson.objects.filter(user=user).first() or PartnerPerson(user=user)
    person.partner, person.created_at, person.created_by = partner, now, known.created_by
    person.removed_at = person.removed_by = None
    person.save()
    tell_partner(partner, f"{known.email} can sign in for the partner from now on.", now=now)
    return user


@transaction.atomic
def remove_person(*, by: User, now: datetime.datetime, partner: str, username: str) -> None:
    """Take the access of a person of a partner. Their sessions end; their account stays, closed.

    Raises `NotRecorded`.
    """
    present = PartnerPerson.objects.select_for_update(of=("self",)).filter(removed_at=None, partner=partner)
    person = present.filter(user__username=username).select_related("user", "partner").first()
    if person is None:
        raise NotRecorded(partner, "there is no such person")
    person.removed_at, person.removed_by = now, by
    person.save(force_update=True)
    user = person.user
    if not (user.is_staff or user.is_superuser):
        user.is_active = False
        user.set_unusable_password()
        user.save()
    tell_partner(person.partner, f"{username} can no longer sign in for the partner.", now=now)


def note(person: PartnerPerson, what: str) -> None:
    """Write what a person did into the history of the partner at the desk, in the open transaction.

    It has no secret: keys and webhooks are named by their ids.
    """
    LogEntry.objects.create(
        user=person.user,
        content_type=ContentType.objects.get_for_model(Partner),
        object_id=person.partner_id,
        object_repr=str(person.partner),
        action_flag=CHANGE,
        change_message=what,
    )


def name_of(email: str) -> str:
    """Return a mail address as it is stored: one spelling for each, which is also the account's name."""
    return User.normalize_username(email.strip()).lower()


def _taken(email: str) -> bool:
    """Say whether an address belongs to an account that is not that of a removed person of a partner."""
    accounts = User.objects.filter(Q(username__iexact=email) | Q(email__iexact=email))
    return any(not _was_removed(user) for user in accounts.select_related("partner_person"))


def _was_removed(user: User) -> bool:
    person: PartnerPerson | None = getattr(user, "partner_person", None)
    plain = not (user.is_staff or user.is_superuser)
    return plain and person is not None and person.removed_at is not None


def _letter(partner: Partner, invitation: Invitation, secret: str) -> str:
    page = reverse("partners:invitation", args=[secret])
    factors = ", the password and a code of an app" if settings.DESK_SECOND_FACTOR else " and the password"
    return (
        f"You are invited to the pages of {partner.name}: its keys, its webhooks and its use of the "
        f"service.\n\nChoose a password before {moment_words(invitation.ends)}:\n\n"
        f"{settings.SITE_URL}{page}\n\n"
        f"The link works once. You sign in with this mail address{factors}.\n"
        "If you do not expect this, do nothing.\n"
    )
