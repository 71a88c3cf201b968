"""The announcement at the desk: one page becomes drafts that are submitted together, or none of them."""

import datetime
import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.utils import timezone

from catalog.models import AuditEntry, Source
from rules.editing import actions as rule_actions
from rules.models import Announcement, Rule
from rules.publishing.actions.releases import publish_release
from tests.support.desk.filling_in import fields_of, send
from tests.support.desk.visiting import Visitor, listed, member
from tests.support.factories import a_rule, a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")

ANNOUNCEMENTS = "/admin/rules/announcement/"
ADD = f"{ANNOUNCEMENTS}add/"
MARCH = datetime.date(2027, 3, 1)

NOTICE: dict[str, Any] = {
    "source": "n1-notice-2027",
    "url": "https://northwing.example/notice-2027",
    "source_title": "Power banks from March",
    "kind": "airline",
    "basis": "official_page_read",
    "read_on": "2026-11-21",
    "words": "one power bank of up to 100 Wh",
    "where": "first paragraph",
    "confidence": "confirmed",
    "airline": "N1",
    "effective_from": "2027-03-01",
    "up_to": "100",
    "units": "1",
    "demands": ["carry_on_only", "terminals_protected", "no_onboard_use"],
}


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


def typed(visitor: Visitor, **changes: Any) -> dict[str, Any]:
    return {**fields_of(visitor, ADD), **NOTICE, **changes}


def shown(visitor: Visitor, fields: dict[str, Any]) -> str:
    return send(visitor, ADD, fields, _show="").content.decode()


def submit(visitor: Visitor, fields: dict[str, Any]) -> HttpResponse:
    """Show what the form means, as a browser without the script, and submit exactly that."""
    seen = re.search(r'name="seen" value="(\w+)"', shown(visitor, fields))
    return send(visitor, ADD, fields, _submit="", seen=seen[1] if seen else "")


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def errors_of(response: HttpResponse) -> dict[str, list[str]]:
    form = response.context_data["form"]  # type: ignore[attr-defined]
    return {name: [str(one) for one in sentences] for name, sentences in form.errors.items()}


def rules_of(announcement: Announcement) -> dict[str, Rule]:
    rows = Rule.objects.filter(announced__announcement=announcement)
    return {row.rule_id: row for row in rows}


def test_a_notice_becomes_drafts_that_wait_for_review_together(editor: Visitor) -> None:
    before = {rule.rule_id for rule in Rule.objects.filter(airline="N1")}
    response = submit(editor, typed(editor))

    assert response.status_code == 302, errors_of(response)
    announcement = Announcement.objects.get()
    assert response["Location"] == f"{ANNOUNCEMENTS}{announcement.pk}/change/"
    assert str(announcement) == "Northwing: Power banks from March"
    rules = rules_of(announcement)
    assert {row.state for row in rules.values()} == {"in_review"}
    new = {name: row.to_record() for name, row in rules.items() if name not in before}
    for rule in new.values():
        assert (rule.sources, rule.confidence) == (("n1-notice-2027",), "confirmed")
        assert (rule.effective_from, rule.effective_until) == (MARCH, None)
        assert [quote.words for quote in rule.quotes] == [NOTICE["words"]]
    source = Source.objects.get(pk="n1-notice-2027")
    assert (source.authority, source.jurisdiction, source.recorded_by) == ("Northwing", "XA", editor.user)
    reasons = AuditEntry.objects.filter(subject__in=rules, verb__in=["draft", "revise"], done_by=editor.user)
    assert {entry.reason for entry in reasons} == {"Announced: Northwing: Power banks from March"}


def test_what_is_replaced_is_shown_in_sentences_and_ends_the_day_before(editor: Visitor) -> None:
    page = text_of(shown(editor, typed(editor)))

    assert "The published one ends on the day before" in page
    assert "Before: Northwing (N1, Northland) limits each passenger to 2 power banks" in page
    assert "through 28 February 2027" in page
    submit(editor, typed(editor))
    ended = Rule.objects.get(rule_id="n1.two-units", revision=2)
    assert ended.effective_until == datetime.date(2027, 2, 28)
    assert "n1-notice-2027" in ended.to_record().sources


def test_nothing_is_written_while_the_form_is_only_shown(editor: Visitor) -> None:
    rows = Rule.objects.count(), Source.objects.count()
    for button in ("_show", "_measure"):
        send(editor, ADD, typed(editor), **{button: ""})
    assert send(editor, f"{ANNOUNCEMENTS}meaning/", typed(editor)).status_code == 200
    assert (Rule.objects.count(), Source.objects.count(), Announcement.objects.count()) == (*rows, 0)


def test_the_measured_changes_are_shown_before_anything_is_written(editor: Visitor) -> None:
    publish_release(by=a_user(), note="A release.", now=timezone.now(), cases=())
    page = text_of(send(editor, ADD, typed(editor), _measure="").content.decode())
    assert re.search(r"Measured changes [1-9][\d,]* answers? would change", page), page


def test_all_or_nothing_is_written(editor: Visitor) -> None:
    """Another editor opens a draft of one of the rules after the form was shown."""
    fields = typed(editor)
    seen = re.search(r'name="seen" value="(\w+)"', shown(editor, fields))
    assert seen is not None
    rule_actions.revise_rules(by=a_user("another"), rule_ids=["n1.two-units"], reason="A typing error.")
    response = send(editor, ADD, fields, _submit="", seen=seen[1])

    assert response.status_code == 400
    assert errors_of(response) == {
        "units": ["n1.two-units: has an open draft about this: it has to be approved or discarded first."]
    }
    assert not Announcement.objects.exists()
    assert not Source.objects.filter(pk="n1-notice-2027").exists()
    page = response.content.decode()
    for value in (NOTICE["words"], NOTICE["url"], "2027-03-01"):
        assert value in page, "what was typed stays"


def test_what_was_not_shown_is_not_submitted(editor: Visitor) -> None:
    fields = typed(editor)
    seen = re.search(r'name="seen" value="(\w+)"', shown(editor, fields))
    assert seen is not None
    response = send(editor, ADD, fields, units="2", _submit="", seen=seen[1])
    assert "has changed since you saw it" in text_of(response.content.decode())
    assert not Announcement.objects.exists()


def test_a_form_that_is_sent_twice_is_announced_once(editor: Visitor) -> None:
    fields = typed(editor)
    first, second = submit(editor, fields), send(editor, ADD, fields, _submit="")
    assert (first.status_code, second.status_code) == (302, 302)
    assert first["Location"] == second["Location"]
    assert Announcement.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"source": "Notice 2027"}, "source", "lower-case words joined by hyphens"),
        ({"source": ""}, "source", "This field is required"),
        ({"source": "northwing-page"}, "url", "is recorded already"),
        ({"url": ""}, "url", "A new page needs this"),
        ({"url": "nowhere"}, "url", "Enter a valid URL"),
        ({"read_on": "2099-01-01"}, "read_on", "in the future"),
        ({"basis": "secondary_read"}, "confidence", "confirmed only if"),
        ({"confidence": ""}, "confidence", "This field is required"),
        ({"words": "x" * 301}, "words", "at most 300 characters"),
        ({"words": "one\u200eunit\u2028of"}, "", "invisible character"),
        ({"airline": "ZZ"}, "airline", "not one of the available choices"),
        ({"airline": ""}, "authority", "Name the authority"),
        ({"jurisdiction": "XA"}, "jurisdiction", "Leave this open for a notice of an airline"),
        ({"effective_until": "2027-02-28"}, "effective_until", "This is before “From”"),
        ({"effective_from": "soon"}, "effective_from", "Enter a valid date"),
        ({"up_to": "a lot"}, "up_to", "Enter a number"),
        ({"up_to": "", "approval_to": "160"}, "up_to", "no approval needed"),
        ({"approval_to": "100.0"}, "approval_to", "not more than"),
        ({"refused": "99"}, "refused", "permit and refuse the same units"),
        ({"refused_from": "from"}, "refused", "This figure is missing"),
        ({"units": "21"}, "units", "less than or equal to 20"),
        ({"band_units": "1"}, "band_over", "More than how many Wh"),
        ({"band_over": "100"}, "band_units", "How many units"),
        ({"demands": ["fly_low"]}, "demands", "not one of the available choices"),
        ({"up_to": "", "units": "", "demands": []}, "__all__", "Fill in a line"),
    ],
)
def test_a_refusal_names_the_field_and_keeps_what_was_typed(
    editor: Visitor, changes: dict[str, Any], field: str, sentence: str
) -> None:
    response = submit(editor, typed(editor, **changes))
    assert response.status_code == 400
    found = errors_of(response)
    assert any(sentence in one for one in found.get(field or "__all__", [])), found
    assert not Announcement.objects.exists()
    if "words" not in changes:
        assert NOTICE["words"] in response.content.decode()


def test_a_figure_counts_however_it_is_written(editor: Visitor) -> None:
    assert text_of(shown(editor, typed(editor))) == text_of(shown(editor, typed(editor, up_to="100.00")))


def test_a_notice_that_says_nothing_new_is_not_submitted(editor: Visitor) -> None:
    fields = typed(editor, effective_from="", up_to="160", units="", demands=[])
    assert "Every line says what is published already" in text_of(shown(editor, fields))
    assert submit(editor, fields).status_code == 400


def test_a_notice_of_an_authority_says_on_which_flights_and_how_ids_begin(editor: Visitor) -> None:
    fields = typed(
        editor,
        airline="",
        authority="Southland Aviation",
        jurisdiction="xb",
        applies=["departure", "domestic"],
        kind="regulator",
        source="xb-notice-2027",
        demands=["no_overhead_bin"],
        up_to="",
        units="",
    )
    assert submit(editor, fields).status_code == 302
    (rule,) = (row.to_record() for row in rules_of(Announcement.objects.get()).values())
    assert (rule.rule_id, rule.jurisdiction, rule.applies) == (
        "xb.no-overhead-bin",
        "XB",
        ("departure", "domestic"),
    )


def test_an_authority_without_rules_needs_the_beginning_of_its_ids(editor: Visitor) -> None:
    fields = typed(editor, airline="", authority="Southland Parks", jurisdiction="XB", applies=["departure"])
    assert errors_of(submit(editor, fields))["id_prefix"]
    assert submit(editor, {**fields, "id_prefix": "xb.parks"}).status_code == 302


def test_only_who_writes_rules_announces(editor: Visitor) -> None:
    submit(editor, typed(editor))
    announced = f"{ANNOUNCEMENTS}{Announcement.objects.get().pk}/change/"
    for group in ("Reviewer", "Publisher", "Viewer"):
        other = member(group)
        assert other.get(ADD).status_code == 403
        assert other.post(ADD, **NOTICE, _submit="").status_code == 403
        assert other.post(f"{ANNOUNCEMENTS}meaning/", **NOTICE).status_code == 403
        assert other.get(announced).status_code == 200
    stranger = member("Partner manager")
    assert stranger.get(announced).status_code == 403


def test_a_reviewer_sees_that_rules_belong_together_and_approves_them_all(editor: Visitor) -> None:
    submit(editor, typed(editor))
    announcement = Announcement.objects.get()
    rows = rules_of(announcement)
    reviewer = member("Reviewer")
    rules = reviewer.page("/admin/rules/rule/?desk=waits")
    assert rules.count(f"(announcement {announcement.pk})") == len(rows)
    one = next(iter(rows.values()))
    link = f"{ANNOUNCEMENTS}{announcement.pk}/change/"
    assert link in reviewer.page(f"/admin/rules/rule/{one.pk}/change/")
    page = text_of(reviewer.page(link))
    assert f"Approve: {len(rows)} …" in page
    assert "Before: Northwing (N1, Northland) limits each passenger to 2 power banks" in page

    keys = [row.pk for row in rows.values()]
    preview = reviewer.post(
        f"/admin/rules/rule/?announcement={announcement.pk}",
        action="approve_many",
        index="0",
        _selected_action=keys,
    )
    seen = re.search(r'name="seen" value="([^"]+)"', preview.content.decode())
    assert seen is not None
    done = reviewer.post(
        "/admin/rules/rule/do/approve/", seen=seen[1].replace("&quot;", '"'), back="", take=keys
    )
    assert done.status_code == 200
    assert {row.state for row in rules_of(announcement).values()} == {"approved"}


def test_a_discarded_draft_leaves_its_announcement(editor: Visitor) -> None:
    submit(editor, typed(editor))
    announcement = Announcement.objects.get()
    ids = list(rules_of(announcement))
    rule_actions.return_rules(by=a_user("ravi"), rule_ids=ids, reason="Not that page.")
    rule_actions.discard_rules(by=editor.user, rule_ids=ids, reason="Not that page.")
    assert "All drafts of this announcement were discarded" in editor.page(
        f"{ANNOUNCEMENTS}{announcement.pk}/change/"
    )


def test_an_announcement_that_no_one_knows_is_not_listed(editor: Visitor) -> None:
    for word in ("999", "x", "-1", "9" * 40):
        assert listed(editor, f"/admin/rules/rule/?announcement={word}") == []


def test_the_first_figure_of_a_page_is_that_of_its_address(editor: Visitor) -> None:
    assert 'value="northwing-page"' in editor.page(f"{ADD}?source=northwing-page")


def test_a_rule_that_is_open_under_another_id_refuses_its_line(editor: Visitor) -> None:
    rule_actions.draft_rule(
        by=a_user("another"),
        rule=a_rule(rule_id="n1.quiet", effect="require", code="no_onboard_use"),
    )
    assert "n1.quiet: has an open draft" in text_of(shown(editor, typed(editor)))
