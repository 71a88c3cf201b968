"""Notices whose recalls the starter corpus has already. Nothing is drafted twice."""

from recalls.models import FeedNotice, FeedRecall
from tests.recalls.feeds import samples
from tests.recalls.feeds.conftest import Round
from tests.recalls.feeds.rows import NEXT_DAY, correct_cpsc, drafts, reviews
from tests.recalls.feeds.server import FeedServer


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


def test_a_correction_of_a_recall_that_editors_recorded_by_hand_opens_one_review(
    starter_rows: str, db: None, read: Round, server: FeedServer
) -> None:
    read("cpsc")
    correct_cpsc(server, Description="Power banks A1263, made 2016 to 2020.")
    read("cpsc", now=NEXT_DAY)
    read("cpsc", now=NEXT_DAY)
    rows = [{"recall_id": "us-cpsc-25-338", "revision": 1, "state": "approved"}]
    assert reviews() == [("corrected", 1, 2, rows)]


def test_where_only_an_update_is_dated_an_earlier_recall_of_the_model_leaves_it_to_an_editor(
    starter_rows: str, db: None, read: Round, server: FeedServer
) -> None:
    row = samples.a_canadian_row(**{"Last updated": "2026-03-03"})
    server.answers["/HCRSAMOpenData.json"] = samples.as_json([row])
    before = drafts()
    read("health_canada")
    assert drafts() == before
    notice = FeedNotice.objects.get()
    assert notice.state == "needs_review"
    assert "ca-hc-2025-06-27-anker-a1647 is already recorded" in notice.candidates[0]["doubt"]
