"""Query parameters: each is declared once, read strictly, and shown in the contract as it is read.

A misspelt, repeated or malformed parameter is an error and never ignored: a list that silently dropped its
filter would be too long. All errors of a query are reported at once, in the words of `fields`.
"""

import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast
from urllib.parse import parse_qsl

from django.http import HttpRequest

from compliance.api.protocol.errors import ApiError, FieldError
from compliance.api.protocol.field_codes import FieldCode
from compliance.api.protocol.fields import (
    VISIBLE_TEXT,
    Fits,
    Report,
    calendar_date,
    did_you_mean,
    supported_language,
)

Value = TypeVar("Value")

MAX_PARAMETERS = 32
"""More parameters than these are not read at all."""


class Misfit(ValueError):
    """A text that a parameter does not accept: an error code of `fields`, and what to send instead."""

    def __init__(self, code: FieldCode, message: str) -> None:
        super().__init__(code)
        self.code = code
        self.message = message


@dataclass(frozen=True, eq=False)
class Parameter(Generic[Value]):
    """One parameter of a query or an address.

    `read` turns its text into a value or raises `Misfit`. `schema` says the same as JSON Schema. A `private`
    parameter may contain data that must not be stored, such as a serial: an answer to it is never cached.
    """

    name: str
    about: str
    schema: Mapping[str, Any]
    read: Callable[[str], Value]
    default: Value
    example: Any = None
    private: bool = False


AnyParameter = Parameter[Any]


@dataclass(frozen=True)
class Query:
    """The parameters of one request, by their declarations: `query[LIMIT]` is a number."""

    values: Mapping[str, Any] = field(repr=False)

    def __getitem__(self, parameter: Parameter[Value]) -> Value:
        """Return the value that was sent, or else the default."""
        return cast(Value, self.values.get(parameter.name, parameter.default))


def text(name: str, about: str, *, most: int, example: str, private: bool = False) -> Parameter[str | None]:
    """Declare a text of 1 to `most` visible characters."""
    message = f"Send 1 to {most} visible characters, or leave it out."
    return matching(
        name,
        about,
        lambda sent: len(sent) <= most and VISIBLE_TEXT.fullmatch(sent),
        message,
        schema={
            "type": "string",
            "minLength": 1,
            "maxLength": most,
            "pattern": f"^{VISIBLE_TEXT.pattern}$",
        },
        example=example,
        private=private,
    )


def coded(
    name: str, about: str, pattern: re.Pattern[str], message: str, *, example: str, private: bool = False
) -> Parameter[str | None]:
    """Declare a text that a pattern matches completely; `message` says what to send."""
    schema = {"type": "string", "pattern": f"^({pattern.pattern})$"}
    return matching(name, about, pattern.fullmatch, message, schema=schema, example=example, private=private)


def matching(
    name: str,
    about: str,
    fits: Fits,
    message: str,
    *,
    schema: Mapping[str, Any],
    example: str,
    private: bool = False,
) -> Parameter[str | None]:
    """Declare a text for which `fits` is true; `message` says what to send."""

    def read(sent: str) -> str:
        if not fits(sent):
            raise Misfit("invalid_format", message)
        return sent

    return Parameter(name, about, schema, read, None, example, private)


def choice(
    name: str, about: str, values: Sequence[str], *, example: str | None = None
) -> Parameter[str | None]:
    """Declare one of several words."""

    def read(sent: str) -> str:
        if sent not in values:
            listed = ", ".join(f"`{value}`" for value in values)
            raise Misfit("invalid_choice", f"Send one of {listed}, or leave it out.")
        return sent

    schema = {"type": "string", "enum": list(values)}
    return Parameter(name, about, schema, read, None, example or values[0])


def language(name: str, about: str, languages: Sequence[str]) -> Parameter[str | None]:
    """Declare one of some languages; a regional tag counts as its language."""
    exact = choice(name, about, languages)

    def read(sent: str) -> str | None:
        meant = supported_language(sent)
        return meant if meant in languages else exact.read(sent)

    return replace(exact, read=read)


def flag(name: str, about: str) -> Parameter[bool]:
    """Declare `true` or `false`; the default is false."""
    words = {"true": True, "false": False}

    def read(sent: str) -> bool:
        if sent not in words:
            raise Misfit("invalid_choice", "Send `true` or `false`, or leave it out for `false`.")
        return words[sent]

    return Parameter(name, about, {"type": "boolean", "default": False}, read, False, True)


def whole_number(name: str, about: str, lowest: int, highest: int, default: int) -> Parameter[int]:
    """Declare a whole number within bounds."""
    message = f"Send a whole number from {lowest} to {highest}, or leave it out for {default}."

    def read(sent: str) -> int:
        # Only ASCII digits, and few of them: `int` also takes signs, spaces and other digits.
        if not re.fullmatch(r"[0-9]{1,9}", sent):
            raise Misfit("wrong_type", message)
        if not lowest <= int(sent) <= highest:
            raise Misfit("out_of_range", message)
        return int(sent)

    schema = {"type": "integer", "minimum": lowest, "maximum": highest, "default": default}
    return Parameter(name, about, schema, read, default, default)


def date(name: str, about: str) -> Parameter[datetime.date | None]:
    """Declare a calendar date."""

    def read(sent: str) -> datetime.date:
        day = calendar_date(sent)
        if day is None:
            raise Misfit("invalid_format", "Send a date in the form YYYY-MM-DD, or leave it out.")
        return day

    return Parameter(name, about, {"type": "string", "format": "date"}, read, None, "2026-11-20")


def read_query(request: HttpRequest, parameters: Iterable[AnyParameter]) -> Query:
    """Read the query of a request. Raises `ApiError` with all errors in it."""
    known = {parameter.name: parameter for parameter in parameters}
    report, values = Report(), dict[str, Any]()
    for name, sent in _pairs(request):
        if name not in known:
            _refuse_unknown(name, known, report)
        elif name in values:
            report.add(name, "repeated", "Send this parameter once.")
        else:
            values[name] = _read(known[name], sent, report)
    report.check()
    return Query(values)


def is_private(request: HttpRequest, parameters: Iterable[AnyParameter]) -> bool:
    """Say whether a query contains data that must not be stored. Raises `ApiError` if it cannot be read."""
    names = {parameter.name for parameter in parameters if parameter.private}
    return bool(names) and any(name in names for name, _ in _pairs(request))


def _pairs(request: HttpRequest) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            request.META.get("QUERY_STRING", ""),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MAX_PARAMETERS,
        )
    except UnicodeDecodeError:
        why = "The query is not UTF-8."
    except ValueError:
        why = f"The query has more than {MAX_PARAMETERS} parameters."
    raise ApiError("VALIDATION_ERROR", why, [FieldError("query", "malformed_query", why)])


def _read(parameter: AnyParameter, sent: str, report: Report) -> Any:
    try:
        return parameter.read(sent)
    except Misfit as misfit:
        report.add(parameter.name, misfit.code, misfit.message)
        return parameter.default


def _refuse_unknown(name: str, known: Iterable[str], report: Report) -> None:
    advice = did_you_mean(name, list(known), report)
    report.add(name[:80], "unknown_parameter", f"This parameter is not known here. {advice}")
