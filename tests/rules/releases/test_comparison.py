"""What differs between two releases."""

import datetime
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from catalog.tables.history import FieldChange
from recalls.serials import AffectedSerials
from rules.engine.document import Content
from rules.engine.facts import Params, When
from rules.releases.comparison import RecordChange, compare
from tests.rules.rows import CONTENT
from tests.support.factories import a_disagreement

replace = msgspec.structs.replace


def test_a_release_does_not_differ_from_itself() -> None:
    assert compare(CONTENT, CONTENT) == []


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("countries", ["DE", "FR"]),
        ("jurisdictions", ["EU", "FR"]),
        ("sources", ["hearsay", "regulator-page"]),
        ("airlines", ["7C"]),
        ("devices", ["lynx-10k"]),
        ("rules", ["7c.permit", "fr.dgac.max-two"]),
        ("recalls", ["fr-2026-1"]),
    ],
)
def test_records_of_every_kind_come_and_go(kind: str, names: list[str]) -> None:
    without = replace(CONTENT, **{kind: ()})

    assert compare(without, CONTENT) == [RecordChange(kind, name, "added") for name in names]
    assert compare(CONTENT, without) == [RecordChange(kind, name, "removed") for name in names]


def test_every_kind_of_a_document_is_compared() -> None:
    whole = replace(CONTENT, disagreements=(a_disagreement(),))
    assert {change.kind for change in compare(Content(), whole)} == set(Content.__struct_fields__)


@pytest.mark.parametrize(
    ("kind", "field", "value", "before", "after"),
    [
        ("countries", "name", "Allemagne", "Germany", "Allemagne"),
        ("jurisdictions", "member_of", ("EU",), (), ("EU",)),
        ("sources", "read_on", datetime.date(2026, 11, 21), "2026-11-20", "2026-11-21"),
        ("airlines", "notes", ("Read twice.",), ("Read twice.", "A note."), ("Read twice.",)),
        ("devices", "watt_hour", Decimal("37.20"), "37.00", "37.20"),
        ("devices", "notes", None, "The first one.", None),
        ("rules", "effective_until", datetime.date(2027, 1, 1), None, "2027-01-01"),
        ("recalls", "units", 121, 120, 121),
    ],
)
def test_a_changed_field_is_shown_as_the_document_spells_it(
    kind: str, field: str, value: Any, before: Any, after: Any
) -> None:
    first, *others = getattr(CONTENT, kind)
    changed = replace(CONTENT, **{kind: (replace(first, **{field: value}), *others)})

    (change,) = compare(CONTENT, changed)

    assert (change.kind, change.change) == (kind, "changed")
    assert change.fields == (FieldChange(field, before, after),)


def test_fields_of_nested_records_have_dotted_names() -> None:
    _, rule = CONTENT.rules
    when = When(watt_hour_over=Decimal("160.00"), compartment=rule.when.compartment, quantity_over=1)
    changed = replace(rule, when=when, params=Params(max_units=1))
    recall = CONTENT.recalls[0]
    serials = AffectedSerials(scope="all_units", identifier="serial")

    rules, recalls = compare(
        CONTENT,
        replace(
            CONTENT, rules=(CONTENT.rules[0], changed), recalls=(replace(recall, affected_serials=serials),)
        ),
    )

    assert set(rules.fields) == {
        FieldChange("when.watt_hour_over", "100.00", "160.00"),
        FieldChange("when.quantity_over", None, 1),
        FieldChange("params.max_units", 2, 1),
    }
    assert FieldChange("affected_serials.pattern", "A[0-9]{4}", None) in recalls.fields


def test_the_order_of_records_is_no_difference() -> None:
    backwards = Content(**{kind: getattr(CONTENT, kind)[::-1] for kind in CONTENT.__struct_fields__})

    assert compare(CONTENT, backwards) == []
