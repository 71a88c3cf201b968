"""Evidence: a page that was read, or a pointer to one that was not."""

# ruff: noqa: DJ001 -- null says that a fact is not known; an empty text would be a second way to say so.

from django.conf import settings
from django.db import models
from django.db.models import DateField, F, Func, Q, Value
from django.db.models.functions import Cast

from catalog import records
from catalog.cadence import Cadence
from catalog.tables.authorship import Changed
from catalog.tables.constraints import (
    SLUG,
    UPPER_CASE_JURISDICTION,
    WEB_ADDRESS,
    check,
    choices,
    not_after,
    one_of,
    spelled,
    words,
)
from catalog.tables.recorded import Recorded, record_from
from catalog.tables.tracking import tracked

RECORDED_ON = Cast(
    Func(Value("UTC"), F("recorded_at"), function="timezone", output_field=models.DateTimeField()),
    DateField(),
)
"""The day, in UTC, on which a reading was recorded."""


@tracked
class Source(Changed, Recorded):
    """A piece of evidence. `general_knowledge` was never read, so it is never cited.

    `url` is shown to readers; `read_url` is the page that was read, if that is another place (an archive, or
    a stored copy with a `urn:`). `jurisdiction` may be a country without curated rules. `cadence` is null for
    the standard of its kind. `recorded_at` and `recorded_by` say who recorded the last reading, and when:
    documents keep dates only, and two readings may be of one day.
    """

    id = models.CharField(primary_key=True, max_length=80)
    kind = models.CharField(max_length=20, choices=choices(records.SourceKind))
    authority = models.CharField(max_length=200)
    jurisdiction = models.CharField(max_length=4)
    url = models.URLField(max_length=2000)
    title = models.CharField(max_length=500)
    basis = models.CharField(max_length=20, choices=choices(records.SourceBasis))
    read_url = models.CharField(max_length=2000, null=True, blank=True)
    page_date = models.DateField(null=True, blank=True)
    read_on = models.DateField()
    cadence = models.CharField(max_length=20, null=True, blank=True, choices=choices(Cadence))
    recorded_at = models.DateTimeField(editable=False)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", editable=False
    )

    class Meta:
        ordering = ["id"]
        permissions = [("confirm_source", "Can note that a source was read again, unchanged")]
        constraints = [
            *Changed.Meta.constraints,
            spelled("source_id_is_a_slug", "id", SLUG, "the id is lower-case words joined by hyphens"),
            one_of("source_kind_is_known", "kind", words(records.SourceKind)),
            one_of("source_basis_is_known", "basis", words(records.SourceBasis)),
            one_of("source_cadence_is_known", "cadence", words(Cadence)),
            spelled(
                "source_jurisdiction_is_upper_case",
                "jurisdiction",
                UPPER_CASE_JURISDICTION,
                "the jurisdiction is two to four upper-case letters",
            ),
            spelled("source_url_is_absolute", "url", WEB_ADDRESS, "`url` is an absolute web address"),
            spelled(
                "source_read_url_is_absolute",
                "read_url",
                r"^(https?://|urn:)\S+$",
                "`read_url` is an absolute web address or a `urn:`",
            ),
            not_after(
                "source_dates_in_order",
                "page_date",
                "read_on",
                "a page is not read before the date that it bears",
            ),
            check(
                "source_is_read_before_it_is_recorded",
                Q(read_on__lte=RECORDED_ON),
                "a page is not read in the future",
            ),
        ]

    def __str__(self) -> str:
        return self.id

    def to_record(self) -> records.Source:
        """Return the source as a record."""
        return record_from(self, records.Source)
