"""A bad row is refused with its file, its row and the reason, and nothing of that load stays.

Each test writes the test world as seven files, spoils one row, and loads the folder.
"""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from catalog.models import Device, Source
from rules.engine.document import problems
from rules.models import Rule
from rules.next_release import compile_content
from tests.compliance.starter_corpus.folders import Row, change_rows, write_world
from tests.support import world


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the test world in it, moved to countries that exist."""
    return write_world(tmp_path)


def load(folder: Path) -> None:
    call_command("seed", "--from", str(folder), stdout=io.StringIO())


def rows() -> dict[str, int]:
    """Return how many rows each table of the corpus and of the accounts has."""
    return {
        model.__name__: model._default_manager.count()
        for label in ("auth", "catalog", "recalls", "rules")
        for model in apps.get_app_config(label).get_models()
    }


def refusal(folder: Path) -> str:
    """Load, which must fail, and return what it says. Nothing may be left of it."""
    before = rows()
    with pytest.raises(CommandError) as error:
        load(folder)
    assert rows() == before
    text = str(error.value)
    assert text.endswith(" Nothing was loaded.")
    return text.removesuffix(" Nothing was loaded.")


def spoil(folder: Path, name: str, row: int, change: Callable[[Row], object]) -> None:
    """Change one row of one file; rows are counted from 1."""
    change_rows(folder, name, lambda rows: change(rows[row - 1]))


@pytest.mark.django_db
def test_the_folder_is_good_before_it_is_spoiled(folder: Path) -> None:
    load(folder)
    assert Rule.objects.count() == len(world.RULES)


def setting(**values: Any) -> Callable[[Row], object]:
    return lambda row: row.update(values)


BAD_ROWS: list[tuple[str, int, Callable[[Row], object], str]] = [
    # A wrong type, an unknown field, a missing one, an unknown word.
    (
        "devices.json",
        2,
        setting(capacity_mah="many"),
        " (lynx-27k): Expected `int | null`, got `str` - at `$.capacity_mah`.",
    ),
    (
        "rules.json",
        1,
        lambda row: row["when"].update(watt_hours_up_to=100),
        " (intl.cabin-up-to-160wh): Object contains unknown field `watt_hours_up_to` - at `$.when`.",
    ),
    (
        "recalls.json",
        3,
        lambda row: row["affected_serials"].update(brand="Puma"),
        " (xb-puma-50k-2026): Object contains unknown field `brand` - at `$.affected_serials`.",
    ),
    (
        "sources.json",
        5,
        lambda row: row.pop("read_on"),
        " (northwing-page): Object missing required field `read_on`.",
    ),
    (
        "airline_policies.json",
        1,
        lambda row: row.pop("airline"),
        ": Object missing required field `airline`.",
    ),
    (
        "rules.json",
        2,
        setting(effect="allow"),
        " (intl.cabin-only): Invalid enum value 'allow' - at `$.effect`.",
    ),
    (
        "recalls.json",
        1,
        setting(announced_on="2026-02-30"),
        " (xa-lynx-10k-2026): Invalid RFC3339 encoded date - at `$.announced_on`.",
    ),
    # What refers to nothing.
    (
        "devices.json",
        1,
        setting(sources=["lynx-page", "nowhere"]),
        " (lynx-10k): names the source `nowhere`, which is not recorded.",
    ),
    (
        "rules.json",
        10,
        setting(sources=["nowhere"]),
        " (n1.cabin-up-to-160wh): names the source `nowhere`, which is not in this release.",
    ),
    (
        "airline_policies.json",
        3,
        setting(country="ZZ"),
        " (U3): names the country `ZZ`, which is not recorded.",
    ),
    (
        "recalls.json",
        2,
        setting(model_id="puma-31k"),
        " (xb-puma-30k-2026): names the model `puma-31k`, which is not recorded.",
    ),
    (
        "recalls.json",
        2,
        setting(jurisdiction="ZZ"),
        " (xb-puma-30k-2026): belongs to `ZZ`, which is no jurisdiction of this release.",
    ),
    # Codes in lower case.
    (
        "airline_policies.json",
        1,
        setting(airline="n1"),
        " (n1): the code is two upper-case letters or digits.",
    ),
    (
        "sources.json",
        1,
        setting(jurisdiction="intl"),
        " (intl-page): the jurisdiction is two to four upper-case letters.",
    ),
    (
        "jurisdictions.json",
        3,
        setting(code="fr"),
        " (fr): the code is two to four upper-case letters.",
    ),
    # Two rows that are one.
    (
        "devices.json",
        4,
        setting(model_id="lynx-27k"),
        " (lynx-27k): the same id stands in row 2.",
    ),
    # Dates out of order.
    (
        "rules.json",
        12,
        setting(effective_from="2026-02-01", effective_until="2026-01-31"),
        " (n1.two-units): a rule does not end before it starts.",
    ),
    (
        "sources.json",
        2,
        setting(page_date="2026-11-21"),
        " (xr-page): a page is not read before the date that it bears.",
    ),
    # Patterns that cannot be used.
    (
        "recalls.json",
        1,
        lambda row: row["affected_serials"].update(pattern="^(LX$"),
        " (xa-lynx-10k-2026): the pattern `^(LX$` cannot be used: "
        "an opening parenthesis is never closed (missing ): ^(LX$).",
    ),
    # Figures that are wrong.
    (
        "devices.json",
        1,
        setting(watt_hour="37.02"),
        " (lynx-10k): says 37.02 Wh, but 10000 mAh at 3.70 V are 37.00 Wh.",
    ),
    (
        "devices.json",
        2,
        setting(watt_hour="99.901"),
        " (lynx-27k): `watt_hour`: Ensure that there are no more than 2 decimal places.",
    ),
    (
        "devices.json",
        1,
        setting(watt_hour="NaN"),
        " (lynx-10k): `watt_hour` is a number of at most 30 digits.",
    ),
    (
        "devices.json",
        5,
        setting(watt_hour=50),
        " (heron-9): the basis is `unknown` exactly where there is no watt-hour figure.",
    ),
    # Evidence that nobody read.
    (
        "rules.json",
        16,
        setting(sources=["untold-pointer"]),
        " (u3.cabin-up-to-100wh): rests on no source that was read, so it could not be cited.",
    ),
    (
        "recalls.json",
        3,
        setting(sources=["heron-pointer"]),
        " (xb-puma-50k-2026): rests on no source that was read, so it could not be cited.",
    ),
    # A disagreement about a rule that is not there.
    (
        "disagreements.json",
        1,
        setting(applied="n1.gone"),
        " (n1-cabin-limit): applies the rule `n1.gone`, which is not in this release: "
        "name the rule that is applied now, or withdraw the disagreement.",
    ),
]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "row", "change", "sentence"), BAD_ROWS, ids=[f"{case[0]}{case[3]}" for case in BAD_ROWS]
)
def test_it_refuses(
    folder: Path, name: str, row: int, change: Callable[[Row], object], sentence: str
) -> None:
    spoil(folder, name, row, change)
    assert refusal(folder) == f"{name}, row {row}{sentence}"


@pytest.mark.django_db
def test_computed_watt_hours_may_be_off_by_one_hundredth(folder: Path) -> None:
    spoil(folder, "devices.json", 1, setting(watt_hour="37.01"))
    load(folder)


@pytest.mark.django_db
@pytest.mark.parametrize("capacity", [0, -1, 2**31, 10**30])
def test_a_capacity_that_no_column_holds_is_refused_by_row(folder: Path, capacity: int) -> None:
    spoil(folder, "devices.json", 1, setting(capacity_mah=capacity))
    assert refusal(folder).startswith("devices.json, row 1 (lynx-10k): ")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'[{"id": "a",]', "the file is not a JSON array of rows: JSON is malformed"),
        (b'[{"id": "a"}', "the file is not a JSON array of rows: Input data was truncated"),
        (b"", "the file is not a JSON array of rows: Input data was truncated"),
        (b'{"id": "a"}', "the file is not a JSON array of rows: Expected `array`, got `object`"),
        (b"[1]", ", row 1: Expected `object`, got `int`"),
        (b'[{"id": "a\xff"}]', ", row 1: "),
    ],
)
def test_a_file_that_is_no_array_of_rows_is_refused(folder: Path, content: bytes, reason: str) -> None:
    (folder / "sources.json").write_bytes(content)
    said = refusal(folder)
    assert said.startswith("sources.json")
    assert reason in said


@pytest.mark.django_db
def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "rules.json").unlink()
    assert refusal(folder) == "rules.json: the file cannot be read: No such file or directory."


@pytest.mark.django_db
def test_a_bad_row_leaves_what_an_earlier_load_brought(folder: Path) -> None:
    load(folder)
    spoil(folder, "rules.json", 1, setting(rule_id="intl.new"))
    spoil(folder, "rules.json", 2, setting(rule_id="intl.bad", summary=""))
    with pytest.raises(CommandError, match=r"^rules.json, row 2 \(intl.bad\): `summary`"):
        load(folder)
    assert Rule.objects.count() == len(world.RULES)


@pytest.mark.django_db
def test_a_problem_that_editors_made_is_not_the_load_s(folder: Path) -> None:
    load(folder)
    Device.objects.filter(pk="lynx-10k").update(watt_hour=38)
    spoil(folder, "sources.json", 1, setting(id="another-page"))
    load(folder)
    assert Source.objects.filter(pk="another-page").exists()
    assert problems(compile_content()) != []
