"""Rounds of the feeds against a server on loopback, with a real database."""

import datetime

import pytest
from django.contrib.auth.models import User

from catalog.errors import Unfit
from catalog.models import DeadLetter, Source
from catalog.records import POINTER
from recalls.editing.actions import submit_recalls
from recalls.feeds import actions
from recalls.models import FeedNotice, FeedVersion, Recall
from recalls.serials import evaluate
from tests.recalls.feeds import samples
from tests.recalls.feeds.conftest import Round
from tests.recalls.feeds.rows import NEXT_DAY, TODAY, drafts, dump
from tests.recalls.feeds.server import FeedServer
from tests.support.factories import a_user


def test_each_feed_makes_drafts_of_exact_models_with_what_its_notice_says(catalog: None, read: Round) -> None:
    read()
    assert drafts() == [
        "au-pra-2025-20555-bs-30kp365",
        "ca-hc-99999-a1647",
        "ca-hc-99999-a1681",
        "ca-hc-99999-a1689",
        "eu-a12-0428-18-pb6s",
        "us-cpsc-25-338-a1263",
    ]
    recall = Recall.objects.get(recall_id="us-cpsc-25-338-a1263").to_record()
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


def test_no_one_has_read_the_notice_so_a_draft_is_not_submitted_by_it_alone(
    catalog: None, read: Round
) -> None:
    read("cpsc")
    recall_id = "us-cpsc-25-338-a1263"
    assert Source.objects.get(pk="us-cpsc-25-338-notice").basis == POINTER
    with pytest.raises(Unfit, match="rests on no source that was read"):
        submit_recalls(by=a_user(), recall_ids=[recall_id])


def test_who_drafts_is_a_program_with_an_account_that_opens_no_door(catalog: None, read: Round) -> None:
    read("cpsc")
    author = User.objects.get(username=actions.IMPORTER)
    assert not author.is_active
    assert not author.has_usable_password()
    assert not author.groups.exists()
    assert Recall.objects.get().authors == [author.pk]


def test_the_large_file_is_not_sent_again_while_it_is_the_same(
    catalog: None, read: Round, server: FeedServer
) -> None:
    read("health_canada")
    assert read("health_canada", now=NEXT_DAY) == {"not modified": 1}
    assert len(server.asked) == 1
    assert server.conditional == ["/HCRSAMOpenData.json"]


def test_after_the_first_round_the_cpsc_is_asked_for_little_more_than_what_is_new(
    catalog: None, read: Round, server: FeedServer
) -> None:
    read("cpsc")
    assert len(server.asked) == 11
    server.asked.clear()
    read("cpsc", now=NEXT_DAY)
    assert server.asked == [
        "/RestWebServices/Recall?format=json&LastPublishDateStart=2026-10-23&LastPublishDateEnd=2026-11-23"
    ]


def test_one_broken_row_goes_to_the_list_of_what_was_given_up_and_comes_off_it_once_it_is_right(
    catalog: None, read: Round, server: FeedServer
) -> None:
    broken = samples.a_canadian_row(NID="7", **{"Last updated": "soon"})
    server.answers["/HCRSAMOpenData.json"] = samples.as_json([broken, samples.a_canadian_row()])
    assert read("health_canada")["set aside"] == 1
    letter = DeadLetter.objects.get()
    assert (letter.name, letter.subject) == ("feed health_canada", "7")
    assert "`Last updated` is not a day: 'soon'" in letter.reason
    assert FeedNotice.objects.count() == 1
    right = samples.a_canadian_row(NID="7")
    server.answers["/HCRSAMOpenData.json"] = samples.as_json([right, samples.a_canadian_row()])
    read("health_canada", now=NEXT_DAY)
    assert DeadLetter.objects.count() == 0
    assert FeedNotice.objects.count() == 2


def test_a_page_that_refuses_programs_leaves_the_title_of_the_feed(
    catalog: None, read: Round, server: FeedServer
) -> None:
    server.answers["/recalls/sample"] = 403
    assert read("accc")["pages that refused"] == 1
    assert drafts() == ["au-accc-sample-1-bs-30kp365"]
    server.answers["/recalls/sample"] = samples.A_PAGE
    read("accc", now=NEXT_DAY)
    # The page has told more since, and the draft stays one.
    assert drafts() == ["au-accc-sample-1-bs-30kp365"]
    assert FeedNotice.objects.get().number == "PRA 2025/20555"


def test_a_page_that_refuses_today_is_no_correction_of_what_it_said(
    catalog: None, read: Round, server: FeedServer
) -> None:
    read("accc")
    server.answers["/recalls/sample"] = 403
    assert read("accc", now=NEXT_DAY)["unchanged"] == 1
    assert FeedVersion.objects.count() == 1


def test_the_feed_leads_to_no_page_of_another_site(catalog: None, read: Round, server: FeedServer) -> None:
    item = samples.an_item(link="http://169.254.169.254/latest/meta-data/")
    server.answers["/rss/feed.xml/psa_recall"] = samples.an_rss([item])
    read("accc")
    assert server.asked == ["/rss/feed.xml/psa_recall"]


def test_an_older_report_does_not_undo_what_a_newer_one_says_of_the_same_case(
    catalog: None, read: Round, server: FeedServer
) -> None:
    newer = samples.a_notification(measures="Ban")
    server.answers["/weeklyReport/detail/xml/10000002"] = samples.a_report("23/03/2018", newer)
    for day in range(3):
        read("safety_gate", now=TODAY + datetime.timedelta(days=day))
        assert Recall.objects.get().remedy == "Ban"
    assert FeedVersion.objects.count() == 1


def test_an_old_report_that_is_broken_does_not_hold_up_the_others(
    catalog: None, read: Round, server: FeedServer
) -> None:
    weeks = {f"Report-2018-{week}": (f"{week}/03/2018", f"100000{week}") for week in range(11, 18)}
    server.answers["/weeklyReport/list/xml/en"] = samples.an_index(weeks)
    for week in range(11, 18):
        row = samples.a_notification(caseNumber=f"A12/0{week}00/18", type_numberOfModel=f"QQ{week}")
        server.answers[f"/weeklyReport/detail/xml/100000{week}"] = samples.a_report(f"{week}/03/2018", row)
    server.answers["/weeklyReport/detail/xml/10000012"] = b"<html>"
    assert read("safety_gate") == {"new": 6, "set aside": 1}
    server.asked.clear()
    read("safety_gate", now=NEXT_DAY)
    assert [path.partition("?")[0][-2:] for path in server.asked[1:]] == ["17", "16", "15", "14"]
