"""The facts of a power bank in a question, whatever the question is about."""

from collections.abc import Mapping
from typing import Any, Final

DEFAULTS: Final = {
    "quantity": 1,
    "ccc_mark": "unknown",
    "capacity_label": "unknown",
    "condition": "unknown",
    "recall_check": "not_checked",
    "serial": None,
    "serial_hash": None,
}
"""The values of a question's missing fields."""


def facts(unit: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a power bank, with the values of missing fields."""
    return {name: unit.get(name, default) for name, default in DEFAULTS.items()}
