"""Every sentence that a verdict can say, in English, which is the key of its translations in `locale/`.

There are two kinds: `STATEMENTS` word the codes of the registry, one sentence or two for each; `SUMMARIES`
are the sentences that summaries are put together from. Only whole sentences are joined, never halves, because
no two languages join halves alike. `saying.say` fills them in.
"""

from rules.wording.translating import Plural, Text

STATEMENTS: dict[str, Text] = {
    # Limits
    "carry_on_only": ("Carry it in the cabin; power banks are not accepted in checked baggage."),
    "max_units": Plural(
        "At most %(max_units)d power bank per passenger.",
        "At most %(max_units)d power banks per passenger.",
        "max_units",
    ),
    "max_units.over": Plural(
        "At most %(max_units)d power bank over %(watt_hour_over)s Wh per passenger.",
        "At most %(max_units)d power banks over %(watt_hour_over)s Wh per passenger.",
        "max_units",
    ),
    # Preconditions
    "airline_approval_required": ("The airline must approve it before the flight."),
    "ccc_mark_required": ("It must have a CCC (3C) mark that can be read clearly."),
    "recall_serial_check": (
        "Units of this model are under recall: compare the serial number, batch or date code of yours "
        "with the recall notice before you fly."
    ),
    "recall_serial_check.lookup": (
        "Units of this model are under recall: check yours at %(lookup_url)s before you fly."
    ),
    "recall_list_proof": (
        "Units of this model are under recall: carry proof from the recall list that yours is not affected, "
        "and show it at the counter."
    ),
    "confirm_rated_watt_hour": (
        "Read the rated watt-hours on its label: the figure on file is calculated and too close to a limit."
    ),
    "ccc_certificate_suspended": (
        "The CCC (3C) certificate of this model is on file as suspended or revoked: check it in the official "
        "register before you fly."
    ),
    "ccc_certificate_suspended.at": (
        "The CCC (3C) certificate of this model is on file as suspended or revoked: check it at "
        "%(lookup_url)s before you fly."
    ),
    "exact_model_unknown": ("Its exact model must be known: recalls and marks depend on the model."),
    "operating_airline_unconfirmed": ("Confirm which airline operates this flight: its rules decide."),
    # Conduct
    "label_required": ("Its rating (watt-hours, or mAh and volts) must be readable on the unit."),
    "terminals_protected": (
        "Protect its terminals against short circuit: use the original packaging, tape over the "
        "terminals, or a separate pouch."
    ),
    "no_onboard_use": ("Do not use it to charge other devices on board."),
    "onboard_use_restricted": ("The airline allows its use only in some phases of the flight; ask the crew."),
    "no_onboard_recharge": ("Do not recharge it on board."),
    "keep_within_reach": ("Keep it within reach during the flight."),
    "keep_visible": ("Take it out of your bag and keep it where it can be seen."),
    "visible_when_in_use": ("Keep it in sight whenever it is charging or in use."),
    "on_person_or_seat_pocket": ("Keep it on your person or in the seat pocket."),
    "no_overhead_bin": ("Do not put it in the overhead bin."),
    "remove_before_gate_check": (
        "If your cabin bag is checked at the gate, take the power bank out and keep it with you."
    ),
    "switched_off": ("Keep it switched off during the whole flight."),
    "personal_use_only": ("It must be for your personal use, not for sale."),
    "un38_3_type_tested": ("Its battery must be of a type that passed the UN 38.3 tests."),
    # Prohibitions
    "over_watt_hour_limit": ("It is over the limit of %(limit_watt_hour)s Wh."),
    "recalled_not_permitted": ("It is subject to a safety recall and may not travel."),
    "damaged_not_permitted": ("A damaged power bank may not travel."),
    # Advice
    "onboard_use_discouraged": ("You are advised not to use it on board."),
    "onboard_use_airline_decides": ("The airline decides whether it may be used on board; ask the crew."),
    "overhead_bin_discouraged": ("You are advised not to put it in the overhead bin."),
    "quantity_advice": Plural(
        "You are advised to carry at most %(max_units)d power bank.",
        "You are advised to carry at most %(max_units)d power banks.",
        "max_units",
    ),
    "keep_within_reach_advised": ("You are advised to keep it within reach, where it can be seen."),
    "ccc_mark_enforcement_varies": (
        "Staff may ask for a CCC (3C) mark even where no rule requires one; a marked power bank is the "
        "safe choice."
    ),
    "ccc_applies_to_connections": (
        "The CCC (3C) mark is also required of passengers who connect from an international flight."
    ),
    "confiscation_risk": (
        "Power banks have reportedly been confiscated at departure; ask the airline before you leave."
    ),
    "over_100wh_refusal_likely": (
        "Airlines that follow IATA's 2027 edition no longer accept power banks over 100 Wh; expect a "
        "refusal, and ask the airline before you leave."
    ),
    # Notices
    "airline_approval_review": (
        "The airline decides on each request for approval; ask early and bring its answer with you."
    ),
    "recall_serial_unknown": (
        "Units of this model are under recall, and it is not known whether yours is affected; it is not "
        "cleared."
    ),
    "recall_external_list": ("Only the maker's list shows whether your unit is recalled; check it there."),
    "recall_external_list.lookup": (
        "Only the maker's list shows whether your unit is recalled; check it at %(lookup_url)s first."
    ),
    "airline_policy_unconfirmed": (
        "No source confirms the policy of this airline; ask the airline before you fly."
    ),
    "baseline_only_coverage": (
        "No rule of the departure country is on file; the international baseline applies instead."
    ),
    "watt_hour_unconfirmed": (
        "The watt-hours on file are calculated from capacity and voltage; the rating on the label takes "
        "precedence."
    ),
    "ccc_mark_in_doubt": (
        "Staff may refuse a power bank whose CCC (3C) certificate is suspended or revoked, even if it bears "
        "the mark."
    ),
    "device_facts_unconfirmed": (
        "No source for the data of this model has been read; the label on the unit takes precedence."
    ),
    "evidence_stale": ("Some of the sources were last read on %(read_on)s; check for newer rules."),
    "rule_change_upcoming": ("A rule that changes this answer takes effect on %(date)s."),
    "certificate_change_upcoming": (
        "The CCC (3C) certificate of this model is suspended or revoked from %(date)s; that changes this "
        "answer."
    ),
    "marketing_airline_stricter": (
        "%(airline)s, which sold this flight, has stricter rules; its staff may apply them."
    ),
    "other_spares_count_too": (
        "Many authorities count other spare batteries over 100 Wh together with these power banks."
    ),
    "transit_rescreening": (
        "You may have to pass security again before this flight, under the rules of that airport."
    ),
}
"""The sentence of each registry name; `.over`, `.lookup` and `.at` are the same with one more parameter."""

SUMMARIES: dict[str, Text] = {
    # How it opens: verdict and compartment, for a flight …
    "flight.allowed.carry_on": ("Allowed in your cabin bag on this flight."),
    "flight.allowed.on_person": ("Allowed on your person on this flight."),
    "flight.allowed.checked": ("Allowed in your checked baggage on this flight."),
    "flight.conditional.carry_on": (
        "May travel in your cabin bag on this flight only once the following is settled."
    ),
    "flight.conditional.on_person": (
        "May travel on your person on this flight only once the following is settled."
    ),
    "flight.conditional.checked": (
        "May travel in your checked baggage on this flight only once the following is settled."
    ),
    "flight.insufficient.carry_on": ("Not enough is known to clear it for your cabin bag on this flight."),
    "flight.insufficient.on_person": ("Not enough is known to clear it on your person for this flight."),
    "flight.insufficient.checked": (
        "Not enough is known to clear it for your checked baggage on this flight."
    ),
    "flight.banned": ("Not allowed on this flight."),
    # … and for a trip of several flights
    "trip.allowed.carry_on": ("Allowed in your cabin bag on each of the %(flights)d flights of this trip."),
    "trip.allowed.on_person": ("Allowed on your person on each of the %(flights)d flights of this trip."),
    "trip.allowed.checked": (
        "Allowed in your checked baggage on each of the %(flights)d flights of this trip."
    ),
    "trip.conditional.carry_on": (
        "May travel in your cabin bag on this trip only once the following is settled."
    ),
    "trip.conditional.on_person": (
        "May travel on your person on this trip only once the following is settled."
    ),
    "trip.conditional.checked": (
        "May travel in your checked baggage on this trip only once the following is settled."
    ),
    "trip.insufficient.carry_on": ("Not enough is known to clear it for your cabin bag on this trip."),
    "trip.insufficient.on_person": ("Not enough is known to clear it on your person for this trip."),
    "trip.insufficient.checked": ("Not enough is known to clear it for your checked baggage on this trip."),
    "trip.banned": ("Not allowed on this trip."),
    "banned.hold": ("Not allowed in checked baggage; power banks travel in the cabin only."),
    "banned.hold.next": ("Check again for your cabin bag."),
    # Which flights of a trip are the strictest
    "strictest.one": (
        "The strictest answer is for flight %(index)d of %(flights)d (%(origin)s to %(destination)s, "
        "%(airline)s)."
    ),
    "strictest.some": (
        "The strictest answer is for %(strictest)d of %(flights)d flights; the first is flight %(index)d "
        "(%(origin)s to %(destination)s, %(airline)s)."
    ),
    "strictest.all": ("All %(flights)d flights have the same answer."),
    "more": ("Further points apply: check each flight separately."),
    # Why it is banned
    "banned.over_watt_hour_limit": ("It has %(watt_hour)s Wh and the limit is %(limit_watt_hour)s Wh."),
    "banned.over_watt_hour_limit.exactly": (
        "It has %(watt_hour)s Wh, and it must have less than %(limit_watt_hour)s Wh."
    ),
    "banned.over_watt_hour_limit.unknown": ("It is over the limit of %(limit_watt_hour)s Wh."),
    "banned.recalled_not_permitted": ("It is under recall: stop using it and follow the recall notice."),
    "banned.recalled_not_permitted.unproven": (
        "Its model is under recall, and recalled models are refused on this route."
    ),
    "banned.recalled_not_permitted.said": (
        "You say that the recall list names yours: stop using it and do what the maker asks."
    ),
    "banned.damaged_not_permitted": ("A damaged power bank may not travel."),
    "banned.carry_on_only": ("Power banks are not accepted in checked baggage."),
    "banned.max_units": Plural(
        "At most %(max_units)d power bank per passenger may travel, and you have %(quantity)d.",
        "At most %(max_units)d power banks per passenger may travel, and you have %(quantity)d.",
        "max_units",
    ),
    "banned.max_units.over": Plural(
        "At most %(max_units)d power bank over %(watt_hour_over)s Wh may travel, and you have %(quantity)d.",
        "At most %(max_units)d power banks over %(watt_hour_over)s Wh may travel, and you have %(quantity)d.",
        "max_units",
    ),
    "banned.ccc_mark_required": ("A CCC (3C) mark is required, and it has none."),
    "banned.label_required": ("A readable rating on the unit is required, and it has none."),
    # What is missing
    "insufficient.watt_hour_unknown": ("Its watt-hours are not known: read its label and ask %(airline)s."),
    "insufficient.no_airline_permit": ("No known rule of %(airline)s permits it, so ask the airline."),
    "insufficient.no_authority_permit": ("No known rule of an authority permits it on this route."),
    "insufficient.not_covered": ("%(airline)s is not covered here, so ask the airline."),
    # What must be settled first
    "conditional.airline_approval_required": ("%(airline)s must approve it before you fly."),
    "conditional.ccc_mark_required": ("Make sure that it has a readable CCC (3C) mark."),
    "conditional.recall.lookup": ("Its model is under recall: check yours at %(lookup_url)s before you fly."),
    "conditional.recall.identifier": (
        "Its model is under recall: check its serial number, batch or date code to see if yours is affected."
    ),
    "conditional.recall.notice": ("Its model is under recall: compare yours with the recall notice first."),
    "conditional.recall_list_proof": (
        "Its model is under recall: carry proof from the recall list that yours is not affected."
    ),
    "conditional.confirm_rated_watt_hour": (
        "Read the rated watt-hours on its label, because the figure on file is calculated and close to "
        "a limit."
    ),
    "conditional.ccc_certificate_suspended": (
        "Its CCC (3C) certificate is suspended or revoked: look it up in the official register."
    ),
    "conditional.ccc_certificate_suspended.at": (
        "Its CCC (3C) certificate is suspended or revoked: look it up at %(lookup_url)s before you fly."
    ),
    "conditional.exact_model_unknown": (
        "Find out its exact model, because recalls and marks depend on the model."
    ),
    "conditional.operating_airline_unconfirmed": (
        "Find out which airline operates the flight, because its rules decide."
    ),
    "conditional.airline_policy_unconfirmed": (
        "The policy of %(airline)s is unconfirmed, so ask the airline."
    ),
    # Several power banks, passengers and flights
    "itinerary.allowed": "These power banks may travel on all flights.",
    "itinerary.conditional": (
        "These power banks may travel only once the open points of each flight are settled."
    ),
    "itinerary.insufficient": "Not enough is known to clear these power banks for all flights.",
    "itinerary.banned": "These power banks may not all travel.",
    "itinerary.passenger": "Passenger %(passenger)d carries: %(items)s.",
    "itinerary.stays": "Leave at home: %(items)s.",
    "itinerary.move_to_cabin": "Only in the cabin, so move these there and ask again: %(items)s.",
    "itinerary.undecided": "Not enough is known about: %(items)s.",
    "itinerary.may_travel.allowed": "These may travel together: %(items)s.",
    "itinerary.may_travel.conditional": (
        "These may travel together once every open point is settled: %(items)s."
    ),
    "itinerary.no_use_or_recharge": "Do not use or recharge them on board.",
    "itinerary.no_use": "Do not use them on board.",
    "itinerary.no_recharge": "Do not recharge them on board.",
    "itinerary.no_overhead_bin": "Keep them out of the overhead bin.",
    # How to carry it
    "carry.max_units": Plural(
        "At most %(max_units)d power bank.", "At most %(max_units)d power banks.", "max_units"
    ),
    "carry.max_units.over": Plural(
        "At most %(max_units)d power bank over %(watt_hour_over)s Wh.",
        "At most %(max_units)d power banks over %(watt_hour_over)s Wh.",
        "max_units",
    ),
    "carry.max_units.no_use_or_recharge": Plural(
        "At most %(max_units)d power bank; do not use or recharge it on board.",
        "At most %(max_units)d power banks; do not use or recharge them on board.",
        "max_units",
    ),
    "carry.max_units.no_use": Plural(
        "At most %(max_units)d power bank; do not use it on board.",
        "At most %(max_units)d power banks; do not use them on board.",
        "max_units",
    ),
    "carry.max_units.no_recharge": Plural(
        "At most %(max_units)d power bank; do not recharge it on board.",
        "At most %(max_units)d power banks; do not recharge them on board.",
        "max_units",
    ),
    "carry.no_use_or_recharge": ("Do not use or recharge it on board."),
    "carry.no_use": ("Do not use it on board."),
    "carry.no_recharge": ("Do not recharge it on board."),
    "carry.no_overhead_bin": ("Keep it out of the overhead bin."),
}
"""The sentences of summaries, by their subject."""

NEXT_STEPS: dict[str, Text] = {
    "insufficient.watt_hour_unknown": (
        "Read the watt-hours on the label of the power bank, and ask %(airline)s whether it may travel."
    ),
    "insufficient.no_airline_permit": "Ask %(airline)s whether it accepts this power bank on this flight.",
    "insufficient.no_authority_permit": (
        "Ask the aviation authority of this country whether this power bank may travel: %(country)s."
    ),
    "insufficient.voltage_unknown": (
        "Read the watt-hours on the power bank, or the voltage next to its mAh, and ask again with them."
    ),
    "insufficient.not_covered": (
        "Ask %(airline)s whether it accepts this power bank. Its rules are not known here."
    ),
    "conditional.recall.lookup": (
        "Look up the power bank in the official recall list. Do not fly with it until that list says that it "
        "is not affected."
    ),
    "conditional.recall.identifier": (
        "Read the serial number, batch or date code on the power bank, and ask again with it."
    ),
    "conditional.recall.notice": (
        "Compare the power bank with the recall notice. Do not fly with it until you know that it is not "
        "affected."
    ),
    "conditional.recall_list_proof": (
        "Save or print the answer of the recall list, and carry it with you to show it at the counter."
    ),
    "conditional.confirm_rated_watt_hour": (
        "Read the rated watt-hours on the label of the power bank, and ask %(airline)s whether it may travel."
    ),
    "conditional.airline_approval_required": (
        "Ask %(airline)s to approve the power bank before you fly, and carry the answer with you."
    ),
    "conditional.ccc_mark_required": (
        "Look for a CCC (3C) mark on the power bank, and ask again with what you found."
    ),
    "conditional.ccc_certificate_suspended": (
        "Check in the official register whether the CCC (3C) certificate of this model is valid again, and "
        "ask %(airline)s whether it accepts the power bank."
    ),
    "conditional.ccc_certificate_suspended.at": (
        "Check at %(lookup_url)s whether the CCC (3C) certificate of this model is valid again, and ask "
        "%(airline)s whether it accepts the power bank."
    ),
    "conditional.exact_model_unknown": "Find the exact model of the power bank, and ask again with it.",
    "conditional.operating_airline_unconfirmed": (
        "Look in your booking for the airline that operates the flight, and ask again with it."
    ),
    "conditional.airline_policy_unconfirmed": (
        "Ask %(airline)s for its rules on power banks before you fly."
    ),
}
"""What to do first about a gap, by the reason that a summary gives for it."""

COVERAGE: Text = "No rules of airline %(airline)s are on file for this date; ask the airline before you fly."
"""The text of a trip's segment that cannot be judged."""
