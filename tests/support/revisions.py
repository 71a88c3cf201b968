"""The common features of rules and recalls as revisions, for tests of either."""

import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from catalog.editorial.models import Revision
from tests.support.constraints import Write, change


def refused_revisions(
    name: str, model: type[Revision], record_id: str, *, author: User, approver: User, other: User
) -> list[tuple[str, Write]]:
    """Return writes that the constraints of all revisions refuse; the record's only one is approved."""
    now = timezone.now()
    later = now + datetime.timedelta(hours=1)
    long_ago = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    unsubmitted = {"submitted_at": None, "submitted_by": None}
    unapproved = {"approved_at": None, "approved_by": None}
    again = {"second_approved_at": now, "second_approved_by": other}
    published = {"published_at": now, "published_by": author}

    def changed(**changes: Any) -> Write:
        return change(model, record_id, **changes)

    def once_more(**changes: Any) -> Write:
        def write() -> None:
            # Each of the three has another state, so a single constraint refuses each.
            row = model._default_manager.get(**{model.id_field: record_id})
            row.pk, row.revision = None, 2
            for field, value in changes.items():
                setattr(row, field, value)
            model._default_manager.bulk_create([row])

        return write

    def two(**changes: Any) -> Write:
        def write() -> None:
            once_more()()
            model._default_manager.filter(**{model.id_field: record_id}).update(**changes)

        return write

    refused: list[tuple[str, Write]] = [
        ("revision_once", once_more(revision=1)),
        ("one_open_revision", two(state="draft", **unsubmitted, **unapproved)),
        ("one_open_revision", two(state="in_review", **unapproved)),
        ("one_published_revision", two(state="published", **published)),
        ("revisions_count_from_one", changed(revision=0)),
        ("first_revision_withdraws_nothing", changed(withdraws=True)),
        ("state_is_known", changed(state="lost", **unapproved)),
        ("creator_is_an_author", changed(authors=[])),
        ("creator_is_an_author", changed(created_by=approver)),
        ("submission_is_a_pair", changed(submitted_by=None)),
        ("submitted_unless_draft", changed(state="draft", **unapproved)),
        ("submitted_unless_draft", changed(**unsubmitted)),
        ("approval_is_a_pair", changed(approved_by=None)),
        ("approved_has_an_approver", changed(state="in_review")),
        ("approved_has_an_approver", changed(**unapproved)),
        ("approver_is_not_author", changed(approved_by=author)),
        ("approver_is_not_author", changed(authors=[author.pk, approver.pk])),
        ("second_approval_is_a_pair", changed(second_approved_by=other)),
        ("second_approval_has_a_first", changed(state="in_review", **unapproved, **again)),
        ("second_approval_after_the_first", changed(**again, approved_at=later)),
        ("second_approver_is_not_author", changed(**again | {"second_approved_by": author})),
        ("second_approver_is_somebody_else", changed(**again | {"second_approved_by": approver})),
        ("publication_is_a_pair", changed(state="published", published_at=now)),
        ("published_has_a_publisher", changed(state="published")),
        ("published_has_a_publisher", changed(**published)),
        ("submitted_after_creation", changed(submitted_at=long_ago)),
        ("approved_after_submission", changed(approved_at=long_ago)),
    ]
    return [(f"{name}_{rule}", write) for rule, write in refused]
