"""A small world with one sound record of each kind, and the editors who write it down."""

import datetime
from decimal import Decimal

from django.contrib.auth.models import User

from catalog.airlines.actions import record_airlines
from catalog.devices.actions import record_devices
from catalog.places.actions import record_countries, record_jurisdictions
from catalog.sources.actions import record_sources
from recalls.editing.actions import approve_recalls, draft_recalls, submit_recalls
from recalls.serials import AffectedSerials, Window
from rules.editing.actions import approve_rules, draft_rules, submit_rules
from rules.engine.document import Content
from rules.engine.facts import (
    Airline,
    Country,
    Device,
    Jurisdiction,
    Params,
    PolicyChange,
    Recall,
    Rule,
    Source,
    When,
)

SOURCE = Source(
    id="regulator-page",
    kind="regulator",
    authority="Regulator",
    jurisdiction="FR",
    url="https://regulator.example/rules",
    title="Rules for batteries",
    basis="official_page_read",
    page_date=datetime.date(2026, 10, 1),
    read_on=datetime.date(2026, 11, 20),
)
HEARSAY = Source(
    id="hearsay",
    kind="news",
    authority="Somebody",
    jurisdiction="INTL",
    url="https://news.example/1",
    title="They say",
    basis="general_knowledge",
    read_on=datetime.date(2026, 11, 20),
)
RULE = Rule(
    rule_id="fr.dgac.max-two",
    issuer="regulator",
    authority="Regulator",
    jurisdiction="FR",
    applies=("departure", "domestic"),
    when=When(watt_hour_over=Decimal("100.00"), compartment=("on_person", "carry_on")),
    effect="require",
    code="max_units",
    params=Params(max_units=2),
    effective_from=datetime.date(2026, 1, 1),
    summary="At most two large ones.",
    confidence="confirmed",
    sources=("regulator-page", "hearsay"),
)
PERMIT = Rule(
    rule_id="7c.permit",
    issuer="airline",
    authority="Seventh Air",
    jurisdiction="FR",
    airline="7C",
    applies=("airline",),
    when=When(watt_hour_up_to=Decimal("160.00")),
    effect="permit",
    summary="Up to 160 Wh.",
    confidence="reported",
    sources=("regulator-page",),
)
AIRLINE = Airline(
    airline="7C",
    icao="JJA",
    name="Seventh Air",
    country="FR",
    policy_url="https://seventh.example/batteries",
    confidence="reported",
    effective_from=datetime.date(2026, 3, 1),
    summary="Cabin only.",
    notes=("Read twice.", "A note."),
    sources=("regulator-page", "hearsay"),
    changes=(PolicyChange(date=datetime.date(2026, 3, 1), what="No use on board.", source="regulator-page"),),
)
DEVICE = Device(
    model_id="lynx-10k",
    brand="Lynx",
    model_name="10K",
    model_number="L10",
    aliases=("Lynx Ten",),
    capacity_mah=10_000,
    nominal_voltage=Decimal("3.70"),
    watt_hour=Decimal("37.00"),
    watt_hour_basis="computed",
    certifications=("Qi2", "CCC"),
    release_year=2024,
    notes="The first one.",
    sources=("hearsay", "regulator-page"),
)
RECALL = Recall(
    recall_id="fr-2026-1",
    model_id="lynx-10k",
    authority="Regulator",
    jurisdiction="FR",
    announced_on=datetime.date(2026, 5, 1),
    announced_precision="day",
    title="Cells may overheat",
    hazard="Fire",
    remedy="Refund",
    units=120,
    units_scope="model",
    affected_serials=AffectedSerials(
        scope="serial_pattern",
        identifier="serial",
        pattern="A[0-9]{4}",
        values=("A0001",),
        unaffected_samples=("B0001",),
        sale_window=Window("2024-01", "2024-06"),
    ),
    notice_url="https://regulator.example/recalls/1",
    notes="One batch.",
    sources=("regulator-page",),
)
CONTENT = Content(
    countries=(Country(code="DE", name="Germany"), Country(code="FR", name="France")),
    jurisdictions=(
        Jurisdiction(code="EU", name="Europe", regulator="EASA", regulator_url="https://easa.example/"),
        Jurisdiction(
            code="FR",
            name="France",
            regulator="DGAC",
            regulator_url="https://dgac.example/",
            member_of=("EU",),
        ),
    ),
    sources=(HEARSAY, SOURCE),
    airlines=(AIRLINE,),
    devices=(DEVICE,),
    rules=(PERMIT, RULE),
    recalls=(RECALL,),
)
"""All of it, in the order of a release."""


def approver() -> User:
    """Return somebody who did not write the rows."""
    return User.objects.get_or_create(username="approver")[0]


def write_down(content: Content, *, by: User) -> None:
    """Record all content in the order given, and have rules and recalls approved."""
    record_countries(by=by, countries=content.countries)
    record_jurisdictions(by=by, jurisdictions=content.jurisdictions)
    record_sources(by=by, sources=content.sources)
    record_airlines(by=by, airlines=content.airlines)
    record_devices(by=by, devices=content.devices)
    draft_rules(by=by, rules=content.rules)
    rule_ids = [rule.rule_id for rule in content.rules]
    submit_rules(by=by, rule_ids=rule_ids)
    approve_rules(by=approver(), rule_ids=rule_ids)
    draft_recalls(by=by, recalls=content.recalls)
    recall_ids = [recall.recall_id for recall in content.recalls]
    submit_recalls(by=by, recall_ids=recall_ids)
    approve_recalls(by=approver(), recall_ids=recall_ids)
