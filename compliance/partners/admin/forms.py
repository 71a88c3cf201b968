"""The forms of partners, keys and webhooks."""

from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminURLInputWidget,
)

from catalog.screens.record_forms import RecordForm
from compliance.partners.actions.keys import OVERLAP
from compliance.partners.agreement import Agreement
from compliance.partners.models import Partner, Webhook
from compliance.partners.origins import MOST_ORIGINS, normalized


class OriginsField(forms.CharField):
    """Web origins, one on each line. Without the field a form is refused: an empty one ends all of them."""

    widget = UnfoldAdminTextareaWidget({"rows": 4})

    def prepare_value(self, value: Any) -> Any:
        """Return the origins of a row as lines; text that a person typed stays as it is."""
        return "\n".join(value) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> Any:
        """Return the origins in the spelling of browsers. Raises `ValidationError`, which names bad lines."""
        if value is None:
            raise forms.ValidationError(
                "The form came without its origins, so nothing was changed. Open this page again."
            )
        origins, errors = [], []
        for line in self.prepare_value(value).split():
            try:
                origins.append(normalized(line))
            except ValueError as error:
                errors.append(f"{line} {error}.")
        origins = list(dict.fromkeys(origins))
        if len(origins) > MOST_ORIGINS:
            errors.append(f"These are {len(origins)} origins, and {MOST_ORIGINS} are the most.")
        if errors:
            raise forms.ValidationError(errors)
        return origins

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Say whether the lines name other origins than the row."""
        return super().has_changed(self.prepare_value(initial), data)


class PartnerForm(RecordForm):
    """The agreement with a partner."""

    record_type = Agreement

    allowed_origins = OriginsField(
        required=False,
        help_text=f"One on each line, such as https://app.example.com, at most {MOST_ORIGINS}. If empty, "
        "only servers may use a key.",
    )

    class Meta:
        model = Partner
        fields = [
            "slug",
            "name",
            "contact_email",
            "rate_per_minute",
            "allowed_origins",
            "terms_url",
            "receipts",
        ]
        labels = {
            "rate_per_minute": "Requests per minute",
            "terms_url": "Support terms",
            "receipts": "Receipts",
        }
        help_texts = {
            "slug": (
                "The name of the partner in the service, such as acme-travel. It cannot be changed later."
            ),
            "rate_per_minute": "The limit of each key.",
            "terms_url": "An https address. Each answer to the partner links to it.",
            "receipts": "Every verdict has a receipt, also if the request does not ask for one. It makes "
            "answers slower.",
        }


class IssueForm(forms.Form):
    """How long a new key is valid."""

    days = forms.IntegerField(
        label="Days until the new key expires",
        required=False,
        min_value=1,
        max_value=3650,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="Leave this empty for a key that is valid until it is revoked.",
    )


class RotateForm(IssueForm):
    """How long a new key is valid, and for how long the earlier ones stay valid."""

    overlap_days = forms.IntegerField(
        label="Days that the present key stays valid",
        min_value=0,
        max_value=365,
        initial=OVERLAP.days,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="Time for the partner to change keys. With 0, the present key ends at once.",
    )


class SubscriptionForm(forms.Form):
    """What a webhook gets."""

    events = forms.MultipleChoiceField(
        label="Events",
        choices=[
            ("trip_watch.changed", "A watched trip has another verdict"),
            ("ruleset.published", "A release is published"),
            ("recall.added", "A model below has a new recall"),
        ],
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )
    recall_models = forms.CharField(
        label="Models",
        required=False,
        widget=UnfoldAdminTextareaWidget({"rows": 4}),
        help_text="Ids of the catalog, one on each line, such as anker-a1289. Only for new recalls.",
    )

    def clean_recall_models(self) -> list[str]:
        """Return the ids from the lines."""
        lines: str = self.cleaned_data["recall_models"]
        return lines.split()


def subscription_form(webhook: Webhook, form: type[forms.Form] = SubscriptionForm) -> type[forms.Form]:
    """Return a form that begins with what a webhook gets now, and is refused if that has changed."""

    class Present(form):  # type: ignore[misc, valid-type]
        seen = forms.CharField(required=False, initial=webhook.gets, widget=forms.HiddenInput)

        def __init__(self, data: Any = None) -> None:
            models = "\n".join(webhook.recall_models)
            super().__init__(data, initial={"events": webhook.events, "recall_models": models})

    return Present


class WebhookForm(SubscriptionForm):
    """The address that receives a partner's events, and which."""

    field_order = ["url", "events", "recall_models"]
    url = forms.CharField(
        label="Address",
        max_length=500,
        widget=UnfoldAdminURLInputWidget,
        help_text="An https address of the partner on the public internet, such as "
        "https://hooks.example.com/battery.",
    )
