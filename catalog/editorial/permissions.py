"""Who may do what, as Django's permissions: each verb on each kind of record has one.

Screens ask `may` before they offer a verb and once more before they call it. The verbs themselves do not:
programs call them too. Which group has which permission stands in `compliance.signin.groups`.
"""

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import models

from catalog.editorial.workflow import Verb

PERMISSION = {
    Verb.DRAFT: "add",
    Verb.CHANGE: "change",
    Verb.DISCARD: "delete",
    Verb.APPROVE_AGAIN: "approve",
    Verb.ACCEPT: "add",
    Verb.REOPEN: "delete",
    # What becomes public, and when, is for the same people to say.
    Verb.ROLL_BACK: "publish",
    Verb.LET_GO: "publish",
    Verb.PLAN: "publish",
    Verb.CANCEL: "publish",
    Verb.CONFIRM: "change",
    Verb.DISMISS: "change",
    Verb.RETRY: "change",
}
"""The verbs for which another permission stands; all others have one of their name."""

OWN_PERMISSION = (
    Verb.REVISE,
    Verb.WITHDRAW,
    Verb.SUBMIT,
    Verb.RETURN,
    Verb.APPROVE,
    Verb.TAKE_BACK,
)
"""The verbs of rules and recalls with a permission of their own name."""


def verb_permissions(model_name: str) -> list[tuple[str, Any]]:
    """Return what a model of revisions adds to Django's permissions."""
    return [(f"{verb}_{model_name}", f"Can {verb.label.lower()} {model_name}") for verb in OWN_PERMISSION]


def permission(verb: Verb, model: type[models.Model]) -> str:
    """Return the name of the permission to do something to records of a kind, as `rules.approve_rule`."""
    return f"{model._meta.app_label}.{PERMISSION.get(verb, verb.value)}_{model._meta.model_name}"


def may(user: User | AnonymousUser, verb: Verb, model: type[models.Model]) -> bool:
    """Tell whether somebody may do something to records of a kind. Nobody who is inactive may."""
    return user.has_perm(permission(verb, model))
