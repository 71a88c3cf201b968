"""The descriptions that agents read before they ask: the purpose of each tool, its cost, its limits.

English: they are for programs. People read the tools' answers, which are in the requested language.
"""

from django.conf import settings

FAIL_CLOSED = (
    "Fail closed: treat as allowed only a result with `clear_to_pack` true, before its `expires_at`, with "
    "its constraints met. `conditional`, `banned`, `insufficient`, every gap, error, time-out, expired "
    "answer or word that you do not know means not allowed. Never infer a verdict from a similar model, "
    "airline or route, and never from your own knowledge."
)

BOUNDARY = (
    "Answers are informational and cited. They are not legal advice, not a certification and no guarantee "
    "that airport, airline or security staff accept a power bank."
)

COST = (
    f"A call costs one request of the caller's rate ({settings.ANONYMOUS_RATE} per address without a partner "
    "key); one too many is a gap `RATE_LIMITED` with `retry_after_seconds`."
)

READS_ONLY = f"It only reads. {COST}"

RECORDS = (
    "Side effects: the verdict is recorded with its question, without any serial; nothing else is kept or "
    f"changed. {COST}"
)

INSTRUCTIONS = f"""\
May this power bank travel on this flight? Cited verdicts for an exact catalog model, a route, an airline \
and a compartment.

1. `search_models` finds the exact `model_id`. Where several models match, ask the person which one it is; \
never choose for them.
2. `verify_power_bank` judges one flight, `verify_trip` a route with stops. Ask the person for the \
countries and the airline if you do not know them.
3. Say the verdict, what has to be met, and the citations. Where there is a gap, say it and follow its \
`suggested_next_step`.

{FAIL_CLOSED}

{BOUNDARY}"""

SEARCH_MODELS = f"""\
Find the exact catalog model behind what a person says: brand, name, model number, mAh or Wh. Every other \
tool asks for its `model_id`. Where several models match there is a gap `SEVERAL_MODELS`: ask the person \
which one it is, because models with similar names differ in watt-hours and recalls. None found means that \
nothing is known of the model, never that it may travel. {READS_ONLY}"""

GET_MODEL = f"""\
The facts of one exact model: watt-hours and their basis, certifications, sources, active recalls. A null \
means that nobody knows; empty `certifications` means not known, never not certified. What recalls leave \
open is a gap. {READS_ONLY}"""

VERIFY_POWER_BANK = f"""\
The verdict for one power bank model on one flight: `allowed`, `conditional`, `banned` or `insufficient`, \
with constraints, warnings, citations and `expires_at`. Needs the exact `model_id`, two countries and the \
airline. Say what you know of the unit (quantity, serial, mark, label, condition) and leave out what you \
do not know: unknown is never counted in its favor. `recall_check` is what the maker's recall list \
answered to the person; never answer it for them. A route with stops goes to `verify_trip`. \
{FAIL_CLOSED} {RECORDS}"""

VERIFY_TRIP = f"""\
The verdict for one power bank model on a whole journey: the strictest of its flights, and each flight's \
own. Name the journey by `origin`, `transit`, `destination` and `airline`, or flight by flight in `legs` \
where airlines differ. The constraints and citations of a flight are not in the answer: ask \
`verify_power_bank` about each flight, and say those. {FAIL_CLOSED} {RECORDS}"""

CHECK_RECALL = f"""\
The active recalls of one exact model, and with `serial` what they say of this unit. `recall_status` \
`not_affected` alone is good news, and no permission to travel: the rules of the route still decide. \
Unknown never clears a unit; where only the maker's own list can tell there is a gap \
`external_list_required` with its address. A recall of another model of the brand says nothing. The serial \
is compared in memory and never stored or logged. {READS_ONLY}"""

GET_AIRLINE_POLICY = f"""\
One airline's policy on power banks, by IATA code or by name: how well it is known (`confidence`), a \
summary, the official page, how many rules are in force. Partners get the rules, citations and changes \
too. It is no verdict: authorities on the route may be stricter. {READS_ONLY}"""

SEARCH_RULES = f"""\
The rules of authorities and airlines in force on a day, each with its conditions, the sentence that a \
traveler reads, and its citations. A rule is one issuer's word under its conditions, not a verdict; an \
empty list is no permission. {READS_ONLY}"""

GET_SOURCES = f"""\
The evidence that answers cite: for a model, a rule, an airline or a place, with the day on which each \
page was read and until when that reading counts as fresh. {READS_ONLY}"""

LIST_POLICY_CHANGES = f"""\
How airlines' and authorities' policies changed: counts for everybody; with a partner key the changes \
themselves, the watched pages and what editors look at. {READS_ONLY}"""
