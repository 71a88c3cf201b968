"""JSON Schemas of the types of requests and answers.

msgspec can do this too, but less exactly: our decimals are sent as numbers, our times as UTC date-times, and
a field that is left out when empty is never null; an optional field of a request may be null, which counts
as absent. Docstrings become descriptions.
"""

import inspect
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from msgspec import inspect as types

from catalog.energy import WattHourBasis
from catalog.records import Confidence, SourceBasis, SourceKind
from compliance.api.protocol.codes import Kind as CodeKind
from compliance.api.protocol.errors import PROBLEMS
from compliance.api.protocol.field_codes import FieldCode
from compliance.api.verdicts.requests import COUNTRIES, RequestPart
from recalls.records import AnnouncedPrecision
from recalls.serials import MatchMethod, MatchStatus, RecallCheckMethod, RecallScope, RecallStatus
from rules.engine.vocabulary import (
    CODES,
    Compartment,
    Effect,
    Issuer,
    LabelIndication,
    MarkIndication,
    Nature,
    Scope,
    Severity,
    UnitCondition,
    Verdict,
)

Schema = dict[str, Any]

WORDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Verdict": ("Only `allowed` may be treated as allowed.", get_args(Verdict)),
    "Severity": ("How serious a warning is.", get_args(Severity)),
    "Compartment": ("Where a power bank travels.", get_args(Compartment)),
    "MarkIndication": ("Whether a certification mark is on the unit.", get_args(MarkIndication)),
    "LabelIndication": ("Whether the rating can be read on the unit.", get_args(LabelIndication)),
    "UnitCondition": ("The state of the unit.", get_args(UnitCondition)),
    "RecallStatus": (
        "What the recalls of exactly this model say about the unit. Only `not_affected` is in the unit's "
        "favor.",
        get_args(RecallStatus),
    ),
    "RecallCheckMethod": ("How the recall status was determined.", get_args(RecallCheckMethod)),
    "RecallScope": ("What decides which units of the model a recall is about.", get_args(RecallScope)),
    "MatchStatus": ("`unknown` never clears a unit.", get_args(MatchStatus)),
    "MatchMethod": (
        "`external_list_required`: only the maker's own list gives the answer, at `explicit_list_url` if "
        "that is known.",
        get_args(MatchMethod),
    ),
    "SourceKind": ("Who made the statement.", get_args(SourceKind)),
    "SourceBasis": (
        "What was read: the official page, a copy, another page, or nothing.",
        get_args(SourceBasis),
    ),
    "Confidence": (
        "`confirmed`: an official page was read. `reported`: a secondary page was read. `unverified`: "
        "neither was read.",
        get_args(Confidence),
    ),
    "WattHourBasis": (
        "`rated` by the maker, `computed` from mAh and volts, or `unknown`.",
        get_args(WattHourBasis),
    ),
    "Effect": ("What a rule does.", get_args(Effect)),
    "Issuer": ("Who made a rule.", get_args(Issuer)),
    "Scope": ("Which flights a rule applies to.", get_args(Scope)),
    "Nature": ("What kind of statement a code is.", tuple(nature.value for nature in Nature)),
    "AnnouncedPrecision": ("How exact the date of an announcement is.", get_args(AnnouncedPrecision)),
    "CountryCode": ("ISO 3166-1 alpha-2 code of a country, upper case.", COUNTRIES),
    "FieldErrorCode": ("What is wrong with a single field.", get_args(FieldCode)),
    "CodeKind": ("Where answers have a code.", get_args(CodeKind)),
    "RuleCode": (
        "What a rule says. Answers list it as a constraint or a warning.",
        tuple(sorted(code.name for code in CODES.values() if code.from_rules)),
    ),
    "ProblemCode": ("What went wrong, for programs. Treat every code as *not allowed*.", tuple(PROBLEMS)),
}
"""Closed sets of words that are used in several places: their names, meanings and members."""

_NAME_OF_WORDS = {frozenset(words): name for name, (_, words) in WORDS.items()}
assert len(_NAME_OF_WORDS) == len(WORDS), "two names for the same words"


def reference(kind: str, name: str) -> Schema:
    """Return a pointer to a component of the contract."""
    return {"$ref": f"#/components/{kind}/{name}"}


class Schemas:
    """The component schemas of one contract. Each type is added when it is first mentioned.

    With `nulls`, optional fields of requests may be null. Without it, those that must be absent are left out.
    """

    def __init__(self, *, nulls: bool = True) -> None:
        self.components: dict[str, Schema] = {}
        self._nulls = nulls
        self._types: dict[str, type] = {}

    def mention(self, struct: type) -> Schema:
        """Return a reference to the schema of a struct, or a choice of several."""
        return self._of(types.type_info(struct))

    def named(self, schema: Mapping[str, Any]) -> Schema:
        """Return a schema; a closed set of words with a name is a reference to that name."""
        return self._words(tuple(schema["enum"])) if "enum" in schema else dict(schema)

    def _of(self, kind: types.Type) -> Schema:
        match kind:
            case types.Metadata():
                return self._annotated(kind)
            case types.StructType():
                return self._struct(kind)
            case types.LiteralType():
                return self._words(kind.values)
            case types.EnumType():
                return self._words(tuple(member.value for member in kind.cls))
            case types.UnionType():
                return self._union([self._of(one) for one in kind.types])
            case types.ListType() | types.VarTupleType():
                return self._bounded(
                    {"type": "array", "items": self._of(kind.item_type)},
                    minItems=kind.min_length,
                    maxItems=kind.max_length,
                )
            case types.DictType():
                return {"type": "object", "additionalProperties": self._of(kind.value_type)}
            case types.CustomType():
                alternatives: tuple[type[msgspec.Struct], ...] = kind.cls.one_of  # type: ignore[attr-defined]
                return {"oneOf": [self.mention(one) for one in alternatives]}
            case types.StrType():
                return self._bounded(
                    {"type": "string"},
                    minLength=kind.min_length,
                    maxLength=kind.max_length,
                    pattern=kind.pattern,
                )
            case types.IntType():
                return self._bounded({"type": "integer"}, minimum=kind.ge, maximum=kind.le)
            case types.FloatType():
                return self._bounded({"type": "number"}, minimum=kind.ge, maximum=kind.le)
        return dict(_PLAIN[type(kind)])

    def _annotated(self, kind: types.Metadata) -> Schema:
        extra = dict(kind.extra_json_schema or {})
        if "enum" in extra:
            return self._words(tuple(extra.pop("enum"))) | extra
        return self._of(kind.type) | extra

    def _words(self, words: tuple[Any, ...]) -> Schema:
        name = _NAME_OF_WORDS.get(frozenset(words))
        if name is None:
            return {"type": "string", "enum": list(words)}
        return self._word(name)

    def _word(self, name: str) -> Schema:
        """Return a reference to a set of words with a name."""
        meaning, members = WORDS[name]
        self.components[name] = {"type": "string", "description": meaning, "enum": list(members)}
        return reference("schemas", name)

    def _union(self, members: list[Schema]) -> Schema:
        return members[0] if len(members) == 1 else {"anyOf": members}

    def _bounded(self, schema: Schema, **bounds: Any) -> Schema:
        return schema | {name: bound for name, bound in bounds.items() if bound is not None}

    def _struct(self, kind: types.StructType) -> Schema:
        struct, name = kind.cls, kind.cls.__name__
        if self._types.setdefault(name, struct) is not struct:
            raise ValueError(f"two types are called {name}: {struct} and {self._types[name]}")
        if name not in self.components:
            # Before its fields: a type may contain itself.
            self.components[name] = {}
            self.components[name] = self._object(kind)
        return reference("schemas", name)

    def _object(self, kind: types.StructType) -> Schema:
        also: Mapping[str, Any] = getattr(kind.cls, "also", {})
        left_out = kind.cls.__struct_config__.omit_defaults
        required = [field.encode_name for field in kind.fields if not _may_be_absent(field, left_out)]
        schema: Schema = {
            "type": "object",
            "description": inspect.cleandoc(kind.cls.__doc__ or ""),
            "properties": {
                field.encode_name: self._of(_as_sent(field.type, left_out and field.default is None))
                for field in kind.fields
            },
        }
        if issubclass(kind.cls, RequestPart):
            schema["properties"] = {
                name: _or_null(property_) if self._nulls and name not in required else property_
                for name, property_ in schema["properties"].items()
                if self._nulls or property_.get("type") != "null"
            }
        if required:
            schema["required"] = required
        if issubclass(kind.cls, RequestPart):
            schema["additionalProperties"] = False
        return {**schema, **also}


def _or_null(schema: Schema) -> Schema:
    """Return a schema that allows null too. What describes the field stays outside the choice."""
    if schema.get("type") == "null":
        return schema
    about: Schema = {name: schema[name] for name in ("description", "examples") if name in schema}
    rest = {name: value for name, value in schema.items() if name not in about}
    return {"anyOf": [rest, {"type": "null"}], **about}


def _may_be_absent(field: types.Field, left_out: bool) -> bool:
    # `UNSET` is the only default that is never sent; msgspec shows it as no default at all.
    has_default = field.default is not msgspec.NODEFAULT or field.default_factory is not msgspec.NODEFAULT
    return not field.required and (left_out or not has_default)


def _as_sent(kind: types.Type, never_null: bool) -> types.Type:
    """Return the type of a field when it is present."""
    if never_null and isinstance(kind, types.UnionType):
        rest = tuple(one for one in kind.types if not isinstance(one, types.NoneType))
        return types.UnionType(rest)
    return kind


_PLAIN: dict[type[types.Type], Schema] = {
    types.AnyType: {},
    types.BoolType: {"type": "boolean"},
    types.NoneType: {"type": "null"},
    types.DecimalType: {"type": "number"},
    types.DateType: {"type": "string", "format": "date"},
    types.DateTimeType: {"type": "string", "format": "date-time"},
}
