"""Who may sign in and do what: Django's users and groups, in the look of the rest.

Whoever may change users hands on no more than they have themselves. Nobody but a superuser makes another one,
or changes one; and of groups and permissions, somebody can give and take those alone that they have.
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

NOT_YOURS = "You can give and take only what you have yourself; this is more: {names}."


class HandsOn(forms.ModelForm):
    """A form that gives permissions: nothing but what whoever fills it in has.

    What the row has beyond that stays as it is, whatever is sent.
    """

    by: User

    def clean(self) -> dict[str, Any]:
        """Refuse what would change anything that is not one's own to give."""
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
    """A screen that tells its form who fills it in."""

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the class of the form, which knows who fills it in."""
        form_class: Any = super().get_form(request, obj, change=change, **kwargs)
        form_class.by = acting_user(request)
        return form_class


@admin.register(User)
class UserAdmin(GivesNoMoreThanOneHas, SignInButtons, PlainUserAdmin, ModelAdmin):
    """Users. Their permissions on partners and keys decide what they may do here."""

    # Done to many at once, a deed would not ask who each of them is.
    actions = None
    form = UserForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ["username", "email", "is_staff", "second_factor_state", "last_login"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Let nobody but superusers say who is one."""
        fields = [*super().get_readonly_fields(request, obj)]
        return fields if acting_user(request).is_superuser else [*fields, "is_superuser"]

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Refuse superusers to everybody else: whoever changes their password is one of them."""
        return super().has_change_permission(request, obj) and _may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Refuse superusers to everybody else."""
        return super().has_delete_permission(request, obj) and _may_touch(request, obj)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Set somebody's password, which is to become them: nobody does so who may do less than they."""
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
        """Refuse a group that may do more than whoever would change it."""
        return super().has_change_permission(request, obj) and _may_hand_on(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        """Refuse a group that may do more than whoever would delete it."""
        return super().has_delete_permission(request, obj) and _may_hand_on(request, obj)


def _may_touch(request: HttpRequest, user: User | None) -> bool:
    return user is None or acting_user(request).is_superuser or not user.is_superuser


def _may_hand_on(request: HttpRequest, group: Group | None) -> bool:
    by = acting_user(request)
    return group is None or by.is_superuser or not _groups_beyond(by, [group])


def _permissions_beyond(by: User, permissions: Iterable[Permission]) -> set[str]:
    """Return the names of those permissions that somebody has not."""
    own = by.get_all_permissions()
    named = _named(Permission.objects.filter(pk__in=[permission.pk for permission in permissions]))
    return named - own


def _groups_beyond(by: User, groups: Iterable[Group]) -> set[str]:
    """Return the names of those groups that may do anything which somebody may not."""
    own = by.get_all_permissions()
    return {group.name for group in groups if _named(group.permissions.all()) - own}


def _granted(user: User) -> set[str]:
    """Return the names of all permissions of a user, also of one who is not active at the moment."""
    return _named(Permission.objects.filter(Q(user=user) | Q(group__user=user)))


def _named(permissions: QuerySet[Permission]) -> set[str]:
    named = permissions.values_list("content_type__app_label", "codename")
    return {f"{app}.{codename}" for app, codename in named}
