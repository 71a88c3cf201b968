"""Finding a record by the id that a person gives. Called by the command, the admin and POST /api/receipts."""

from django.db.models import Q, QuerySet

from compliance.partners.models import PartnerKey
from compliance.records.verdict_log.models import VerdictRecord


def is_named(verdict_id: str) -> Q:
    """Return the condition for records of this verdict, or of the trip whose flight has this id."""
    asked = verdict_id.strip()
    return Q(verdict_id=asked) | Q(segment_ids__contains=[asked])


def records_of(verdict_id: str) -> QuerySet[VerdictRecord]:
    """Return the records with an id.

    There are several if the same question was asked more than once in one second; everything else in them is
    the same.
    """
    return VerdictRecord.objects.filter(is_named(verdict_id))


def record_given_to(partner: str, verdict_id: str) -> VerdictRecord | None:
    """Return the record of a verdict that was given to any key of a partner, also of one that is revoked now.

    An id is no secret: it is shown on pages and read aloud. So nobody finds what others were given.
    """
    keys = PartnerKey.objects.filter(partner=partner).values("public_id")
    return records_of(verdict_id).filter(partner__in=keys).order_by("recorded", "entry_id").first()
