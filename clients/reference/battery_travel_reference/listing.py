"""What an answer lists: constraints and warnings (docs, "What is listed")."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from battery_travel_reference.deciding import Decision
from battery_travel_reference.records import Release, Rule
from battery_travel_reference.vocabulary import CODES, NOTICES, SEVERITIES, plain

Thing = TypeVar("Thing", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Entry:
    """A constraint or a warning: its name in the registry, the code that is shown, and the value in it."""

    name: str
    code: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """The constraints and warnings of a decision. The first `bans` constraints are those that ban."""

    constraints: list[Entry]
    warnings: list[Entry]
    bans: int


def listed(release: Release, decision: Decision) -> Listed:
    """Return what is listed for a decision; of warnings, those that follow from the rules of its day."""
    names, bans = _constraint_names(decision)
    binding = [rule for rule in decision.found.applied if rule.effect in ("require", "prohibit")]
    # The address at which a certificate can be looked up: the first that there is.
    address = next((one.lookup_url for one in decision.doubts if one.lookup_url is not None), None)
    constraints = [
        Entry(name, name, address) if name == "ccc_certificate_suspended" else _entry(name, binding)
        for name in names
    ]
    return Listed(constraints, _warnings(release, decision, set(names)), bans)


def by_severity(warnings: Iterable[Entry], grave: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    """Return warnings with their severities, the gravest first; those in `grave` are a caution."""
    severities = [
        (entry.code, "caution" if entry.name in grave else _severity(entry.name)) for entry in warnings
    ]
    return sorted(severities, key=lambda pair: SEVERITIES.index(pair[1]))


def _severity(name: str) -> str:
    return NOTICES.get(name) or CODES[name].severity or "advisory"


def distinct(things: Iterable[Thing]) -> list[Thing]:
    """Return each thing once, in the order of first appearance."""
    return list(dict.fromkeys(things))


def _constraint_names(decision: Decision) -> tuple[list[str], int]:
    """Return the names in order (what bans, preconditions, limits, conduct), and how many of them ban."""
    found = decision.found
    required = distinct(
        rule.code
        for rule in found.applied
        if rule.code is not None and rule.effect in ("require", "prohibit")
    )
    banning = {rule.code for rule in found.banning}
    bans = distinct(
        [
            *(["recalled_not_permitted"] if decision.recalled else []),
            *(one for one in required if one in banning),
        ]
    )
    names = [
        *bans,
        *_recall_check(decision),
        *(["confirm_rated_watt_hour"] if decision.confirm else []),
        *(["ccc_certificate_suspended"] if decision.doubts else []),
        *(one for one in required if CODES[one].nature == "precondition"),
        *(one for one in required if CODES[one].nature == "limit"),
    ]
    if decision.question.compartment != "checked":
        # How to carry it matters in the cabin.
        names += [one for one in required if CODES[one].nature == "conduct"]
    return distinct(names), len(bans)


def _recall_check(decision: Decision) -> list[str]:
    """Return the precondition of a recall whose answer for the unit is unknown."""
    if decision.recalled or decision.recall_status == "not_affected":
        return []
    cleared = decision.question.unit.recall_check == "not_affected"
    return ["recall_list_proof" if cleared else "recall_serial_check"]


def _entry(name: str, rules: Iterable[Rule]) -> Entry:
    """Return the one entry of a name, with the strictest parameter of the rules that have its code."""
    same = [rule for rule in rules if rule.code == name]
    limits = [rule.limit_watt_hour for rule in same if rule.limit_watt_hour is not None]
    if limits:
        return Entry(name, name, plain(min(limits)))
    most = [rule.max_units for rule in same if rule.max_units is not None]
    if not most:
        return Entry(name, name)
    fewest = min(most)
    if CODES[name].nature == "advice":
        return Entry(name, name, str(fewest))
    # Of two equally strict rules, the first in path order is shown.
    over = next(rule for rule in same if rule.max_units == fewest).when.watt_hour_over
    code = f"{name}_{fewest}" if over is None else f"{name}_over_{plain(over)}wh_{fewest}"
    return Entry(name, code, str(fewest))


def _warnings(release: Release, decision: Decision, constraints: set[str]) -> list[Entry]:
    """Return the warnings before `transit_rescreening`, in the order of the list."""
    names = []
    if not any(release.sources[name].was_read for name in decision.device.sources):
        names.append("device_facts_unconfirmed")
    if decision.question.unit.recall_check == "not_checked":
        if decision.recall_status == "external_check_required":
            names.append("recall_external_list")
        if decision.recall_status == "serial_unknown":
            names.append("recall_serial_unknown")
    if decision.confirm:
        names.append("watt_hour_unconfirmed")
    if decision.doubts:
        names.append("ccc_mark_in_doubt")
    advice = [rule for rule in decision.found.applied if rule.effect == "advise"]
    names += [rule.code for rule in advice if rule.code and CODES[rule.code].covered_by not in constraints]
    if any(rule.code == "airline_approval_required" for rule in decision.found.applied):
        names.append("airline_approval_review")
    if decision.airline.confidence == "unverified":
        names.append("airline_policy_unconfirmed")
    if _baseline_only(release, decision):
        names.append("baseline_only_coverage")
    return [_entry(name, advice) for name in distinct(names)]


def _baseline_only(release: Release, decision: Decision) -> bool:
    """Return whether no authority of the country of departure has a rule in force that is in play."""
    origin = decision.leg.origin
    places = {origin, *release.regions.get(origin, ())}
    return not any(
        rule.airline is None and rule.jurisdiction in places and rule.in_force(decision.day)
        for rule in decision.in_play
    )
