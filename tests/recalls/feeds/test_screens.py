"""The queue of notices at the desk: what editors see and press, and who may not."""

import pytest
from django.contrib.auth.models import Group

from recalls.editing.actions import draft_recall
from recalls.feeds import actions
from recalls.models import FeedNotice, FeedReview, FeedState, Recall
from tests.recalls.feeds import samples
from tests.recalls.feeds.conftest import Round
from tests.recalls.feeds.rows import A1263, TODAY, correct_cpsc, many, submit_once_read
from tests.recalls.feeds.server import FeedServer
from tests.support.desk.visiting import Visitor, listed
from tests.support.factories import a_recall, a_user

NOTICES = "/admin/recalls/feednotice/"
FEED = "/admin/recalls/feedstate/health_canada/"


def of_group(name: str) -> Visitor:
    visitor = Visitor()
    visitor.user.groups.add(Group.objects.get(name=name))
    return visitor


@pytest.fixture
def waiting(catalog: None, read: Round, server: FeedServer) -> FeedNotice:
    """A notice that names a model under another brand."""
    item = samples.an_item(title="UGREEN Baseus power bank", link="")
    row = samples.a_canadian_row(Title="AmazonBasics power bank", Product="Power banks A1647")
    server.answers["/HCRSAMOpenData.json"] = samples.as_json([row])
    server.answers["/rss/feed.xml/psa_recall"] = samples.an_rss([item])
    read("health_canada")
    return FeedNotice.objects.get()


def test_the_page_of_a_notice_says_what_it_names_and_why_that_is_not_certain(waiting: FeedNotice) -> None:
    page = of_group("Editor").page(f"{NOTICES}{waiting.pk}/change/")
    assert "Its number “A1647” is in Product. The notice names another brand." in page
    assert "Set aside …" in page
    assert "&quot;NID&quot;: &quot;99999&quot;" in page


def test_the_desk_counts_what_waits_and_leads_to_exactly_that(
    waiting: FeedNotice, catalog: None, read: Round, server: FeedServer
) -> None:
    read("cpsc")
    submit_once_read(a_user("author"))
    correct_cpsc(server, ConsumerContact="Another number.")
    read("cpsc")
    editor = of_group("Editor")
    desk = editor.page("/admin/")
    for what, address in (
        ("Recall notices to decide", f"{NOTICES}?waits=model"),
        ("Corrected recall notices to review", f"{NOTICES}?waits=review"),
    ):
        assert what in desk
        assert f'href="{address}"' in desk
        assert len(listed(editor, address)) == 1


def test_an_editor_drafts_for_the_candidate_and_comes_to_the_draft(waiting: FeedNotice) -> None:
    editor = of_group("Editor")
    asked = f"{NOTICES}{waiting.pk}/draft/?model=a1647"
    assert 'value="a1647" selected' in editor.page(asked)
    response = editor.post(asked, model_id="a1647")
    recall = Recall.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/admin/recalls/recall/{recall.pk}/change/")
    assert (recall.recall_id, recall.authors) == ("ca-hc-99999-a1647", [editor.user.pk])
    assert "its page was read" in editor.page(response["Location"])


def test_a_model_that_is_not_there_is_refused_on_the_page(waiting: FeedNotice) -> None:
    response = of_group("Editor").post(f"{NOTICES}{waiting.pk}/draft/", model_id="a9999")
    assert response.status_code == 409
    assert "there is no model `a9999`" in response.content.decode()


def test_an_editor_says_which_recorded_recall_a_notice_is_and_nothing_more_is_drafted(
    waiting: FeedNotice, read: Round
) -> None:
    draft_recall(by=a_user("author"), recall=a_recall(recall_id="by-hand", model_id="a1647"))
    editor, address = of_group("Editor"), f"{NOTICES}{waiting.pk}/link/"
    assert editor.post(address, recall_id="no-such").status_code == 409
    assert editor.post(address, recall_id="by-hand").status_code == 302
    page = editor.page(f"{NOTICES}{waiting.pk}/change/")
    assert "a1647: recorded before the notice, draft" in page
    assert "Draft for this model" not in page
    waiting.refresh_from_db()
    assert waiting.state == "recorded"


def test_an_editor_sets_a_notice_aside_and_takes_it_up_again(waiting: FeedNotice) -> None:
    editor = of_group("Editor")
    assert editor.post(f"{NOTICES}{waiting.pk}/set-aside/", reason="").status_code == 400
    assert editor.post(f"{NOTICES}{waiting.pk}/set-aside/", reason="For cars.").status_code == 302
    assert "For cars." in editor.page(f"{NOTICES}{waiting.pk}/change/")
    assert editor.post(f"{NOTICES}{waiting.pk}/take-up/").status_code == 302
    waiting.refresh_from_db()
    assert waiting.state == "needs_review"


def test_a_correction_is_shown_field_by_field_until_a_person_closes_its_review(
    catalog: None, read: Round, server: FeedServer
) -> None:
    read("cpsc")
    submit_once_read(a_user("author"))
    correct_cpsc(server, ConsumerContact="Another number.")
    read("cpsc")
    editor, notice = of_group("Editor"), FeedNotice.objects.get()
    page = editor.page(f"{NOTICES}{notice.pk}/change/")
    assert "<ins>Another number.</ins>" in page
    assert f"{A1263}</a>, revision 1, was in review at that time" in page
    assert "has an open review" in editor.page(f"{NOTICES}?waits=review")
    address = f"{NOTICES}{notice.pk}/looked/"
    assert editor.post(address, seen="1", reason="Read.").status_code == 409
    assert editor.post(address, seen="2", reason="Only the telephone number.").status_code == 302
    assert FeedReview.objects.get().closed_by == editor.user
    assert "Only the telephone number." in editor.page(f"{NOTICES}{notice.pk}/change/")


def test_an_editor_has_the_next_answer_believed_with_a_reason(
    catalog: None, read: Round, server: FeedServer
) -> None:
    server.answers["/HCRSAMOpenData.json"] = many(30)
    read("health_canada")
    actions.suspect("health_canada", "29 of 30 notices are gone.", now=TODAY)
    editor = of_group("Editor")
    assert "29 of 30 notices are gone." in editor.page(f"{FEED}change/")
    assert editor.post(f"{FEED}accept/", reason="").status_code == 400
    assert editor.post(f"{FEED}accept/", reason="They announced it.").status_code == 302
    assert FeedState.objects.get().accepted_by == editor.user


@pytest.mark.parametrize("group", ["Reviewer", "Publisher", "Viewer"])
def test_others_at_the_desk_may_look_but_not_press(waiting: FeedNotice, group: str) -> None:
    visitor = of_group(group)
    page = visitor.page(f"{NOTICES}{waiting.pk}/change/")
    assert "Set aside …" not in page
    assert "Draft for" not in page
    for address in ("draft", "link", "set-aside", "take-up", "looked"):
        sent = {"reason": "x", "recall_id": "x", "model_id": "a1647", "seen": "1"}
        assert visitor.post(f"{NOTICES}{waiting.pk}/{address}/", **sent).status_code == 403, address
    assert visitor.post(f"{FEED}accept/", reason="x").status_code == 403


def test_partner_managers_see_nothing_of_it(waiting: FeedNotice) -> None:
    visitor = of_group("Partner manager")
    assert visitor.get(NOTICES).status_code == 403
    assert visitor.get(f"{NOTICES}{waiting.pk}/change/").status_code == 403


def test_the_queue_is_narrowed_by_what_waits(waiting: FeedNotice) -> None:
    editor = of_group("Editor")
    assert waiting.title in editor.page(f"{NOTICES}?waits=model")
    assert waiting.title not in editor.page(f"{NOTICES}?waits=missing")
    assert waiting.title in editor.page(f"{NOTICES}?q=99999")
