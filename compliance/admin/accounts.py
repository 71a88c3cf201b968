"""Who may sign in and do what: Django's users and groups, in the look of the rest."""

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as PlainGroupAdmin
from django.contrib.auth.admin import UserAdmin as PlainUserAdmin
from django.contrib.auth.models import Group, User
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from compliance.admin.signing_in import SignInButtons

admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class UserAdmin(SignInButtons, PlainUserAdmin, ModelAdmin):
    """Users. Their permissions on partners and keys decide what they may do here."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ["username", "email", "is_staff", "second_factor_state", "last_login"]


@admin.register(Group)
class GroupAdmin(PlainGroupAdmin, ModelAdmin):
    """Groups: permissions that several people share."""
