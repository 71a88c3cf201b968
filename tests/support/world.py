"""The drawn test world: small, fictional, built only by actions, so editors could build it too.

    code  country    inside   rules
    ----  ---------  -------  -----------------------------------------------------------------------------
    XA    Northland  XR       own: a mark on domestic flights, no recalled unit on them
    XB    Southland  XR       own: up to 100 Wh on departure
    XC    Farland    -        none: only the baseline

    code  airline        based in  policy        allows
    ----  -------------  --------  ------------  --------------------------------------------------------
    N1    Northwing      XA        confirmed     two units, up to 160 Wh, above 100 Wh with approval
    S2    Southern Star  XB        reported      one unit, up to 100 Wh in the cabin
    U3    Untold Air     XC        unverified    up to 100 Wh in the cabin; its policy was never read

    model     brand  watt-hours       recall
    --------  -----  ---------------  --------------------------------------------------------------------
    lynx-10k  Lynx    37.00 computed  by serial: LX-0000 to LX-4999 are affected, all others are not
    lynx-27k  Lynx    99.90 rated     none: the clean sibling of a recalled model
    puma-30k  Puma   111.00 rated     by the maker's list: https://puma.example/recall
    puma-50k  Puma   185.00 rated     all units
    heron-9   Heron  unknown          none; no source about it was read

    The baseline (INTL): cabin only; up to 160 Wh, above 100 Wh with the airline's approval.
    The region XR (Northland and Southland): at most two units on departure.

What follows, in the cabin, for one unit, without other facts (`tests/project/test_world.py` asks exactly
these):

    model     route        verdict       because
    --------  -----------  ------------  -----------------------------------------------------------------
    lynx-27k  XA→XB N1     allowed
    lynx-27k  XA→XA N1     conditional   it is not known whether the unit has the mark
    lynx-27k  XB→XB S2     allowed
    lynx-27k  XC→XC N1     insufficient  only the baseline applies to a domestic flight in Farland
    lynx-27k  XC→XB U3     conditional   the airline's policy is unverified
    lynx-10k  XA→XB N1     conditional   the serial is not known
    lynx-10k  XA→XA N1     banned        a recalled model on a domestic flight in Northland
    puma-30k  XA→XB S2     banned        above Southern Star's limit
    puma-30k  XB→XC N1     conditional   the airline must approve, and the maker's list must be checked
    puma-50k  XA→XB N1     banned        recalled, and above every limit
    heron-9   XA→XB N1     insufficient  watt-hours unknown
"""

import datetime
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction

from catalog.airlines.actions import record_airlines
from catalog.devices.actions import record_devices
from catalog.places.actions import record_countries, record_jurisdictions
from catalog.records import Country, PolicyChange
from catalog.sources.actions import record_sources
from recalls.editing.actions import approve_recalls, draft_recalls, submit_recalls
from recalls.serials import AffectedSerials
from rules.editing.actions import approve_rules, draft_rules, submit_rules
from rules.engine.facts import Params, Rule, When
from rules.engine.vocabulary import Compartment
from tests.support.factories import a_device, a_jurisdiction, a_recall, a_rule, a_source, a_user, an_airline

APPROVER = "world-approver"

COUNTRIES = [
    Country(code="XA", name="Northland"),
    Country(code="XB", name="Southland"),
    Country(code="XC", name="Farland"),
]

JURISDICTIONS = [
    a_jurisdiction(
        code="INTL",
        name="International",
        regulator="Civil Aviation Body",
        regulator_url="https://intl.example/",
    ),
    a_jurisdiction(
        code="XR", name="The Two Lands", regulator="Two Lands Agency", regulator_url="https://xr.example/"
    ),
    a_jurisdiction(member_of=("XR",)),
    a_jurisdiction(
        code="XB",
        name="Southland",
        regulator="Southland Aviation",
        regulator_url="https://aviation.xb.example/",
        member_of=("XR",),
    ),
]

SOURCES = [
    a_source(
        id="intl-page",
        kind="regulator",
        authority="Civil Aviation Body",
        jurisdiction="INTL",
        url="https://intl.example/dg",
    ),
    a_source(
        id="xr-page",
        kind="regulator",
        authority="Two Lands Agency",
        jurisdiction="XR",
        url="https://xr.example/dg",
    ),
    a_source(
        id="xa-page", kind="regulator", authority="Northland Aviation", url="https://aviation.xa.example/dg"
    ),
    a_source(
        id="xb-page",
        kind="regulator",
        authority="Southland Aviation",
        jurisdiction="XB",
        url="https://aviation.xb.example/dg",
    ),
    a_source(),
    a_source(
        id="southern-star-report",
        kind="news",
        authority="Southland Daily",
        jurisdiction="XB",
        url="https://daily.xb.example/southern-star",
        basis="secondary_read",
    ),
    a_source(
        id="untold-pointer",
        authority="Untold Air",
        jurisdiction="XC",
        url="https://untold.example/",
        basis="general_knowledge",
    ),
    a_source(id="lynx-page", kind="manufacturer", authority="Lynx", url="https://lynx.example/power-banks"),
    a_source(id="puma-page", kind="manufacturer", authority="Puma", url="https://puma.example/power-banks"),
    a_source(
        id="heron-pointer",
        kind="manufacturer",
        authority="Heron",
        url="https://heron.example/",
        basis="general_knowledge",
    ),
]

AIRLINES = [
    an_airline(
        changes=(
            PolicyChange(
                date=datetime.date(2026, 3, 1), what="Two units instead of three.", source="northwing-page"
            ),
        )
    ),
    an_airline(
        airline="S2",
        icao="XXS",
        name="Southern Star",
        country="XB",
        policy_url="https://southernstar.example/batteries",
        confidence="reported",
        summary="Up to 100 Wh in the cabin, one unit.",
        sources=("southern-star-report",),
    ),
    an_airline(
        airline="U3",
        icao="XXU",
        name="Untold Air",
        country="XC",
        policy_url="https://untold.example/",
        confidence="unverified",
        summary="No page of the airline was found.",
        sources=("untold-pointer",),
    ),
]

DEVICES = [
    a_device(sources=("lynx-page",), certifications=("CCC",), aliases=("LX10",), release_year=2024),
    a_device(
        model_id="lynx-27k",
        model_name="Lynx 27K",
        capacity_mah=27_000,
        watt_hour=Decimal("99.90"),
        watt_hour_basis="rated",
        sources=("lynx-page",),
    ),
    a_device(
        model_id="puma-30k",
        brand="Puma",
        model_name="Puma 30K",
        capacity_mah=30_000,
        watt_hour=Decimal("111.00"),
        watt_hour_basis="rated",
        sources=("puma-page",),
    ),
    a_device(
        model_id="puma-50k",
        brand="Puma",
        model_name="Puma 50K",
        capacity_mah=50_000,
        watt_hour=Decimal("185.00"),
        watt_hour_basis="rated",
        sources=("puma-page",),
    ),
    a_device(
        model_id="heron-9",
        brand="Heron",
        model_name="Heron 9",
        capacity_mah=None,
        nominal_voltage=None,
        watt_hour=None,
        watt_hour_basis="unknown",
        sources=("heron-pointer",),
    ),
]

CABIN: tuple[Compartment, ...] = ("carry_on", "on_person")
UP_TO_100 = When(watt_hour_up_to=Decimal(100), compartment=CABIN)
UP_TO_160 = When(watt_hour_up_to=Decimal(160), compartment=CABIN)
OVER_100 = When(watt_hour_over=Decimal(100), watt_hour_up_to=Decimal(160), compartment=CABIN)


def _regulator_rule(
    rule_id: str, jurisdiction: str, authority: str, applies: tuple[str, ...], **changes: object
) -> Rule:
    source = "intl-page" if jurisdiction == "INTL" else f"{jurisdiction.lower()}-page"
    return a_rule(
        rule_id=rule_id,
        issuer="regulator",
        authority=authority,
        jurisdiction=jurisdiction,
        airline=None,
        applies=applies,
        sources=(source,),
        **changes,
    )


RULES = [
    _regulator_rule(
        "intl.cabin-up-to-160wh",
        "INTL",
        "Civil Aviation Body",
        ("global",),
        when=UP_TO_160,
        summary="Up to 160 Wh may travel in the cabin.",
    ),
    _regulator_rule(
        "intl.cabin-only",
        "INTL",
        "Civil Aviation Body",
        ("global",),
        when=When(),
        effect="require",
        code="carry_on_only",
        summary="Power banks travel in the cabin only.",
    ),
    _regulator_rule(
        "intl.approval-over-100wh",
        "INTL",
        "Civil Aviation Body",
        ("global",),
        when=OVER_100,
        effect="require",
        code="airline_approval_required",
        summary="Above 100 Wh the airline must approve.",
    ),
    _regulator_rule(
        "intl.none-over-160wh",
        "INTL",
        "Civil Aviation Body",
        ("global",),
        when=When(watt_hour_over=Decimal(160)),
        effect="prohibit",
        code="over_watt_hour_limit",
        params=Params(limit_watt_hour=Decimal(160)),
        summary="Above 160 Wh no power bank travels.",
    ),
    _regulator_rule(
        "xr.two-units",
        "XR",
        "Two Lands Agency",
        ("departure",),
        when=When(),
        effect="require",
        code="max_units",
        params=Params(max_units=2),
        summary="At most two power banks on flights from the Two Lands.",
    ),
    _regulator_rule(
        "xa.domestic-up-to-160wh",
        "XA",
        "Northland Aviation",
        ("domestic",),
        when=UP_TO_160,
        summary="Up to 160 Wh may travel in the cabin on domestic flights.",
    ),
    _regulator_rule(
        "xa.domestic-mark",
        "XA",
        "Northland Aviation",
        ("domestic",),
        when=When(certification_missing="CCC"),
        effect="require",
        code="ccc_mark_required",
        summary="Domestic flights need the mark on the unit.",
    ),
    _regulator_rule(
        "xa.domestic-no-recalled-unit",
        "XA",
        "Northland Aviation",
        ("domestic",),
        when=When(recall_status=("affected", "serial_unknown", "external_check_required")),
        effect="prohibit",
        code="recalled_not_permitted",
        summary="Domestic flights refuse recalled models.",
    ),
    _regulator_rule(
        "xb.departure-up-to-100wh",
        "XB",
        "Southland Aviation",
        ("departure",),
        when=UP_TO_100,
        summary="Up to 100 Wh may leave Southland in the cabin.",
    ),
    a_rule(),
    a_rule(
        rule_id="n1.approval-over-100wh",
        when=OVER_100,
        effect="require",
        code="airline_approval_required",
        summary="Above 100 Wh Northwing must approve.",
    ),
    a_rule(
        rule_id="n1.two-units",
        when=When(),
        effect="require",
        code="max_units",
        params=Params(max_units=2),
        summary="At most two power banks.",
    ),
    a_rule(
        rule_id="s2.cabin-up-to-100wh",
        authority="Southern Star",
        jurisdiction="XB",
        airline="S2",
        when=UP_TO_100,
        summary="Up to 100 Wh travel in the cabin.",
        confidence="reported",
        sources=("southern-star-report",),
    ),
    a_rule(
        rule_id="s2.none-over-100wh",
        authority="Southern Star",
        jurisdiction="XB",
        airline="S2",
        when=When(watt_hour_over=Decimal(100)),
        effect="prohibit",
        code="over_watt_hour_limit",
        params=Params(limit_watt_hour=Decimal(100)),
        summary="Nothing above 100 Wh.",
        confidence="reported",
        sources=("southern-star-report",),
    ),
    a_rule(
        rule_id="s2.one-unit",
        authority="Southern Star",
        jurisdiction="XB",
        airline="S2",
        when=When(),
        effect="require",
        code="max_units",
        params=Params(max_units=1),
        summary="One power bank.",
        confidence="reported",
        sources=("southern-star-report",),
    ),
    a_rule(
        rule_id="u3.cabin-up-to-100wh",
        authority="Untold Air",
        jurisdiction="XC",
        airline="U3",
        when=UP_TO_100,
        summary="Up to 100 Wh in the cabin, as everywhere.",
        confidence="unverified",
        sources=("intl-page", "untold-pointer"),
    ),
]

RECALLS = [
    a_recall(sources=("lynx-page",)),
    a_recall(
        recall_id="xb-puma-30k-2026",
        model_id="puma-30k",
        title="Puma 30K recalled",
        units=None,
        units_scope=None,
        affected_serials=AffectedSerials(
            scope="lookup_required", identifier="serial", explicit_list_url="https://puma.example/recall"
        ),
        notice_url="https://puma.example/recall-30k",
        sources=("puma-page",),
    ),
    a_recall(
        recall_id="xb-puma-50k-2026",
        model_id="puma-50k",
        title="Puma 50K recalled",
        units=None,
        units_scope=None,
        affected_serials=AffectedSerials(scope="all_units", identifier="model"),
        notice_url="https://puma.example/recall-50k",
        sources=("puma-page",),
    ),
]


@transaction.atomic
def build_world(*, by: User, approved: bool = True) -> None:
    """Record everything in these tables, written by one user and approved by another, or still drafts."""
    approver = a_user(APPROVER)
    record_countries(by=by, countries=COUNTRIES)
    record_jurisdictions(by=by, jurisdictions=JURISDICTIONS)
    record_sources(by=by, sources=SOURCES)
    record_airlines(by=by, airlines=AIRLINES)
    record_devices(by=by, devices=DEVICES)
    draft_rules(by=by, rules=RULES)
    draft_recalls(by=by, recalls=RECALLS)
    if approved:
        rule_ids, recall_ids = [rule.rule_id for rule in RULES], [recall.recall_id for recall in RECALLS]
        submit_rules(by=by, rule_ids=rule_ids)
        approve_rules(by=approver, rule_ids=rule_ids)
        submit_recalls(by=by, recall_ids=recall_ids)
        approve_recalls(by=approver, recall_ids=recall_ids)
