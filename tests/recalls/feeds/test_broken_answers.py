"""Answers that are broken, or not to be believed."""

import json

import pytest

from catalog.errors import ReasonMissing
from catalog.models import Run
from recalls.feeds import actions
from recalls.feeds.notices import FEEDS, BadAnswer, Unreachable
from recalls.feeds.syncing import Suspicious
from recalls.models import FeedNotice, FeedState, Recall
from tests.recalls.feeds import samples
from tests.recalls.feeds.conftest import Round
from tests.recalls.feeds.rows import NEXT_DAY, dump, many, reviews
from tests.recalls.feeds.server import FeedServer
from tests.support.factories import a_user

OTHERS = many(30, Organization="CFIA")


def test_a_broken_answer_fails_loudly_and_changes_nothing(
    catalog: None, read: Round, server: FeedServer
) -> None:
    read()
    before = dump()
    server.answers |= {
        "/RestWebServices/Recall": samples.as_json(samples.CPSC_ERROR),
        "/weeklyReport/detail/xml/10000002": b"<!doctype html><script>app()</script>",
        "/HCRSAMOpenData.json": samples.as_json([samples.a_canadian_row()])[:-20],
        "/rss/feed.xml/psa_recall": b"403 Forbidden",
    }
    for feed in FEEDS:
        with pytest.raises(BadAnswer) as refused:
            read(feed, now=NEXT_DAY)
        run = Run.objects.filter(name=f"feed {feed}").latest("pk")
        assert (run.outcome, run.note) == ("failed", str(refused.value))
    assert dump() == before


def test_a_server_that_is_down_fails_the_round_and_changes_nothing(
    catalog: None, read: Round, server: FeedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("recalls.feeds.requests.Asker.__init__.__defaults__", (waits.append,))
    server.answers["/HCRSAMOpenData.json"] = 503
    with pytest.raises(Unreachable):
        read("health_canada")
    assert len(server.asked) == 3
    assert waits == sorted(waits)
    assert FeedNotice.objects.count() == 0


def test_what_is_forbidden_is_not_asked_for_again(catalog: None, read: Round, server: FeedServer) -> None:
    server.answers["/HCRSAMOpenData.json"] = 404
    with pytest.raises(Unreachable):
        read("health_canada")
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (many(10), "The answer has 10 rows; the last one had 30."),
        (OTHERS[:-1] + b"," + many(1)[1:], "29 of 30 earlier notices are missing."),
        (many(30, Issue="Something else"), "30 of 30 notices were corrected at once."),
    ],
)
def test_an_answer_that_lost_or_corrected_too_much_is_not_believed_until_a_person_accepts_it_once(
    catalog: None, read: Round, server: FeedServer, answer: bytes, why: str
) -> None:
    server.answers["/HCRSAMOpenData.json"] = many(30)
    read("health_canada")
    before = list(FeedNotice.objects.order_by("pk").values())
    server.answers["/HCRSAMOpenData.json"] = answer
    for _ in range(2):
        with pytest.raises(Suspicious, match=why):
            read("health_canada", now=NEXT_DAY)
        assert list(FeedNotice.objects.order_by("pk").values()) == before
    with pytest.raises(ReasonMissing):
        actions.accept_suspicion(by=a_user(), feed="health_canada", reason=" ", now=NEXT_DAY)
    actions.accept_suspicion(by=a_user(), feed="health_canada", reason="Announced.", now=NEXT_DAY)
    read("health_canada", now=NEXT_DAY)
    state = FeedState.objects.get(pk="health_canada")
    assert (state.suspicion, state.accepted_at) == ("", None)
    server.answers["/HCRSAMOpenData.json"] = many(1)
    with pytest.raises(Suspicious):
        read("health_canada", now=NEXT_DAY)


def test_a_notice_that_is_gone_takes_nothing_back_and_opens_a_review_where_a_recall_rests_on_it(
    catalog: None, read: Round, server: FeedServer
) -> None:
    rows = json.loads(many(29))
    server.answers["/HCRSAMOpenData.json"] = samples.as_json([*rows, samples.a_canadian_row()])
    read("health_canada")
    before = list(Recall.objects.order_by("pk").values())
    server.answers["/HCRSAMOpenData.json"] = samples.as_json(rows[1:])
    read("health_canada", now=NEXT_DAY)
    read("health_canada", now=NEXT_DAY)
    assert list(Recall.objects.order_by("pk").values()) == before
    missing = FeedNotice.objects.filter(missing_since__isnull=False)
    assert {notice.native_id for notice in missing} == {"1", "99999"}
    assert [review[:3] for review in reviews()] == [("gone", 1, 1)]
    server.answers["/HCRSAMOpenData.json"] = samples.as_json([*rows, samples.a_canadian_row()])
    read("health_canada", now=NEXT_DAY)
    assert not missing.all().exists()
