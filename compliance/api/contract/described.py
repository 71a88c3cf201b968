"""The schemas of the contract: each field has a description, and each code is one of a closed set.

Tools for agents describe the same types more briefly (`schemas`): each agent reads them with every list. So
most descriptions of fields are not in the types, but in `fields.yaml`.
"""

from pathlib import Path
from typing import Any

import yaml
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


FIELDS: dict[str, dict[str, str]] = yaml.safe_load(Path(__file__).with_name("fields.yaml").read_text())
"""What fields mean, by schema and name; `every` has those that mean the same everywhere."""


class DescribedSchemas(Schemas):
    """The component schemas of the contract."""

    def _object(self, kind: types.StructType) -> Schema:
        schema = super()._object(kind)
        for name, field in schema["properties"].items():
            sets = _CLOSED.get(f"{kind.cls.__name__}.{name}")
            shown = field if sets is None else _closed(field, self._either(sets))
            about = _meaning(kind.cls, name)
            schema["properties"][name] = shown if about is None else {"description": about} | shown
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


def _meaning(struct: type, field: str) -> str | None:
    """Return what a field means: as its own struct says, or else the one that it inherits from."""
    names = (*[one.__name__ for one in struct.__mro__], "every")
    return next((FIELDS[name][field] for name in names if field in FIELDS.get(name, {})), None)


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
