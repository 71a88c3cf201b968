"""The blast radius of a change: every verdict that it would change, before it is published.

Compares two rulesets over every model, airline, country, direction, compartment and the numbers of units that
their rules distinguish. What cannot differ is not evaluated, and what must be equal is evaluated once:
`classes` explains why. Pure: no Django, no clock, no I/O, and divided into parts by airline, so that workers
can share the work. `leniency` finds the records that make answers less strict, `tally` sums everything up in
little memory. Called by `manage.py corpus impact`, by the measurements of the desk and before publishing.
"""

from rules.impact.survey.changes import Changed, Kind, changed_records
from rules.impact.survey.flips import Flip, Outcome, Part, Survey, survey
from rules.impact.survey.leniency import Leniency
from rules.impact.survey.summary import Impact, summarize
from rules.impact.survey.tally import Result, Tally, add, measure, result_of, tally

__all__ = [
    "Changed",
    "Flip",
    "Impact",
    "Kind",
    "Leniency",
    "Outcome",
    "Part",
    "Result",
    "Survey",
    "Tally",
    "add",
    "changed_records",
    "measure",
    "result_of",
    "summarize",
    "survey",
    "tally",
]
