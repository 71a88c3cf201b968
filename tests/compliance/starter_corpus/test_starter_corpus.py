"""`manage.py seed` on the project's own starter corpus."""

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.apps import apps
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.http import HttpRequest
from msgspec.structs import replace

from catalog.bulk import files, importing
from catalog.models import Device, Source
from catalog.records import Airline, Jurisdiction
from catalog.records import Device as DeviceRecord
from catalog.records import Source as SourceRecord
from compliance.starter_corpus.files import STARTER_CORPUS
from compliance.starter_corpus.seeding import APPROVER, AUTHOR
from recalls.editing.bulk import RECALLS
from recalls.models import Recall
from recalls.records import Recall as RecallRecord
from rules.disagreements.bulk import DISAGREEMENTS
from rules.editing.actions import change_rule, revise_rules
from rules.editing.bulk import RULES
from rules.engine.disagreements import Disagreement as DisagreementRecord
from rules.engine.document import Content, problems
from rules.engine.facts import Rule as RuleRecord
from rules.models import Disagreement, Rule
from rules.next_release import compile_content
from tests.support.factories import a_user

FILES = [
    ("jurisdictions.json", Jurisdiction, "code", "jurisdictions", 63),
    ("sources.json", SourceRecord, "id", "sources", 625),
    ("airline_policies.json", Airline, "airline", "airlines", 137),
    ("devices.json", DeviceRecord, "model_id", "devices", 403),
    ("rules.json", RuleRecord, "rule_id", "rules", 1201),
    ("recalls.json", RecallRecord, "recall_id", "recalls", 137),
    ("disagreements.json", DisagreementRecord, "id", "disagreements", 8),
]

ACCEPTED = "accepted_findings.json"


def seed() -> str:
    output = io.StringIO()
    call_command("seed", stdout=output)
    return output.getvalue()


def all_rows() -> dict[str, list[dict[str, Any]]]:
    """Return every column of every row of every table."""
    return {
        model._meta.label: sorted(
            model._default_manager.values(), key=lambda row: str(next(iter(row.values())))
        )
        for model in apps.get_models()
    }


pytestmark = [pytest.mark.usefixtures("starter_rows"), pytest.mark.django_db]


@pytest.fixture(scope="module")
def content(starter_rows: str) -> Content:
    """Return what a release would hold after seeding."""
    return compile_content()


def test_what_is_in_the_tables_afterwards_equals_the_files_record_for_record(content: Content) -> None:
    for name, record_type, key, kind, count in FILES:
        records = msgspec.json.decode((STARTER_CORPUS / name).read_bytes(), type=list[record_type])  # type: ignore[valid-type]
        assert len(records) == count
        wanted = {getattr(record, key): record for record in records}
        assert {getattr(record, key): record for record in getattr(content, kind)} == wanted


def test_every_country_of_iso_3166_is_there_by_its_name(content: Content) -> None:
    names = {country.code: country.name for country in content.countries}
    assert len(names) == 249
    assert (names["FR"], names["CI"], names["TT"]) == ("France", "Côte d'Ivoire", "Trinidad and Tobago")


def test_it_could_be_published(content: Content) -> None:
    assert problems(content) == []


def test_loading_twice_changes_nothing() -> None:
    before = all_rows()
    output = seed()
    assert all_rows() == before
    assert " new" not in output
    assert "rules.json: 1201 kept" in output


def test_what_is_exported_of_revisions_is_imported_and_nothing_changes() -> None:
    for table, count in ((RULES, 1201), (RECALLS, 137), (DISAGREEMENTS, 8)):
        keys = list(table.model.objects.order_by(*table.order).values_list("pk", flat=True))
        for file_format in ("csv", "xlsx", "json"):
            content = files.write(file_format, table.exported(keys), table.file_type)
            plan = importing.preview(table, f"a.{file_format}", content, by=a_user(), reason="To see.")
            assert plan.count("same") == len(plan.outcomes) == count


def test_it_says_in_one_line_what_became_of_each_file(starter_rows: str) -> None:
    lines = [line.partition(" (")[0] for line in starter_rows.splitlines()]
    assert lines == [
        "ISO 3166-1 countries: 249 new",
        "jurisdictions.json: 63 new",
        "sources.json: 625 new",
        "airline_policies.json: 137 new",
        "airports.json: 53 new",
        "devices.json: 403 new",
        "rules.json: 1201 new",
        "recalls.json: 137 new",
        "disagreements.json: 8 new",
        "cases: 516 new",
        "accepted_findings.json: 90 new",
    ]


def test_a_row_that_an_editor_changed_stays_and_is_reported() -> None:
    Device.objects.filter(pk="anker-a1263").update(notes="An editor was here.")
    Source.objects.filter(pk="tsa-lithium-100wh").update(title="Another title")
    lines = seed().splitlines()
    differing = {line.partition(":")[0]: line.rpartition(": ")[2] for line in lines if "differs" in line}
    assert differing == {"devices.json": "anker-a1263", "sources.json": "tsa-lithium-100wh"}
    assert Device.objects.get(pk="anker-a1263").notes == "An editor was here."


def test_a_row_that_is_missing_comes_back_alone() -> None:
    with connection.cursor() as cursor:
        # No verb makes a rule disappear, and no trigger lets anybody.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL session_replication_role = replica")
        Rule.objects.get(rule_id="intl.icao.carry-on-up-to-100wh").delete()
        cursor.execute("SET LOCAL session_replication_role = origin")
    assert "rules.json: 1 new, 1200 kept" in seed()


def test_a_rule_that_an_editor_revises_is_compared_as_the_editor_has_it() -> None:
    revise_rules(by=a_user(), rule_ids=["sq.max-units"], reason="Three units from now on.")
    assert "differs" not in seed()
    newest = Rule.objects.identified(["sq.max-units"]).records()[0]
    change_rule(by=a_user(), rule=replace(newest, summary="At most three units."))
    assert "rules.json: 1201 kept" in (said := seed())
    assert "differs: sq.max-units\n" in said


def test_one_system_user_wrote_and_another_approved_and_no_one_can_sign_in_as_either() -> None:
    for model in (Rule, Recall, Disagreement):
        people = set(model.objects.values_list("state", "created_by__username", "approved_by__username"))
        assert people == {("approved", AUTHOR, APPROVER)}
    for name in (AUTHOR, APPROVER):
        assert not User.objects.get(username=name).has_usable_password()
        assert authenticate(HttpRequest(), username=name, password="") is None


def test_the_starter_corpus_is_the_one_that_its_readme_counts() -> None:
    readme = (STARTER_CORPUS / "README.md").read_text()
    for name in [*(name for name, *_ in FILES), ACCEPTED]:
        rows = json.loads((STARTER_CORPUS / name).read_text())
        assert f"| {name} | {len(rows):,} |" in readme


def test_no_file_of_the_starter_corpus_is_left_unread() -> None:
    assert {path.name for path in Path(STARTER_CORPUS).glob("*.json")} == {
        ACCEPTED,
        "airports.json",
        *(name for name, *_ in FILES),
    }
