"""Disagreements in files: exported as they are, imported as drafts."""

import pytest
from django.contrib.auth.models import User
from msgspec.structs import asdict

from catalog.bulk import files, importing
from rules.disagreements.bulk import DISAGREEMENTS, DisagreementEntry
from rules.models import Disagreement
from tests.support.factories import a_disagreement


def exported(file_format: str) -> bytes:
    keys = list(Disagreement.objects.order_by(*DISAGREEMENTS.order).values_list("pk", flat=True))
    return files.write(file_format, DISAGREEMENTS.exported(keys), DISAGREEMENTS.file_type)


def plan(name: str, content: bytes, by: User) -> importing.Plan:
    return importing.preview(DISAGREEMENTS, name, content, by=by, reason="To see.")


@pytest.mark.parametrize("file_format", ["csv", "xlsx", "json"])
def test_what_is_exported_is_imported_and_nothing_changes(
    approved: str, editor: User, file_format: str
) -> None:
    found = plan(f"a.{file_format}", exported(file_format), editor)
    assert found.count("same") == len(found.outcomes) == 1


def test_a_file_drafts_what_is_new_and_revises_what_says_something_else(approved: str, editor: User) -> None:
    said = [a_disagreement(because="It was asked."), a_disagreement(id="new")]
    entries = [DisagreementEntry(**asdict(one)) for one in said]
    content = files.write("json", entries, DisagreementEntry)
    agreed = plan("a.json", content, editor).digest
    done, _ = importing.apply(DISAGREEMENTS, "a.json", content, by=editor, agreed=agreed, reason="To see.")
    assert done
    newest = Disagreement.objects.newest().order_by("disagreement_id")
    assert [(row.revision, row.state) for row in newest] == [(2, "draft"), (1, "draft")]
    assert newest.records() == said
