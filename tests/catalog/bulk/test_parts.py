"""A file with errors is divided: nothing of it is lost, and each part imports again."""

import csv
import io
import json
from typing import Any

import pytest

from catalog.bulk import files, parts
from catalog.records import Device
from tests.support.desk.uploading import MODELS, upload
from tests.support.desk.visiting import Visitor, member

HEAD = "model_id,brand,model_name,watt_hour,watt_hour_basis,sources\n"
GOOD = "puma-9k,Puma,Puma 9K,33.3,rated,puma-page\n"
BAD = "puma-8k,Puma,Puma 8K,0,rated,puma-page\npuma-7k,Puma,Puma 7K,0,rated,puma-page\n"


@pytest.fixture
def editor(db: None, world_rows: None, fresh_desk: None) -> Visitor:
    return member("Editor")


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def sheet(content: str, name: str = "models.csv") -> files.Sheet:
    return files.read(name, content.encode(), Device)


def test_the_two_parts_have_every_row_of_the_file_once() -> None:
    whole = sheet(HEAD + GOOD + BAD)
    problems = {3: "`watt_hour` must be positive", 4: "`watt_hour` must be positive"}
    bad, good = rows_of(parts.with_errors(whole, problems)), rows_of(parts.without_errors(whole, problems))
    assert [row["model_id"] for row in good] == ["puma-9k"]
    assert [row["problem"] for row in bad] == ["`watt_hour` must be positive"] * 2
    assert [dict(row.values) for row in whole.rows] == good + [
        {name: text for name, text in row.items() if name != "problem"} for row in bad
    ]


def test_the_column_with_the_problem_is_ignored_when_the_file_comes_back() -> None:
    whole = sheet(HEAD + BAD)
    again = sheet(parts.with_errors(whole, {2: "wrong", 3: "wrong"}).decode("utf-8-sig"))
    assert again == whole
    objects = files.read("models.json", b'[{"model_id": "puma-9k", "problem": "wrong"}]', Device)
    assert objects.rows[0].values == {"model_id": "puma-9k"}


def test_json_stays_json() -> None:
    entries: list[dict[str, Any]] = [{"model_id": "a1", "aliases": ["猫"]}, {"model_id": "b2"}]
    whole = files.read("models.json", json.dumps(entries).encode(), Device)
    assert json.loads(parts.without_errors(whole, {2: "wrong"})) == entries[:1]
    assert json.loads(parts.with_errors(whole, {2: "wrong"})) == [{"model_id": "b2", "problem": "wrong"}]


def test_a_row_with_too_many_cells_keeps_what_it_has_and_names_the_rest() -> None:
    (row,) = sheet(HEAD + "puma-9k,Puma,Puma 9K,33.3,rated,puma-page,beyond,=1+1\n").rows
    assert row.values["model_id"] == "puma-9k"
    assert row.problem == "has more cells than there are columns: beyond, =1+1"


def test_no_part_has_a_formula() -> None:
    whole = sheet(HEAD + "puma-9k,Puma,=HYPERLINK(1),33.3,rated,puma-page\n")
    (row,) = rows_of(parts.with_errors(whole, {2: "=cmd()"}))
    assert (row["model_name"], row["problem"]) == ("'=HYPERLINK(1)", "'=cmd()")


def test_the_preview_names_each_problem_once_with_its_rows(editor: Visitor) -> None:
    more = "".join(f"puma-{number},Puma,Puma,0,rated,puma-page\n" for number in range(10, 14))
    page = upload(
        editor, HEAD + BAD + GOOD + more + "puma-x,Puma,Puma,soon,rated,puma-page\n"
    ).content.decode()
    assert "rows 2 to 3, 5 to 8" in page
    assert "row 9" in page


def test_an_editor_gets_both_parts_and_imports_the_good_one(editor: Visitor) -> None:
    upload(editor, HEAD + GOOD + BAD)
    bad = editor.get(f"{MODELS}rows-with-errors/")
    assert bad["Content-Disposition"].endswith('-rows-with-errors.csv"')
    assert [row["model_id"] for row in rows_of(bad.content)] == ["puma-8k", "puma-7k"]
    good = editor.get(f"{MODELS}other-rows/").content
    assert "Import all of it" in upload(editor, good).content.decode()


def test_there_are_no_parts_of_what_was_never_chosen_or_of_another_list(editor: Visitor) -> None:
    assert editor.get(f"{MODELS}rows-with-errors/").status_code == 404
    upload(editor, HEAD + BAD)
    assert editor.get(f"{MODELS}everything/").status_code == 404
    assert editor.get("/admin/catalog/airline/import/rows-with-errors/").status_code == 404
    assert member("Editor").get(f"{MODELS}rows-with-errors/").status_code == 404
    assert member("Viewer").get(f"{MODELS}rows-with-errors/").status_code == 403
