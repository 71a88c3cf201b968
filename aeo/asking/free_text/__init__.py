"""What a traveler means: models, airlines and places by name, and whole sentences, in eight languages.

Nothing here decides anything about a flight, and nothing that was typed is kept. Where several things bear a
name, all are given; text that says nothing gives nothing and never an error. Called by the views of the site.
"""

from aeo.asking.free_text.sentence import Understood, Unused, understand
from aeo.asking.names.near import near_airlines, near_places
from aeo.asking.names.suggestions import (
    Suggestion,
    read_place,
    suggest_airlines,
    suggest_models,
    suggest_places,
)

__all__ = [
    "Suggestion",
    "Understood",
    "Unused",
    "near_airlines",
    "near_places",
    "read_place",
    "suggest_airlines",
    "suggest_models",
    "suggest_places",
    "understand",
]
