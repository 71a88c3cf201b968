"""The survey of every question: what a change does to any answer, before it is published.

Compares two rulesets over every model, airline, flight, day and description of a unit, without a horizon.
What a release changes is a statement about all questions, with counts, and with example questions that anyone
can ask. What cannot differ is not judged (`survey`), and questions that no rule can tell apart are judged
once:

    signatures, rulebook   rules by what they decide, and changed ones by themselves
    flights, periods       countries, flights and days that no rule can tell apart
    models, recalls        models and serials that no rule can tell apart
    cells                  what is in play on flights of an airline on a day
    descriptions           units that the rules in play cannot tell apart
    worlds, judging        the engine's verdict before, after, and with some of the changes
    comparison, leniency   how answers flip, and which changes make them less strict
    covering, loosening    which records are less strict by themselves, although others hide it
    hiding                 which facts of the catalog are so
    naming                 which names find another record than before
    telling                what travelers are told beside the verdict
    counting               which models let a bag of several get a less strict answer
    samples, tally, result what editors read

Pure: no Django, no clock, no I/O, and divided into parts by airline, so that workers can share the work.
Called by `manage.py corpus impact`, by the measurements of the desk and before publishing.
"""

from rules.impact.survey.changes import Changed, Kind, changed_records
from rules.impact.survey.outcomes import Outcome
from rules.impact.survey.result import Count, Result, Row, Rows, measure, result_of
from rules.impact.survey.samples import Label, Sample, SurveyDisagrees, ask
from rules.impact.survey.survey import Survey
from rules.impact.survey.tally import Cause, Tally, add, tally

__all__ = [
    "Cause",
    "Changed",
    "Count",
    "Kind",
    "Label",
    "Outcome",
    "Result",
    "Row",
    "Rows",
    "Sample",
    "Survey",
    "SurveyDisagrees",
    "Tally",
    "add",
    "ask",
    "changed_records",
    "measure",
    "result_of",
    "tally",
]
