"""The link with which a person whose name is locked signs in again at once, without asking anyone.

A lock concerns a name at one network address (`compliance.signin.lockout`). The owner of the name gets a mail
with a link that ends this lock and no other, so a stranger's lock stays as long as its owner does not use it.
The page of the link has a button: mail programs open links by themselves.
"""

from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing

from compliance.signin.places import place_of_user

VALID_SECONDS = 60 * 60

_SALT = "compliance.signin.unlocking"


class Lock(NamedTuple):
    """A name that is locked for the clients of a network address."""

    username: str
    address: str


def link_to(user: User, address: str) -> str:
    """Return the address of the page that ends a lock."""
    signed = signing.dumps([user.pk, address], salt=_SALT)
    return f"{settings.SITE_URL}{place_of_user(user).page('unlock')}?link={signed}"


def letter(user: User, address: str) -> str:
    """Return the text of the mail about a lock."""
    return (
        f"Your name {user.get_username()} was locked for {address}, because wrong passwords were "
        "given there. The lock ends by itself after 15 minutes, and your name still works elsewhere.\n\n"
        f"If this was you, end the lock within an hour:\n\n{link_to(user, address)}\n\n"
        "If it was not you, do not use the link. Another person guesses your password, and only they are "
        "locked out.\n"
    )


def lock_of(link: str) -> Lock | None:
    """Return the lock that a link ends or has ended; None if it is not one of ours, or too old."""
    try:
        number, address = signing.loads(link, salt=_SALT, max_age=VALID_SECONDS)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=number, is_active=True).first()
    return None if user is None else Lock(user.get_username(), address)
