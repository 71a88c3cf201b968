"""Notices that are corrected, announced again, or recorded already."""

import datetime

import pytest
from msgspec.structs import replace

from catalog.devices.actions import record_devices
from catalog.errors import WrongState
from recalls.editing.actions import approve_recalls, change_recall, discard_recalls
from recalls.feeds import actions
from recalls.models import FeedNotice, FeedVersion, Recall
from tests.recalls.feeds import samples
from tests.recalls.feeds.conftest import Round
from tests.recalls.feeds.rows import A1263, NEXT_DAY, TODAY, correct_cpsc, drafts, reviews, submit_once_read
from tests.recalls.feeds.server import FeedServer
from tests.support.factories import a_device, a_user


def test_a_corrected_notice_writes_the_untouched_draft_again_and_opens_no_review(
    catalog: None, read: Round, server: FeedServer
) -> None:
    read("cpsc")
    correct_cpsc(server, RemedyOptions=[{"Option": "Refund"}])
    assert read("cpsc", now=NEXT_DAY)["corrected"] == 1
    recall = Recall.objects.get(recall_id=A1263)
    assert (recall.remedy, recall.state, recall.revision) == ("Refund", "draft", 1)
    assert reviews() == []
    assert FeedVersion.objects.count() == 2


def test_a_corrected_notice_opens_exactly_one_review_where_an_editor_has_written_in_the_draft(
    catalog: None, read: Round, server: FeedServer
) -> None:
    read("cpsc")
    record = Recall.objects.get(recall_id=A1263).to_record()
    change_recall(by=a_user("editor"), recall=replace(record, remedy="Replacement, says the page"))
    correct_cpsc(server, RemedyOptions=[{"Option": "Refund"}])
    for day in range(1, 4):
        read("cpsc", now=TODAY + datetime.timedelta(days=day))
        rows = [{"recall_id": A1263, "revision": 1, "state": "draft"}]
        assert reviews() == [("corrected", 1, 2, rows)]
    assert Recall.objects.get(recall_id=A1263).remedy == "Replacement, says the page"


@pytest.mark.parametrize("state", ["in_review", "approved"])
def test_a_correction_never_touches_what_people_have_put_up_or_agreed_to(
    catalog: None, read: Round, server: FeedServer, state: str
) -> None:
    read("cpsc")
    submit_once_read(a_user("editor"))
    if state == "approved":
        approve_recalls(by=a_user("reviewer"), recall_ids=[A1263])
    before = list(Recall.objects.values())
    correct_cpsc(server, RemedyOptions=[{"Option": "Refund"}])
    read("cpsc", now=NEXT_DAY)
    assert list(Recall.objects.values()) == before
    assert [review[3][0]["state"] for review in reviews()] == [state]


def test_a_second_correction_waits_in_the_same_review_until_that_is_closed(
    catalog: None, read: Round, server: FeedServer
) -> None:
    read("cpsc")
    submit_once_read(a_user("editor"))
    correct_cpsc(server, ConsumerContact="Another number.")
    read("cpsc", now=NEXT_DAY)
    correct_cpsc(server, ConsumerContact="A third one.")
    read("cpsc", now=NEXT_DAY)
    assert [review[:3] for review in reviews()] == [("corrected", 1, 3)]

    notice_id = FeedNotice.objects.get().pk
    with pytest.raises(WrongState, match="meanwhile"):
        actions.close_review(by=a_user("editor"), notice_id=notice_id, seen=2, remark="Read.", now=NEXT_DAY)
    actions.close_review(by=a_user("editor"), notice_id=notice_id, seen=3, remark="Read.", now=NEXT_DAY)
    read("cpsc", now=NEXT_DAY)
    assert reviews() == []
    correct_cpsc(server, ConsumerContact="A fourth one.")
    read("cpsc", now=NEXT_DAY)
    assert [review[:3] for review in reviews()] == [("corrected", 3, 4)]


def test_a_draft_that_an_editor_has_discarded_is_not_made_again(
    catalog: None, read: Round, server: FeedServer
) -> None:
    read("cpsc")
    discard_recalls(by=a_user("editor"), recall_ids=[A1263], reason="Another product.")
    read("cpsc", now=NEXT_DAY)
    correct_cpsc(server, RemedyOptions=[{"Option": "Refund"}])
    read("cpsc", now=NEXT_DAY)
    assert drafts() == []
    assert [review[:3] for review in reviews()] == [("corrected", 1, 2)]


def test_a_correction_that_names_another_model_drafts_that_one_and_asks_about_the_first(
    catalog: None, read: Round, server: FeedServer
) -> None:
    read("cpsc")
    correct_cpsc(server, Description="Power banks with model number A1647.")
    read("cpsc", now=NEXT_DAY)
    assert drafts() == [A1263, "us-cpsc-25-338-a1647"]
    assert [review[3][0]["recall_id"] for review in reviews()] == [A1263]


def test_a_later_update_does_not_move_the_earliest_known_day(
    catalog: None, read: Round, server: FeedServer
) -> None:
    read("health_canada")
    row = samples.a_canadian_row(**{"Last updated": "2026-02-01", "Archived": "1"})
    server.answers["/HCRSAMOpenData.json"] = samples.as_json([row, {"NID": "1", "Organization": "CFIA"}])
    read("health_canada", now=NEXT_DAY)
    assert set(Recall.objects.values_list("announced_on", flat=True)) == {datetime.date(2025, 6, 27)}
    assert FeedNotice.objects.get().updated_on == datetime.date(2026, 2, 1)


def test_a_recall_announced_again_is_linked_to_its_model_and_its_units_are_not_counted_twice(
    catalog: None, read: Round, server: FeedServer
) -> None:
    again = samples.a_cpsc_row(
        RecallID=11999,
        RecallNumber="26400",
        RecallDate="2026-04-16T00:00:00",
        LastPublishDate="2026-04-16T00:00:00",
        URL="https://www.cpsc.gov/Recalls/2026/Anker-Reannounces-Recall",
        Title="Anker Reannounces Recall of Power Banks",
    )
    first = samples.a_cpsc_row()
    server.answers["/RestWebServices/Recall"] = lambda asked: samples.as_json(
        [first, again] if "End=2026-11-22" in asked else []
    )
    read("cpsc")
    scopes = dict(Recall.objects.values_list("recall_id", "units_scope"))
    assert scopes == {A1263: "notice_total", "us-cpsc-26-400-a1263": "restated"}


def test_a_notice_of_an_unknown_model_waits_until_the_catalog_knows_it(
    catalog: None, read: Round, server: FeedServer
) -> None:
    item = samples.an_item(title="Acme Power Bank ZZ-9000", link="")
    server.answers["/rss/feed.xml/psa_recall"] = samples.an_rss([item])
    read("accc")
    assert FeedNotice.objects.get().state == "new"
    assert drafts() == []
    device = a_device(model_id="zz-9000", brand="Acme", model_name="Bank", model_number="ZZ-9000")
    record_devices(by=a_user(), devices=[device])
    read("accc", now=NEXT_DAY)
    assert drafts() == ["au-accc-sample-1-zz-9000"]
