r"""Records as rows of text, and back without loss: how a spreadsheet writes them.

Pure: no Django, no clock, no I/O. Called by the rest of `catalog.bulk`, and by the admin to describe changes.

- A column is a field of the record; the fields of a nested record have dotted names, `when.compartment`.
- An empty cell is an unknown fact, or an empty list.
- A list has one item on each line. A list of records has one record on each line, its fields between ` | `.
- Any value that is not a text, a number, a date or such a list is JSON.
- A backslash starts an escape: `\\` is a backslash, `\n` and `\r` are line ends within an item, `\|` is a bar
  within a field, `\e` is an empty text, `\u001f` is any other character.
- A cell never begins with a character that starts a formula: an apostrophe comes before it. A negative number
  is no formula.
"""

import datetime
import functools
import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec

from catalog.energy import is_plain
from catalog.records import Record

AnyRecord = TypeVar("AnyRecord", bound=Record)

MOST_CHARACTERS = 40
"""The longest number, date or name of a state in a cell."""
SHOWN_CHARACTERS = 100
"""The part of a text that an error quotes."""

# A whole cell that is a negative number computes nothing.
_NUMBER = r"-[0-9]+(?:\.[0-9]+)?\Z"
_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
# A spreadsheet that expects `;` or tabs divides a cell there, and some divide it at a line end.
_INSIDE = "(?<=[;\t\r\n])%s(?='*[=+\\-@\uff1d\uff0b\uff0d\uff20])"
_BEGINS = re.compile(rf"\A(?!{_NUMBER})(?={_FORMULA.pattern})|{_INSIDE % ''}")
_NEUTRALIZED = re.compile(rf"\A'(?={_FORMULA.pattern})|{_INSIDE % chr(39)}")
# Everything that XML or a line of text cannot contain. A plain cell keeps its line ends.
_UNSPEAKABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_ESCAPE = re.compile(r"\\(u[0-9a-f]{4}|.|$)", re.DOTALL)
_PLAIN = {"\\": "\\", "n": "\n", "r": "\r", "|": "|", "e": ""}
_TOKEN = re.compile(r"\\.|[^\\|]+|\||\\", re.DOTALL)


_BUILTIN = (datetime.date, Decimal)


class BadCell(ValueError):
    """A cell that cannot be read. The text names its column and the problem."""

    def __init__(self, column: str, reason: str) -> None:
        super().__init__(f"`{column}` {reason}")


class Column(NamedTuple):
    """One column: its name, the path to its field, the field's type, and whether a new row needs it."""

    name: str
    path: tuple[str, ...]
    type: Any
    required: bool


def columns_of(record_type: type[Any]) -> tuple[Column, ...]:
    """Return the columns of a type of record, in the order of its fields."""
    key: Any = record_type
    return _columns_of(key)


def to_cells(record: Any) -> dict[str, str]:
    """Return a record as text by column, for people. `neutralized` makes formulas harmless."""
    return {column.name: _to_text(_at(record, column), column.type) for column in columns_of(type(record))}


def differences(before: AnyRecord | None, after: AnyRecord) -> list[tuple[str, str, str]]:
    """Return the cells in which two records differ: column, text before, text after.

    Without a record before, these are the cells that are not empty.
    """
    new = to_cells(after)
    if before is None:
        return [(column, "", text) for column, text in new.items() if text]
    old = to_cells(before)
    return [
        (column.name, old[column.name], new[column.name])
        for column in columns_of(type(before))
        if _at(before, column) != _at(after, column)
    ]


def from_cells(
    record_type: type[AnyRecord], cells: Mapping[str, str], *, kept: AnyRecord | None = None
) -> AnyRecord:
    """Return the record of a row. A missing column keeps its value from `kept`.

    Raises `BadCell` for the first cell that cannot be read.
    """
    fields: dict[str, Any] = msgspec.to_builtins(kept, builtin_types=_BUILTIN) if kept else {}
    for column in columns_of(record_type):
        if column.name not in cells:
            if column.required and kept is None:
                raise BadCell(column.name, "is missing; a new row needs it")
            continue
        at = fields
        for name in column.path[:-1]:
            at = at.setdefault(name, {})
        at[column.path[-1]] = _from_text(cells[column.name], column.type, column.name)
    try:
        return msgspec.convert(fields, record_type, from_attributes=True)
    except msgspec.ValidationError as error:
        raise BadCell("row", f"cannot be read: {error}") from None


def neutralized(text: str) -> str:
    """Return the text of a cell in a form that no spreadsheet runs, whichever separator it assumes."""
    return _BEGINS.sub("'", text)


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet would run the text of a cell."""
    begins_so = not text.startswith("'") and _FORMULA.match(text) is not None
    return begins_so and re.match(_NUMBER, text) is None


def denaturalized(text: str) -> str:
    """Return the text from which `neutralized` made a cell."""
    return _NEUTRALIZED.sub("", text)


@functools.cache
def _columns_of(record_type: Any) -> tuple[Column, ...]:
    return tuple(_columns(record_type, ()))


def _at(record: Any, column: Column) -> Any:
    for name in column.path:
        record = getattr(record, name)
    return record


def _columns(record_type: Any, path: tuple[str, ...]) -> Iterator[Column]:
    for field in msgspec.structs.fields(record_type):
        here = (*path, field.name)
        if _is_record(field.type):
            yield from _columns(field.type, here)
        else:
            yield Column(".".join(here), here, field.type, field.required)


def _is_record(of_type: Any) -> bool:
    return isinstance(of_type, type) and issubclass(of_type, msgspec.Struct)


@functools.cache
def _known(of_type: Any) -> tuple[Any, bool]:
    """Return a type without its `None`, and whether it had one."""
    if get_origin(of_type) not in (Union, UnionType):
        return of_type, False
    known = [part for part in get_args(of_type) if part is not NoneType]
    return (known[0] if len(known) == 1 else Union[tuple(known)]), len(known) < len(get_args(of_type))  # noqa: UP007


@functools.cache
def _item(of_type: Any) -> Any:
    """Return the type of the items of a list, or None if the type is not a list."""
    return get_args(of_type)[0] if get_origin(of_type) is tuple else None


@functools.cache
def _is_scalar(of_type: Any) -> bool:
    return of_type is str or of_type in _KINDS or get_origin(of_type) is Literal


@functools.cache
def _is_line(of_type: Any) -> bool:
    """Return whether a record fits on one line."""
    return _is_record(of_type) and all(
        _is_scalar(_known(field.type)[0]) for field in msgspec.structs.fields(of_type)
    )


# --- To text ---


def _to_text(value: Any, of_type: Any) -> str:
    if value is None:
        return ""
    known, optional = _known(of_type)
    item = _item(known)
    if _is_scalar(known):
        return _scalar(value, may_be_empty=not optional)
    if _is_line(item):
        return "\n".join(
            " | ".join(
                _line(getattr(record, field.name)).replace("|", "\\|")
                for field in msgspec.structs.fields(item)
            )
            for record in value
        )
    if _is_scalar(item):
        return "\n".join(map(_line, value))
    return msgspec.json.encode(value).decode()


def _scalar(value: Any, *, may_be_empty: bool) -> str:
    match value:
        case str():
            return _escaped(value) or ("" if may_be_empty else "\\e")
        case bool():
            return str(value).lower()
        case Decimal():
            return f"{value:f}"
    return str(value)


def _line(value: Any) -> str:
    return "" if value is None else _scalar(value, may_be_empty=False).replace("\n", "\\n")


def _escaped(text: str) -> str:
    # A text of only spaces would be read as an empty one.
    if text and not text.strip():
        return "".join(f"\\u{ord(character):04x}" for character in text)
    return _UNSPEAKABLE.sub(_escape, text.replace("\\", "\\\\"))


def _escape(found: re.Match[str]) -> str:
    return "\\r" if found[0] == "\r" else f"\\u{ord(found[0]):04x}"


# --- From text ---


def _from_text(text: str, of_type: Any, column: str) -> Any:
    known, optional = _known(of_type)
    item = _item(known)
    if optional and not text.strip():
        return None
    if _is_scalar(known):
        return _read(text, known, column)
    lines = [line for line in text.split("\n") if line.strip()]
    if _is_line(item):
        return tuple(_read_record(line, item, column) for line in lines)
    if _is_scalar(item):
        return tuple(_read(line, item, column) for line in lines)
    try:
        read = msgspec.json.decode(text, type=known)
        json.loads(text, object_pairs_hook=_require_once, parse_int=str, parse_float=str)
        return read
    except _Twice as twice:
        raise BadCell(column, f"has the field `{_shown(str(twice))}` twice") from None
    except (ValueError, RecursionError) as error:
        raise BadCell(column, f"is not valid JSON: {error}") from None


class _Twice(Exception):
    """An object of JSON has the field of this name twice."""


def _require_once(pairs: list[tuple[str, Any]]) -> None:
    seen = set()
    for name, _ in pairs:
        if name in seen:
            raise _Twice(name)
        seen.add(name)


def _read_record(line: str, of_type: type[Any], column: str) -> Any:
    """Return the fields of one line, without the one space on each side of a bar."""
    fields = msgspec.structs.fields(of_type)
    parts = [""]
    for token in _TOKEN.findall(line):
        if token == "|":
            parts[-1] = parts[-1].removesuffix(" ")
            parts.append("")
        else:
            parts[-1] += token if parts[-1] or len(parts) == 1 else token.removeprefix(" ")
    if not sum(field.required for field in fields) <= len(parts) <= len(fields):
        names = " | ".join(field.name for field in fields)
        raise BadCell(column, f"has {names} on each line, not `{_shown(line)}`")
    return {
        field.name: _from_text(part, field.type, column)
        # The last fields that may be missing, such as the place of a quote on its page.
        for field, part in zip(fields, parts, strict=False)
    }


def _read(text: str, of_type: Any, column: str) -> Any:
    if get_origin(of_type) is Literal:
        if text.strip() not in get_args(of_type):
            raise BadCell(column, f"is one of {', '.join(get_args(of_type))}, not `{_shown(text)}`")
        return text.strip()
    if of_type is str:
        return _unescaped(text, column)
    try:
        # Python reads `36_0` as 360, and for people it is a typing error.
        if len(text.strip()) > MOST_CHARACTERS or "_" in text:
            raise msgspec.ValidationError
        value = msgspec.convert(text.strip(), of_type, strict=False)
        if isinstance(value, Decimal) and not is_plain(value):
            raise msgspec.ValidationError
    except msgspec.ValidationError:
        raise BadCell(column, f"is {_KINDS[of_type]}, not `{_shown(text)}`") from None
    return value


def _shown(text: str) -> str:
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


_KINDS = {
    int: "a whole number",
    Decimal: "a number such as 37 or 36.48",
    datetime.date: "a date such as 2026-11-20",
    bool: "true or false",
}


def _unescaped(text: str, column: str) -> str:
    def plain(found: re.Match[str]) -> str:
        name = found[1]
        if len(name) == 5 and not "ud800" <= name <= "udfff":
            return chr(int(name[1:], 16))
        if name not in _PLAIN:
            raise BadCell(
                column, f"has a backslash without a meaning; write \\\\ for one in `{_shown(text)}`"
            )
        return _PLAIN[name]

    return _ESCAPE.sub(plain, text)
