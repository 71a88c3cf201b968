"""What a visitor asks, according to the address of a page: reads it, and writes it again.

`names` finds airlines, places and models by what people type. `free_text` reads whole sentences in eight
languages. The modules here turn both into a question. Nothing is guessed and nothing is stored: the address
is the question, and it never contains a serial. Called by the views of the checker, the answer, the trip and
the card.
"""

from aeo.asking.asked import FIELDS, Asked, Point, Problem, Typed
from aeo.asking.reading import MAX_DAYS_AHEAD, MAX_STOPS, NO_VOLTAGE, read, unsettled, value_of
from aeo.asking.writing import query, query_with, query_with_stop, unit_parameters

__all__ = [
    "FIELDS",
    "MAX_DAYS_AHEAD",
    "MAX_STOPS",
    "NO_VOLTAGE",
    "Asked",
    "Point",
    "Problem",
    "Typed",
    "query",
    "query_with",
    "query_with_stop",
    "read",
    "unit_parameters",
    "unsettled",
    "value_of",
]
