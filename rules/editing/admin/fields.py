"""Fields of the form of a rule and of the form that tries it."""

from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
)

from rules.engine.vocabulary import MAX_QUANTITY


def choices_field(labels: dict[Any, str], **options: Any) -> forms.TypedMultipleChoiceField:
    """Return a field of several choices. No choice means no condition, and so null."""
    return forms.TypedMultipleChoiceField(
        empty_value=None,
        choices=list(labels.items()),
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        **options,
    )


def choice_field(labels: dict[Any, str], **options: Any) -> forms.ChoiceField:
    """Return a field of one choice."""
    return forms.ChoiceField(choices=list(labels.items()), widget=UnfoldAdminSelectWidget, **options)


def amount_field(label: str, **attributes: str) -> forms.DecimalField:
    """Return a field of an amount with two decimals."""
    widget = UnfoldAdminDecimalFieldWidget({"step": "0.01", "min": "0.01", **attributes})
    return forms.DecimalField(
        label=label, required=False, max_digits=8, decimal_places=2, min_value=0, widget=widget
    )


def count_field(label: str, *, required: bool = False, **options: Any) -> forms.IntegerField:
    """Return a field of a number of units."""
    attributes = {"min": "1", "max": str(MAX_QUANTITY), **options.pop("attributes", {})}
    return forms.IntegerField(
        label=label,
        required=required,
        min_value=1,
        max_value=MAX_QUANTITY,
        widget=UnfoldAdminIntegerFieldWidget(attributes),
        **options,
    )
