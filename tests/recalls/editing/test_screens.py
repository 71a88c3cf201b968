"""The screens of recalls: the list, the form, the test of its pattern, and what a reader sees."""

import datetime
import re
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace

from catalog.models import AuditEntry
from checks.hostile.forms import Form
from recalls.editing import actions
from recalls.models import Recall
from recalls.serials import AffectedSerials, Window
from tests.support.desk.filling_in import fields_of, save, send
from tests.support.desk.visiting import Visitor
from tests.support.factories import a_recall, a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


RECALLS = "/admin/recalls/recall/"
LYNX = "xa-lynx-10k-2026"


def member(*groups: str) -> Visitor:
    visitor = Visitor()
    visitor.user.groups.set(Group.objects.filter(name__in=groups))
    return visitor


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


def newest(recall_id: str) -> Recall:
    return Recall.objects.filter(recall_id=recall_id).order_by("-revision")[0]


def address(recall_id: str) -> str:
    return f"{RECALLS}{newest(recall_id).pk}/change/"


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def errors_of(response: HttpResponse) -> dict[str, list[str]]:
    return {
        field: [str(message) for message in messages]
        for field, messages in response.context_data["adminform"].form.errors.items()  # type: ignore[attr-defined]
    }


BY_SERIAL: dict[str, Any] = {
    "device": "lynx-27k",
    "recall_id": "xb-lynx-27k-2026",
    "authority": "Southland Consumer Office",
    "jurisdiction": "xb",
    "announced_on": "2026-05-01",
    "announced_precision": "month",
    "title": "Lynx 27K recalled in Southland",
    "notice_url": "https://safety.xb.example/lynx-27k",
    "units": "1200",
    "units_scope": "model",
    "scope": "serial_pattern",
    "identifier": "serial",
    "pattern": "^57V[0-9]{4}$",
    "affected_samples-text": ["57V0001", "57v 9999"],
    "unaffected_samples-text": ["58V0001"],
    "hazard": "Cells can overheat.",
    "remedy": "Replacement.",
    "evidence-source": ["lynx-page"],
}


def test_a_recall_without_evidence_stays_a_draft_that_leads_to_the_field(editor: Visitor) -> None:
    response = save(
        editor, f"{RECALLS}add/", **(BY_SERIAL | {"evidence-source": [], "_submit": "Save and submit"})
    )
    assert response.status_code == 302, errors_of(response)
    assert newest("xb-lynx-27k-2026").state == "draft"
    page = editor.page(response["Location"])
    assert "Saved as a draft, and not submitted." in text_of(page)
    assert "It cannot be submitted for review yet: it rests on no source that was read" in text_of(page)
    (field,) = re.findall(r'href="#(\w+)">Add one under', page)
    assert f'id="{field}"' in page


def test_a_recall_is_drafted_by_what_an_editor_fills_in(editor: Visitor) -> None:
    response = save(
        editor,
        f"{RECALLS}add/",
        **BY_SERIAL,
        **{
            "values-text": ["57V1234"],
            "exhaustive": "on",
            "manufacture_windows-from": ["2023-08"],
            "manufacture_windows-to": ["2024-01-31"],
            "format_hint": "On the back.",
        },
    )

    assert response.status_code == 302, errors_of(response)
    row = newest("xb-lynx-27k-2026")
    assert (row.state, row.created_by) == ("draft", editor.user)
    assert row.to_record() == a_recall(
        recall_id="xb-lynx-27k-2026",
        model_id="lynx-27k",
        authority="Southland Consumer Office",
        jurisdiction="XB",
        announced_on=datetime.date(2026, 5, 1),
        announced_precision="month",
        title="Lynx 27K recalled in Southland",
        hazard="Cells can overheat.",
        remedy="Replacement.",
        units=1200,
        affected_serials=AffectedSerials(
            scope="serial_pattern",
            identifier="serial",
            pattern="^57V[0-9]{4}$",
            exhaustive=True,
            values=("57V1234",),
            affected_samples=("57V0001", "57v 9999"),
            unaffected_samples=("58V0001",),
            format_hint="On the back.",
            manufacture_window=Window("2023-08", "2024-01-31"),
        ),
        notice_url="https://safety.xb.example/lynx-27k",
        sources=("lynx-page",),
    )
    page = editor.page(response["Location"])
    assert f'href="{address("xb-lynx-27k-2026")}"' in page


def test_saving_what_the_form_shows_changes_nothing(editor: Visitor) -> None:
    listed = AffectedSerials(
        scope="batch",
        identifier="production_batch",
        pattern="^A1$",
        not_affected_pattern="^B1$",
        values=("A1",),
        affected_samples=("a1",),
        unaffected_samples=("B1",),
        explicit_list_url="https://puma.example/list",
        form_url="https://puma.example/form",
        necessary_pattern="^A.*$",
        absent_identifier_affected=True,
        format_hint="two characters",
        colour_condition="black",
        manufacture_window=(Window("2023-01", "2023-02-03"),),
        sale_window=Window("2023-03", "2023-04"),
    )
    actions.draft_recall(by=editor.user, recall=a_recall(recall_id="listed", affected_serials=listed))
    for recall in list(Recall.objects.exclude(recall_id="listed")):
        actions.revise_recalls(by=editor.user, recall_ids=[recall.recall_id], reason="To look.")
    for recall in Recall.objects.filter(state="draft"):
        before = recall.to_record()
        response = save(editor, f"{RECALLS}{recall.pk}/change/")
        assert response.status_code == 302, errors_of(response)
        assert newest(recall.recall_id).to_record() == before


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"device": ""}, "device", "This field is required"),
    ({"device": "lynx"}, "device", "That choice is not one of the available choices"),
    ({"recall_id": "XB 2026/1"}, "recall_id", "lower-case words joined by hyphens"),
    ({"recall_id": LYNX}, "recall_id", "is already recorded"),
    ({"jurisdiction": "south"}, "jurisdiction", "at most 4 characters"),
    ({"jurisdiction": "x!"}, "jurisdiction", "two to four upper-case letters"),
    ({"announced_on": "May"}, "announced_on", "Enter a valid date"),
    ({"announced_precision": ""}, "announced_precision", "This field is required"),
    ({"notice_url": "safety"}, "notice_url", "Enter a valid URL"),
    ({"units_scope": ""}, "units_scope", "go together"),
    ({"units": "0"}, "units", "greater than or equal to 1"),
    ({"scope": ""}, "scope", "This field is required"),
    ({"identifier": ""}, "identifier", "This field is required"),
    ({"pattern": ""}, "pattern", "a recall of serials, batches or date codes has a pattern"),
    (
        {"pattern": "^(A"},
        "pattern",
        "The pattern `^(A` cannot be used: an opening parenthesis is never closed",
    ),
    ({"pattern": "^A*$"}, "pattern", "matches an empty identifier"),
    ({"pattern": "A" * 1025}, "pattern", "at most 1024 characters"),
    ({"not_affected_pattern": "^.*$"}, "not_affected_pattern", "matches an empty identifier"),
    ({"necessary_pattern": "[A"}, "necessary_pattern", "an opening square bracket is never closed"),
    ({"affected_samples-text": ["A" * 65]}, "affected_samples", "Row 1, Affected sample: Ensure"),
    ({"explicit_list_url": "list"}, "explicit_list_url", "Enter a valid URL"),
    (
        {"sale_windows-from": ["2023"], "sale_windows-to": ["2024-01"]},
        "sale_windows",
        "Row 1, From: A day or a month",
    ),
    ({"hazard": ""}, "hazard", "This field is required"),
    ({"evidence-source": ["nowhere"]}, "evidence", "names the source `nowhere`, which is not recorded"),
]


def test_an_error_stands_at_its_field_and_nothing_typed_is_lost(editor: Visitor) -> None:
    opened = fields_of(editor, f"{RECALLS}add/")
    for changes, field, sentence in REFUSED:
        typed = BY_SERIAL | {"notes": "Typed with care.", "colour_condition": "black"} | changes
        response = send(editor, f"{RECALLS}add/", opened, **typed)

        errors = errors_of(response)
        assert field in errors, (changes, errors)
        assert any(sentence.casefold() in message.casefold() for message in errors[field]), (changes, errors)
        again = Form(response.content.decode()).fields
        for name, value in typed.items():
            sent = value if isinstance(value, list) else [value]
            # Of what was searched for, nothing and what is not there leave nothing chosen.
            assert again.get(name, [""]) == sent or (name, value) == ("device", "lynx"), (changes, name)
    assert not Recall.objects.filter(recall_id="xb-lynx-27k-2026").exists()
    assert not AuditEntry.objects.filter(done_by=editor.user).exists()


def test_no_one_overwrites_what_another_person_changed_meanwhile(editor: Visitor) -> None:
    save(editor, f"{RECALLS}add/", **BY_SERIAL)
    here = address("xb-lynx-27k-2026")
    opened = fields_of(editor, here)
    record = newest("xb-lynx-27k-2026").to_record()
    actions.change_recall(by=a_user("other"), recall=replace(record, notes="By somebody else."))
    response = send(editor, here, opened, notes="Mine.")

    assert "Another person changed this after you opened it" in response.content.decode()
    assert newest("xb-lynx-27k-2026").notes == "By somebody else."


def test_there_is_no_field_for_a_brand(editor: Visitor) -> None:
    page = editor.page(f"{RECALLS}add/")
    assert 'name="device"' in page
    assert not re.search('name="[a-z_-]*brand', page)


# --- The list ---------------------------------------------------------------------------------------------


def found(visitor: Visitor, query: str) -> set[str]:
    page = visitor.page(f"{RECALLS}?{query}")
    keys = {int(key) for key in re.findall(rf"{RECALLS}(\d+)/change/", page)}
    return {str(recall) for recall in Recall.objects.filter(pk__in=keys)}


def test_the_list_answers_what_an_editor_asks(editor: Visitor) -> None:
    page = text_of(editor.page(RECALLS))
    assert (
        "Lynx 10K recalled in Northland xa-lynx-10k-2026 Approved Lynx Lynx 10K lynx-10k "
        "Northland Product Safety 1 March 2026 by pattern 1, oldest read" in page.replace(" - ", " ")
    ), page


def test_recalls_are_found_by_what_is_known_of_them(editor: Visitor) -> None:
    puma_30k, puma_50k = "xb-puma-30k-2026", "xb-puma-50k-2026"
    actions.revise_recalls(by=editor.user, recall_ids=[LYNX], reason="To look.")
    for query, expected in {
        "": {f"{LYNX}, revision 2", puma_30k, puma_50k},
        "state=every": {LYNX, f"{LYNX}, revision 2", puma_30k, puma_50k},
        "state=draft": {f"{LYNX}, revision 2"},
        "desk=drafts": {f"{LYNX}, revision 2"},
        "q=50K": {puma_50k},
        "q=puma-30k": {puma_30k},
        "q=lynx+10k": {f"{LYNX}, revision 2"},
        "scope__exact=all_units": {puma_50k},
        "device__brand__slug__exact=puma": {puma_30k, puma_50k},
        "device__model_id__exact=puma-30k": {puma_30k},
        "announced_on__year=2025": set(),
        "evidence=none": set(),
    }.items():
        assert found(editor, query) == expected, query


# --- The test of the pattern ------------------------------------------------------------------------------


def panel(visitor: Visitor, path: str = "test/", **typed: Any) -> str:
    response = visitor.post(f"{RECALLS}{path}", fragment="1", **typed)
    assert response.status_code == 200, response.status_code
    return text_of(response.content.decode())


def test_the_panel_says_what_each_sample_is_answered(editor: Visitor) -> None:
    said = panel(editor, **BY_SERIAL | {"unaffected_samples-text": ["58V0001", "57V0002"]})
    assert said.startswith("Not ready for review. 1 of 4 samples get the wrong answer.")
    assert "The pattern `^57V[0-9]{4}$` matches unaffected sample 2." in said
    assert "check 57v 9999 affected: banned Affected sample 2" in said
    assert "check 58V0001 unknown: no published information can decide Unaffected sample 1" in said
    assert "close 57V0002 affected: banned. Wrong. Unaffected sample 2" in said


def test_it_needs_nothing_but_a_pattern_and_samples(editor: Visitor) -> None:
    typed = {name: value for name, value in BY_SERIAL.items() if "pattern" in name or "samples" in name}
    assert panel(editor, **typed).startswith("All 3 samples get the right answer.")


SAID: list[tuple[dict[str, Any], str]] = [
    ({"pattern": "^57V.{4}$"}, "also matches 26 of 26 letters at places 4 to 7, but no sample has one."),
    ({"pattern": "^(57V"}, "The pattern cannot be used yet. The pattern `^(57V` cannot be used"),
    ({"pattern": ""}, "No pattern decides. For every serial, this recall answers “unknown"),
    ({"scope": "all_units"}, "For every serial, this recall answers “affected: banned”."),
    ({"affected_samples-text": []}, "is tested by no affected sample: give one that it must match."),
    ({"unaffected_samples-text": ["<b>"]}, "&lt;b&gt; unknown"),
]


def test_it_says_what_is_wrong_or_too_broad(editor: Visitor) -> None:
    for changes, said in SAID:
        assert said in panel(editor, **BY_SERIAL | changes), changes


def test_it_counts_how_many_known_serials_match(editor: Visitor) -> None:
    def draft(recall_id: str, model_id: str, **units: Any) -> None:
        affected = AffectedSerials("serial_pattern", units.pop("identifier", "serial"), "^X$", **units)
        recall = a_recall(recall_id=recall_id, model_id=model_id, affected_serials=affected)
        actions.draft_recall(by=editor.user, recall=recall)

    draft("same-model", "lynx-27k", values=("57V1000", "57V0001"), unaffected_samples=("99",))
    draft("other-kind", "lynx-27k", identifier="po_number", values=("57V2000",))
    draft("other-brand", "puma-30k", values=("57V3000",))
    said = panel(editor, **BY_SERIAL)

    # Of the brand there are also the three samples of `a_recall` itself. What is known twice counts once.
    assert (
        "Matches 3 of 8 known identifiers 2 of 3 of this recall 1 of 2 of other recalls of this model: "
        in said
    )
    assert "same-model 0 of 3 of other models of the brand" in said

    without_a_model = panel(editor, **BY_SERIAL | {"device": ""})
    assert "Matches 2 of 3 known identifiers 2 of 3 of this recall" in without_a_model


def test_a_button_tests_the_pattern_without_a_script_and_writes_nothing(editor: Visitor) -> None:
    response = save(editor, f"{RECALLS}add/", **BY_SERIAL, _test="")
    assert response.status_code == 200
    assert errors_of(response) == {}
    page = response.content.decode()
    assert "All 3 samples get the right answer." in page
    assert Form(page).fields["title"] == ["Lynx 27K recalled in Southland"]
    assert not Recall.objects.filter(recall_id="xb-lynx-27k-2026").exists()


# --- Trying a serial --------------------------------------------------------------------------------------

TRIED = "57V4711"


ANSWERED = [
    (
        f" {TRIED.lower()} ",
        "Affected: banned. Status affected , method pattern ; verdict for a flight: banned.",
    ),
    ("57V", "Unknown: no published information can decide. Status unknown , method none"),
    ("", "Type a serial of 1 to 64 characters."),
    ("9" * 65, "Type a serial of 1 to 64 characters."),
]


def test_a_serial_is_answered_as_a_traveler_would_be(editor: Visitor) -> None:
    for serial, said in ANSWERED:
        assert said in panel(editor, **BY_SERIAL | {"try-serial": serial, "_try": ""}), serial


def test_a_serial_that_was_tried_is_kept_nowhere(
    editor: Visitor, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    typed = BY_SERIAL | {"try-serial": TRIED}
    with CaptureQueriesContext(connection) as queries:
        answers = [
            editor.post(f"{RECALLS}test/", fragment="1", **typed, _try=""),
            save(editor, f"{RECALLS}add/", **typed, _try=""),
            save(editor, f"{RECALLS}add/", **typed | {"title": ""}),
            save(editor, f"{RECALLS}add/", **typed),
        ]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 302]
    assert not any(TRIED in answer.content.decode() for answer in answers)
    assert all("no-store" in answer["Cache-Control"] for answer in answers)
    assert not any(TRIED in query["sql"] for query in queries)
    assert TRIED not in caplog.text + "".join(capfd.readouterr())
    # By GET it would stand in the log of every server on the way.
    assert editor.get(f"{RECALLS}test/?try-serial={TRIED}").status_code == 403


# --- Those who only look ----------------------------------------------------------------------------------


def test_who_may_only_look_sees_everything_and_tries_serials(editor: Visitor) -> None:
    viewer = member("Viewer")
    page = viewer.page(address(LYNX))
    for shown in (
        "Lynx 10K recalled in Northland",
        "^LX-[0-4][0-9]{3}$",
        "LX-4999",
        "All 3 samples",
        "lynx-page",
    ):
        assert shown in page, shown
    for writing in ('name="title"', "data-rows", 'name="_test"', 'name="_save"'):
        assert writing not in page, writing

    here = f"{newest(LYNX).pk}/test/"
    # What is typed by somebody who may not write is no draft: the row answers.
    said = panel(viewer, here, **{"try-serial": "LX-0001", "_try": "", "pattern": "^NO$"})
    assert said.startswith("Affected: banned.")
    without_script = viewer.post(f"{RECALLS}{here}", **{"try-serial": "LX-9999", "_try": ""})
    assert "Not affected: the recall does not cover this unit." in text_of(without_script.content.decode())


def test_a_recall_is_offered_for_review_only_once_its_pattern_is_tested(editor: Visitor) -> None:
    units = replace(
        a_recall().affected_serials,
        scope="serial_pattern",
        identifier="serial",
        pattern="^57V$",
        affected_samples=("57V",),
        unaffected_samples=(),
    )
    actions.draft_recalls(by=editor.user, recalls=[a_recall(recall_id="untested", affected_serials=units)])
    page = editor.page(address("untested"))
    assert "It cannot be submitted for review yet:" in page
    assert "is tested by no unaffected sample" in page
    assert "/do/submit/" not in page
    tested = replace(units, unaffected_samples=("58V",))
    actions.change_recalls(by=editor.user, recalls=[a_recall(recall_id="untested", affected_serials=tested)])
    assert "/do/submit/" in editor.page(address("untested"))
