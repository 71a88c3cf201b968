"""The certificates of a model in its form: a block for each, and how it is displayed.

Called by the screen of models.
"""

from collections.abc import Iterable

import msgspec
from django import forms
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget, UnfoldAdminURLInputWidget

from catalog.devices import models
from catalog.records import Certificate, CertificateStatus, Certification
from catalog.screens.list_field import Row, RowsField, date_field, source_field
from catalog.tables.constraints import choices

COLUMNS = ("mark", "status", "number", "lookup_url", "since", "until", "source")
"""The fields of a certificate in the order of the form."""


def certificates_field() -> RowsField:
    """Return the field of a model's certificates."""
    return RowsField(
        {
            "mark": forms.ChoiceField(
                label="Mark", choices=choices(Certification), widget=UnfoldAdminSelectWidget
            ),
            "status": forms.ChoiceField(
                label="Status",
                choices=[("", "Choose a status"), *choices(CertificateStatus)],
                widget=UnfoldAdminSelectWidget,
            ),
            "number": forms.CharField(
                label="Number",
                required=False,
                max_length=models.Certificate._meta.get_field("number").max_length,
                widget=UnfoldAdminTextInputWidget,
            ),
            "lookup_url": forms.URLField(
                label="Address where it can be looked up",
                required=False,
                max_length=models.Certificate._meta.get_field("lookup_url").max_length,
                assume_scheme="https",
                widget=UnfoldAdminURLInputWidget,
            ),
            "since": date_field("First day", required=False),
            "until": date_field("Last day", required=False),
            "source": source_field(models.Certificate._meta.get_field("source")),
        },
        add="Add a certificate",
        item="Certificate",
        labeled=True,
        help_text="What is known about the certificates behind its marks: one block for each status. A "
        "suspended or revoked certificate makes answers stricter from its first to its last day, "
        "both included. Leave a day empty if there is no limit. A valid certificate never proves "
        "the mark on a unit.",
    )


def as_rows(certificates: Iterable[Certificate]) -> list[Row]:
    """Return certificates as blocks of the form."""
    return [tuple(getattr(one, name) for name in COLUMNS) for one in certificates]


def certificate(row: Row) -> Certificate:
    """Return a block of the form as a certificate. An empty field is unknown."""
    fields = dict(zip(COLUMNS, (cell or None for cell in row), strict=True))
    return msgspec.convert(fields, Certificate)
