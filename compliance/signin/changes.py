"""Tells people by mail what was changed about their account, in whichever way.

Signals see each way: the person's own page, a manager's page, a command. Changes of second factors are told
by their actions (`compliance.signin.actions`). Mails say what was changed and when, and contain no secret.
"""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, Permission, User
from django.db.models.signals import m2m_changed, post_save, pre_save
from django.utils import timezone

from catalog.dates import moment_words
from compliance.notices.actions import notify
from compliance.signin.places import place_of_user

TOLD = ("password", "username", "email", "is_active", "is_staff", "is_superuser")
"""The fields of a user whose changes are told."""

_BEFORE = "_before_this_change"

SENTENCES = {
    "password": "The password was changed.",
    "username": "The name for signing in was changed.",
    "email": "The mail address was changed.",
    "is_active": "The account was switched on or off.",
    "is_staff": "The right to sign in to the admin was given or taken.",
    "is_superuser": "The account became a superuser, or is one no longer.",
}


def connect() -> None:
    """Begin to watch. Called once, when the app is ready."""
    pre_save.connect(_remember, sender=User)
    post_save.connect(_compare, sender=User)
    m2m_changed.connect(_roles, sender=User.groups.through)
    m2m_changed.connect(_roles, sender=User.user_permissions.through)


def tell(user: User, *changes: str, to: str | None = None) -> None:
    """Tell a user what was changed, at their address or another one. Without one there is no mail."""
    now = timezone.now()
    page = f"{settings.SITE_URL}{place_of_user(user).page('sessions')}"
    lines = "\n".join(f"- {change}" for change in changes)
    text = (
        f"Your account {user.get_username()} was changed on {moment_words(now)}:\n\n{lines}\n\n"
        "If you did this, or asked for it, there is nothing to do. If not, sign out everywhere, and tell a "
        f"person who manages accounts at once: {page}\n"
    )
    subject = f"Your account {user.get_username()} was changed"
    notify(recipient=user.email if to is None else to, subject=subject, text=text, now=now)


def _remember(sender: Any, instance: User, update_fields: Any = None, **_: Any) -> None:
    """Keep what is in the table, before a change that may concern it."""
    looks = instance.pk is not None and (update_fields is None or not {*update_fields}.isdisjoint(TOLD))
    setattr(instance, _BEFORE, User.objects.filter(pk=instance.pk).values(*TOLD).first() if looks else None)


def _compare(sender: Any, instance: User, update_fields: Any = None, **_: Any) -> None:
    before = instance.__dict__.pop(_BEFORE, None)
    if before is None:
        return
    changed = [name for name in TOLD if before[name] != getattr(instance, name)]
    if changed == ["password"] and _is_hashed_anew(instance, update_fields):
        return
    if changed:
        sentences = [SENTENCES[name] for name in changed]
        tell(instance, *sentences)
        if "email" in changed:
            # The old address, too: whoever changed it may hold the new one.
            tell(instance, *sentences, to=before["email"])


def _is_hashed_anew(user: User, update_fields: Any) -> bool:
    """Say whether a password that was right was only stored by a newer method, as Django does."""
    return {*(update_fields or ())} == {"password"} and getattr(user, "_password", None) is None


def _roles(sender: Any, instance: User | Group | Permission, action: str, pk_set: Any, **_: Any) -> None:
    """Tell the users whose groups or permissions were changed, from either side."""
    all_of_them = action == "pre_clear"
    if not all_of_them and not (action in {"post_add", "post_remove"} and pk_set):
        return
    if isinstance(instance, User):
        users = [instance]
    elif all_of_them:
        users = [*instance.user_set.all()]
    else:
        users = [*User.objects.filter(pk__in=pk_set)]
    for user in users:
        tell(user, "Its groups or permissions were changed.")
