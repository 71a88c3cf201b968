"""Complete records, so a test names only the fields that it is about.

Each function returns a record that fits the others: `a_rule()` is a rule of `an_airline()`, which is based in
`a_country()` and rests on `a_source()`. Keyword arguments replace fields. Nothing here writes; actions do.
"""

import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from msgspec.structs import replace

from catalog.records import Airline, AirportFact, AirportSource, Country, Device, Jurisdiction, Source
from recalls.feeds.notices import Notice
from recalls.records import Recall
from recalls.serials import AffectedSerials
from rules.engine.disagreements import About, Disagreement, Side
from rules.engine.facts import Rule, When

READ_ON = datetime.date(2026, 11, 20)


def a_user(name: str = "editor") -> User:
    """Return the user of that name, who is created at the first call and cannot sign in."""
    return User.objects.filter(username=name).first() or User.objects.create_user(name, password=None)


def a_publisher(name: str) -> User:
    """Return the user of that name, who may do everything."""
    user = a_user(name)
    user.is_superuser = True
    user.save()
    return user


def a_source(**changes: Any) -> Source:
    """Return an official page of an airline that was read."""
    source = Source(
        id="northwing-page",
        kind="airline",
        authority="Northwing",
        jurisdiction="XA",
        url="https://northwing.example/batteries",
        title="Batteries on board",
        basis="official_page_read",
        read_on=READ_ON,
    )
    return replace(source, **changes)


def a_country(**changes: Any) -> Country:
    """Return a country by a code that ISO reserves for users."""
    return replace(Country(code="XA", name="Northland"), **changes)


def a_jurisdiction(**changes: Any) -> Jurisdiction:
    """Return the jurisdiction of `a_country`."""
    place = Jurisdiction(
        code="XA",
        name="Northland",
        regulator="Northland Aviation",
        regulator_url="https://aviation.xa.example/",
    )
    return replace(place, **changes)


def an_airline(**changes: Any) -> Airline:
    """Return an airline with a confirmed policy."""
    airline = Airline(
        airline="N1",
        icao="XXN",
        name="Northwing",
        country="XA",
        policy_url="https://northwing.example/batteries",
        confidence="confirmed",
        summary="Up to 160 Wh in the cabin, two units.",
        sources=("northwing-page",),
    )
    return replace(airline, **changes)


def an_airport_fact(**changes: Any) -> AirportFact:
    """Return how long an airport stores a refused unit."""
    fact = AirportFact(
        id="xax-storage",
        airport="XAX",
        country="XA",
        kind="storage",
        fact="Stored for seven days.",
        since="2025-06",
        sources=(
            AirportSource(
                url="https://airport.example/power-banks",
                title="Power banks",
                authority="Airport",
                page_date="2025-06-28",
                read_on=READ_ON,
            ),
        ),
    )
    return replace(fact, **changes)


def a_device(**changes: Any) -> Device:
    """Return a model whose watt-hours are computed, from 10,000 mAh and 3.7 V."""
    device = Device(
        model_id="lynx-10k",
        brand="Lynx",
        model_name="Lynx 10K",
        capacity_mah=10_000,
        nominal_voltage=Decimal("3.7"),
        watt_hour=Decimal("37.00"),
        watt_hour_basis="computed",
        sources=("northwing-page",),
    )
    return replace(device, **changes)


def a_rule(**changes: Any) -> Rule:
    """Return the rule of an airline that allows power banks up to 160 Wh in the cabin."""
    rule = Rule(
        rule_id="n1.cabin-up-to-160wh",
        issuer="airline",
        authority="Northwing",
        jurisdiction="XA",
        airline="N1",
        applies=("airline",),
        when=When(watt_hour_up_to=Decimal(160), compartment=("carry_on", "on_person")),
        effect="permit",
        summary="Up to 160 Wh travel in the cabin.",
        confidence="confirmed",
        sources=("northwing-page",),
    )
    return replace(rule, **changes)


def a_disagreement(**changes: Any) -> Disagreement:
    """Return a question about `an_airline` that sources answer differently; `a_rule` is applied."""
    disagreement = Disagreement(
        id="n1-cabin-limit",
        about=About(airline="N1"),
        question="Up to how many watt-hours does Northwing accept?",
        sides=(
            Side(says="Up to 160 Wh", sources=("northwing-page",)),
            Side(says="Up to 100 Wh"),
        ),
        applied="n1.cabin-up-to-160wh",
        because="The airline's own page was read.",
    )
    return replace(disagreement, **changes)


def a_notice(**changes: Any) -> Notice:
    """Return a notice of the CPSC about `a_device`."""
    notice = Notice(
        feed="cpsc",
        native_id="10999",
        number="26-001",
        title="Lynx power banks recalled",
        url="https://www.cpsc.gov/Recalls/2026/Lynx",
        announced_on=datetime.date(2026, 3, 1),
        announced_precision="day",
        updated_on=datetime.date(2026, 3, 1),
        texts={"Description": "Lynx power banks with model number LX10."},
        makers=("Lynx",),
        raw={"RecallID": 10999},
    )
    return replace(notice, **changes)


def an_unread_recall(**changes: Any) -> Recall:
    """Return a recall of `lynx-27k` as one person alone may publish it: in the program's words."""
    recall = a_recall(
        recall_id="xb-lynx-27k-2026",
        model_id="lynx-27k",
        authority="Northwing",
        title="Recall of Lynx Lynx 27K",
        hazard="The notice names it.",
        remedy="Stop using it, and do what the notice says.",
        notice_url="https://northwing.example/recalls",
        sources=("lynx-page",),
    )
    return replace(recall, **changes)


def a_recall(**changes: Any) -> Recall:
    """Return a recall of `a_device` by serial: `LX-0000` to `LX-4999` are affected, all others are not."""
    recall = Recall(
        recall_id="xa-lynx-10k-2026",
        model_id="lynx-10k",
        authority="Northland Product Safety",
        jurisdiction="XA",
        announced_on=datetime.date(2026, 3, 1),
        announced_precision="day",
        title="Lynx 10K recalled in Northland",
        hazard="Cells can overheat",
        remedy="Replacement",
        units=5_000,
        units_scope="model",
        affected_serials=AffectedSerials(
            scope="serial_pattern",
            identifier="serial",
            pattern="^LX-[0-4][0-9]{3}$",
            exhaustive=True,
            affected_samples=("LX-0000", "LX-4999"),
            unaffected_samples=("LX-5000",),
        ),
        notice_url="https://safety.xa.example/lynx",
        sources=("northwing-page",),
    )
    return replace(recall, **changes)
