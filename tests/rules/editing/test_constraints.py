"""The database itself refuses rules that the engine could not read, whoever writes them."""

import datetime

import pytest

from rules.models import Rule, RuleEvidence
from tests.support.constraints import Write, change, constraints_of, copy, violated
from tests.support.factories import a_user
from tests.support.revisions import refused_revisions
from tests.support.world import APPROVER, build_world

PERMIT = "n1.cabin-up-to-160wh"
APPROVAL = "n1.approval-over-100wh"
UNITS = "n1.two-units"
LIMIT = "s2.none-over-100wh"
BASELINE = "intl.cabin-only"
DEPARTURE = "xr.two-units"
MARK = "xa.domestic-mark"
RECALLED = "xa.domestic-no-recalled-unit"
DAY = datetime.date(2026, 11, 20)

REFUSED = [
    ("rule_id_is_dotted", change(Rule, PERMIT, rule_id="permit")),
    ("rule_id_is_dotted", change(Rule, PERMIT, rule_id="N1.Permit")),
    ("rule_jurisdiction_is_upper_case", change(Rule, PERMIT, jurisdiction="xa")),
    ("rule_confidence_is_known", change(Rule, PERMIT, confidence="sure")),
    ("rule_names_a_scope", change(Rule, DEPARTURE, applies=[])),
    ("rule_issuer_fits_its_scope", change(Rule, DEPARTURE, applies=["transit"])),
    ("rule_issuer_fits_its_scope", change(Rule, PERMIT, issuer="airport")),
    ("rule_issuer_fits_its_scope", change(Rule, PERMIT, airline=None)),
    ("rule_issuer_fits_its_scope", change(Rule, PERMIT, applies=["departure"])),
    ("rule_issuer_fits_its_scope", change(Rule, PERMIT, applies=["airline", "departure"])),
    ("rule_issuer_fits_its_scope", change(Rule, PERMIT, issuer="regulator")),
    ("rule_issuer_fits_its_scope", change(Rule, DEPARTURE, airline="N1")),
    ("rule_issuer_fits_its_scope", change(Rule, DEPARTURE, applies=["airline"])),
    ("rule_issuer_fits_its_scope", change(Rule, DEPARTURE, issuer="airline")),
    ("rule_global_is_international", change(Rule, DEPARTURE, jurisdiction="INTL")),
    ("rule_global_is_international", change(Rule, DEPARTURE, applies=["global"])),
    ("rule_global_is_international", change(Rule, BASELINE, jurisdiction="XA")),
    ("rule_global_is_international", change(Rule, BASELINE, applies=["global", "departure"])),
    ("rule_compartments_are_known", change(Rule, PERMIT, compartment=["hold"])),
    ("rule_compartments_are_known", change(Rule, PERMIT, compartment=[])),
    ("rule_recall_statuses_are_known", change(Rule, RECALLED, recall_status=["maybe"])),
    ("rule_conditions_are_known", change(Rule, PERMIT, condition=["wet"])),
    ("rule_certification_is_known", change(Rule, MARK, certification_missing="CE")),
    ("rule_watt_hour_over_is_positive", change(Rule, LIMIT, watt_hour_over=0)),
    ("rule_watt_hour_at_least_is_positive", change(Rule, UNITS, watt_hour_at_least=-1)),
    ("rule_watt_hour_up_to_is_positive", change(Rule, PERMIT, watt_hour_up_to=0)),
    ("rule_one_lower_watt_hour_bound", change(Rule, APPROVAL, watt_hour_at_least=100)),
    ("rule_watt_hours_between_bounds", change(Rule, APPROVAL, watt_hour_up_to=100)),
    ("rule_watt_hours_from_up_to", change(Rule, PERMIT, watt_hour_at_least="160.01")),
    ("rule_quantity_over_in_range", change(Rule, UNITS, quantity_over=0)),
    ("rule_quantity_over_in_range", change(Rule, UNITS, quantity_over=21)),
    ("rule_names_a_model", change(Rule, UNITS, model=[])),
    ("rule_code_goes_with_its_effect", change(Rule, PERMIT, code="switched_off")),
    ("rule_code_goes_with_its_effect", change(Rule, PERMIT, effect="advise")),
    ("rule_code_goes_with_its_effect", change(Rule, PERMIT, effect="allow")),
    ("rule_code_goes_with_its_effect", change(Rule, APPROVAL, effect="prohibit")),
    ("rule_code_goes_with_its_effect", change(Rule, APPROVAL, code=None)),
    ("rule_code_goes_with_its_effect", change(Rule, APPROVAL, code="confirm_rated_watt_hour")),
    ("rule_code_goes_with_its_effect", change(Rule, APPROVAL, code="be_nice")),
    ("rule_max_units_with_its_code", change(Rule, UNITS, max_units=None)),
    ("rule_max_units_with_its_code", change(Rule, APPROVAL, max_units=1)),
    ("rule_max_units_with_its_code", change(Rule, PERMIT, max_units=1)),
    ("rule_max_units_in_range", change(Rule, UNITS, max_units=0)),
    ("rule_max_units_in_range", change(Rule, UNITS, max_units=21)),
    ("rule_limit_watt_hour_with_its_code", change(Rule, LIMIT, limit_watt_hour=None)),
    ("rule_limit_watt_hour_with_its_code", change(Rule, UNITS, limit_watt_hour=100)),
    ("rule_limit_watt_hour_is_positive", change(Rule, LIMIT, limit_watt_hour=0)),
    (
        "rule_dates_in_order",
        change(Rule, PERMIT, effective_from=DAY, effective_until=datetime.date(2026, 11, 19)),
    ),
    ("rule_evidence_source_once", copy(RuleEvidence, {"position": 1}, rule__rule_id=PERMIT)),
    ("rule_evidence_position_once", copy(RuleEvidence, {"source_id": "xa-page"}, rule__rule_id=PERMIT)),
]


def refused_of_revisions() -> list[tuple[str, Write]]:
    """Return the refused writes of revisions, which need users and instants."""
    return refused_revisions(
        "rule", Rule, PERMIT, author=a_user(), approver=a_user(APPROVER), other=a_user("other")
    )


@pytest.mark.django_db
def test_the_database_refuses_each_of_these_rows_and_every_constraint_is_among_them() -> None:
    build_world(by=a_user())
    refused = REFUSED + refused_of_revisions()
    assert [(name, violated(write)) for name, write in refused] == [(name, name) for name, _ in refused]
    assert {name for name, _ in refused} == constraints_of("rules", "Rule", "RuleEvidence")


@pytest.mark.django_db
def test_the_database_takes_a_rule_of_one_day_and_a_band_of_one_figure() -> None:
    build_world(by=a_user())
    assert violated(change(Rule, PERMIT, effective_from=DAY, effective_until=DAY)) is None
    assert violated(change(Rule, PERMIT, watt_hour_at_least=160)) is None
