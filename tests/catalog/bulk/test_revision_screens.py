"""Importing and exporting rules in the admin: a file becomes drafts, for a reason."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.http import HttpResponse

from catalog.bulk import files
from catalog.models import AuditEntry
from recalls.models import Recall
from rules.editing import actions as rule_actions
from rules.editing.bulk import RuleEntry
from rules.models import Rule
from tests.support.desk.uploading import AGREED, agree, upload
from tests.support.desk.visiting import Visitor, member
from tests.support.factories import a_rule, a_user

pytestmark = pytest.mark.usefixtures("world_rows", "fresh_desk")


RULES = "/admin/rules/rule/"
IMPORT = f"{RULES}import/"
WHY = "The page has changed."
CHANGE = b"rule_id,params.max_units\nn1.two-units,1\n"


@pytest.fixture
def editor(db: None) -> Visitor:
    return member("Editor")


def choose(visitor: Visitor, content: bytes, **fields: str) -> HttpResponse:
    return upload(visitor, content, "rules.csv", IMPORT, **{"reason": WHY, **fields})


def newest() -> Rule:
    return Rule.objects.identified(["n1.two-units"]).get()


def text_of(page: HttpResponse) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


def test_a_file_becomes_drafts_for_the_reason_that_was_given(editor: Visitor) -> None:
    preview = choose(editor, CHANGE)
    assert f"Why: {WHY}" in text_of(preview)
    assert "2 n1.two-units changed: opens revision 2 params.max_units: 2 → 1" in text_of(preview)
    assert newest().revision == 1

    assert agree(editor, preview, IMPORT)["Location"] == RULES
    assert (newest().revision, newest().state, newest().max_units) == (2, "draft", 1)
    (entry,) = AuditEntry.objects.filter(verb="revise")
    assert (entry.reason, entry.done_by) == (WHY, editor.user)
    # The log of the workflow tells it, so the admin's own says nothing.
    assert not LogEntry.objects.exists()
    assert "now your drafts. Submit them for review when they are correct." in editor.page(RULES)


def test_a_typed_reason_is_still_there_when_another_file_is_chosen(editor: Visitor) -> None:
    choose(editor, CHANGE)
    assert f">{WHY}</textarea>" in " ".join(editor.page(IMPORT).split())
    # Another list asks for its own reason.
    assert WHY not in editor.page("/admin/recalls/recall/import/")


def test_a_typed_reason_is_still_there_after_an_import_was_refused(editor: Visitor) -> None:
    preview = choose(editor, CHANGE)
    rule_actions.revise_rules(by=a_user(), rule_ids=["n1.two-units"], reason="Mine.")
    refused = agree(editor, preview, IMPORT)
    assert refused.status_code == 200
    assert f"Why: {WHY}" in text_of(refused)
    assert f">{WHY}</textarea>" in " ".join(editor.page(IMPORT).split())


def test_without_a_reason_nothing_is_shown(editor: Visitor) -> None:
    response = choose(editor, CHANGE, reason=" ")
    assert response.status_code == 400
    assert "This field is required." in text_of(response)


def test_what_was_agreed_for_one_reason_is_not_done_for_another(editor: Visitor) -> None:
    first = choose(editor, CHANGE)
    choose(editor, CHANGE, reason="For fun.")
    assert "records have changed since the preview" in text_of(agree(editor, first, IMPORT))
    assert newest().revision == 1


def test_what_another_person_is_writing_stands_in_the_way(editor: Visitor) -> None:
    rule_actions.revise_rules(by=a_user(), rule_ids=["n1.two-units"], reason="Mine.")
    page = choose(editor, CHANGE)
    assert "2 n1.two-units error revision 2 is a draft of editor" in text_of(page)
    assert not AGREED.search(page.content.decode())


def test_the_export_holds_the_revisions_that_the_list_shows(editor: Visitor) -> None:
    rule_actions.draft_rule(by=editor.user, rule=a_rule(rule_id="n1.new"))

    def exported(query: str) -> set[tuple[str, str]]:
        response = editor.get(f"{RULES}export/csv/{query}")
        assert response["Content-Disposition"] == 'attachment; filename="rules.csv"'
        sheet = files.read("a.csv", response.content, RuleEntry)
        return {(row.values["rule_id"], row.values["state"]) for row in sheet.rows}

    assert exported("?state=draft") == {("n1.new", "draft")}
    assert exported("?q=n1.two") == {("n1.two-units", "approved")}
    assert len(exported("")) == Rule.objects.count()


@pytest.mark.parametrize("file_format", ["csv", "xlsx", "json"])
def test_an_unchanged_export_changes_nothing(editor: Visitor, file_format: str) -> None:
    content = editor.get(f"{RULES}export/{file_format}/").content
    page = upload(editor, content, f"rules.{file_format}", IMPORT, reason=WHY)
    assert f"{Rule.objects.count()} same" in text_of(page)
    assert "There is nothing to import" in text_of(page)


@pytest.mark.parametrize(
    ("group", "may_import"), [("Editor", True), ("Reviewer", False), ("Publisher", False), ("Viewer", False)]
)
def test_those_who_write_import_and_all_others_export(editor: Visitor, group: str, may_import: bool) -> None:
    visitor = member(group)
    page = visitor.page(RULES)
    assert (IMPORT in page, f"{RULES}export/csv/" in page) == (may_import, True)
    assert visitor.get(f"{RULES}export/csv/").status_code == 200
    assert visitor.get(IMPORT).status_code == (200 if may_import else 403)
    visitor.client.handler.enforce_csrf_checks = False
    assert visitor.client.post(IMPORT, {"agreed": "x"}).status_code == (302 if may_import else 403)


def test_partner_managers_neither_import_nor_export(editor: Visitor) -> None:
    visitor = member("Partner manager")
    assert {visitor.get(path).status_code for path in (IMPORT, f"{RULES}export/csv/")} == {403}


def test_recalls_travel_the_same_way(editor: Visitor) -> None:
    path = "/admin/recalls/recall/"
    exported = editor.get(f"{path}export/csv/").content
    assert "There is nothing to import" in text_of(
        upload(editor, exported, "recalls.csv", f"{path}import/", reason=WHY)
    )
    changed = exported.replace(b"Puma", b"PUMA", 1)
    preview = upload(editor, changed, "recalls.csv", f"{path}import/", reason=WHY)
    assert "1 changed" in text_of(preview)
    assert agree(editor, preview, f"{path}import/")["Location"] == path
    assert Recall.objects.filter(state="draft").count() == 1
