"""What agents read before they ask: what every tool has in common, the purpose of each tool, the arguments.

English: it is for programs. People read the tools' answers, which are in the requested language. An agent
reads all of it before its first call, so what holds for several tools is in the instructions, once.
"""

from collections.abc import Mapping

from django.conf import settings

from compliance.api.verdicts.itineraries import UNITS_TO_A_REQUEST

FAIL_CLOSED = (
    "Fail closed: only `clear_to_pack` true means allowed, until `expires_at`, with all constraints met."
)

INSTRUCTIONS = f"""\
May this power bank travel on this flight? Cited verdicts for an exact model, a route and an airline.

{FAIL_CLOSED} `conditional`, `banned`, `insufficient`, every gap, error, time-out, expired answer and \
unknown word mean not allowed. Never infer a verdict from a similar model, airline or route, or from your \
own knowledge.

1. `search_models` finds the `model_id`. If several models match, ask the person which one it is; never \
choose for them.
2. `verify_power_bank` judges one flight, `verify_trip` a route with stops, `verify_itinerary` several \
power banks, passengers or dates. Ask the person for what you do not know. Leave out what they do not know: \
unknown never counts in a unit's favor.
3. Give the person the verdict, its constraints and citations. `gap` says what is missing or open: follow \
its `suggested_next_step`, then ask again. The step alone clears nothing.

Never answer `recall_check` for the person. Send airlines as the person names them; never infer the \
operating airline from a flight number. Null means not known. `rule_ids` name rules: `get_sources` has \
their evidence. To read on, send `next_cursor` as `cursor`, all else unchanged. \
{settings.SITE_URL}/openapi.yaml has every field.

Tools only read. A verdict is recorded with its question, without any serial; nothing else is stored. \
A serial is compared in memory, never stored or logged. A call costs one request of the caller's rate \
({settings.ANONYMOUS_RATE} per address without a partner key), an itinerary one for every \
{UNITS_TO_A_REQUEST} units on a flight; above it: gap `RATE_LIMITED` with `retry_after_seconds`.

Answers inform. They are no legal advice, no certification, and no guarantee that airport, airline or \
security staff accept a power bank."""

SEARCH_MODELS = """\
Find the exact catalog model from a person's words: brand, name, model number, mAh or Wh. Several matches \
are a gap `SEVERAL_MODELS`: ask the person, because models with similar names differ in watt-hours and \
recalls. No match means that nothing is known about the model, never that it may travel."""

GET_MODEL = """\
The facts of one exact model: watt-hours (`rated` by the maker, or `computed` from mAh and volts), \
certifications, sources, active recalls. Empty `certifications` means not known, never not certified. If \
recalls leave a question open, there is a gap."""

VERIFY_POWER_BANK = f"""\
The verdict for one power bank model on one flight, with constraints, warnings, citations and `expires_at`. \
For a route with stops use `verify_trip`, for different power banks or several passengers \
`verify_itinerary`. {FAIL_CLOSED}"""

VERIFY_TRIP = f"""\
The verdict for one power bank model on a whole journey: the strictest of its flights. Send `origin`, \
`transit`, `destination` and `airline`, or, if airlines differ, each flight in `legs`. Each flight in \
`segments` has its constraints, warnings and next step: give those to the person. `verify_power_bank` has \
the citations of one flight. {FAIL_CLOSED}"""

VERIFY_ITINERARY = f"""\
The verdict for several power banks, passengers or flights. Use it whenever a person has more than one \
power bank: limits of numbers count everything that one passenger carries. Name every power bank, and every \
flight in order of travel, the return as well. `packing` says who carries what, what is banned only because \
it is checked (`move_to_cabin`), what `stays` and why (`numbers`: too many, each alone may travel; `unit`; \
`route`), what `may_travel`, and what is `undecided`: not cleared. The answer holds only if each passenger \
carries what `packing.passengers` says: tell the person, also where `date_assumed` is true. If the whole is \
not `allowed`, no part of it is cleared: ask again about what is to travel. {FAIL_CLOSED}"""

CHECK_RECALL = """\
The active recalls of one exact model and, with the serial, what they say about this unit. Only \
`recall_status` `not_affected` is in the unit's favor, and it is no permission to travel: the rules of the \
route still decide. Unknown never clears a unit. If only the maker's own list can decide, there is a gap \
`external_list_required` with its address. A recall of another model of the brand means nothing for this \
one."""

GET_AIRLINE_POLICY = """\
One airline's policy on power banks: a summary, the official page, how many rules are in force, and how \
well it is known: `confirmed` (an official page was read), `reported` (another page was read), \
`unverified`. Partners also get rules, citations and changes. It is no verdict: authorities on the route \
may be stricter."""

SEARCH_RULES = """\
The rules of authorities and airlines in force on a day: conditions, the sentence for travelers, citations. \
A rule says what one issuer requires where all its conditions (`when`) are met; `watt_hour_over` is >, \
`watt_hour_at_least` >=, `watt_hour_up_to` <=. It is no verdict, and an empty list is no permission."""

GET_SOURCES = """\
The evidence that answers cite: for a model, a rule, an airline or a place, with the day on which each page \
was read (`pulled_at`), and the last day on which that reading is fresh (`fresh_until`)."""

LIST_POLICY_CHANGES = """\
How airlines' and authorities' policies changed: counts for every caller; with a partner key also the \
changes, the watched pages and the editors' review queue."""

ARGUMENTS: Mapping[str, str] = {
    "carried_by": "The number of the passenger who carries them. Absent: the best distribution is found.",
    "citations": "Which citations the answer lists. Absent: `deciding`. `full`: those of all rules that were "
    "applied. `none`: `rule_ids` still name the rules.",
    "cursor": "`next_cursor` of the page before.",
    "model_id": "The exact model, from `search_models`.",
    "recall_check": "What the maker's recall list says about the unit, for all active recalls of the model. "
    "`affected` bans; with `not_affected` the verdict is at best `conditional`. Absent: `not_checked`.",
    "ref": "Your name of the item; the answer uses it.",
    "rule_id": "As in `rule_ids` and `verdict_path`.",
    "ruleset_version": "The release that must answer; any but the current one is refused.",
    "serial": "The identifier that a recall asks for, as printed on the unit: mostly its serial number.",
    "serial_hash": "Instead of `serial`: its SHA-256 (trimmed, upper case). A pattern cannot be checked "
    "against it.",
}
"""What arguments mean, in fewer words than in the contract. They mean the same in all tools."""
