"""Who may give rights to decide, and who may change an account.

The gate of a release counts people: an author, an approver, a publisher. A person who could make a second
account with such rights would be several people. So only superusers give and take rights to decide, and only
they change an account that has some: its names, its mail, its password, its activity. Other managers of users
give only rights that they have themselves, and change only accounts that have no others.

No one signs in as a program (`catalog.tables.programs`), gives it a password, or changes its account.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import Group, Permission, User
from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from catalog.tables.programs import PROGRAMS
from compliance.signin.groups import AUDITOR, GROUPS, PARTNER_MANAGER

NAME_OF_A_PROGRAM = "This name belongs to a program of the service. Choose another."

_DECIDES_NOTHING = GROUPS[PARTNER_MANAGER] | GROUPS[AUDITOR]


class People(ModelBackend):
    """Django's backend without the accounts of programs, whatever their rows say. Open sessions end, too."""

    def user_can_authenticate(self, user: Any) -> bool:
        """Say whether an account belongs to an active person."""
        return super().user_can_authenticate(user) and user.get_username() not in PROGRAMS


class NoPasswordForPrograms:
    """A validator of passwords: the account of a program gets none, from no form and no command."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise `ValidationError` if the account is that of a program."""
        if user is not None and user.get_username() in PROGRAMS:
            raise ValidationError("This is the account of a program. It has no password.", "program")

    def get_help_text(self) -> str:
        """Say nothing: the rule concerns no one who reads it."""
        return ""


def refuse_name_of_a_program(username: str) -> None:
    """Raise `ValidationError` for the name of a program in any case: people would confuse the two."""
    if username.casefold() in PROGRAMS:
        raise ValidationError(NAME_OF_A_PROGRAM, "program")


def is_to_decide(permission: str) -> bool:
    """Say whether a permission, as `rules.approve_rule`, is a right to decide.

    It is if it permits more than looking. Exceptions are those of partner managers, of auditors, and those on
    accounts.
    """
    app, _, codename = permission.partition(".")
    return app != "auth" and not codename.startswith("view_") and permission not in _DECIDES_NOTHING


def beyond(by: User, permissions: Iterable[str]) -> set[str]:
    """Return those of the permissions that a user may neither give nor take."""
    if by.is_superuser:
        return set()
    own = by.get_all_permissions()
    return {name for name in permissions if is_to_decide(name) or name not in own}


def may_change(by: User, user: User) -> bool:
    """Say whether a manager of users may change an account, or sign in as it after setting its password."""
    if user.get_username() in PROGRAMS:
        return False
    return by.is_superuser or not (user.is_superuser or beyond(by, granted(user)))


def granted(user: User) -> set[str]:
    """Return the names of all permissions of a user, also of an inactive one."""
    names = named(Permission.objects.filter(user=user))
    return names.union(*(held_by(group) for group in user.groups.all()))


def held_by(group: Group) -> set[str]:
    """Return the permissions of a group, and those that the next migration gives to its name."""
    return named(group.permissions.all()) | GROUPS.get(group.name, frozenset())


def named(permissions: QuerySet[Permission]) -> set[str]:
    """Return permissions by name, as `rules.approve_rule`."""
    pairs = permissions.values_list("content_type__app_label", "codename")
    return {f"{app}.{codename}" for app, codename in pairs}
