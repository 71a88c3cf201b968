"""The forms of passkeys. The script of the page fills in the answer of the browser."""

from django import forms
from unfold.widgets import UnfoldAdminTextInputWidget

from compliance.signin.forms import LONGEST, ProofField

LONGEST_ANSWER = 16 * 1024
"""Characters: longer than what any authenticator says about itself."""


class BeginForm(forms.Form):
    """The name of a new passkey, and the proof that the person has the second factor."""

    name = forms.CharField(
        label="Name",
        max_length=LONGEST,
        help_text="Where it is, such as your phone.",
        widget=UnfoldAdminTextInputWidget,
    )
    proof = ProofField(label="Code from your app", help_text="Or one of your recovery codes.")


class AnswerForm(forms.Form):
    """The answer of the browser."""

    answer = forms.CharField(max_length=LONGEST_ANSWER, widget=forms.HiddenInput)
