"""The schemas of the contract, with closed sets of codes.

Tools for agents describe the same types more briefly (`schemas`): each agent reads them with every list.
"""

from typing import Any

from msgspec import inspect as types

from compliance.api.contract.schemas import Schema, Schemas, reference
from compliance.api.protocol.codes import MAX_UNITS, Kind, names

_OF_KIND: dict[str, tuple[Kind, str]] = {
    "ConstraintCode": (
        "constraint",
        "A requirement. The number of `max_units` is a part of the code: `max_units_2`.",
    ),
    "WarningCode": ("warning", "Something that the traveler should know."),
    "GapCode": ("gap", "What is missing for a verdict."),
    "NextStepCode": ("next_step", "What to do next."),
}
"""The sets of codes: their kinds and meanings. `GET /api/codes` says what each code means."""

_CLOSED: dict[str, tuple[str, ...]] = {
    "ConstraintBody.code": ("ConstraintCode",),
    "ItineraryConstraintBody.code": ("ConstraintCode",),
    "WarningBody.code": ("WarningCode",),
    "ItineraryWarningBody.code": ("WarningCode",),
    "ItemOnFlightBody.decided_by": ("ConstraintCode", "GapCode"),
    "NextStep.code": ("NextStepCode",),
    "ErrorBody.code": ("ProblemCode",),
    "RuleBody.code": ("RuleCode",),
    "OneRuleBody.code": ("RuleCode",),
}
"""The fields that have a code of some of these sets."""


class DescribedSchemas(Schemas):
    """The component schemas of the contract."""

    def _object(self, kind: types.StructType) -> Schema:
        schema = super()._object(kind)
        for name, field in schema["properties"].items():
            sets = _CLOSED.get(f"{kind.cls.__name__}.{name}")
            if sets is not None:
                schema["properties"][name] = _closed(field, self._either(sets))
        return schema

    def _either(self, sets: tuple[str, ...]) -> Schema:
        """Return the schema of a code that is in one of these sets."""
        for name in sets:
            if name in _OF_KIND:
                self.components.setdefault(name, _code_schema(name))
            else:
                self._word(name)
        members = [reference("schemas", name) for name in sets]
        return members[0] if len(members) == 1 else {"anyOf": members}


def _code_schema(name: str) -> Schema:
    kind, meaning = _OF_KIND[name]
    codes = names(kind)
    if kind != "constraint":
        return {"type": "string", "description": meaning, "enum": codes}
    plain = [code for code in codes if code != "max_units"]
    return {
        "description": meaning,
        "anyOf": [
            {"type": "string", "enum": plain},
            {"type": "string", "pattern": f"^{MAX_UNITS.pattern}$"},
        ],
    }


def _closed(field: Any, codes: Schema) -> Any:
    """Return the schema of a field with each free text in it replaced by a set of codes."""
    if isinstance(field, list):
        return [_closed(one, codes) for one in field]
    if not isinstance(field, dict):
        return field
    if field.get("type") == "string":
        return {name: value for name, value in field.items() if name != "type"} | codes
    return {
        name: _closed(value, codes) if name in {"anyOf", "items"} else value for name, value in field.items()
    }
