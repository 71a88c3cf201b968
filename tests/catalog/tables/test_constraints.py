"""The database itself refuses catalog rows that the domain does not know, whoever writes them."""

import datetime

import pytest
from django.db import models
from django.utils import timezone

from catalog.airports.actions import record_airport_facts
from catalog.models import (
    Airline,
    AirlinePolicy,
    AirlinePolicyEvidence,
    AirportFact,
    AuditEntry,
    Brand,
    Certificate,
    Certification,
    ChangeSet,
    Chunk,
    ChunkedWork,
    Country,
    DeadLetter,
    Device,
    DeviceEvidence,
    Jurisdiction,
    LabelPicture,
    MeasuredRevision,
    Membership,
    PendingChange,
    PolicyChange,
    Run,
    RunOutcome,
    SavedSearch,
    Source,
)
from tests.support.constraints import change, constraints_of, copy, violated
from tests.support.factories import a_user, an_airport_fact
from tests.support.world import build_world

CHANGED_ROWS: list[tuple[type[models.Model], str]] = [
    (Airline, "N1"),
    (AirlinePolicy, "N1"),
    (AirportFact, "xax-storage"),
    (Brand, "lynx"),
    (Device, "lynx-27k"),
    (Jurisdiction, "XR"),
    (Source, "xa-page"),
]
LONG_AGO = datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC)

REFUSED = [
    *(
        (f"{model._meta.model_name}_change_is_a_pair", change(model, pk, changed_at=LONG_AGO))
        for model, pk in CHANGED_ROWS
    ),
    *(
        (
            f"{model._meta.model_name}_changed_after_creation",
            change(model, pk, changed_at=LONG_AGO, changed_by=models.F("created_by")),
        )
        for model, pk in CHANGED_ROWS
    ),
    ("source_id_is_a_slug", change(Source, "xa-page", id="XA page")),
    ("source_id_is_a_slug", change(Source, "xa-page", id="xa--page")),
    ("source_kind_is_known", change(Source, "xa-page", kind="blog")),
    ("source_basis_is_known", change(Source, "xa-page", basis="hearsay")),
    ("source_cadence_is_known", change(Source, "xa-page", cadence="hourly")),
    ("source_jurisdiction_is_upper_case", change(Source, "xa-page", jurisdiction="xa")),
    ("source_url_is_absolute", change(Source, "xa-page", url="aviation.xa.example")),
    ("source_read_url_is_absolute", change(Source, "xa-page", read_url="a drawer")),
    ("source_dates_in_order", change(Source, "xa-page", page_date=datetime.date(2026, 11, 21))),
    ("country_code_is_upper_case", change(Country, "XA", code="xa")),
    ("country_code_is_upper_case", change(Country, "XA", code="X")),
    ("jurisdiction_code_is_upper_case", change(Jurisdiction, "XR", code="xr")),
    ("jurisdiction_code_is_upper_case", change(Jurisdiction, "XR", code="X1")),
    ("jurisdiction_regulator_url_is_absolute", change(Jurisdiction, "XR", regulator_url="xr.example")),
    ("membership_region_once", copy(Membership, {"position": 1}, member="XA")),
    ("membership_position_once", copy(Membership, {"region_id": "INTL"}, member="XA")),
    ("membership_is_not_of_itself", copy(Membership, {"region_id": "XA", "position": 1}, member="XA")),
    ("airline_code_is_upper_case", change(Airline, "N1", code="n1")),
    ("airline_code_is_upper_case", change(Airline, "N1", code="N")),
    ("airline_icao_is_upper_case", change(Airline, "N1", icao="XN1")),
    ("airline_icao_once", change(Airline, "N1", icao="XXS")),
    ("policy_url_is_absolute", change(AirlinePolicy, "N1", policy_url="/batteries")),
    ("policy_confidence_is_known", change(AirlinePolicy, "N1", confidence="sure")),
    ("policy_evidence_source_once", copy(AirlinePolicyEvidence, {"position": 1}, policy="N1")),
    ("policy_evidence_position_once", copy(AirlinePolicyEvidence, {"source_id": "xa-page"}, policy="N1")),
    ("policy_change_position_once", copy(PolicyChange, {"what": "Another."}, policy="N1")),
    ("airport_fact_id_is_a_slug", change(AirportFact, "xax-storage", id="XAX storage")),
    ("airport_fact_airport_is_a_code", change(AirportFact, "xax-storage", airport="xax")),
    ("airport_fact_kind_is_known", change(AirportFact, "xax-storage", kind="rumor")),
    ("airport_fact_since_is_a_time", change(AirportFact, "xax-storage", since="June")),
    ("brand_slug_is_a_slug", change(Brand, "lynx", slug="Lynx")),
    ("device_model_id_is_spelled", change(Device, "lynx-27k", model_id="Lynx-27K")),
    ("device_model_id_is_spelled", change(Device, "lynx-27k", model_id="l")),
    ("device_watt_hour_basis_is_known", change(Device, "lynx-27k", watt_hour_basis="guessed")),
    ("device_capacity_mah_is_positive", change(Device, "lynx-27k", capacity_mah=0)),
    ("device_nominal_voltage_is_positive", change(Device, "lynx-27k", nominal_voltage=-1)),
    ("device_watt_hour_is_positive", change(Device, "lynx-27k", watt_hour=0)),
    ("device_basis_unknown_without_watt_hour", change(Device, "lynx-27k", watt_hour=None)),
    ("device_basis_unknown_without_watt_hour", change(Device, "lynx-27k", watt_hour_basis="unknown")),
    ("device_computed_from_something", change(Device, "lynx-10k", nominal_voltage=None)),
    ("device_computed_from_something", change(Device, "lynx-10k", capacity_mah=None)),
    ("device_release_year_is_plausible", change(Device, "lynx-27k", release_year=1066)),
    ("device_evidence_source_once", copy(DeviceEvidence, {"position": 1}, device="lynx-27k")),
    ("device_evidence_position_once", copy(DeviceEvidence, {"source_id": "xa-page"}, device="lynx-27k")),
    ("certificate_mark_is_known", change(Certificate, 1000, mark="CE")),
    ("certificate_status_is_known", change(Certificate, 1000, status="expired")),
    ("certificate_number_is_given", change(Certificate, 1000, number=" ")),
    ("certificate_lookup_url_is_absolute", change(Certificate, 1000, lookup_url="cnca.example")),
    ("certificate_ends_after_it_starts", change(Certificate, 1000, until=LONG_AGO.date())),
    ("certificate_position_once", copy(Certificate, {"status": "revoked"}, pk=1000)),
    ("certification_mark_is_named", copy(Certification, {"mark": " ", "position": 1}, device="lynx-10k")),
    ("certification_mark_once", copy(Certification, {"position": 1}, device="lynx-10k")),
    ("certification_position_once", copy(Certification, {"mark": "Qi2"}, device="lynx-10k")),
    ("audit_entry_verb_is_known", copy(AuditEntry, {"verb": "praise"}, subject="n1.two-units", verb="draft")),
    ("run_outcome_is_known", change(Run, 1000, outcome="lost")),
    ("run_ends_once", change(Run, 1000, ended=None)),
    ("run_failed_says_why", change(Run, 1000, outcome="failed")),
    ("run_beats_after_its_start", change(Run, 1000, started=models.F("ended") + datetime.timedelta(days=1))),
    ("dead_letter_once", copy(DeadLetter, {"tries": 2}, pk=1000)),
    ("dead_letter_dates_in_order", change(DeadLetter, 1000, last_tried=LONG_AGO)),
    ("chunked_work_once", copy(ChunkedWork, {"given": {"other": 1}}, pk=1000)),
    ("chunked_work_has_a_kind", change(ChunkedWork, 1000, kind=" ")),
    ("chunk_once", copy(Chunk, {"task": b"another"}, pk=1000)),
    ("chunk_done_names_its_worker", change(Chunk, 1000, worker="")),
    ("chunk_done_names_its_worker", change(Chunk, 1000, result=None)),
    ("source_is_read_before_it_is_recorded", change(Source, "xa-page", recorded_at=LONG_AGO)),
    ("change_set_state_is_known", change(ChangeSet, 1000, state="lost")),
    ("change_set_creator_is_an_author", change(ChangeSet, 1000, authors=[])),
    ("change_set_decision_is_a_pair", change(ChangeSet, 1000, decided_by=None)),
    ("change_set_waits_until_decided", change(ChangeSet, 1000, state="waiting")),
    (
        "change_set_approver_is_not_author",
        change(ChangeSet, 1000, state="approved", decided_by=models.F("created_by")),
    ),
    ("change_set_decided_after_creation", change(ChangeSet, 1000, decided_at=LONG_AGO)),
    ("pending_change_record_once", copy(PendingChange, {"waiting": False}, pk=1000)),
    ("pending_change_one_waits", copy(PendingChange, {"change_set_id": 1001}, pk=1000)),
    ("label_picture_says_something", change(LabelPicture, 1000, says=" ")),
    ("label_picture_removal_is_a_pair", change(LabelPicture, 1000, removed_at=LONG_AGO)),
    ("measured_revision_once", copy(MeasuredRevision, {"less_strict": False}, pk=1000)),
    ("saved_search_name_once", copy(SavedSearch, {"query": "q=b"}, pk=1000)),
    ("saved_search_has_a_name", change(SavedSearch, 1000, name=" ")),
    ("audit_entry_says_why", copy(AuditEntry, {"verb": "return"}, subject="n1.two-units", verb="draft")),
]


@pytest.mark.django_db
def test_the_database_refuses_each_of_these_rows() -> None:
    build_world(by=a_user())
    record_airport_facts(by=a_user(), facts=[an_airport_fact()])
    now = timezone.now()
    Run.objects.create(pk=1000, name="a job", started=now, seen=now, ended=now, outcome=RunOutcome.DONE)
    DeadLetter.objects.create(
        pk=1000, name="a job", subject="it", reason="Odd.", first_tried=now, last_tried=now
    )
    Certificate.objects.create(
        pk=1000,
        device_id="lynx-10k",
        mark="CCC",
        status="valid",
        source_id="lynx-page",
        since=now.date(),
        position=0,
    )
    author, other = a_user("author"), a_user("other")
    for pk in (1000, 1001):
        ChangeSet.objects.create(
            pk=pk, subject="lynx-10k", authors=[author.pk], created_at=now, created_by=author
        )
    PendingChange.objects.create(pk=1000, change_set_id=1000, kind="device", record_id="lynx-10k", after={})
    ChangeSet.objects.filter(pk=1000).update(state="returned", decided_at=now, decided_by=other)
    LabelPicture.objects.create(
        pk=1000, model_id="lynx-10k", says="37 Wh", content=b"", created_at=now, created_by=author
    )
    MeasuredRevision.objects.create(pk=1000, kind="rule", row=1, less_strict=True, noted=now)
    SavedSearch.objects.create(pk=1000, owner=author, page="rules_rule_changelist", name="Mine", query="q=a")
    work = ChunkedWork.objects.create(pk=1000, kind="a job", key="it", given={}, asked=now, sent=now)
    Chunk.objects.create(pk=1000, work=work, number=0, task=b"all", result=b"done", worker="me")
    assert [(name, violated(write)) for name, write in REFUSED] == [(name, name) for name, _ in REFUSED]


def test_every_constraint_of_the_catalog_has_a_row_that_breaks_it() -> None:
    assert {name for name, _ in REFUSED} == constraints_of("catalog")
