"""From codes to sentences, in the reader's language.

The engine decides in codes; people read sentences. Everything here is built from a code and its parameters,
so each message exists in each language and editors never type the text of a verdict. `texts` and `step_texts`
contain the English; `sentences` words one constraint or warning, `summaries` the whole answer in a few
sentences, `next_steps` what to do about a gap, `open_points` all that has to be settled, `advice` what to do
about a ban, `steps` the path of a verdict and any rule.

Called by everything that shows a verdict: the API, pages, the manifest and tools. A language is a code of
`settings.LANGUAGES`. Finished texts are cached, so a verdict needs no translation on the way to an answer.
"""

from rules.wording.advice import advice, danger_advice
from rules.wording.alternatives import alternatives_words, recall_check_words
from rules.wording.considered import considered_words
from rules.wording.guidance import (
    guidance_constraint_messages,
    guidance_notes,
    guidance_summary,
    guidance_warning_messages,
    trip_guidance_summary,
)
from rules.wording.itineraries import flight_sentence, flight_step, itinerary_summary
from rules.wording.next_steps import (
    NextStep,
    coverage_step,
    next_step,
    serial_step,
    trip_next_step,
    voltage_step,
)
from rules.wording.open_points import is_open, open_points
from rules.wording.sentences import (
    constraint_messages,
    coverage_message,
    lookup_url,
    rule_message,
    sentence,
    warning_messages,
)
from rules.wording.steps import rule_words, steps
from rules.wording.summaries import ban_reasons, essentials, summary, trip_summary

__all__ = [
    "NextStep",
    "advice",
    "alternatives_words",
    "ban_reasons",
    "considered_words",
    "constraint_messages",
    "coverage_message",
    "coverage_step",
    "danger_advice",
    "essentials",
    "flight_sentence",
    "flight_step",
    "guidance_constraint_messages",
    "guidance_notes",
    "guidance_summary",
    "guidance_warning_messages",
    "is_open",
    "itinerary_summary",
    "lookup_url",
    "next_step",
    "open_points",
    "recall_check_words",
    "rule_message",
    "rule_words",
    "sentence",
    "serial_step",
    "steps",
    "summary",
    "trip_guidance_summary",
    "trip_next_step",
    "trip_summary",
    "voltage_step",
    "warning_messages",
]
