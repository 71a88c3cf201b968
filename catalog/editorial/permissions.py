"""Who may do what, as Django's permissions: one for each verb on each kind of record.

Screens ask `may` before they offer an action and again before they call it. The actions themselves do not:
programs call them too. `compliance.signin.groups` says which group has which permission.
"""

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import models

from catalog.editorial.workflow import EditorAction

PERMISSION = {
    EditorAction.DRAFT: "add",
    EditorAction.CHANGE: "change",
    EditorAction.DISCARD: "delete",
    EditorAction.APPROVE_AGAIN: "approve",
    EditorAction.ACCEPT: "add",
    EditorAction.REOPEN: "delete",
    # The same people decide what becomes public, and when.
    EditorAction.ROLL_BACK: "publish",
    EditorAction.LET_GO: "publish",
    EditorAction.PLAN: "publish",
    EditorAction.CANCEL: "publish",
    EditorAction.CONFIRM: "change",
    EditorAction.DISMISS: "change",
    EditorAction.RETRY: "change",
}
"""The verbs that use another permission; all others have one of their own name."""

OWN_PERMISSION = (
    EditorAction.REVISE,
    EditorAction.WITHDRAW,
    EditorAction.SUBMIT,
    EditorAction.RETURN,
    EditorAction.APPROVE,
    EditorAction.TAKE_BACK,
)
"""The verbs of rules and recalls with a permission of their own name."""


def action_permissions(model_name: str) -> list[tuple[str, Any]]:
    """Return the permissions that a model of revisions adds to Django's."""
    return [
        (f"{action}_{model_name}", f"Can {action.label.lower()} {model_name}") for action in OWN_PERMISSION
    ]


def permission(action: EditorAction, model: type[models.Model]) -> str:
    """Return the name of the permission to do something to records of a kind, as `rules.approve_rule`."""
    return f"{model._meta.app_label}.{PERMISSION.get(action, action.value)}_{model._meta.model_name}"


def may(user: User | AnonymousUser, action: EditorAction, model: type[models.Model]) -> bool:
    """Return whether a user may do something to records of a kind. An inactive user may not."""
    return user.has_perm(permission(action, model))
