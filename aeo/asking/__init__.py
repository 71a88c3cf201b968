"""What a visitor asks, as it stands in an address: read, held, and written again.

Pages remember nothing, so the address is the question: whoever has it has the question, and nothing else of
whoever asked. A serial never stands in one. Called by the views of the checker, the answer, the trip and the
card.
"""

from aeo.asking.asked import FIELDS, Asked, Point, Problem, Typed
from aeo.asking.reading import MAX_DAYS_AHEAD, MAX_STOPS, NO_VOLTAGE, read, unsettled
from aeo.asking.writing import query, query_with, query_with_stop

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
    "unsettled",
]
