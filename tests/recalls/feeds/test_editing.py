"""What editors do with notices."""

import pytest
from django.db import IntegrityError, transaction

from catalog.editorial.audit.models import AuditEntry
from catalog.errors import ReasonMissing, WrongState
from recalls.feeds import actions
from recalls.models import FeedNotice, FeedVersion, Recall
from tests.recalls.feeds import samples
from tests.recalls.feeds.conftest import Round
from tests.recalls.feeds.rows import NEXT_DAY, TODAY
from tests.recalls.feeds.server import FeedServer
from tests.support.factories import a_user

NAMELESS = samples.an_rss([samples.an_item(title="A power bank", link="")])


def test_an_editor_drafts_for_a_model_and_is_its_author(
    catalog: None, read: Round, server: FeedServer
) -> None:
    server.answers["/rss/feed.xml/psa_recall"] = samples.an_rss(
        [samples.an_item(title="A power bank", link="")]
    )
    read("accc")
    notice = FeedNotice.objects.get()
    editor = a_user("editor")
    recall_id = actions.draft_from_notice(by=editor, notice_id=notice.pk, model_id="a1647", now=NEXT_DAY)
    recall = Recall.objects.get(recall_id=recall_id)
    assert recall.authors == [editor.pk]
    assert "editor decided that it is about this model." in recall.notes
    notice.refresh_from_db()
    assert notice.state == "drafted"


def test_a_notice_is_set_aside_with_a_reason_stays_so_and_can_be_taken_up_again(
    catalog: None, read: Round, server: FeedServer
) -> None:
    server.answers["/rss/feed.xml/psa_recall"] = samples.an_rss(
        [samples.an_item(title="A power bank", link="")]
    )
    read("accc")
    notice_id = FeedNotice.objects.get().pk
    with pytest.raises(ReasonMissing):
        actions.dismiss_notice(by=a_user(), notice_id=notice_id, reason=" ", now=TODAY)
    actions.dismiss_notice(by=a_user(), notice_id=notice_id, reason="For cars.", now=TODAY)
    read("accc", now=NEXT_DAY)
    assert FeedNotice.objects.get().state == "irrelevant"
    with pytest.raises(WrongState):
        actions.draft_from_notice(by=a_user(), notice_id=notice_id, model_id="a1647", now=NEXT_DAY)
    actions.take_up_notice(by=a_user(), notice_id=notice_id, now=NEXT_DAY)
    assert FeedNotice.objects.get().state == "needs_review"
    entries = AuditEntry.objects.filter(kind="notice").values_list("verb", "reason")
    assert list(entries) == [("dismiss", "For cars."), ("reopen", "")]


def test_what_a_feed_said_is_never_rewritten(catalog: None, read: Round) -> None:
    read("cpsc")
    with pytest.raises(IntegrityError, match="stays as it came"), transaction.atomic():
        FeedVersion.objects.update(raw={})
