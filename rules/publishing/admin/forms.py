"""Forms of publishers and reviewers on the pages of releases."""

import datetime
from typing import Any

from django import forms
from unfold.widgets import BASE_INPUT_CLASSES, UnfoldAdminTextareaWidget

from catalog.free_text import MOST_OF_A_REASON


class ShownForm(forms.Form):
    """What the user was shown, so that exactly this is done or nothing."""

    base = forms.CharField(required=False, widget=forms.HiddenInput)
    content_sha256 = forms.CharField(widget=forms.HiddenInput)


class PublishForm(ShownForm):
    """The note of the next release."""

    note = forms.CharField(
        label="Release note",
        max_length=MOST_OF_A_REASON,
        widget=UnfoldAdminTextareaWidget({"rows": 4}),
        help_text="What is new, for readers of the ledger. This text was made from the differences: "
        "improve it.",
    )


class PlanForm(PublishForm):
    """The note of a future release, and its scheduled time."""

    # One form has both buttons, and only one of them needs the scheduled time.
    use_required_attribute = False

    due = forms.DateTimeField(
        label="Publish at (UTC)",
        widget=forms.DateTimeInput(
            {"type": "datetime-local", "class": " ".join(BASE_INPUT_CLASSES)}, format="%Y-%m-%dT%H:%M"
        ),
        help_text="At that time these changes are published on top of what is current then. If one of them "
        "was taken back or changed by then, or something would be less strict than what you see here, "
        "nothing is published, and the desk says why.",
    )

    def clean_due(self) -> datetime.datetime:
        """Return the scheduled time in UTC."""
        return self.cleaned_data["due"].replace(tzinfo=datetime.UTC)


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = forms.CharField(
        label="Reason",
        max_length=MOST_OF_A_REASON,
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
        help_text="One sentence for readers of the ledger.",
    )


class RollBackForm(ReasonForm):
    """Why an earlier release is to be published again, and which one was current when this was shown."""

    shown = forms.CharField(widget=forms.HiddenInput)


class AcceptManyForm(ReasonForm):
    """Why several cases may fail as they do. Each is sent as the digest of how it fails, and its name."""

    def shown(self) -> dict[str, str]:
        """Return the digests of the ticked cases, by their names."""
        data: Any = self.data
        ticked: list[str] = data.getlist("case")
        return {name: digest for digest, _, name in (one.partition(" ") for one in ticked)}


class AcceptForm(ReasonForm):
    """Why a case may fail as it does."""

    name = forms.CharField(widget=forms.HiddenInput)
    shown = forms.CharField(widget=forms.HiddenInput)
