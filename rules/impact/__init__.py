"""The blast radius of a change: every verdict that would be another one, before it is published.

Compares two rulesets over every model, airline, country, direction, compartment and the numbers of units
that their rules tell apart. What cannot differ is not evaluated, and what must be equal is evaluated once:
`classes` says why. Pure: no Django, no clock, no I/O, and cut into parts by airline, so that workers can
share the work. Called by `manage.py release preview`.
"""

from rules.impact.measuring import Flip, Outcome, Part, Survey, is_lenient, survey
from rules.impact.summary import Impact, summarize

__all__ = ["Flip", "Impact", "Outcome", "Part", "Survey", "is_lenient", "summarize", "survey"]
