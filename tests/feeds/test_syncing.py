"""Rounds of the feeds against a server on loopback, with a real database."""

import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from catalog.actions import record_devices, record_sources
from catalog.models import DeadLetter, Source
from catalog.models.audit import AuditEntry
from catalog.records import POINTER
from recalls.actions import approve_recalls, submit_recalls
from recalls.feeds import actions
from recalls.models import FeedNotice, FeedRecall, FeedReview, FeedState, FeedVersion, Recall
from recalls.serials import evaluate
from rules.drafting import compile_content
from rules.engine.document import problems
from tests.factories import a_device, a_source, a_user

from . import samples
from .conftest import TODAY, Round

NEXT_DAY = TODAY + datetime.timedelta(days=1)
TABLES = (
    FeedNotice,
    FeedVersion,
    FeedRecall,
    FeedReview,
    FeedState,
    Recall,
    Source,
    AuditEntry,
    User,
    DeadLetter,
)


@pytest.fixture
def catalog(db: None) -> None:
    """The models of the samples, and no recall."""
    by = a_user()
    record_sources(by=by, sources=[a_source()])
    record_devices(
        by=by,
        devices=[
            a_device(
                model_id="anker-a1263", brand="Anker", model_name="PowerCore 10000", model_number="A1263"
            ),
            a_device(
                model_id="anker-a1647", brand="Anker", model_name="Power Bank 20K", model_number="A1647"
            ),
            a_device(model_id="anker-a1681", brand="Anker", model_name="Zolo", model_number="A1681"),
            a_device(model_id="anker-a1689", brand="Anker", model_name="Zolo", model_number="A1689"),
            a_device(
                model_id="pb6s", brand="AmazonBasics", model_name="Portable Power Bank", model_number="PB6S"
            ),
            a_device(model_id="bs-30kp365", brand="Baseus", model_name="65W", model_number="BS-30KP365"),
        ],
    )


def dump() -> dict[str, list[Any]]:
    """Return all rows that a round may write, but those that tell of the rounds themselves."""
    return {model.__name__: list(model._default_manager.order_by("pk").values()) for model in TABLES}


def drafts() -> list[str]:
    return list(Recall.objects.order_by("recall_id").values_list("recall_id", flat=True))


def test_each_feed_makes_drafts_of_exact_models_with_what_its_notice_says(catalog: None, read: Round) -> None:
    read()
    assert drafts() == [
        "au-pra-2025-20555-bs-30kp365",
        "ca-hc-99999-anker-a1647",
        "ca-hc-99999-anker-a1681",
        "ca-hc-99999-anker-a1689",
        "eu-a12-0428-18-pb6s",
        "us-cpsc-25-338-anker-a1263",
    ]
    recall = Recall.objects.get(recall_id="us-cpsc-25-338-anker-a1263").to_record()
    assert (recall.announced_on, recall.announced_precision) == (datetime.date(2025, 6, 12), "day")
    assert (recall.units, recall.units_scope) == (1_158_000, "notice_total")
    assert (recall.remedy, recall.notice_url) == ("Replace", samples.CPSC_PAGE)
    assert set(Recall.objects.values_list("state", flat=True)) == {"draft"}
    assert set(FeedNotice.objects.values_list("state", flat=True)) == {"drafted"}


def test_the_four_feeds_read_twice_give_the_same_rows(catalog: None, read: Round) -> None:
    read()
    first = dump()
    read(now=NEXT_DAY)
    second = dump()
    # How far it has read is all that a further day may change.
    for state in (*first["FeedState"], *second["FeedState"]):
        state["marks"].pop("until", None)
    assert second == first
    assert first["FeedNotice"]


def test_a_draft_claims_of_no_unit_that_it_is_affected_or_that_it_is_not(catalog: None, read: Round) -> None:
    read()
    for recall in Recall.objects.records():
        for serial in (None, "A1263", "0"):
            evaluation = evaluate(recall.affected_serials, serial=serial)
            assert evaluation.match_status == "unknown"
            assert evaluation.verdict_if_used_for_flight == "conditional"


def test_nobody_has_read_the_notice_so_a_draft_cannot_be_published_by_it_alone(
    catalog: None, read: Round
) -> None:
    read("cpsc")
    recall_id = "us-cpsc-25-338-anker-a1263"
    assert Source.objects.get(pk="us-cpsc-25-338-notice").basis == POINTER
    submit_recalls(by=a_user(), recall_ids=[recall_id])
    approve_recalls(by=a_user("reviewer"), recall_ids=[recall_id])
    assert recall_id in {problem.where.rpartition(" ")[2] for problem in problems(compile_content())}


def test_who_drafts_is_a_program_with_an_account_that_opens_no_door(catalog: None, read: Round) -> None:
    read("cpsc")
    author = User.objects.get(username=actions.IMPORTER)
    assert not author.is_active
    assert not author.has_usable_password()
    assert not author.groups.exists()
    assert Recall.objects.get().authors == [author.pk]


def test_a_notice_of_the_starter_corpus_is_linked_and_not_drafted_again(
    starter_rows: str, db: None, read: Round
) -> None:
    before = drafts()
    read()
    assert drafts() == before
    assert set(FeedRecall.objects.values_list("recall_id", flat=True)) == {
        "us-cpsc-25-338",
        "eu-a12-0428-18-amazonbasics-pb6s",
        "ca-hc-2025-06-27-anker-a1647",
        "ca-hc-2025-06-27-anker-a1681",
        "ca-hc-2025-06-27-anker-a1689",
        "au-accc-2025-05-23-baseus-bs-30kp365",
    }
    assert set(FeedNotice.objects.values_list("state", flat=True)) == {"recorded"}
