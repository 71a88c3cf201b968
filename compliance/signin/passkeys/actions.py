"""The actions of passkeys: add one, use one in place of a code, remove one."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.db import Error as DatabaseFailure
from django.db import IntegrityError, transaction
from django_otp_webauthn.models import WebAuthnCredential

from catalog.errors import NotRecorded, Refused
from compliance.signin.changes import tell
from compliance.signin.models import SecondFactor
from compliance.signin.passkeys.ceremony import Ceremony

MOST_PASSKEYS = 10
"""How many passkeys a person may have."""

State = dict[str, Any]
"""What a session keeps between the two halves of a ceremony: the challenge."""


class WrongPasskey(Refused):
    """The browser's answer proves nothing: it is malformed, late, for another site, or of another person."""

    def __init__(self, user: User) -> None:
        super().__init__(user.get_username(), "this passkey was not accepted: try again")


class TooManyPasskeys(Refused):
    """The person has the maximum number of passkeys."""

    def __init__(self, user: User) -> None:
        super().__init__(user.get_username(), f"you have {MOST_PASSKEYS} passkeys: remove one first")


@transaction.atomic
def add_passkey(*, user: User, ceremony: Ceremony, state: State | None, answer: str, name: str) -> None:
    """Add the passkey that a browser has made. Raises `WrongPasskey`, `TooManyPasskeys` or `NotRecorded`."""
    if not SecondFactor.objects.select_for_update().filter(user=user).exists():
        raise NotRecorded(user.get_username(), "there is no second factor that a passkey could stand in for")
    if WebAuthnCredential.objects.filter(user=user).count() >= MOST_PASSKEYS:
        raise TooManyPasskeys(user)
    try:
        passkey = ceremony.register_complete(user, _given(user, state), _read(answer))
        passkey.name = name
        passkey.save(update_fields=["name"])
    except IntegrityError:
        # Another person's, or the same one again. What was written is undone by this error.
        raise WrongPasskey(user) from None
    except DatabaseFailure:
        raise
    # The answer is a text of a stranger, and the libraries that read it raise errors of many kinds.
    except Exception:
        raise WrongPasskey(user) from None
    tell(user, f"The passkey “{name}” was added.")


@transaction.atomic
def prove_by_passkey(*, user: User, ceremony: Ceremony, state: State | None, answer: str) -> None:
    """Accept the proof of a browser that it has a passkey of a user. Raises `WrongPasskey`."""
    try:
        passkey = ceremony.authenticate_complete(user, _given(user, state), _read(answer))
    except DatabaseFailure:
        raise
    # As above.
    except Exception:
        raise WrongPasskey(user) from None
    if not passkey.confirmed:
        raise WrongPasskey(user)


@transaction.atomic
def remove_passkey(*, user: User, number: int) -> None:
    """Remove a passkey of a user. Raises `NotRecorded` if it is none of theirs."""
    passkey = WebAuthnCredential.objects.filter(user=user, pk=number).first()
    if passkey is None:
        raise NotRecorded(user.get_username(), "there is no such passkey")
    passkey.delete()
    tell(user, f"The passkey “{passkey.name}” was removed.")


def _given(user: User, state: State | None) -> State:
    if state is None:
        raise WrongPasskey(user)
    return state


def _read(answer: str) -> dict[str, Any]:
    read = json.loads(answer)
    if not isinstance(read, dict):
        raise ValueError("no object")
    return read
