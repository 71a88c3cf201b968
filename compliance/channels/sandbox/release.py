"""The sandbox's own release: small, invented, part of the program, and never in the ledger.

    code  airline                       policy        allows
    ----  ----------------------------  ------------  --------------------------------------------------------
    00    Sandbox Air                   confirmed     two units, up to 160 Wh, above 100 Wh with approval
    01    Sandbox Unverified Air        unverified    the same as 00, but its policy was not read
    02    Sandbox Silent Air            confirmed     no rule says what may be carried
    03    Sandbox Uncovered Air         confirmed     it has no rule at all
    04    Sandbox No Power Banks Air    confirmed     nothing
    05    Sandbox Mark Air              confirmed     the same as 00, with a readable CCC mark

No real airline has a code of two digits: IATA assigns none. They are based in Antarctica, where no real
airline is. Routes use real countries, so that a form with a list of countries works. Only the invented
baseline applies there, so a domestic flight is never covered. `MODELS`, `UNCONFIRMED` and `SUSPENDED` are all
models, and `reserved_models` lists those that never get a verdict.

Evidence ages, so the release is made again for each day, with sources that were read on that day. Called by
`environment`.
"""

import datetime
import functools
from collections.abc import Iterator
from decimal import Decimal

from catalog.places.iso_3166 import iso_countries
from catalog.records import Airline, Certificate, Device, Jurisdiction, Source
from compliance.channels.sandbox.reserved_models import STAGED
from recalls.records import Recall
from recalls.serials import AffectedSerials
from rules.corpus import Published
from rules.engine.corpus import Corpus
from rules.engine.document import Content, ReleaseDocument
from rules.engine.facts import INTERNATIONAL, Params, Rule, When
from rules.engine.vocabulary import CODES, EFFECT_OF_NATURE, Compartment
from rules.releases import ledger

AUTHORITY = "Sandbox Authority"
BASE = "AQ"
SITE = "https://sandbox.example"
"""Names under `example` belong to no one (RFC 2606)."""

AIRLINES = {
    "00": "Sandbox Air",
    "01": "Sandbox Unverified Air",
    "02": "Sandbox Silent Air",
    "03": "Sandbox Uncovered Air",
    "04": "Sandbox No Power Banks Air",
    "05": "Sandbox Mark Air",
}
UNVERIFIED = "01"
CARRIERS = ("00", "01", "05")
"""The airlines that allow what the baseline allows."""

CABIN: tuple[Compartment, ...] = ("carry_on", "on_person")
UP_TO_160 = When(watt_hour_up_to=Decimal(160), compartment=CABIN)
OVER_100 = When(watt_hour_over=Decimal(100), watt_hour_up_to=Decimal(160), compartment=CABIN)

ANY, NONE = When(), Params()

MODELS: dict[str, tuple[str, Decimal | None]] = {
    "sandbox-allowed": ("Allowed", Decimal("74.00")),
    "sandbox-approval": ("Approval", Decimal("130.00")),
    "sandbox-banned": ("Banned", Decimal("200.00")),
    "sandbox-insufficient": ("Insufficient", None),
    "sandbox-recall-serial": ("Recall by serial", Decimal("37.00")),
    "sandbox-recall-list": ("Recall by list", Decimal("37.00")),
    "sandbox-recall-all": ("Recall of all units", Decimal("37.00")),
    "sandbox-expired": ("Expired", Decimal("74.00")),
    # They have no watt-hours: if one of these ever got a verdict, it would not be a permission.
    **{model_id: (name, None) for model_id, name in STAGED.items()},
}
"""The name of each model, and its rated watt-hours; none if they are unknown."""

UNCONFIRMED = Device(
    model_id="sandbox-unconfirmed-rating",
    brand="Sandbox",
    model_name="Unconfirmed rating",
    capacity_mah=27_000,
    nominal_voltage=Decimal("3.7"),
    watt_hour=Decimal("99.90"),
    watt_hour_basis="computed",
    sources=("sandbox-maker",),
)

SUSPENDED = Device(
    model_id="sandbox-suspended-certificate",
    brand="Sandbox",
    model_name="Suspended certificate",
    watt_hour=Decimal("74.00"),
    watt_hour_basis="rated",
    certifications=("CCC",),
    certificates=(
        Certificate(
            mark="CCC",
            status="suspended",
            source="sandbox-rules",
            number="SBX-3C-0001",
            lookup_url=f"{SITE}/certificates",
        ),
    ),
    sources=("sandbox-maker",),
)


def release(day: datetime.date) -> Published:
    """Return the release of a day, UTC."""
    return _release(day)


# Around midnight two days answer.
@functools.lru_cache(maxsize=2)
def _release(day: datetime.date) -> Published:
    content = _content(day)
    version = f"sandbox-{day.isoformat()}"
    document = ReleaseDocument(ruleset_version=version, predecessor=None, content=content)
    return Published(
        ruleset_version=version,
        sha256=ledger.digest(ledger.canonical_text(document)),
        published_at=datetime.datetime.combine(day, datetime.time(), datetime.UTC),
        corpus=Corpus(content),
    )


def _content(day: datetime.date) -> Content:
    return Content(
        countries=tuple(iso_countries().values()),
        jurisdictions=(
            Jurisdiction(
                code=INTERNATIONAL, name="International", regulator=AUTHORITY, regulator_url=f"{SITE}/rules"
            ),
        ),
        sources=tuple(_sources(day)),
        airlines=tuple(_airline(code, name) for code, name in AIRLINES.items()),
        devices=(*(_device(model_id, *known) for model_id, known in MODELS.items()), UNCONFIRMED, SUSPENDED),
        rules=tuple(_rules()),
        recalls=tuple(_recalls(day)),
    )


def _sources(day: datetime.date) -> Iterator[Source]:
    yield Source(
        id="sandbox-rules",
        kind="regulator",
        authority=AUTHORITY,
        jurisdiction=INTERNATIONAL,
        url=f"{SITE}/rules",
        title="Sandbox: made-up rules",
        basis="official_page_read",
        read_on=day,
    )
    yield Source(
        id="sandbox-maker",
        kind="manufacturer",
        authority="Sandbox",
        jurisdiction=INTERNATIONAL,
        url=f"{SITE}/power-banks",
        title="Sandbox: made-up power banks",
        basis="official_page_read",
        read_on=day,
    )
    for code, name in AIRLINES.items():
        yield Source(
            id=f"sandbox-airline-{code}",
            kind="airline",
            authority=name,
            jurisdiction=BASE,
            url=f"{SITE}/airlines/{code}",
            title=f"Sandbox: made-up policy of {name}",
            basis="general_knowledge" if code == UNVERIFIED else "official_page_read",
            read_on=day,
        )


def _airline(code: str, name: str) -> Airline:
    return Airline(
        airline=code,
        icao=f"Z{code}",
        name=name,
        country=BASE,
        policy_url=f"{SITE}/airlines/{code}",
        confidence="unverified" if code == UNVERIFIED else "confirmed",
        summary="Sandbox: a made-up policy of a made-up airline.",
        sources=(f"sandbox-airline-{code}",),
    )


def _device(model_id: str, name: str, watt_hour: Decimal | None) -> Device:
    return Device(
        model_id=model_id,
        brand="Sandbox",
        model_name=name,
        watt_hour=watt_hour,
        watt_hour_basis="unknown" if watt_hour is None else "rated",
        sources=("sandbox-maker",),
    )


def _rules() -> Iterator[Rule]:
    yield _rule(None, "cabin-up-to-160wh", "Up to 160 Wh may travel in the cabin.", UP_TO_160)
    yield _rule(None, "cabin-only", "Power banks travel in the cabin only.", code="carry_on_only")
    yield _rule(
        None,
        "none-over-160wh",
        "Above 160 Wh no power bank travels.",
        When(watt_hour_over=Decimal(160)),
        code="over_watt_hour_limit",
        params=Params(limit_watt_hour=Decimal(160)),
    )
    for airline in CARRIERS:
        yield _rule(airline, "cabin-up-to-160wh", "Up to 160 Wh travel in the cabin.", UP_TO_160)
        yield _rule(
            airline,
            "approval-over-100wh",
            "Above 100 Wh the airline must approve.",
            OVER_100,
            code="airline_approval_required",
        )
        yield _rule(
            airline, "two-units", "At most two power banks.", code="max_units", params=Params(max_units=2)
        )
    yield _rule("02", "no-use", "No power bank is used on board.", code="no_onboard_use")
    yield _rule(
        "04",
        "none",
        "No power bank travels.",
        code="over_watt_hour_limit",
        params=Params(limit_watt_hour=Decimal(1)),
    )
    yield _rule(
        "05",
        "mark",
        "The unit has a readable CCC mark.",
        When(certification_missing="CCC"),
        code="ccc_mark_required",
    )


def _rule(
    airline: str | None,
    name: str,
    summary: str,
    when: When = ANY,
    code: str | None = None,
    params: Params = NONE,
) -> Rule:
    """Return a rule of an airline, or of the baseline; without a code it is a permit."""
    return Rule(
        rule_id=f"sandbox.{airline or 'intl'}.{name}",
        issuer="airline" if airline else "regulator",
        authority=AIRLINES[airline] if airline else AUTHORITY,
        jurisdiction=BASE if airline else INTERNATIONAL,
        airline=airline,
        applies=("airline",) if airline else ("global",),
        when=when,
        effect=EFFECT_OF_NATURE[CODES[code].nature] if code else "permit",
        code=code,
        params=params,
        summary=summary,
        confidence="unverified" if airline == UNVERIFIED else "confirmed",
        # A source that no one read cannot be cited alone.
        sources=("sandbox-rules", f"sandbox-airline-{airline}") if airline else ("sandbox-rules",),
    )


def _recalls(day: datetime.date) -> Iterator[Recall]:
    yield _recall(
        "sandbox-recall-serial",
        day,
        AffectedSerials(
            scope="serial_pattern",
            identifier="serial",
            pattern="SBX-[0-4][0-9]{3}",
            exhaustive=True,
            affected_samples=("SBX-0001",),
            unaffected_samples=("SBX-9001",),
        ),
    )
    yield _recall(
        "sandbox-recall-list",
        day,
        AffectedSerials(
            scope="lookup_required", identifier="serial", explicit_list_url=f"{SITE}/recalls/list"
        ),
    )
    yield _recall("sandbox-recall-all", day, AffectedSerials(scope="all_units", identifier="model"))


def _recall(model_id: str, day: datetime.date, affected: AffectedSerials) -> Recall:
    return Recall(
        recall_id=f"{model_id}-notice",
        model_id=model_id,
        authority=AUTHORITY,
        jurisdiction=INTERNATIONAL,
        announced_on=day,
        announced_precision="day",
        title="Sandbox: a made-up recall",
        hazard="None: no one made this power bank.",
        remedy="None is needed.",
        affected_serials=affected,
        notice_url=f"{SITE}/recalls/{model_id}",
        sources=("sandbox-rules",),
    )
