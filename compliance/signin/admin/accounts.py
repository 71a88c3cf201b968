"""Who may sign in and do what: Django's users and groups, in the style of the other screens.

`compliance.signin.rights` says what a manager of users may give, take and change; a superuser may everything,
except to change the account of a program.
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as PlainGroupAdmin
from django.contrib.auth.admin import UserAdmin as PlainUserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from catalog.screens.confirmation import acting_user
from catalog.tables.references import going_with, references
from compliance.signin.admin.second_factors import SignInButtons
from compliance.signin.groups import GROUPS
from compliance.signin.places import is_of_a_partner
from compliance.signin.rights import (
    beyond,
    held_by,
    is_to_decide,
    may_change,
    refuse_name_of_a_program,
)

admin.site.unregister(User)
admin.site.unregister(Group)

NOT_YOURS = "You can grant and remove only permissions that you have yourself. You do not have: {names}."
OF_THE_DESK = ("is_staff", "is_superuser", "groups", "user_permissions")
"""The fields that give an account rights at the desk."""
OF_A_PARTNER = "This account belongs to a person of a partner. It gets no rights at the desk."
TO_DECIDE = "Only superusers grant and remove rights to decide: {names}."


class HandsOn(forms.ModelForm):
    """A form that gives permissions: only those that the person who fills it in may give.

    Other permissions of the row stay as they are, whatever is sent.
    """

    by: User

    def clean(self) -> dict[str, Any]:
        """Refuse changes to permissions that the person may not give."""
        cleaned = super().clean() or {}
        self._refuse_rights("user_permissions", cleaned, _of_permission)
        self._refuse_rights("permissions", cleaned, _of_permission)
        self._refuse_rights("groups", cleaned, held_by)
        return cleaned

    def _refuse_rights(self, field: str, cleaned: dict[str, Any], rights: Callable[[Any], set[str]]) -> None:
        if field not in cleaned:
            return
        before = set(getattr(self.instance, field).all()) if self.instance.pk else set()
        refused = {row: beyond(self.by, rights(row)) for row in before ^ set(cleaned[field])}
        for message, of_kind in ((TO_DECIDE, True), (NOT_YOURS, False)):
            names = [
                _name(row)
                for row, names in refused.items()
                if names and any(map(is_to_decide, names)) is of_kind
            ]
            if names:
                self.add_error(field, message.format(names=", ".join(sorted(names))))


class UserForm(HandsOn, UserChangeForm):
    """A user."""

    def clean_username(self) -> str:
        """Refuse the name of a program."""
        username: str = self.cleaned_data["username"]
        refuse_name_of_a_program(username)
        return username

    def clean(self) -> dict[str, Any]:
        """Refuse to make a person of a partner one of the desk, and rights of the desk for them."""
        cleaned = super().clean()
        if is_of_a_partner(self.instance) and any(cleaned.get(name) for name in OF_THE_DESK):
            self.add_error(None, OF_A_PARTNER)
        return cleaned


class NewUserForm(UserCreationForm):
    """A new user."""

    def clean_username(self) -> str:
        """Refuse the name of a program, and one that is taken."""
        username: str = super().clean_username() or ""
        refuse_name_of_a_program(username)
        return username


class GroupForm(HandsOn):
    """A group."""

    class Meta:
        model = Group
        fields = ["name", "permissions"]

    def clean_name(self) -> str:
        """Refuse a name to which the next migration gives permissions that the person may not give."""
        name: str = self.cleaned_data["name"]
        if beyond(self.by, GROUPS.get(name, ())):
            raise forms.ValidationError(TO_DECIDE.format(names=name))
        return name


class GivesNoMoreThanOneHas(admin.ModelAdmin):
    """A screen that passes to its form who fills it in."""

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the class of the form, which knows who fills it in."""
        form_class: Any = super().get_form(request, obj, change=change, **kwargs)
        form_class.by = acting_user(request)
        return form_class


@admin.register(User)
class UserAdmin(GivesNoMoreThanOneHas, SignInButtons, PlainUserAdmin, ModelAdmin):
    """Users. A person's permissions on partners and keys decide what they may do here."""

    # On many users at once, an action would not check each of them.
    actions = None
    form = UserForm
    add_form = NewUserForm
    change_password_form = AdminPasswordChangeForm
    list_display = ["username", "email", "is_staff", "second_factor_state", "last_login"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Let only superusers change who is a superuser."""
        fields = [*super().get_readonly_fields(request, obj)]
        return fields if acting_user(request).is_superuser else [*fields, "is_superuser"]

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Refuse accounts with rights beyond those of the person, who could sign in as them.

        Django asks this before it sets a password, too.
        """
        return super().has_change_permission(request, obj) and _may_change(request, obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Return what would be deleted, and the work of the person that prevents it.

        Django would ask each table, and read every row.
        """
        protected = [str(reference) for user in objs for reference in references(user)]
        listed = [str(user) for user in objs] + [line for user in objs for line in going_with(user)]
        return listed, {"users": len(objs)}, set(), protected

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Refuse the same accounts."""
        return super().has_delete_permission(request, obj) and _may_change(request, obj)


@admin.register(Group)
class GroupAdmin(GivesNoMoreThanOneHas, PlainGroupAdmin, ModelAdmin):
    """Groups: permissions that several people share."""

    actions = None
    form = GroupForm

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Name the groups alone: Django would list each of their permissions by a number."""
        listed, *counted = super().get_deleted_objects(objs, request)
        return [[one for one in listed if isinstance(one, str)], *counted]

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        """Refuse a change to a group that has permissions which the person may not give."""
        return super().has_change_permission(request, obj) and _may_hand_on(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        """Refuse to delete a group that has permissions which the person may not give."""
        return super().has_delete_permission(request, obj) and _may_hand_on(request, obj)


def _may_change(request: HttpRequest, user: User | None) -> bool:
    return user is None or may_change(acting_user(request), user)


def _may_hand_on(request: HttpRequest, group: Group | None) -> bool:
    return group is None or not beyond(acting_user(request), held_by(group))


def _of_permission(permission: Permission) -> set[str]:
    return {_name(permission)}


def _name(row: Permission | Group) -> str:
    if isinstance(row, Group):
        return row.name
    return f"{ContentType.objects.get_for_id(row.content_type_id).app_label}.{row.codename}"
