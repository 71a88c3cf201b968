"""JSON Schemas of the tools' input and output: those of the contract, each complete in itself.

Input schemas contain everything in place, since not every agent follows references there; output schemas
refer to their `$defs`.
"""

import json
from collections.abc import Iterable
from typing import Any

import msgspec

from compliance.api.contract.schemas import Schema, Schemas
from compliance.api.protocol.parameters import AnyParameter
from compliance.channels.mcp.calls import Gap

_IN_CONTRACT = "#/components/schemas/"
_DEFINED = "#/$defs/"

CLEAR_TO_PACK: Schema = {
    "type": "boolean",
    "description": (
        "True only for the verdict `allowed`. It is valid until `expires_at`, if all constraints are met; "
        "treat everything else as not allowed."
    ),
}


def taken_by_struct(struct: type[msgspec.Struct]) -> Schema:
    """Return the schema of arguments that are the fields of a struct."""
    schemas = Schemas()
    schemas.mention(struct)
    schema: Schema = _in_place(schemas.components[struct.__name__], schemas.components)
    return {name: schema[name] for name in ("type", "properties", "required", "additionalProperties")}


def taken_by_parameters(required: Iterable[AnyParameter], optional: Iterable[AnyParameter]) -> Schema:
    """Return the schema of arguments that are parameters of an address and of a query."""
    needed = [*required]
    return {
        "type": "object",
        "properties": {
            one.name: {**one.schema, "description": one.about, "examples": [one.example]}
            for one in (*needed, *optional)
        },
        "required": [one.name for one in needed],
        "additionalProperties": False,
    }


def given(answer: type[msgspec.Struct], *, verdict: bool) -> Schema:
    """Return the output schema of a tool: an answer, a gap, or an answer with a gap."""
    schemas = Schemas()
    either = {
        "answer": {
            "description": "The answer of the API; null if there is no answer.",
            "anyOf": [schemas.mention(answer), {"type": "null"}],
        },
        "gap": {
            "description": "What is missing or not settled; null if nothing is.",
            "anyOf": [schemas.mention(Gap), {"type": "null"}],
        },
    }
    properties = {"clear_to_pack": CLEAR_TO_PACK, **either} if verdict else either
    schema = {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "$defs": dict(sorted(schemas.components.items())),
    }
    moved: Schema = json.loads(json.dumps(schema).replace(_IN_CONTRACT, _DEFINED))
    return moved


def _in_place(schema: Any, components: dict[str, Schema]) -> Any:
    """Return a schema with each reference replaced by what it refers to."""
    if isinstance(schema, list):
        return [_in_place(one, components) for one in schema]
    if not isinstance(schema, dict):
        return schema
    rest = {name: _in_place(value, components) for name, value in schema.items() if name != "$ref"}
    if "$ref" not in schema:
        return rest
    # A description at the place of use is more exact.
    return {**_in_place(components[schema["$ref"].removeprefix(_IN_CONTRACT)], components), **rest}
