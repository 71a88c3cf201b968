"""JSON Schemas of the tools' input and output: those of the contract, cut to what an agent needs.

An agent reads all of them before its first call. So they name every argument and every field of an answer,
and leave out what only programs check: long patterns, lengths, examples, the inside of an answer's fields.
The readers check arguments against the contract itself, so a short schema makes nothing less strict.
"""

from collections.abc import Iterable, Mapping

import msgspec

from compliance.api.contract.schemas import Schema, Schemas
from compliance.api.protocol.parameters import AnyParameter
from compliance.channels.mcp import texts

_IN_CONTRACT = "#/components/schemas/"

_SAID = ("type", "enum", "format", "minimum", "maximum", "minItems", "maxItems")
"""What a schema says of a value, in addition to a short pattern."""

LONGEST_PATTERN = 24

GAP: Schema = {
    "type": "object",
    "properties": {
        "reason_code": {"type": "string"},
        "message": {"type": "string"},
        "suggested_next_step": {"type": "object"},
    },
}
NULL: Schema = {"type": "null"}


def taken_by_struct(struct: type[msgspec.Struct]) -> Schema:
    """Return the schema of arguments that are the fields of a struct.

    It does not say that null counts as absent: an agent need not know it.
    """
    schemas = Schemas(nulls=False)
    schemas.mention(struct)
    return _taken(schemas.components[struct.__name__], schemas.components)


def taken_by_parameters(required: Iterable[AnyParameter], optional: Iterable[AnyParameter]) -> Schema:
    """Return the schema of arguments that are parameters of an address and of a query."""
    needed = [*required]
    properties = {one.name: {**one.schema, "description": one.about} for one in (*needed, *optional)}
    return _taken({"properties": properties, "required": [one.name for one in needed]}, {})


def given(answer: type[msgspec.Struct], *, verdict: bool) -> Schema:
    """Return the output schema of a tool: an answer, a gap, or an answer with a gap."""
    schemas = Schemas()
    whole = _resolved(schemas.mention(answer), schemas.components)
    fields = {name: _kind(value, schemas.components) for name, value in whole["properties"].items()}
    clearance = {"clear_to_pack": {"type": "boolean"}} if verdict else {}
    either = {"gap": GAP, "answer": {"type": "object", "properties": fields}}
    # One type each: not every client knows lists of types.
    properties = clearance | {name: {"anyOf": [value, NULL]} for name, value in either.items()}
    return {"type": "object", "properties": properties, "required": [*properties]}


def _taken(schema: Schema, components: Mapping[str, Schema]) -> Schema:
    """Return an object of arguments, each in place: not every agent follows references."""
    properties = {name: _argument(name, value, components) for name, value in schema["properties"].items()}
    required = {"required": schema["required"]} if schema.get("required") else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def _argument(name: str, schema: Schema, components: Mapping[str, Schema]) -> Schema:
    about = texts.ARGUMENTS.get(name) or _resolved(schema, components).get("description")
    return _value(schema, components) | ({"description": about} if about else {})


def _value(schema: Schema, components: Mapping[str, Schema]) -> Schema:
    whole = _resolved(schema, components)
    if "oneOf" in whole:
        whole = _merged([_resolved(one, components) for one in whole["oneOf"]])
    if "properties" in whole:
        return _taken(whole, components)
    said = {name: whole[name] for name in _SAID if name in whole}
    if len(whole.get("pattern", "")) in range(1, LONGEST_PATTERN):
        said["pattern"] = whole["pattern"]
    return said | ({"items": _value(whole["items"], components)} if "items" in whole else {})


def _merged(alternatives: list[Schema]) -> Schema:
    """Return several objects as one that has the arguments of all, and requires what all require.

    Its description says which of them belong together.
    """
    required = set.intersection(*(set(one.get("required", ())) for one in alternatives))
    properties = {name: value for one in alternatives for name, value in one["properties"].items()}
    return {"properties": properties, "required": sorted(required)}


def _kind(schema: Schema, components: Mapping[str, Schema]) -> Schema:
    """Return the type of a field, and its closed set of words. What is inside it is in the contract."""
    whole = _resolved(schema, components)
    if "anyOf" in whole:
        return {"anyOf": [_kind(one, components) for one in whole["anyOf"]]}
    return {name: whole[name] for name in ("type", "enum") if name in whole}


def _resolved(schema: Schema, components: Mapping[str, Schema]) -> Schema:
    """Return a schema, or the one that it refers to. A description at the place of use is more exact."""
    if "$ref" not in schema:
        return schema
    rest = {name: value for name, value in schema.items() if name != "$ref"}
    return {**_resolved(components[schema["$ref"].removeprefix(_IN_CONTRACT)], components), **rest}
