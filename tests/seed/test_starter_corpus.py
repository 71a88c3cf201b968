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
from django.db import transaction
from django.http import HttpRequest

from catalog.models import Device, Source
from catalog.records import Airline, Jurisdiction
from catalog.records import Device as DeviceRecord
from catalog.records import Source as SourceRecord
from compliance.seeding import APPROVER, AUTHOR, STARTER_CORPUS
from recalls.models import Recall
from recalls.records import Recall as RecallRecord
from rules.drafting import compile_content
from rules.engine.document import Content, problems
from rules.engine.facts import Rule as RuleRecord
from rules.models import Rule

FILES = [
    ("jurisdictions.json", Jurisdiction, "code", "jurisdictions", 63),
    ("sources.json", SourceRecord, "id", "sources", 532),
    ("airline_policies.json", Airline, "airline", "airlines", 137),
    ("devices.json", DeviceRecord, "model_id", "devices", 403),
    ("rules.json", RuleRecord, "rule_id", "rules", 1089),
    ("recalls.json", RecallRecord, "recall_id", "recalls", 137),
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


@pytest.fixture
def seeded(db: None) -> None:
    seed()


@pytest.fixture(scope="module")
def content(django_db_setup: None, django_db_blocker: Any) -> Content:
    """Return what a release would hold after seeding; loaded once, and taken back."""
    with django_db_blocker.unblock(), transaction.atomic():
        seed()
        found = compile_content()
        transaction.set_rollback(True)
    return found


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


@pytest.mark.usefixtures("seeded")
def test_loading_twice_changes_nothing() -> None:
    before = all_rows()
    output = seed()
    assert all_rows() == before
    assert " new" not in output
    assert "rules.json: 1089 kept" in output


@pytest.mark.django_db
def test_it_says_in_one_line_what_became_of_each_file() -> None:
    lines = [line.partition(" (")[0] for line in seed().splitlines()]
    assert lines == [
        "ISO 3166-1 countries: 249 new",
        "jurisdictions.json: 63 new",
        "sources.json: 532 new",
        "airline_policies.json: 137 new",
        "devices.json: 403 new",
        "rules.json: 1089 new",
        "recalls.json: 137 new",
        "accepted_findings.json: 100 new",
    ]


@pytest.mark.usefixtures("seeded")
def test_a_row_that_an_editor_changed_stays_and_is_reported() -> None:
    Device.objects.filter(pk="anker-a1263").update(notes="An editor was here.")
    Source.objects.filter(pk="tsa-lithium-100wh").update(title="Another title")
    lines = seed().splitlines()
    differing = {line.partition(":")[0]: line.rpartition(": ")[2] for line in lines if "differs" in line}
    assert differing == {"devices.json": "anker-a1263", "sources.json": "tsa-lithium-100wh"}
    assert Device.objects.get(pk="anker-a1263").notes == "An editor was here."


@pytest.mark.usefixtures("seeded")
def test_a_row_that_is_missing_comes_back_alone() -> None:
    Rule.objects.get(pk="intl.icao.carry-on-up-to-100wh").delete()
    assert "rules.json: 1 new, 1088 kept" in seed()


@pytest.mark.usefixtures("seeded")
def test_one_system_user_wrote_and_another_approved_and_nobody_can_sign_in_as_either() -> None:
    for model in (Rule, Recall):
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
        *(name for name, *_ in FILES),
    }
