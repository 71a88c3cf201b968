"""Every change of every row of the editors' tables stays readable, whichever way it was made."""

import datetime
from typing import Any

import pghistory
import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, models, transaction
from pghistory.models import Event

from catalog.dates import moment_words
from catalog.models import AuditEntry, Brand, Country, Device, DeviceEvidence
from catalog.tables.history import FieldChange, events_of, field_changes, history
from rules.models import ImpactMeasurement, ImpactPart, Release, Rule
from tests.support.revision_kinds import RULES

NO_HISTORY = (
    AuditEntry,
    Release,
    ImpactMeasurement,
    ImpactPart,
    *(
        apps.get_model("catalog", name)
        for name in (
            *("run", "deadletter", "chunk", "chunkedwork", "changeset", "pendingchange"),
            # A person's own searches. Pictures of labels: their rows say who added them and took them away.
            *("savedsearch", "labelpicture"),
            "measuredrevision",
        )
    ),
    *(
        apps.get_model("recalls", name)
        for name in ("feednotice", "feedversion", "feedrecall", "feedreview", "feedstate")
    ),
    *(
        apps.get_model("rules", name)
        for name in (
            *("snapshot", "watchedpage", "visit", "watchsignal", "policyhistory", "policyentry"),
            # What was ticked on the page that publishes: the same ticks are the same row.
            "selection",
            *("releaseproof", "proofpart", "provedset", "releasesignature"),
            # Which drafts came from one notice.
            *("announcement", "announcedrule"),
        )
    ),
)
"""What never changes, or is the program's own: measured, signed, proved, watched, read.
What people do about it is logged."""

EDITORS_TABLES = [
    model
    for label in ("catalog", "recalls", "rules")
    for model in apps.get_app_config(label).get_models()
    if not issubclass(model, Event) and model not in NO_HISTORY
]


pytestmark = pytest.mark.usefixtures("world_rows")


def changes(model: type[models.Model], key: Any) -> list[tuple[str, dict[str, tuple[Any, Any]]]]:
    return [
        (change.what, {field.field: (field.before, field.after) for field in change.fields})
        for change in history(model, key)
    ]


@pytest.mark.parametrize("model", EDITORS_TABLES, ids=lambda model: model.__name__)
def test_each_of_the_editors_tables_has_a_history_of_all_its_columns(model: Any) -> None:
    kept = {field.name for field in model.pgh_event_model._meta.fields}
    assert {field.name for field in model._meta.concrete_fields} <= kept


def test_a_row_is_followed_from_its_beginning_to_its_end(editor: User) -> None:
    Brand.objects.bulk_create([Brand(slug="new", name="New", created_at=_noon(), created_by=editor)])
    Brand.objects.filter(slug="new").update(name="Newer")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE catalog_brand SET name = 'Newest' WHERE slug = 'new'")
    Brand.objects.filter(slug="new").update(name="Newest")
    Brand.objects.get(slug="new").delete()

    created = {"slug": (None, "new"), "name": (None, "New"), "created_by": (None, editor.pk)}
    recorded = changes(Brand, "new")
    assert recorded[0] == ("insert", {"created_at": (None, moment_words(_noon(), seconds=True)), **created})
    assert recorded[1:3] == [
        ("update", {"name": ("New", "Newer")}),
        ("update", {"name": ("Newer", "Newest")}),
    ]
    assert [what for what, _ in recorded] == ["insert", "update", "update", "delete"]
    assert recorded[3][1]["name"] == ("Newest", None)


def test_one_statement_that_changes_many_rows_leaves_an_event_of_each(editor: User) -> None:
    before = events_of(Device).count()
    assert Device.objects.update(notes="Looked at.") == 5
    assert events_of(Device).count() == before + 5
    before = events_of(Rule).count()
    rules = RULES.model._default_manager.count()
    RULES.revise(*Rule.objects.values_list("rule_id", flat=True), by=editor, reason="All of them.")
    assert events_of(Rule).count() == before + rules


def test_a_row_whose_key_changes_is_followed_as_well(editor: User) -> None:
    Country.objects.create(code="XX", name="Newland", created_at=_noon(), created_by=editor)
    Country.objects.filter(code="XX").update(code="XY")
    assert [event.code for event in events_of(Country).filter(name="Newland")] == ["XX", "XY"]


def test_links_decimals_and_lists_read_as_plain_json(editor: User) -> None:
    Device.objects.filter(pk="lynx-27k").update(watt_hour="99.01", aliases=["L27"], brand="puma")
    assert changes(Device, "lynx-27k")[-1] == (
        "update",
        {"watt_hour": ("99.90", "99.01"), "aliases": ([], ["L27"]), "brand": ("lynx", "puma")},
    )
    link = DeviceEvidence.objects.filter(device="lynx-27k")[0]
    assert changes(DeviceEvidence, link.pk)[0][1]["source"] == (None, link.source_id)


def test_two_events_in_a_row_that_say_the_same_differ_in_nothing(editor: User) -> None:
    first, *_ = events_of(Device).filter(pgh_obj_id="lynx-27k")
    assert field_changes(first, first) == ()
    assert field_changes(None, None) == ()
    later = events_of(Device).get(pk=first.pk)
    later.notes = "Other."
    assert field_changes(first, later) == (FieldChange("notes", first.notes, "Other."),)


def test_the_way_of_a_rule_through_review_is_in_its_history(editor: User, reviewer: User) -> None:
    row = Rule.objects.get(rule_id="n1.two-units")
    states = [fields["state"] for _, fields in changes(Rule, row.pk)]
    assert states == [(None, "draft"), ("draft", "in_review"), ("in_review", "approved")]


def test_who_changed_a_row_is_told_where_the_request_said_so_and_nothing_is_needed_where_not(
    editor: User,
) -> None:
    Device.objects.filter(pk="lynx-27k").update(notes="By a program.")
    with pghistory.context(user=editor.pk):
        Device.objects.filter(pk="lynx-27k").update(notes="By the editor.")
    *_, program, person = history(Device, "lynx-27k")
    assert program.context is None
    assert person.context == {"user": editor.pk}


@pytest.mark.parametrize("sql", ["UPDATE {} SET notes = 'x'", "DELETE FROM {}"])
def test_history_is_not_rewritten(editor: User, sql: str) -> None:
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql.format("catalog_deviceevent"))


def _noon() -> datetime.datetime:
    return datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC)
