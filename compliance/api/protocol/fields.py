"""Reads the fields of a JSON object strictly, and collects all errors in them.

A safety service guesses nothing: `"1"` is not 1, `true` is not 1, null is not the same as absent, a misspelt
name is not ignored. Every reader returns a value of the right type even if it found an error, so that one
pass finds all errors. `Report.check` then raises them together. Messages repeat a value only if it has the
form of a code.

Called by `compliance.api.verdicts.questions`. `compliance.api.protocol.parameters` reads queries with the
same words.
"""

import datetime
import difflib
import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from compliance.api.protocol.errors import MAX_FIELD_ERRORS, ApiError, FieldError
from rules.engine.document import AIRLINE_CODE, COUNTRY_CODE

Choice = TypeVar("Choice", bound=str)
Fits = Callable[[str], object]
"""Says whether a text is valid for a field."""

SHOWN_NAME_CHARACTERS = 80
"""How much of an unknown field's name an error repeats."""

_HIDDEN = r"\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
_BLANK = r"\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
VISIBLE_TEXT = re.compile(f"[^{_HIDDEN}]*[^{_HIDDEN}{_BLANK}][^{_HIDDEN}]*")
"""Text with something visible in it and nothing hidden.

It lists code points, not classes of characters: classes grow with every Unicode version, and the contract
must mean the same to every reader.
"""

_ABSENT: Any = object()
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Report:
    """The errors found so far in one request."""

    def __init__(self) -> None:
        self.errors: list[FieldError] = []

    def add(self, field: str, code: str, message: str) -> None:
        """Note an error in a field."""
        self.errors.append(FieldError(field, code, message))

    def has_room(self) -> bool:
        """Say whether an answer would show one more error."""
        return len(self.errors) < MAX_FIELD_ERRORS

    def check(self) -> None:
        """Raise `ApiError` if there is any error."""
        if not self.errors:
            return
        count = len(self.errors)
        detail = (
            "One field is not valid: see `errors`."
            if count == 1
            else f"{count} fields are not valid: see `errors`."
        )
        if count > MAX_FIELD_ERRORS:
            detail = f"{count} fields are not valid: see `errors` for the first {MAX_FIELD_ERRORS}."
        raise ApiError("VALIDATION_ERROR", detail, self.errors[:MAX_FIELD_ERRORS])


class Fields:
    """One object of a request. `path` is its place: `trip.`, or empty for the body itself."""

    def __init__(self, values: Mapping[str, Any], report: Report, path: str = "") -> None:
        self.report = report
        self.path = path
        self._values = values
        self._known: list[str] = []

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def refuse(self, name: str, code: str, message: str) -> None:
        """Note an error in a field of this object."""
        self.report.add(self.path + name, code, message)

    def accept(self, name: str) -> Any:
        """Return an existing field unchanged; the caller checks it."""
        self._known.append(name)
        return self._values[name]

    def text(self, name: str, fits: Fits, message: str) -> str:
        """Return a required text; `message` says what to send."""
        return self._text(name, self._required(name, message), fits, message) or ""

    def optional_text(self, name: str, fits: Fits, message: str) -> str | None:
        """Return an optional text; `message` says what to send."""
        return self._text(name, self._take(name), fits, message)

    def country(self, name: str, countries: Container[str]) -> str:
        """Return a required country code."""
        value = self._required(name, COUNTRY_WANTED)
        return "" if value is _ABSENT else country(value, countries, self.report, self.path + name)

    def airline(self, name: str) -> str:
        """Return a required airline designator. Whether the airline is covered is decided by the verdict."""
        wanted = "Send the two characters of the airline's IATA code, such as `EK`."
        value = self._values.get(name)
        if isinstance(value, str) and _is_lower_case_of(AIRLINE_CODE, value):
            wanted = f"Airline codes are upper case: send `{value.upper()}`."
        return self.text(name, AIRLINE_CODE.fullmatch, wanted)

    def choice(self, name: str, values: Sequence[Choice], default: Choice) -> Choice:
        """Return one of several words."""
        value = self._take(name)
        if value is _ABSENT:
            return default
        for one in values:
            if one == value:
                return one
        code = "invalid_choice" if isinstance(value, str) else "wrong_type"
        self.refuse(name, code, f"Send one of {_listed(values)}, or leave it out for `{default}`.")
        return default

    def whole_number(self, name: str, lowest: int, highest: int, default: int) -> int:
        """Return a whole number within bounds."""
        value = self._take(name)
        if value is _ABSENT:
            return default
        message = f"Send a whole number from {lowest} to {highest}, without quotation marks."
        # For JSON, and for the contract, 2.0 is the same whole number as 2.
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        # `type`, because true and false are numbers in Python.
        if type(value) is not int:
            self.refuse(name, "wrong_type", message)
        elif not lowest <= value <= highest:
            self.refuse(name, "out_of_range", message)
        else:
            return value
        return default

    def date(
        self, name: str, first: datetime.date, last: datetime.date, default: datetime.date
    ) -> datetime.date:
        """Return a calendar date within bounds."""
        value = self._take(name)
        if value is _ABSENT:
            return default
        message = f"Send a date from {first} to {last} in the form YYYY-MM-DD."
        date = calendar_date(value) if isinstance(value, str) else None
        if date is None:
            self.refuse(name, "invalid_format" if isinstance(value, str) else "wrong_type", message)
        elif not first <= date <= last:
            self.refuse(name, "out_of_range", message)
        else:
            return date
        return default

    def items(self, name: str, most: int, message: str) -> list[Any]:
        """Return a list of one to `most` items unchanged; an empty one if it is absent or wrong."""
        value = self._take(name)
        if value is _ABSENT:
            return []
        if not isinstance(value, list):
            self.refuse(name, "wrong_type", message)
        elif not 1 <= len(value) <= most:
            self.refuse(name, "out_of_range", message)
        else:
            return value
        return []

    def object(self, name: str) -> "Fields":
        """Return a required object; an empty one if it is missing or wrong."""
        return self._object(name, self._required(name, OBJECT_WANTED))

    def optional_object(self, name: str) -> "Fields":
        """Return an optional object; an empty one if it is absent or wrong."""
        return self._object(name, self._take(name))

    def refuse_others(self) -> None:
        """Note each unknown field. Call it after all known ones were read."""
        for name in self._values:
            if name not in self._known:
                shown = name[:SHOWN_NAME_CHARACTERS]
                advice = did_you_mean(shown, self._known, self.report)
                self.refuse(shown, "unknown_field", f"This field is not known here. {advice}")

    def _take(self, name: str) -> Any:
        self._known.append(name)
        return self._values.get(name, _ABSENT)

    def _required(self, name: str, wanted: str) -> Any:
        value = self._take(name)
        if value is _ABSENT:
            self.refuse(name, "required", f"This field is required. {wanted}")
        return value

    def _text(self, name: str, value: Any, fits: Fits, message: str) -> str | None:
        if value is _ABSENT:
            return None
        if not isinstance(value, str):
            self.refuse(name, "wrong_type", message)
        elif not fits(value):
            self.refuse(name, "invalid_format", message)
        else:
            return value
        return None

    def _object(self, name: str, value: Any) -> "Fields":
        path = f"{self.path}{name}."
        if isinstance(value, dict):
            return Fields(value, self.report, path)
        if value is not _ABSENT:
            self.refuse(name, "wrong_type", OBJECT_WANTED)
        # A missing object lacks all of its fields as well. That needs no message: this report is thrown away.
        return Fields({}, Report(), path)


OBJECT_WANTED = "Send a JSON object."
COUNTRY_WANTED = "Send an ISO 3166-1 country code of two upper-case letters, such as `JP`."


def country(value: Any, countries: Container[str], report: Report, path: str) -> str:
    """Return a value if it is a country code; else report the error and return an empty text."""
    if not isinstance(value, str):
        report.add(path, "wrong_type", COUNTRY_WANTED)
    elif value in countries:
        return value
    elif COUNTRY_CODE.fullmatch(value):
        report.add(path, "unknown_country", f"`{value}` is not an ISO 3166-1 country code. {COUNTRY_WANTED}")
    elif _is_lower_case_of(COUNTRY_CODE, value):
        report.add(path, "invalid_format", f"Country codes are upper case: send `{value.upper()}`.")
    else:
        report.add(path, "invalid_format", COUNTRY_WANTED)
    return ""


def did_you_mean(name: str, known: Collection[str], report: Report) -> str:
    """Suggest a known name for an unknown one."""
    # The search takes time, and a caller never sees more errors than a report shows.
    similar = difflib.get_close_matches(name, known, n=1) if report.has_room() else []
    if similar:
        return f"Did you mean `{similar[0]}`?"
    return f"Known here: {_listed(known)}." if known else "None is."


def calendar_date(text: str) -> datetime.date | None:
    """Return the day that a text of the form YYYY-MM-DD names; none for any other text."""
    # Python alone would also read other forms of ISO 8601, such as week dates.
    if not _DATE.fullmatch(text):
        return None
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def _is_lower_case_of(code: re.Pattern[str], text: str) -> bool:
    # Only ASCII, because the upper case of `ß` is `SS`, a country.
    return text.isascii() and not code.fullmatch(text) and code.fullmatch(text.upper()) is not None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
