"""What the recalls of a model mean for one unit (docs, "Recalls")."""

import itertools
import math
import unicodedata
from collections.abc import Iterable
from re import Pattern

from battery_travel_reference.questions import Unit
from battery_travel_reference.records import Recall

LOOK_ALIKES = ("O0", "I1L", "Z2", "S5", "B8")
"""Characters that people confuse when they copy a serial from a worn label."""

MOST_READINGS = 4096
"""A serial with more look-alike readings is never cleared."""


def recall_of(recalls: Iterable[Recall], unit: Unit) -> tuple[str, str]:
    """Return the recall status of a unit over all recalls of its model, and how it was found."""
    recalls = list(recalls)
    found = [evaluated(recall, unit) for recall in recalls]
    if any(status == "affected" for status, _ in found):
        status = "affected"
    elif any(method == "external_list_required" for _, method in found):
        # Its method is the same word.
        return "external_check_required", "external_list_required"
    elif any(status == "unknown" for status, _ in found):
        status = "serial_unknown"
    else:
        status = "not_affected"
    # A recall of all units needs no serial, and neither does a model that no recall can match.
    if any(recall.all_units for recall in recalls):
        return status, "model_match"
    if unit.serial is not None and any(recall.pattern is not None for recall in recalls):
        return status, "pattern"
    return status, "model_match"


def evaluated(recall: Recall, unit: Unit) -> tuple[str, str]:
    """Return what one recall says of a unit: `affected`, `not_affected` or `unknown`, and by which method."""
    if recall.all_units:
        return "affected", "pattern"
    ask_the_list = "external_list_required" if recall.has_list else "none"
    if recall.pattern is None:
        return "unknown", ask_the_list
    if unit.serial is None:
        # A hash cannot be matched, so the list is all that is left. Without a hash, the serial may follow.
        return "unknown", ask_the_list if unit.serial_hash is not None else "none"
    identifier = normalized(unit.serial)
    if recall.pattern.fullmatch(identifier):
        return "affected", "pattern"
    if is_outside(recall, identifier) and not might_be_affected(recall.pattern, identifier):
        return "not_affected", "pattern"
    return "unknown", ask_the_list


def normalized(serial: str) -> str:
    """Return a serial in upper case, without white space, with full-width forms as ASCII."""
    return "".join(unicodedata.normalize("NFKC", serial).upper().split())


def is_outside(recall: Recall, identifier: str) -> bool:
    """Return whether the recall says that a serial which does not match is not affected."""
    return recall.exhaustive or (
        recall.clearing_pattern is not None and recall.clearing_pattern.fullmatch(identifier) is not None
    )


def might_be_affected(pattern: Pattern[str], identifier: str) -> bool:
    """Return whether any look-alike reading matches, or whether it is impossible to be sure."""
    choices = [
        next((group for group in LOOK_ALIKES if character in group), character) for character in identifier
    ]
    if not identifier.isascii() or math.prod(map(len, choices)) > MOST_READINGS:
        return True
    return any(pattern.fullmatch("".join(reading)) for reading in itertools.product(*choices))
