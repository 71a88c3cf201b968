"""The actions of signing in: second factors, recovery codes, locked names, sessions, groups."""

import datetime
import logging
import math
import re

from axes.utils import reset
from django.contrib.auth.models import Group, Permission, User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Concat
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp_webauthn.models import WebAuthnCredential

from catalog.errors import NotRecorded, Refused, WrongState
from catalog.tables.programs import PROGRAMS
from compliance.notices.actions import notify
from compliance.signin.changes import tell
from compliance.signin.groups import GROUPS
from compliance.signin.lockout import locked_names, locks
from compliance.signin.models import LockMail, RecoveryCode, SecondFactor
from compliance.signin.places import place_of_user
from compliance.signin.recovery_codes import digest, make_codes
from compliance.signin.sessions import sessions_of
from compliance.signin.unlocking import VALID_SECONDS, Lock, letter

logger = logging.getLogger(__name__)

LINK_VALID = datetime.timedelta(seconds=VALID_SECONDS)

MOST_LOCK_MAILS = 5
"""How many mails about locks a person gets in the time of a link."""


class WrongCode(Refused):
    """The code is not valid: it is wrong, was used before, or is too old."""


class TooManyCodes(Refused):
    """There were wrong codes; the next try is possible after `wait_seconds`."""

    def __init__(self, record_id: str, wait_seconds: int) -> None:
        seconds = "one second" if wait_seconds == 1 else f"{wait_seconds} seconds"
        super().__init__(record_id, f"too many wrong codes: wait {seconds}, then try again")
        self.wait_seconds = wait_seconds


def set_up_second_factor(
    *, user: User, now: datetime.datetime, key: str, code: str, proof: str = ""
) -> list[str]:
    """Make an app the second factor of a user, and replace the present one. Return the recovery codes.

    `key` is the secret as hex digits, `code` is what the app shows for it. A user who already has a second
    factor gives a `proof` of it, a currently valid code. All sessions that were opened before end. Raises
    `WrongCode` or `TooManyCodes`; then nothing has changed.
    """
    device = TOTPDevice(user=user, name="app", key=key)
    totp = TOTP(device.bin_key, device.step, device.t0, device.digits)
    totp.time = now.timestamp()
    # Before the proof, which is valid only once.
    if not (is_of_app(code) and totp.verify(int(code), tolerance=device.tolerance)):
        raise WrongCode(user.username, "the new app shows another code: scan the picture again")
    present = SecondFactor.objects.filter(user=user).first()
    if present is not None:
        prove(user=user, now=now, code=proof)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if SecondFactor.objects.filter(user=user).first() != present:
            raise WrongState(user.username, "the second factor was changed in another session")
        TOTPDevice.objects.filter(user=user).delete()
        # The code that confirmed it is not valid again.
        device.last_t = totp.t()
        device.save()
        factor = SecondFactor.objects.create(user=user, device=device, since=now)
        tell(user, "The second factor was set up." if present is None else "The second factor was replaced.")
        return _new_codes(factor)


def prove(*, user: User, now: datetime.datetime, code: str) -> None:
    """Take a code of the app, six digits, or a recovery code. It is valid once.

    Each wrong code doubles the wait before the next try. Raises `WrongCode`, `TooManyCodes`, or `NotRecorded`
    for a user without a second factor.
    """
    # The counts made here must stay, so nothing is raised before the transaction is over.
    with transaction.atomic():
        # Locked, so that of two requests with the same code one is refused.
        device = TOTPDevice.objects.select_for_update().filter(second_factor__user=user).first()
        if device is None:
            raise NotRecorded(user.username, "there is no second factor")
        allowed, why = device.verify_is_allowed()
        if allowed:
            proven = device.verify_token(code) if is_of_app(code) else _take(device, now, code)
    if not allowed:
        raise TooManyCodes(user.username, math.ceil((why["locked_until"] - now).total_seconds()))
    if not proven:
        raise WrongCode(user.username, "this code is not valid, or it was already used")


def is_of_app(code: str) -> bool:
    """Say whether a code has the form of an app's code, right or wrong."""
    return re.fullmatch(r"[0-9]{6}", code) is not None


def renew_recovery_codes(*, user: User, now: datetime.datetime, proof: str) -> list[str]:
    """Return new recovery codes; the old ones are no longer valid. Raises as `prove` does."""
    prove(user=user, now=now, code=proof)
    with transaction.atomic():
        factor = SecondFactor.objects.select_for_update().get(user=user)
        factor.recovery_codes.all().delete()
        tell(user, "New recovery codes were made.")
        return _new_codes(factor)


@transaction.atomic
def reset_second_factor(*, by: User, user: User) -> None:
    """Remove the second factor of a user with all passkeys; then they set up another. All their sessions end.

    Raises `NotRecorded` if there is none.
    """
    deleted, _ = TOTPDevice.objects.filter(second_factor__user=user).delete()
    if not deleted:
        raise NotRecorded(user.username, "there is no second factor to reset")
    WebAuthnCredential.objects.filter(user=user).delete()
    tell(user, "The second factor was reset.")
    logger.warning("%s reset the second factor of %s", by, user)


def unlock(*, by: User, username: str) -> None:
    """Let a name that is locked after failed attempts sign in again.

    Raises `WrongState` if it is not locked.
    """
    if username not in locked_names():
        raise WrongState(username, "this name is not locked")
    reset(username=username)
    logger.warning("%s unlocked %s", by, username)


def unlock_by_link(lock: Lock) -> None:
    """End the lock of a link. Another lock of the name stays. Without a lock nothing happens."""
    reset(username=lock.username, ip=lock.address)
    logger.warning("%s unlocked their own name by mail", lock.username)


@transaction.atomic
def mail_the_locked(*, now: datetime.datetime) -> int:
    """Send the owners of locked names a link each, and return how many.

    A person gets one mail for each address in the time of a link, and at most `MOST_LOCK_MAILS`: a stranger
    who fails again and again, from many addresses, does not fill a mailbox.
    """
    LockMail.objects.filter(sent__lte=now - LINK_VALID).delete()
    sent = 0
    for username, address in sorted(locks()):
        if not address:
            # All clients whose address is not known share a lock, and a link would end it for all of them.
            continue
        user = User.objects.filter(username=username, is_active=True).exclude(email="").first()
        if user is None or username in PROGRAMS or not place_of_user(user).admits(user):
            continue
        mails = user.lock_mails.all()
        if mails.filter(address=address).exists() or mails.count() >= MOST_LOCK_MAILS:
            continue
        LockMail.objects.create(user=user, address=address, sent=now)
        subject = f"Your name {username} is locked"
        notify(recipient=user.email, subject=subject, text=letter(user, address), now=now)
        sent += 1
    return sent


@transaction.atomic
def change_password(*, user: User, password: str) -> None:
    """Give an account another password, which was checked. All of its sessions end."""
    user.set_password(password)
    user.save(update_fields=["password"])


def sign_out_everywhere(user: User) -> int:
    """End all sessions of a user, also the one that asks. Return how many."""
    deleted, _ = Session.objects.filter(pk__in=[session.key for session in sessions_of(user)]).delete()
    return deleted


@transaction.atomic
def set_up_groups(*, using: str = "default") -> None:
    """Give the groups the permissions of the table. Their members stay unchanged.

    `using` names the database; every migration calls this for its own.
    """
    named = Concat("content_type__app_label", Value("."), "codename")
    permissions = dict(Permission.objects.using(using).annotate(name_of=named).values_list("name_of", "pk"))
    for name, wanted in GROUPS.items():
        group, _ = Group.objects.using(using).get_or_create(name=name)
        group.permissions.set([permissions[one] for one in sorted(wanted & permissions.keys())])


def _take(device: TOTPDevice, now: datetime.datetime, code: str) -> bool:
    """Use a recovery code up. A wrong one counts as much as a wrong code of the app."""
    unused = RecoveryCode.objects.filter(second_factor__device=device, digest=digest(code), used=None)
    taken: bool = unused.update(used=now) == 1
    if taken:
        device.throttle_reset()
        tell(device.user, "A recovery code was used to sign in.")
    else:
        device.throttle_increment()
    return taken


def _new_codes(factor: SecondFactor) -> list[str]:
    codes = make_codes()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(second_factor=factor, digest=digest(code)) for code in codes
    )
    return codes
