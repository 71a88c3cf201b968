"""Partners: who calls the API with a key, and what was agreed with them."""

import datetime
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Func, Value
from django.db.models.lookups import Regex

from catalog.tables.authorship import Created, somebody
from catalog.tables.constraints import SLUG, both_or_neither, not_after, positive, spelled
from compliance.partners.origins import SPELLED

TERMS_ADDRESS = r"^https://[a-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?$"
"""An address that can stand in a `Link` header as it is."""

# With a space before each. An element that is null would otherwise just be left out.
_ORIGINS = Func(
    Func(Value(""), F("allowed_origins"), function="array_prepend", output_field=models.TextField()),
    Value(" "),
    Value("null"),
    function="array_to_string",
    output_field=models.TextField(),
)


class PartnerQuerySet(models.QuerySet["Partner"]):
    """Partners, with what a list of them shows."""

    def with_keys(self, now: datetime.datetime) -> Self:
        """Add `live_keys`, how many keys count at an instant, and `last_used`, when any key was used last."""
        return self.annotate(
            live_keys=models.Count("keys", filter=live_at(now, "keys__")),
            last_used=models.Max("keys__last_used"),
        )


class Partner(Created):
    """A partner with what was agreed. None of it ever changes a verdict.

    `rate_per_minute` is how many requests each key may send in a minute. `allowed_origins` are the web
    origins, spelled as browsers do, whose pages may use a key; with none, only servers may. `terms_url` leads
    to the support terms. A closed partner has no live key and gets none.
    """

    slug = models.CharField(primary_key=True, max_length=50)
    name = models.CharField(max_length=200)
    contact_email = models.EmailField()
    rate_per_minute = models.PositiveIntegerField()
    allowed_origins = ArrayField(models.CharField(max_length=300), default=list, blank=True)
    terms_url = models.CharField(max_length=500)
    changed_at = models.DateTimeField(null=True, blank=True, editable=False)
    changed_by = somebody()
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_by = somebody()

    objects = PartnerQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]
        # Partners are closed; they never go away.
        default_permissions = ("add", "change", "view")
        constraints = [
            spelled("partner_slug_is_a_slug", "slug", SLUG, "the slug is lower-case words joined by hyphens"),
            spelled("partner_name_is_written", "name", r"\S", "a partner has a name"),
            spelled(
                "partner_email_is_written", "contact_email", r"^\S+@\S+$", "a partner has an email address"
            ),
            positive("partner_rate_is_above_zero", "rate_per_minute"),
            models.CheckConstraint(
                name="partner_origins_are_spelled_as_browsers_do",
                condition=Regex(_ORIGINS, Value(rf"^( {SPELLED})*$")),
                violation_error_message="an origin is https://, host and port alone, in lower case",
            ),
            spelled(
                "partner_terms_are_at_an_https_address",
                "terms_url",
                TERMS_ADDRESS,
                "the support terms are at an https address, written in ASCII",
            ),
            both_or_neither("partner_change_is_a_pair", "changed_at", "changed_by"),
            both_or_neither("partner_closing_is_a_pair", "closed_at", "closed_by"),
            not_after(
                "partner_closed_after_creation",
                "created_at",
                "closed_at",
                "a partner is not closed before it is recorded",
            ),
        ]

    def __str__(self) -> str:
        return self.slug


def live_at(now: datetime.datetime, to_key: str = "") -> models.Q:
    """Return the condition that a key counts at an instant; `to_key` leads from the model to the key."""
    neither = models.Q(**{f"{to_key}revoked_at": None, f"{to_key}partner__closed_at": None})
    endless, later = models.Q(**{f"{to_key}valid_until": None}), models.Q(**{f"{to_key}valid_until__gt": now})
    return neither & (endless | later)
