"""Who sends a form of the desk: each form names the account that its page was made for, signed.

A browser has one session, so signing in in another tab makes all open pages those of the new account. Without
the mark, what one person wrote would be done in the name of the other. A form without one, such as of a page
that was open during an update, is taken as it always was.
"""

from typing import Any

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest

FIELD = "_sender"
"""The field that names the account of a page."""
TAKEN_BY = "_taken_by"
"""The field by which another person sends what was written, in their own name."""

_SIGNER = Signer(salt="compliance.signin.sender")


def mark_of(user: Any) -> str:
    """Return the mark of an account."""
    return _SIGNER.sign(str(user.pk))


def sender_of(request: HttpRequest) -> int | None:
    """Return the key of the account whose page a form is from; None if it names none."""
    return _account(request, FIELD)


def is_from_another(request: HttpRequest) -> bool:
    """Tell whether a form is from the page of another person than the one who is signed in now."""
    sender = sender_of(request)
    return None not in (sender, request.user.pk) and sender != request.user.pk


def is_taken(request: HttpRequest) -> bool:
    """Tell whether the person who is signed in now sends what another one wrote in their own name."""
    return request.user.pk is not None and _account(request, TAKEN_BY) == request.user.pk


def _account(request: HttpRequest, field: str) -> int | None:
    try:
        return int(_SIGNER.unsign(request.POST.get(field, "")))
    except (BadSignature, ValueError):
        return None
