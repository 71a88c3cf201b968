"""Cases as files: exported byte for byte, imported as drafts that another person approves."""

import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from catalog.editorial.selectors import audit_log
from compliance.starter_corpus.files import STARTER_CORPUS
from compliance.starter_corpus.seeding import load_first_cases
from rules.case_editing.actions import approve_cases, submit_cases
from rules.case_editing.models import VerdictCase
from rules.case_editing.selectors import cases_in_force
from rules.cases import CaseError, as_files, digest_of_cases, load_cases
from rules.cases.reading import DIRECTORY
from tests.support.factories import a_user

pytestmark = pytest.mark.django_db


NEW = """\
- name: New.
  given: {watt_hour: 100, basis: rated, on: 2026-12-01, route: [AE, GB], airline: EK}
  expect: {verdict: banned}
"""


def run(*arguments: str | Path) -> str:
    out = StringIO()
    call_command("cases", *map(str, arguments), stdout=out)
    return out.getvalue()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def approve_the_drafts() -> None:
    names = list(VerdictCase.objects.filter(state="draft").values_list("name", flat=True))
    submit_cases(by=a_user("editor"), names=names)
    approve_cases(by=a_user("reviewer"), names=names)


def test_an_installation_begins_with_the_cases_of_the_files_in_their_order() -> None:
    assert load_first_cases(STARTER_CORPUS) is not None
    assert cases_in_force() == load_cases()
    assert load_first_cases(STARTER_CORPUS) is None


def test_exported_and_imported_elsewhere_they_are_the_same_bytes(tmp_path: Path) -> None:
    load_first_cases(STARTER_CORPUS)
    there, back = tmp_path / "there", tmp_path / "back"
    said = run("export", there)
    assert said == f"516 cases in 22 files. SHA-256: {digest_of_cases(load_cases())}\n"
    assert load_cases(there) == load_cases()

    # Another installation: it has none of them.
    VerdictCase.objects.filter(state="draft").delete()
    before = set(VerdictCase.objects.values_list("name", flat=True))
    assert "0 new or changed. 0 drafts were made." in run("import", there, "--draft")
    assert set(VerdictCase.objects.values_list("name", flat=True)) == before
    run("export", back)
    assert contents(back) == contents(there)


def test_an_empty_installation_that_imports_an_export_exports_the_same_bytes(tmp_path: Path) -> None:
    there, back = tmp_path / "there", tmp_path / "back"
    there.mkdir()
    for name, text in as_files(load_cases()).items():
        (there / name).write_text(text, encoding="utf-8")
    assert "516 drafts were made." in run("import", there, "--draft")
    approve_the_drafts()
    run("export", back)
    assert contents(back) == contents(there)


def test_what_editors_have_to_know_of_a_case_is_in_its_note_and_so_in_an_export(tmp_path: Path) -> None:
    load_first_cases(STARTER_CORPUS)
    run("export", tmp_path)
    exported = (tmp_path / "europe.yaml").read_text(encoding="utf-8")
    assert "form is not for power banks." in exported
    for path in DIRECTORY.glob("*.yaml"):
        inside = [line for line in path.read_text(encoding="utf-8").splitlines() if re.match(r" +#", line)]
        assert inside == [], f"{path.name}: a comment in a case is lost at the desk; write it as its note"


def test_a_changed_file_becomes_a_draft_and_counts_once_another_person_approved_it(tmp_path: Path) -> None:
    load_first_cases(STARTER_CORPUS)
    run("export", tmp_path)
    (file,) = tmp_path.glob("emirates-and-gulf.yaml")
    text = file.read_text().replace("quantity: 2", "quantity: 3", 1)
    file.write_text(f"{text}\n{NEW}")
    name = "Two units on Emirates are one too many"

    assert f"changed: {name}" in run("import", tmp_path)
    assert not VerdictCase.objects.filter(state="draft").exists()
    said = run("import", tmp_path, "--draft")
    assert "new: New." in said
    assert "2 drafts were made." in said
    assert VerdictCase.objects.get(name=name, state="draft").authors != []
    assert f"has an open revision: {name}" in run("import", tmp_path, "--draft")
    assert cases_in_force() == load_cases()

    approve_the_drafts()
    assert as_files(cases_in_force())["emirates-and-gulf.yaml"] == file.read_text()
    assert [entry.verb for entry in audit_log("verdictcase", name)][-3:] == [
        "approve",
        "supersede",
        "publish",
    ]


def test_an_export_overwrites_nothing(tmp_path: Path) -> None:
    load_first_cases(STARTER_CORPUS)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(CommandError, match="is not empty"):
        run("export", tmp_path)
    assert contents(tmp_path) == {"mine.txt": b"mine"}


def test_files_that_cannot_be_read_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("- name: One\n  given: {}\n  expect: {verdict: allowed}\n")
    with pytest.raises(CommandError, match=r"one\.yaml, line 1, “One”"):
        run("import", tmp_path, "--draft")
    assert not VerdictCase.objects.exists()
    with pytest.raises(CaseError):
        cases_in_force()
