"""Who may do what, as Django's permissions: one for each verb on each kind of record.

Screens ask `may` before they offer an action and again before they call it. The actions themselves do not:
programs call them too. `compliance.signin.groups` says which group has which permission.
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
    # The same people decide what becomes public, and when.
    Verb.ROLL_BACK: "publish",
    Verb.LET_GO: "publish",
    Verb.PLAN: "publish",
    Verb.CANCEL: "publish",
    Verb.CONFIRM: "change",
    Verb.DISMISS: "change",
    Verb.RETRY: "change",
}
"""The verbs that use another permission; all others have one of their own name."""

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
    """Return the permissions that a model of revisions adds to Django's."""
    return [(f"{verb}_{model_name}", f"Can {verb.label.lower()} {model_name}") for verb in OWN_PERMISSION]


def permission(verb: Verb, model: type[models.Model]) -> str:
    """Return the name of the permission to do something to records of a kind, as `rules.approve_rule`."""
    return f"{model._meta.app_label}.{PERMISSION.get(verb, verb.value)}_{model._meta.model_name}"


def may(user: User | AnonymousUser, verb: Verb, model: type[models.Model]) -> bool:
    """Return whether a user may do something to records of a kind. An inactive user may not."""
    return user.has_perm(permission(verb, model))
