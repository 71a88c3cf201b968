"""The database itself refuses recalls that the domain does not know, whoever writes them."""

import datetime

import pytest
from django.utils import timezone

from recalls.feeds.actions import suspect, take_in
from recalls.feeds.matching import Catalog
from recalls.models import (
    FeedNotice,
    FeedRecall,
    FeedReview,
    FeedState,
    FeedVersion,
    Recall,
    RecallEvidence,
)
from tests.support.constraints import Write, change, constraints_of, copy, violated
from tests.support.factories import a_notice, a_user
from tests.support.revisions import refused_revisions
from tests.support.world import APPROVER, build_world

BY_SERIAL = "xa-lynx-10k-2026"
BY_LIST = "xb-puma-30k-2026"

REFUSED = [
    ("recall_id_is_a_slug", change(Recall, BY_LIST, recall_id="XB 2026/1")),
    ("recall_jurisdiction_is_upper_case", change(Recall, BY_LIST, jurisdiction="xb")),
    ("recall_precision_is_known", change(Recall, BY_LIST, announced_precision="decade")),
    ("recall_units_scope_is_known", change(Recall, BY_SERIAL, units_scope="brand")),
    ("recall_scope_is_known", change(Recall, BY_LIST, scope="brand")),
    ("recall_units_is_positive", change(Recall, BY_SERIAL, units=0)),
    ("recall_units_with_their_scope", change(Recall, BY_SERIAL, units=None)),
    ("recall_units_with_their_scope", change(Recall, BY_SERIAL, units_scope=None)),
    ("recall_pattern_where_its_scope_needs_one", change(Recall, BY_LIST, scope="batch")),
    ("recall_clears_only_beside_a_pattern", change(Recall, BY_LIST, exhaustive=True)),
    ("recall_clears_only_beside_a_pattern", change(Recall, BY_LIST, not_affected_pattern="^A$")),
    ("recall_notice_url_is_absolute", change(Recall, BY_LIST, notice_url="puma.example/recall")),
    (
        "recall_explicit_list_url_is_absolute",
        change(Recall, BY_LIST, explicit_list_url="puma.example/recall"),
    ),
    ("recall_evidence_source_once", copy(RecallEvidence, {"position": 1}, recall__recall_id=BY_LIST)),
    (
        "recall_evidence_position_once",
        copy(RecallEvidence, {"source_id": "xa-page"}, recall__recall_id=BY_LIST),
    ),
]


def refused_of_revisions() -> list[tuple[str, Write]]:
    """Return the refused writes of revisions, which need users and instants."""
    return refused_revisions(
        "recall", Recall, BY_LIST, author=a_user(), approver=a_user(APPROVER), other=a_user("other")
    )


def refused_of_feeds() -> list[tuple[str, Write]]:
    """Return the refused writes of what the feeds said."""
    now, person = timezone.now(), a_user()
    take_in(a_notice(), catalog=Catalog([]), now=now)
    suspect("cpsc", "Most is gone.", now=now)
    notice = FeedNotice.objects.get()
    version = notice.versions.get()
    recall = FeedRecall.objects.create(notice=notice, recall_id=BY_LIST, model_id="puma-30k", drafted=False)
    review = FeedReview.objects.create(notice=notice, kind="gone", before=version, after=version, opened=now)
    earlier = now - datetime.timedelta(days=1)
    return [
        ("feed_notice_once", copy(FeedNotice, {}, pk=notice.pk)),
        ("feed_notice_feed_is_known", change(FeedNotice, notice.pk, feed="opss")),
        ("feed_notice_state_is_known", change(FeedNotice, notice.pk, state="published")),
        ("feed_notice_dismissal_is_a_pair", change(FeedNotice, notice.pk, dismissed_at=now)),
        ("feed_notice_irrelevant_says_why", change(FeedNotice, notice.pk, state="irrelevant")),
        ("feed_version_once", copy(FeedVersion, {}, pk=version.pk)),
        ("feed_versions_count_from_one", change(FeedVersion, version.pk, number=0)),
        ("feed_recall_once", copy(FeedRecall, {}, pk=recall.pk)),
        ("feed_review_one_open", copy(FeedReview, {}, pk=review.pk)),
        ("feed_review_kind_is_known", change(FeedReview, review.pk, kind="lost")),
        ("feed_review_end_is_a_pair", change(FeedReview, review.pk, closed_at=now)),
        (
            "feed_review_closed_after_opening",
            change(FeedReview, review.pk, closed_at=earlier, closed_by=person),
        ),
        ("feed_state_feed_is_known", change(FeedState, "cpsc", feed="opss")),
        ("feed_state_acceptance_is_a_pair", change(FeedState, "cpsc", accepted_at=now)),
        ("feed_state_suspicion_has_its_instant", change(FeedState, "cpsc", suspicion="")),
        (
            "feed_state_accepts_a_suspicion",
            change(FeedState, "cpsc", accepted_at=now, accepted_by=person),
        ),
    ]


@pytest.mark.django_db
def test_the_database_refuses_each_of_these_rows_and_every_constraint_is_among_them() -> None:
    build_world(by=a_user())
    refused = REFUSED + refused_of_revisions() + refused_of_feeds()
    assert [(name, violated(write)) for name, write in refused] == [(name, name) for name, _ in refused]
    assert {name for name, _ in refused} == constraints_of("recalls")


@pytest.mark.django_db
def test_a_recall_belongs_to_exactly_one_model_and_to_no_brand() -> None:
    build_world(by=a_user())
    # PostgreSQL gives a missing value no constraint name.
    assert violated(change(Recall, BY_LIST, device=None)) == "None"
    related = [field.related_model.__name__ for field in Recall._meta.get_fields() if field.related_model]
    assert related.count("Device") == 1
    assert "Brand" not in related
