"""Which rules apply: in play for the leg, in force on the day, and all conditions hold.

(docs, "Which rules apply")
"""

from dataclasses import dataclass
from decimal import Decimal

from battery_travel_reference.questions import Leg
from battery_travel_reference.records import Release, Rule, When
from battery_travel_reference.vocabulary import BASELINE

Place = tuple[int, int, str, str]
"""The place of a rule in the path: its group, region or country, the region, the rule id."""

_BASELINE, _DEPARTURE, _ARRIVAL, _OPERATOR, _AIRLINE = range(5)


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a question on which the conditions of rules depend."""

    model_id: str
    watt_hour: Decimal | None
    compartment: str
    recall_status: str
    condition: str
    ccc_mark: str
    capacity_label: str
    quantity: int


def rules_in_play(release: Release, leg: Leg) -> list[Rule]:
    """Return the rules in play for a leg, on any day and for any unit, in the order of the path."""
    airline = release.airlines.get(leg.airline)
    home = "" if airline is None else airline.country
    ends = (leg.origin, leg.destination, home)
    origin, destination, operator = ({country, *release.regions.get(country, ())} for country in ends)
    near = {BASELINE} | origin | destination | operator
    own = release.rules_of.get(leg.airline, [])
    found: list[tuple[Place, Rule]] = [((_AIRLINE, 0, "", rule.rule_id), rule) for rule in own]
    for rule in release.rules_of.get(None, []):
        place = rule.jurisdiction
        if place not in near:
            continue
        groups: list[tuple[int, str]] = []
        if "global" in rule.applies:
            groups.append((_BASELINE, place))
        if "departure" in rule.applies and place in origin:
            groups.append((_DEPARTURE, leg.origin))
        if "domestic" in rule.applies and place in origin and place in destination:
            groups.append((_DEPARTURE, leg.origin))
        if "arrival" in rule.applies and place in destination:
            groups.append((_ARRIVAL, leg.destination))
        if "operator" in rule.applies and place in operator:
            groups.append((_OPERATOR, home))
        if groups:
            # A rule that is in play in several ways is at the first of them. Regions come before countries.
            group, country = min(groups)
            region = "" if place == country else place
            found.append(((group, 0 if region else 1, region, rule.rule_id), rule))
    found.sort(key=lambda pair: pair[0])
    return [rule for _, rule in found]


def conditions_hold(when: When, facts: Facts) -> bool:
    """Return whether all conditions of a rule hold. None about watt-hours holds for unknown watt-hours."""
    figure = facts.watt_hour
    over, least, most = when.watt_hour_over, when.watt_hour_at_least, when.watt_hour_up_to
    return (
        (over is None or (figure is not None and figure > over))
        and (least is None or (figure is not None and figure >= least))
        and (most is None or (figure is not None and figure <= most))
        and (when.compartment is None or facts.compartment in when.compartment)
        and (when.recall_status is None or facts.recall_status in when.recall_status)
        and (when.condition is None or facts.condition in when.condition)
        and (when.certification_missing is None or facts.ccc_mark != "present")
        and (when.quantity_over is None or facts.quantity > when.quantity_over)
        and (when.model is None or facts.model_id in when.model)
    )


def bans(rule: Rule, facts: Facts) -> bool:
    """Return whether a rule that applies bans: it prohibits, or the unit fails what it requires."""
    if rule.effect == "prohibit":
        return True
    match rule.code:
        case "carry_on_only":
            return facts.compartment == "checked"
        case "max_units":
            return rule.max_units is not None and facts.quantity > rule.max_units
        case "ccc_mark_required":
            return facts.ccc_mark == "absent"
        case "label_required":
            return facts.capacity_label == "missing"
        case _:
            return False


def is_unproven(rule: Rule, facts: Facts) -> bool:
    """Return whether a rule that applies asks for something that the question cannot prove."""
    if rule.code == "ccc_mark_required":
        return facts.ccc_mark == "unknown"
    return rule.code == "airline_approval_required"
