"""Pages for judging the service itself: how it decides, its sources, its releases, its status.

Every figure on them is counted from the release, the shipped cases or the database. Built from values, with
all words by key (`aeo.texts.reference`). Called by its own views.
"""

INDEXED = (
    "methodology",
    "disagreements",
    "policy-changes",
    "timeline",
    "map",
    "map/energy",
    "map/mark",
    "map/use",
    "map/evidence",
    "about",
    "data-boundary",
    "limits-of-this-check",
    "coverage",
    "scorecard",
    "rulesets",
)
"""The addresses of the pages about the service that are for the index."""
