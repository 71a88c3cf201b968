"""The forms of the pages of partners. Those of keys and webhooks are the desk's (`partners.admin.forms`)."""

from typing import Any

from django import forms
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User

from compliance.partners.admin.forms import OriginsField
from compliance.partners.models import Partner
from compliance.partners.origins import MOST_ORIGINS


class FirstPasswordForm(SetPasswordForm):
    """The password of an account that is not made yet. It may not resemble the mail address."""

    def __init__(self, email: str, data: Any = None) -> None:
        super().__init__(User(username=email, email=email), data)


def origins_form(partner: Partner) -> type[forms.Form]:
    """Return the form that begins with the origins of a partner."""

    class Origins(forms.Form):
        seen = forms.CharField(
            required=False, initial=" ".join(partner.allowed_origins), widget=forms.HiddenInput
        )
        allowed_origins = OriginsField(
            label="Origins",
            required=False,
            initial=list(partner.allowed_origins),
            help_text=f"One on each line, such as https://app.example.com, at most {MOST_ORIGINS}. If empty, "
            "only servers may use a key, and no page may show the check.",
        )

    return Origins
