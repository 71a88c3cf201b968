"""The forms of signing in."""

from typing import Any

from axes.utils import reset
from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm as PlainAuthenticationForm
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.http import HttpRequest
from unfold.forms import AdminOwnPasswordChangeForm, AuthenticationForm
from unfold.widgets import UnfoldAdminTextInputWidget

from compliance.partners.people.actions import name_of
from compliance.signin.actions import is_of_app
from compliance.signin.lockout import client_address
from compliance.signin.places import PARTNERS

LONGEST = 40
"""Longer than any code, however it is typed."""


class _CountsRefusals(PlainAuthenticationForm):
    """A right password that is refused counts as a failure, so that no one learns that it is right."""

    def confirm_login_allowed(self, user: User) -> None:
        """Refuse users who do not sign in here."""
        try:
            super().confirm_login_allowed(user)
        except forms.ValidationError:
            credentials = {"username": user.get_username()}
            user_login_failed.send(__name__, credentials=credentials, request=self.request)
            raise


class SignInForm(_CountsRefusals, AuthenticationForm):
    """Name and password of staff."""


class _OfPartners(PlainAuthenticationForm):
    """Lets only people of open partners in."""

    def confirm_login_allowed(self, user: User) -> None:
        """Refuse everyone else, with the words for a wrong password."""
        if not PARTNERS.admits(user):
            raise self.get_invalid_login_error()


class PartnerSignInForm(_CountsRefusals, _OfPartners):
    """Mail address and password of a person of a partner."""

    error_messages = {
        "invalid_login": "Mail address and password do not fit together, or there is no such account.",
    }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["username"].label = "Mail address"
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"

    def clean_username(self) -> str:
        """Return the address in the spelling of accounts."""
        return name_of(self.cleaned_data["username"])


class OwnPasswordForm(PasswordChangeForm):
    """The present and another password. A wrong present one counts as one at signing in does."""

    def __init__(self, *args: Any, request: HttpRequest, **options: Any) -> None:
        super().__init__(*args, **options)
        self.request = request

    def clean_old_password(self) -> str:
        """Return the present password. A right one begins the count of wrong ones again."""
        name, given = self.user.get_username(), self.cleaned_data["old_password"]
        if authenticate(self.request, username=name, password=given) is None:
            raise forms.ValidationError(self.error_messages["password_incorrect"], "password_incorrect")
        reset(username=name, ip=client_address(self.request))
        return str(given)


class DeskPasswordForm(OwnPasswordForm, AdminOwnPasswordChangeForm):
    """... of staff."""


class CodeInput(UnfoldAdminTextInputWidget):
    """An input for a code. A refused code is not shown again; the user types a new one."""

    def format_value(self, value: Any) -> None:
        """Show nothing."""


class CodeField(forms.CharField):
    """Six digits from an app, typed in any groups."""

    widget = CodeInput

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST, **options)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Make phones show a digit keyboard and offer a code that was received."""
        return super().widget_attrs(widget) | {"autocomplete": "one-time-code", "inputmode": "numeric"}

    def clean(self, value: Any) -> str:
        """Return the digits without the characters between them."""
        code = super().clean(value).replace(" ", "").replace("-", "")
        if not is_of_app(code):
            raise forms.ValidationError("Type the six digits that the app shows.")
        return str(code)


class ProofField(forms.CharField):
    """A currently valid code: of the app, or a recovery code."""

    widget = CodeInput

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST, **options)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Keep browsers from remembering codes and phones from correcting them."""
        attrs = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        return super().widget_attrs(widget) | attrs

    def clean(self, value: Any) -> str:
        """Return the code; a code of an app without the characters between its digits."""
        code: str = super().clean(value)
        digits = code.replace(" ", "").replace("-", "")
        return digits if is_of_app(digits) else code


class VerifyForm(forms.Form):
    """The code of the app."""

    code = CodeField(label="Code from your app", widget=CodeInput({"autofocus": True}))


class RecoverForm(forms.Form):
    """A recovery code in place of it."""

    code = ProofField(
        label="Recovery code", help_text="Each code can be used once.", widget=CodeInput({"autofocus": True})
    )


class SetUpForm(forms.Form):
    """The first code of a new app."""

    code = CodeField(label="Code that the app shows")


class ReplaceForm(SetUpForm):
    """... and the proof that the user who replaces the app has the present one."""

    proof = ProofField(label="A valid code", help_text="From your present app, or a recovery code.")


class RenewForm(forms.Form):
    """The proof that the user who wants new recovery codes has the second factor."""

    proof = ProofField(label="Code from your app", help_text="Or one of your recovery codes.")
