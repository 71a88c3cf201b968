"""Reads the fields of a JSON object strictly, and collects all errors in them.

A safety service guesses nothing: `"1"` is not 1, `true` is not 1, a misspelt name is not ignored. Only what
loses nothing is accepted (decision 29): a field that is null counts as absent, and `en-GB` as `en`. Every
reader returns a value of the right type even if it found an error, so that one pass finds all errors.
`Report.check` then raises them together. Messages repeat a value only if it has the form of a code.

Called by `compliance.api.verdicts.questions`. `compliance.api.protocol.parameters` reads queries with the
same words.
"""

import datetime
import difflib
import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar

from django.utils.translation import get_supported_language_variant

from compliance.api.protocol.errors import MAX_FIELD_ERRORS, ApiError, FieldError
from compliance.api.protocol.field_codes import FieldCode
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
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}")


class Report:
    """The errors found so far in one request."""

    def __init__(self) -> None:
        self.errors: list[FieldError] = []

    def add(self, field: str, code: FieldCode, message: str, correction: str | None = None) -> None:
        """Note an error in a field, and the only value that it can mean, if there is one."""
        self.errors.append(FieldError(field, code, message, correction))

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
    """One object of a request. `path` is its place: `trip.`, or empty for the body itself.

    A field that is null counts as absent.
    """

    def __init__(self, values: Mapping[str, Any], report: Report, path: str = "") -> None:
        self.report = report
        self.path = path
        self._sent = values
        self._values = {name: value for name, value in values.items() if value is not None}
        self._known: list[str] = []

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def refuse(self, name: str, code: FieldCode, message: str) -> None:
        """Note an error in a field of this object."""
        self.report.add(self.path + name, code, message)

    def drop_empty(self, *names: str) -> None:
        """Count lists without an item as absent."""
        for name in names:
            if self._values.get(name) == []:
                del self._values[name]

    def expect_none_of(self, names: Iterable[str], code: FieldCode, message: str) -> None:
        """Note an error in each of some fields that must be absent here."""
        for name in names:
            if self._take(name) is not _ABSENT:
                self.refuse(name, code, message)

    def optional(self, name: str) -> Any:
        """Return an optional field unchanged, or none; the caller checks it."""
        value = self._take(name)
        return None if value is _ABSENT else value

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
        value = self._values.get(name)
        if isinstance(value, str) and _is_lower_case_of(AIRLINE_CODE, value):
            self._known.append(name)
            self._refuse_case(name, value, "Airline codes")
            return ""
        return self.text(name, AIRLINE_CODE.fullmatch, AIRLINE_WANTED)

    def optional_airline(self, name: str) -> str | None:
        """Return an optional airline designator."""
        if name in self:
            return self.airline(name)
        self._known.append(name)
        return None

    def place(self, name: str, known: Fits, unclear: Callable[[str], str], wanted: str) -> str:
        """Return the required code of a country or an airport.

        `known` says whether there is one. `unclear` says why a code in upper case may mean two places; it is
        empty for all others.
        """
        value = self._values.get(name)
        if isinstance(value, str) and (meant := _reserved_for(value)):
            self._known.append(name)
            self.report.add(self.path + name, "unknown_country", _reserved_message(value, meant), meant)
            return ""
        if isinstance(value, str) and value.isascii() and (why := unclear(value.upper())):
            self._known.append(name)
            self.refuse(name, "invalid_format", why)
            return ""
        if isinstance(value, str) and value.isascii() and not known(value) and known(value.upper()):
            self._known.append(name)
            self._refuse_case(name, value, "Codes of countries and airports")
            return ""
        return self.text(name, known, wanted)

    def language(self, name: str, languages: Sequence[str], default: str) -> str:
        """Return one of some languages; a regional tag such as `en-GB` counts as its language."""
        value = self._values.get(name)
        if isinstance(value, str) and (meant := supported_language(value)) in languages:
            self._known.append(name)
            return meant
        return self.choice(name, languages, default)

    def choice(self, name: str, values: Sequence[Choice], default: Choice) -> Choice:
        """Return one of several words."""
        value = self._take(name)
        if value is _ABSENT:
            return default
        for one in values:
            if one == value:
                return one
        code: FieldCode = "invalid_choice" if isinstance(value, str) else "wrong_type"
        self.refuse(name, code, f"Send one of {_listed(values)}, or leave it out for `{default}`.")
        return default

    def whole_number(self, name: str, lowest: int, highest: int, default: int) -> int:
        """Return a whole number within bounds."""
        value = self._take(name)
        if value is _ABSENT:
            return default
        message = f"Send a whole number from {lowest} to {highest}, without quotation marks."
        # For JSON, and for the contract, 2.0 is the same whole number as 2.
        # The bounds come first, because 1E+999999999 is whole, too.
        if isinstance(value, Decimal) and lowest <= value <= highest and value == value.to_integral_value():
            value = int(value)
        # `type`, because true and false are numbers in Python.
        if type(value) is not int:
            is_whole = isinstance(value, Decimal) and value == value.to_integral_value()
            self.refuse(name, "out_of_range" if is_whole else "wrong_type", message)
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
        for name in self._sent:
            if name not in self._known:
                shown = name[:SHOWN_NAME_CHARACTERS]
                advice = did_you_mean(shown, self._known, self.report)
                self.refuse(shown, "unknown_field", f"This field is not known here. {advice}")

    def _refuse_case(self, name: str, code: str, kind: str) -> None:
        message = f"{kind} are upper case: send `{code.upper()}`."
        self.report.add(self.path + name, "invalid_format", message, code.upper())

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
AIRLINE_WANTED = (
    "Send the two characters of the airline's IATA code, such as `EK`. GET /api/airlines?q= finds it by a "
    "name."
)
COUNTRY_WANTED = (
    "Send an ISO 3166-1 country code of two upper-case letters, such as `JP`. GET /api/places?q= finds it by "
    "the name of a country, city or airport."
)

_RESERVED = {"UK": "GB"}
"""Codes that ISO 3166-1 keeps for a country which has another one, so that they can mean nothing else."""


def country(value: Any, countries: Container[str], report: Report, path: str) -> str:
    """Return a value if it is a country code; else report the error and return an empty text."""
    if not isinstance(value, str):
        report.add(path, "wrong_type", COUNTRY_WANTED)
    elif value in countries:
        return value
    elif meant := _reserved_for(value):
        report.add(path, "unknown_country", _reserved_message(value, meant), meant)
    elif COUNTRY_CODE.fullmatch(value):
        report.add(path, "unknown_country", f"`{value}` is not an ISO 3166-1 country code. {COUNTRY_WANTED}")
    elif _is_lower_case_of(COUNTRY_CODE, value):
        upper = value.upper()
        message = f"Country codes are upper case: send `{upper}`."
        report.add(path, "invalid_format", message, upper if upper in countries else None)
    else:
        report.add(path, "invalid_format", COUNTRY_WANTED)
    return ""


def _reserved_for(text: str) -> str | None:
    """Return the code of the country for which another one is reserved, in upper or lower case."""
    return _RESERVED.get(text.upper()) if text.isascii() else None


def _reserved_message(sent: str, meant: str) -> str:
    return f"`{sent}` is not an ISO 3166-1 country code. The code of that country is `{meant}`: send it."


def supported_language(tag: str) -> str:
    """Return the language of this service that a tag of BCP 47 means; an empty text if it means none.

    `en-GB` means `en`, and `zh-TW` means `zh-hant`. `zh` means none, because it names no script.
    """
    if not _LANGUAGE_TAG.fullmatch(tag):
        return ""
    try:
        return get_supported_language_variant(tag.lower(), strict=True)
    except LookupError:
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
