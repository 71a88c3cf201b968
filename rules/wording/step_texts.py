"""The English texts of an answer page apart from the verdict: its path, what did not apply, what would help.

`RULES` and `CONDITIONS` word a rule from its code, parameters and conditions; `STEPS` the steps of a path
that are not rules; `UNMET` why a rule did not apply; `CHANGES` what would help; `ADVICE` what to do about a
ban; `GUIDANCE` is about a unit that is not in the catalog. Whole sentences, never halves to be joined.
`saying.say` fills them in.
"""

from rules.wording.translating import Plural, Text

RULES: dict[str, Text] = {
    # Permits: the watt-hours, and where it travels
    "permit": "A power bank may be carried.",
    "permit.up_to": "A power bank of up to %(watt_hour_up_to)s Wh may be carried.",
    "permit.under": "A power bank under %(watt_hour_under)s Wh may be carried.",
    "permit.over": "A power bank over %(watt_hour_over)s Wh may be carried.",
    "permit.over.up_to": (
        "A power bank over %(watt_hour_over)s Wh and up to %(watt_hour_up_to)s Wh may be carried."
    ),
    "permit.over.under": (
        "A power bank over %(watt_hour_over)s Wh and under %(watt_hour_under)s Wh may be carried."
    ),
    "permit.at_least": "A power bank of %(watt_hour_at_least)s Wh or more may be carried.",
    "permit.at_least.up_to": (
        "A power bank of at least %(watt_hour_at_least)s Wh and up to %(watt_hour_up_to)s Wh may be carried."
    ),
    "permit.at_least.under": (
        "A power bank of at least %(watt_hour_at_least)s Wh and under %(watt_hour_under)s Wh may be carried."
    ),
    "permit.cabin": "A power bank may travel in the cabin.",
    "permit.cabin.up_to": "A power bank of up to %(watt_hour_up_to)s Wh may travel in the cabin.",
    "permit.cabin.under": "A power bank under %(watt_hour_under)s Wh may travel in the cabin.",
    "permit.cabin.over": "A power bank over %(watt_hour_over)s Wh may travel in the cabin.",
    "permit.cabin.over.up_to": (
        "A power bank over %(watt_hour_over)s Wh and up to %(watt_hour_up_to)s Wh may travel in the cabin."
    ),
    "permit.cabin.over.under": (
        "A power bank over %(watt_hour_over)s Wh and under %(watt_hour_under)s Wh may travel in the cabin."
    ),
    "permit.cabin.at_least": "A power bank of %(watt_hour_at_least)s Wh or more may travel in the cabin.",
    "permit.cabin.at_least.up_to": (
        "A power bank of at least %(watt_hour_at_least)s Wh and up to %(watt_hour_up_to)s Wh may travel in "
        "the cabin."
    ),
    "permit.cabin.at_least.under": (
        "A power bank of at least %(watt_hour_at_least)s Wh and under %(watt_hour_under)s Wh may travel in "
        "the cabin."
    ),
    # Prohibitions, which read differently as a rule than as a verdict on one unit
    "over_watt_hour_limit": ("The limit is %(limit_watt_hour)s Wh; a power bank above it is not accepted."),
    "over_watt_hour_limit.over": "A power bank over %(watt_hour_over)s Wh may not travel.",
    "over_watt_hour_limit.at_least": "A power bank of %(watt_hour_at_least)s Wh or more may not travel.",
    "recalled_not_permitted": "A recalled power bank may not travel.",
    "recalled_not_permitted.wider": "A power bank of a recalled model may not travel.",
    # Where the sentence of the code is not what the rule alone says
    "carry_on_only": "Power banks travel in the cabin only, never in checked baggage.",
}
"""A rule's own sentence, by its code and what determines its form; the others are `texts.STATEMENTS`."""

CONDITIONS: dict[str, Text] = {
    "watt_hour.up_to": "It applies to a power bank of up to %(watt_hour_up_to)s Wh.",
    "watt_hour.under": "It applies to a power bank under %(watt_hour_under)s Wh.",
    "watt_hour.over": "It applies to a power bank over %(watt_hour_over)s Wh.",
    "watt_hour.over.up_to": (
        "It applies to a power bank over %(watt_hour_over)s Wh and up to %(watt_hour_up_to)s Wh."
    ),
    "watt_hour.over.under": (
        "It applies to a power bank over %(watt_hour_over)s Wh and under %(watt_hour_under)s Wh."
    ),
    "watt_hour.at_least": "It applies to a power bank of %(watt_hour_at_least)s Wh or more.",
    "watt_hour.at_least.up_to": (
        "It applies to a power bank of at least %(watt_hour_at_least)s Wh and up to %(watt_hour_up_to)s Wh."
    ),
    "watt_hour.at_least.under": (
        "It applies to a power bank of at least %(watt_hour_at_least)s Wh and under %(watt_hour_under)s Wh."
    ),
    "compartment.carry_on": "It applies to a cabin bag.",
    "compartment.on_person": "It applies to a power bank carried on the person.",
    "compartment.checked": "It applies to checked baggage.",
    "compartment.carry_on.on_person": "It applies in the cabin.",
    "compartment.carry_on.checked": "It applies to cabin bags and checked baggage.",
    "compartment.checked.on_person": (
        "It applies to checked baggage and to power banks carried on the person."
    ),
    "recall_status.affected": "It applies to a unit that is recalled.",
    "recall_status.not_affected": "It applies to a unit that is not affected by a recall.",
    "recall_status.affected.external_check_required.serial_unknown": (
        "It applies to each unit of a recalled model, unless its number shows that it is not affected. The "
        "maker's list does not change that."
    ),
    "recall_status.not.affected": "It does not apply to a unit that is recalled.",
    "recall_status.not.not_affected": "It does not apply to a unit that is not affected by a recall.",
    "recall_status.not.serial_unknown": (
        "It does not apply to a unit of a recalled model when it is not known whether the unit is affected."
    ),
    "recall_status.not.external_check_required": (
        "It does not apply to a unit that must first be checked against the maker's recall list."
    ),
    "condition.damaged": "It applies to a damaged unit.",
    "condition.intact": "It applies to an undamaged unit.",
    "condition.unknown": "It applies to a unit whose condition is not known.",
    "condition.not.damaged": "It does not apply to a damaged unit.",
    "condition.not.intact": "It does not apply to a unit that is known to be undamaged.",
    "condition.not.unknown": "It does not apply to a unit whose condition is not known.",
    "certification_missing": "It applies to a unit that is not known to have a CCC (3C) mark.",
    "quantity_over": "It applies to a passenger who carries more than %(quantity_over)d.",
    "model": "It applies only to %(models)s.",
}
"""When a rule speaks. Texts after `.not` name what it excludes."""

STEPS: dict[str, Text] = {
    "device.rated.maker": "Its rating is %(watt_hour)s Wh, as the maker states it.",
    "device.rated.other": "Its rating is %(watt_hour)s Wh, as stated by %(authority)s.",
    "device.rated.unread": "Its rating on file is %(watt_hour)s Wh. No source of it was read.",
    "device.computed": "Its rating is calculated from capacity and voltage: %(watt_hour)s Wh.",
    "device.unknown": "Its rating in watt-hours is not known.",
    "unit.rated": "According to its label, it has %(watt_hour)s Wh.",
    "unit.computed": "According to the capacity and voltage on its label, it has %(watt_hour)s Wh.",
    "recall.not_checked": "Recalls were not checked, because the exact model is not known.",
    "recall.none": "No recall of exactly this model is on file.",
    "recall.not_affected": "This model is under recall, and the unit you described is not affected.",
    "recall.affected": "The unit you described is recalled.",
    "recall.serial_unknown": "This model is under recall, and it is not known whether your unit is affected.",
    "recall.external_check_required": (
        "This model is under recall, and only the maker's list shows whether your unit is affected."
    ),
    "certificate.suspended": "A CCC (3C) certificate of this model is suspended on the day of travel.",
    "certificate.revoked": "A CCC (3C) certificate of this model is revoked on the day of travel.",
    "certificate.number": "Certificate number: %(number)s.",
    "verdict.allowed": "The rules that apply permit it, and nothing rules it out.",
    "verdict.conditional": "Nothing bans it, but something must be settled first.",
    "verdict.insufficient": "Too little is known to clear it.",
    "verdict.banned": "A rule that applies to this flight, or a recall, bans it.",
}

UNMET: dict[str, Text] = {
    "watt_hour_over": (
        "It applies to a power bank over %(watt_hour_over)s Wh, and this one has %(watt_hour)s Wh."
    ),
    "watt_hour_over.unknown": (
        "It applies to a power bank over %(watt_hour_over)s Wh, and the rating of this one is not known."
    ),
    "watt_hour_at_least": (
        "It applies to a power bank of %(watt_hour_at_least)s Wh or more, and this one has %(watt_hour)s Wh."
    ),
    "watt_hour_at_least.unknown": (
        "It applies to a power bank of %(watt_hour_at_least)s Wh or more, and the rating of this one is not "
        "known."
    ),
    "watt_hour_up_to": (
        "It applies to a power bank of up to %(watt_hour_up_to)s Wh, and this one has %(watt_hour)s Wh."
    ),
    "watt_hour_up_to.unknown": (
        "It applies to a power bank of up to %(watt_hour_up_to)s Wh, and the rating of this one is not known."
    ),
    "watt_hour_under": (
        "It applies to a power bank under %(watt_hour_under)s Wh, and this one has %(watt_hour)s Wh."
    ),
    "watt_hour_under.unknown": (
        "It applies to a power bank under %(watt_hour_under)s Wh, and the rating of this one is not known."
    ),
    "model.unknown": "It applies only to %(models)s, and the model of this one is not known.",
    "starts": "It takes effect on %(date)s, after the day of travel.",
    "ended": "It was last in force on %(date)s, before the day of travel.",
}
"""Why a rule did not apply; if the question's own fact adds nothing, its condition says it."""

CHANGES: dict[str, Text] = {
    "compartment.carry_on": "Carry it in your cabin bag.",
    "compartment.on_person": "Carry it on your person.",
    "quantity": Plural(
        "Carry only %(quantity)d power bank of this model.",
        "Carry only %(quantity)d power banks of this model.",
        "quantity",
    ),
    "ccc_mark": "Make sure that the unit has a readable CCC (3C) mark.",
    "condition": "Make sure that the unit is undamaged.",
    "capacity_label": "Make sure that the rating on the unit can be read.",
    "date": "Fly on %(date)s, when other rules are in force.",
    "date.certificate": "Fly on %(date)s, when the CCC (3C) certificate has another status.",
    # What follows from them, together
    "then.allowed": "Then it is allowed.",
    "then.conditional": "Then it may travel once the open points are settled.",
    "then.insufficient": "Then nothing bans it, but too little is known to clear it.",
    "none": (
        "Carrying fewer power banks, carrying them elsewhere in the cabin, flying on another date or "
        "examining the unit would not improve this answer."
    ),
    # What else is open
    "recall.lookup": (
        "A recall of this model is open: look up your unit in the maker's list, and choose below what it "
        "says."
    ),
    "recall.identifier": (
        "A recall of this model is open: compare the serial number, batch or date code of your unit with the "
        "recall notice, and choose below what it says."
    ),
}
"""What would help, and what does not."""

ADVICE: dict[str, Text] = {
    # Asked for checked baggage: what the same question gets in the cabin
    "cabin.allowed": "Take it in the cabin instead. In your cabin bag, it is allowed.",
    "cabin.conditional": (
        "Take it in the cabin instead. In your cabin bag, it may travel once the open points are settled."
    ),
    "cabin.insufficient": (
        "Do not put it in checked baggage. For the cabin, too little is known to clear it: ask the airline "
        "before you fly."
    ),
    "cabin.banned": (
        "Do not put it in checked baggage. As you describe it, it may not travel in your cabin bag either."
    ),
    # Damaged or recalled
    "dangerous.never": (
        "Never hand it over with your baggage, leave it in storage, send it by post or put it in a waste bin."
    ),
    "dangerous.staff": "If you have it with you at the airport, tell the airline's staff.",
    "dangerous.return": (
        "Follow the maker's instructions for returning it, or take it to a local collection point for "
        "hazardous waste."
    ),
    # Not permitted as it is
    "leave": "Leave it at home. Do not put it in checked baggage instead.",
    "ask": "If you have questions, ask the airline before you fly.",
    "road": "Send it by road only where that is legal.",
    "mark": ("Leave it at home on this route. A power bank needs a clearly readable CCC (3C) mark here."),
    "label": "Leave it at home on this route. A power bank needs a readable rating on the unit here.",
    # Too many
    "companion": (
        "Carry no more than the limit. A companion on the same booking may carry the others, within that "
        "person's own limit and under the same conditions."
    ),
}
"""What to do now about a ban."""

GUIDANCE: dict[str, Text] = {
    # How its summary opens, for a flight and for a trip
    "flight.conditional": (
        "General guidance: a power bank of this rating may travel on this flight only once the open "
        "points are settled."
    ),
    "flight.insufficient": ("General guidance: not enough is known to clear this power bank on this flight."),
    "flight.banned": "General guidance: a power bank as you describe it is not allowed on this flight.",
    "trip.conditional": (
        "General guidance: a power bank of this rating may travel on this trip only once the open "
        "points are settled."
    ),
    "trip.insufficient": ("General guidance: not enough is known to clear this power bank on this trip."),
    "trip.banned": "General guidance: a power bank as you describe it is not allowed on this trip.",
    # What is said first
    "general": (
        "This is general guidance for a power bank of %(watt_hour)s Wh. It is not a verdict on your model."
    ),
    "recalls": (
        "Recalls cannot be checked without the exact model: check whether yours is recalled before you fly."
    ),
    "general.unknown": (
        "This is general guidance for a power bank whose watt-hours are not known. It is not a verdict on "
        "your model."
    ),
    # What to settle
    "model": "Find the exact model: recalls and marks depend on it.",
    "named_models": "Find the exact model: %(issuer)s has a rule only for %(models)s.",
    "watt_hour_unknown": (
        "Its watt-hours are not known: capacity (mAh) alone does not give them, and the voltage is never "
        "guessed."
    ),
    "find.label": "Look for watt-hours (Wh) on the power bank, its box or its manual.",
    "find.voltage": (
        "Look for “Rated voltage” or “Nominal voltage” near the mAh figure. For the cells it is usually 3.6 "
        "to 3.85 V. The 5 V of the USB output is not this voltage."
    ),
    "find.maker": "Look for the rating of your model on the maker's website.",
    "find.search": "Find the model number on the power bank, and search for it here.",
    "find.ask": "If you find no watt-hours, ask %(airline)s before you fly.",
    # Where a verdict mentions the recorded figure
    "confirm_rated_watt_hour": (
        "Read the rated watt-hours on its label: the figure calculated from capacity and voltage is too "
        "close to a limit."
    ),
    "watt_hour_unconfirmed": (
        "The watt-hours are calculated from capacity and voltage; the rating printed on the unit takes "
        "precedence."
    ),
}
"""The texts about a unit that is not in the catalog."""
