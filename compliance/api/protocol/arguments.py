"""Parameters sent as JSON instead of text: the arguments of tools that read, and bodies in place of a query.

Each argument is read by its own declaration (`compliance.api.protocol.parameters`), as strictly and with the
same words: a misspelt or malformed argument is an error that names it, and is never ignored. A null argument
counts as absent: many agents fill in all known arguments.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from compliance.api.protocol.fields import Report, did_you_mean
from compliance.api.protocol.parameters import AnyParameter, Misfit, Query

_FAR = 1_000_000_000
"""Beyond every bound. A number such as 1E+999999999 is never written out."""

_WORDS = {True: "true", False: "false"}


def read(
    arguments: Mapping[str, Any], required: Iterable[AnyParameter], optional: Iterable[AnyParameter]
) -> Query:
    """Read arguments. Raises `ApiError` with all errors in them."""
    needed = {one.name: one for one in required}
    known = needed | {one.name: one for one in optional}
    report = Report()
    values = dict[str, Any]()
    for name, value in arguments.items():
        if name not in known:
            advice = did_you_mean(name, list(known), report)
            report.add(name[:80], "unknown_parameter", f"This argument is not known here. {advice}")
            continue
        if value is None:
            continue
        try:
            values[name] = known[name].read(_text(known[name], value))
        except Misfit as misfit:
            report.add(name, misfit.code, misfit.message)
    for name in needed.keys() - {name for name, value in arguments.items() if value is not None}:
        report.add(name, "required", f"This argument is required. {needed[name].about}")
    report.check()
    return Query(values)


def _text(parameter: AnyParameter, value: Any) -> str:
    """Return a value as it would appear in a query. Raises `Misfit` for a value of another type."""
    kind = parameter.schema.get("type")
    if kind == "boolean" and isinstance(value, bool):
        return _WORDS[value]
    if kind == "integer" and not isinstance(value, bool):
        # For JSON, 2.0 is the same whole number as 2.
        if isinstance(value, int):
            return str(value)
        if isinstance(value, Decimal) and abs(value) < _FAR and value == value.to_integral_value():
            return str(int(value))
    elif kind == "string" and isinstance(value, str):
        return value
    raise Misfit("wrong_type", f"Send {_KINDS[str(kind)]}, or leave it out.")


_KINDS: Mapping[str, str] = {
    "boolean": "`true` or `false`",
    "integer": "a whole number, without quotation marks",
    "string": "a text",
}
