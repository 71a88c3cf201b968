"""Finding a record by the id that a person gives. Called by the command and by the admin."""

from django.db.models import Q, QuerySet

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
