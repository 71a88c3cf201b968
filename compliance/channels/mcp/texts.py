"""The descriptions that agents read before they ask: the purpose of each tool, its cost, its limits.

English: they are for programs. People read the tools' answers, which are in the requested language.
"""

from django.conf import settings

from compliance.api.verdicts.itineraries import UNITS_TO_A_REQUEST

FAIL_CLOSED = (
    "Fail closed: treat as allowed only a result with `clear_to_pack` true, before its `expires_at`, with "
    "its constraints met. `conditional`, `banned`, `insufficient`, and every gap, error, time-out, expired "
    "answer or unknown word means not allowed. Never infer a verdict from a similar model, airline or "
    "route, or from your own knowledge."
)

BOUNDARY = (
    "Answers are informational and cited. They are not legal advice, not a certification and no "
    "guarantee that airport, airline or security staff accept a power bank."
)

_RATE = (
    f"of the caller's rate ({settings.ANONYMOUS_RATE} per address without a partner key); above that rate, "
    "the result is a gap `RATE_LIMITED` with `retry_after_seconds`."
)

COST = f"A call costs one request {_RATE}"

COST_OF_ITINERARY = (
    f"A call costs one request for every {UNITS_TO_A_REQUEST} units on a flight (20 units on 3 flights cost "
    f"6) {_RATE}"
)

READS_ONLY = f"It only reads. {COST}"

RECORDS = (
    "Side effects: the verdict is recorded with its question, without any serial; nothing else is stored or "
    "changed."
)

INSTRUCTIONS = f"""\
May this power bank travel on this flight? Cited verdicts for an exact catalog model, a route, an airline \
and a compartment.

1. `search_models` finds the exact `model_id`. If several models match, ask the person which one it is; \
never choose for them.
2. `verify_power_bank` judges one flight, `verify_trip` a route with stops, `verify_itinerary` several \
power banks, several passengers or flights on several days. Ask the person for the countries and the \
airline if you do not know them. Send the airline as the person names it: if the name does not mean one \
airline, there is a gap.
3. Give the person the verdict, its constraints and its citations. If there is a gap, describe it and \
follow its `suggested_next_step`.

{FAIL_CLOSED}

{BOUNDARY}"""

SEARCH_MODELS = f"""\
Find the exact catalog model from a person's words: brand, name, model number, mAh or Wh. Other tools need \
its `model_id`. If several models match, there is a gap `SEVERAL_MODELS`: ask the person which one it is, \
because models with similar names differ in watt-hours and recalls. No match means that nothing is known \
about the model, never that it may travel. {READS_ONLY}"""

GET_MODEL = f"""\
The facts of one exact model: watt-hours and their basis, certifications, sources, active recalls. Null \
means not known; empty `certifications` means not known, never not certified. If recalls leave a question \
open, there is a gap. {READS_ONLY}"""

VERIFY_POWER_BANK = f"""\
The verdict for one power bank model on one flight: `allowed`, `conditional`, `banned` or `insufficient`, \
with constraints, warnings, citations and `expires_at`. Needs the exact `model_id`, two countries and the \
airline. Send what you know about the unit (quantity, serial, mark, label, condition) and leave out what \
you do not know: unknown never counts in its favor. `recall_check` is the result that the person got from \
the maker's recall list; never answer it for them. For a route with stops use `verify_trip`, for several \
different power banks or passengers `verify_itinerary`. {FAIL_CLOSED} {RECORDS} {COST}"""

VERIFY_TRIP = f"""\
The verdict for one power bank model on a whole journey: the strictest verdict of its flights, and the \
verdict of each flight. Describe the journey by `origin`, `transit`, `destination` and `airline`, or flight \
by flight in `legs` if airlines differ. Each flight in `segments` has its constraints, warnings and next \
step: give those to the person. `verify_power_bank` adds the citations of one flight. {FAIL_CLOSED} \
{RECORDS} {COST}"""

VERIFY_ITINERARY = f"""\
The verdict for several power banks, of several passengers, on several flights: who carries what, and, if \
not everything may travel, what stays (`packing.stays`) and what may travel (`packing.may_travel`). Use it \
instead of several calls of `verify_power_bank` whenever a person has more than one power bank: limits of \
numbers count everything that one passenger carries. Name every power bank in `items`: by its exact \
`model_id`, or, if the model is not known, by the figures on its `label`. Leave out `carried_by` to get the \
best distribution. Name every flight in `segments`, the return as well, in order of travel. \
`operating_airline` is the airline that flies: ask the person, and never infer it from a flight number; if \
only the seller is known, send `marketing_airline`. Leave out what you do not know about a unit: unknown \
never counts in its favor. `recall_check` is the result that the person got from the maker's recall list; \
never answer it for them. Tell the person where `date_assumed` is true. The answer holds only if each \
passenger carries what `packing.passengers` says: tell the person. If the whole is not `allowed`, no part of \
it is cleared: ask again about what is to travel. {FAIL_CLOSED} {RECORDS} {COST_OF_ITINERARY}"""

CHECK_RECALL = f"""\
The active recalls of one exact model and, with `serial`, what they say about this unit. Only \
`recall_status` `not_affected` is in the unit's favor, and it is no permission to travel: the rules of the \
route still decide. Unknown never clears a unit. If only the maker's own list can decide, there is a gap \
`external_list_required` with its address. A recall of another model of the brand means nothing for this \
one. The serial is compared in memory and never stored or logged. {READS_ONLY}"""

GET_AIRLINE_POLICY = f"""\
One airline's policy on power banks, by code or by name: how well it is known (`confidence`), a \
summary, the official page, and how many rules are in force. Partners also get the rules, citations and \
changes. It is not a verdict: authorities on the route may be stricter. {READS_ONLY}"""

SEARCH_RULES = f"""\
The rules of authorities and airlines in force on a day, each with its conditions, the sentence that a \
traveler reads, and its citations. A rule says what one issuer requires under its conditions. It is not a \
verdict, and an empty list is no permission. {READS_ONLY}"""

GET_SOURCES = f"""\
The evidence that answers cite: for a model, a rule, an airline or a place, with the day on which each page \
was read, and the last day on which that reading is fresh. {READS_ONLY}"""

LIST_POLICY_CHANGES = f"""\
How airlines' and authorities' policies changed: counts for every caller; with a partner key also the \
changes, the watched pages and the editors' review queue. {READS_ONLY}"""
