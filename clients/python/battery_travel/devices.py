"""What an answer says about one power bank: is it the one of the question, and is nothing open about it?"""

from typing import Any, Final, cast

from battery_travel.records import Json

RECALL_CHECKS: Final = frozenset({"model_match", "pattern"})
"""The ways to check a recall after which nothing else needs a check."""


def is_about(device: Json, serial: str | None) -> bool:
    """Return whether each recall gives the serial number that was sent, or nothing if none was sent."""
    evaluated: list[Any] = [recall.get("serial_evaluation") for recall in device["recalls"]]
    return all(one is None if serial is None else _gives(one, serial) for one in evaluated)


def _gives(evaluation: Any, serial: str) -> bool:
    return isinstance(evaluation, dict) and cast("Json", evaluation).get("provided_serial") == serial


def is_settled(device: Json, serial: str | None) -> bool:
    """Return whether the watt-hours are known and no recall concerns the unit. Asked after `is_about`."""
    return (
        device["watt_hour"] is not None
        and device["recall_status"] == "not_affected"
        and device["recall_check_method"] in RECALL_CHECKS
        and all(
            recall["serial_evaluation"].get("match_status") == "not_affected"
            for recall in device["recalls"]
            if serial is not None
        )
    )
