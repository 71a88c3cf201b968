"""Policies as tables: the labels of the fields of a policy, and their values in words.

Called by `aeo.reference.policy`. Every field of `rules.selectors.policy_fields.PolicyFields` has a label.
"""

from rules.wording.translating import Text

LABELS = {
    "carry_on_max_watt_hour_without_approval": "In the cabin without approval",
    "airline_approval_required_over_watt_hour": "With the airline's approval only",
    "carry_on_max_watt_hour_with_approval": "In the cabin with approval",
    "carry_on_prohibited_over_watt_hour": "Refused in the cabin",
    "max_units": "Units per passenger",
    "max_units_over_100_watt_hour": "Units above 100 Wh per passenger",
    "advised_max_units": "Units per passenger, as advised",
    "checked_baggage": "In checked baggage",
    "damaged_units": "Damaged units",
    "recalled_units": "Units under recall",
    "onboard_use": "Charging devices from it on board",
    "onboard_recharge": "Recharging it on board",
    "overhead_bin": "In the overhead bin",
    "label": "A readable rating",
    "ccc_mark": "A CCC (3C) mark",
    "terminal_protection": "Terminals protected",
    "keep_within_reach": "Kept within reach",
    "keep_visible": "Kept in sight",
    "visible_when_in_use": "In sight while in use",
    "on_person_or_seat_pocket": "On the person or in the seat pocket",
    "remove_before_gate_check": "Taken out before a bag is checked at the gate",
    "switched_off": "Switched off",
    "personal_use_only": "For personal use only",
    "un38_3_type_tested": "Of a type that passed the UN 38.3 tests",
}
"""The label of each field, in the order in which pages show them."""

UPPER_LIMITS = frozenset({"carry_on_max_watt_hour_without_approval", "carry_on_max_watt_hour_with_approval"})
"""The fields in watt-hours about ratings below a limit; the others are about those above."""

TEXTS: dict[str, Text] = {
    **{f"policy.label.{field}": label for field, label in LABELS.items()},
    "policy.up_to": "up to %(watt_hour)s Wh",
    "policy.under": "under %(watt_hour)s Wh",
    "policy.above": "above %(watt_hour)s Wh",
    "policy.from": "%(watt_hour)s Wh or more",
    "policy.units": "at most %(units)s",
    "policy.value.prohibited": "not allowed",
    "policy.value.restricted": "restricted",
    "policy.value.airline_decides": "as the airline decides",
    "policy.value.discouraged": "advised against",
    "policy.value.required": "required",
    "policy.value.advised": "advised",
    "policy.value.depends": "in some cases: see the rules",
    "policy.about": "Topic",
    "policy.said": "Rule",
    "policy.evidence": "Evidence",
    # The six facts at the beginning of a page
    "glance.approved": "with approval %(limit)s",
    "glance.refused": "not allowed: %(limit)s",
    "glance.no_approval": "none, not allowed: %(limit)s",
    "glance.units.large": "%(units)s above 100 Wh",
    "glance.energy.free": "%(watt_hour)s: no approval needed",
    "glance.energy.approved": "%(watt_hour)s: only with the airline's approval",
    "glance.energy.doubtful": "%(watt_hour)s, computed: the label decides",
    "glance.energy.over": "%(watt_hour)s: not allowed",
    "glance.energy.recalled": "%(watt_hour)s, under recall: check your unit first",
    "glance.energy.all_recalled": "%(watt_hour)s: all units recalled, not allowed",
    "glance.airline": "The airline's own rules. Authorities on the route may be stricter.",
    "glance.country": (
        "On departing flights, with the international rules. The airline and the country of arrival may be "
        "stricter."
    ),
    "glance.model": "By the international rules. Airlines and authorities may be stricter.",
    # The list of airlines
    "list.airlines.units": "Units",
    "list.airlines.free": "Without approval",
    "list.airlines.approved": "With approval",
    "list.airlines.use": "Use on board",
    "list.airlines.recharge": "Recharging",
    "list.airlines.bin": "Overhead bin",
    "list.airlines.label": "Readable rating",
    "list.airlines.since": "In force since",
    "list.airlines.known": "How it was read",
    "list.airlines.unconfirmed": "confirms no rule",
    "list.airlines.own": (
        "Rules in the cabin: each airline's own, or general ones where its row says that they are assumed. "
        "Authorities on the route may be stricter, and less may be known of flights within a country. Not "
        "known never means that there is no limit."
    ),
    "list.airlines.whose": "Whose rules",
    "list.airlines.airline": "the airline's own",
    "list.airlines.assumed": "assumed: no page of the airline says so",
    "list.airlines.partly": "partly assumed: only some were read on an official page",
    "list.airlines.alone": "its own rules: %(limit)s",
    "list.airlines.alone.assumed": "assumed of it alone: %(limit)s",
    "list.airlines.q": "Name or code",
    "list.airlines.any": "any country",
    "list.airlines.one": "At most one unit",
    "list.airlines.no_use": "No use on board",
    "list.airlines.show": "Show",
    "list.airlines.sort": "Sort by:",
    "list.airlines.nothing": "No airline on file fits this.",
    "list.airlines.all": "Show all airlines",
    "list.airlines.csv": "this table as CSV",
    # Airlines side by side
    "compare.one_of": "One %(model)s in a cabin bag",
    "compare.abroad": "on international flights: %(verdict)s",
    "compare.title": "Compared: %(airlines)s",
    "compare.lead": (
        "What the rules on file for each airline say of a power bank in the cabin and in checked baggage. "
        "Authorities on the route may be stricter, and the strictest rule applies."
    ),
    "compare.choose": "Compare",
    "compare.choose.one": "Compare %(airline)s",
    "compare.choose.others": "Choose airlines in the list",
    "compare.button": "Compare the chosen airlines",
    "compare.with": "Compare it with other airlines",
    "compare.others": "Other airlines",
    "compare.strictest": "strictest",
    "compare.differs": "they differ",
    "compare.undecided": "cannot be decided",
    "compare.model": "For an exact model (its name or id)",
    "compare.model.button": "Show the verdicts",
    "compare.model.unknown": "No model on file has exactly this name or id, so no verdict is shown.",
    "compare.model.several": "This name may mean one of several models. Choose yours:",
    "compare.most": "At most four airlines are compared. Left out: %(airlines)s.",
    "compare.none": "No comparison at this address",
    "compare.how": "Two to four airlines on file are compared: choose them in the list.",
}
