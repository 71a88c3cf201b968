"""Who may sign in and do what: Django's users and groups, in the style of the other screens.

A person who may change users can give only the permissions that they have. Only a superuser makes or changes
another superuser. Anyone else gives and takes only the groups and permissions that they have themselves.
"""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as PlainGroupAdmin
from django.contrib.auth.admin import UserAdmin as PlainUserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from catalog.screens.confirmation import acting_user
from compliance.signin.admin.second_factors import SignInButtons

admin.site.unregister(User)
admin.site.unregister(Group)

NOT_YOURS = "You can grant and remove only permissions that you have yourself. You do not have: {names}."


class HandsOn(forms.ModelForm):
    """A form that gives permissions: only those that the person who fills it in has.

    Other permissions of the row stay as they are, whatever is sent.
    """

    by: User

    def clean(self) -> dict[str, Any]:
        """Refuse changes to permissions that the person does not have."""
        cleaned = super().clean() or {}
        if self.by.is_superuser:
            return cleaned
        for name, beyond in (
            ("user_permissions", _permissions_beyond),
            ("permissions", _permissions_beyond),
            ("groups", _groups_beyond),
        ):
            if name in cleaned:
                before = set(getattr(self.instance, name).all()) if self.instance.pk else set()
                changed = before ^ set(cleaned[name])
                if foreign := beyond(self.by, changed):
                    self.add_error(name, NOT_YOURS.format(names=", ".join(sorted(foreign))))
        return cleaned


class UserForm(HandsOn, UserChangeForm):
    """A user."""


class GroupForm(HandsOn):
    """A group."""

    class Meta:
        model = Group
        fields = ["name", "permissions"]


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
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ["username", "email", "is_staff", "second_factor_state", "last_login"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Let only superusers change who is a superuser."""
        fields = [*super().get_readonly_fields(request, obj)]
        return fields if acting_user(request).is_superuser else [*fields, "is_superuser"]

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Only a superuser may change a superuser: a person who sets their password could sign in as them."""
        return super().has_change_permission(request, obj) and _may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Only a superuser may delete a superuser."""
        return super().has_delete_permission(request, obj) and _may_touch(request, obj)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Set the password of a user.

        This allows signing in as them, so it needs at least their permissions.
        """
        user = self.get_object(request, id)
        by = acting_user(request)
        if user is not None and not by.is_superuser and _granted(user) - by.get_all_permissions():
            raise PermissionDenied
        return super().user_change_password(request, id, form_url)


@admin.register(Group)
class GroupAdmin(GivesNoMoreThanOneHas, PlainGroupAdmin, ModelAdmin):
    """Groups: permissions that several people share."""

    actions = None
    form = GroupForm

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        """Refuse a change to a group that has permissions which the person does not have."""
        return super().has_change_permission(request, obj) and _may_hand_on(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        """Refuse to delete a group that has permissions which the person does not have."""
        return super().has_delete_permission(request, obj) and _may_hand_on(request, obj)


def _may_touch(request: HttpRequest, user: User | None) -> bool:
    return user is None or acting_user(request).is_superuser or not user.is_superuser


def _may_hand_on(request: HttpRequest, group: Group | None) -> bool:
    by = acting_user(request)
    return group is None or by.is_superuser or not _groups_beyond(by, [group])


def _permissions_beyond(by: User, permissions: Iterable[Permission]) -> set[str]:
    """Return the names of those permissions that a user does not have."""
    own = by.get_all_permissions()
    named = _named(Permission.objects.filter(pk__in=[permission.pk for permission in permissions]))
    return named - own


def _groups_beyond(by: User, groups: Iterable[Group]) -> set[str]:
    """Return the names of those groups that have permissions which a user does not have."""
    own = by.get_all_permissions()
    return {group.name for group in groups if _named(group.permissions.all()) - own}


def _granted(user: User) -> set[str]:
    """Return the names of all permissions of a user, also of an inactive one."""
    return _named(Permission.objects.filter(Q(user=user) | Q(group__user=user)))


def _named(permissions: QuerySet[Permission]) -> set[str]:
    named = permissions.values_list("content_type__app_label", "codename")
    return {f"{app}.{codename}" for app, codename in named}
