"""What a page has understood of a sentence, and what is left to fill in and to press.

In words, in the active language, from the fields of the form. Called by the views of the checker and of an
itinerary.
"""

import datetime
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from aeo.asking.asked import UNKNOWN
from aeo.checker.form import Field, Form
from aeo.texts import say
from aeo.web.formatting import day

_FIRST = ("model", "airline", "from", "to")
"""The fields without which there is no question."""

_INSTEAD = {"model": ("wh", "mah"), "airline": ("sold",)}
"""Fields of which one is enough in place of another."""


class Part(NamedTuple):
    """The fields of one power bank or one flight; `name` is empty if there is only one part."""

    name: str
    fields: Sequence[Field]


class Progress(NamedTuple):
    """A line for each part that was understood, and what is left to do."""

    understood: tuple[str, ...]
    left: str


def progress(parts: Sequence[Part]) -> Progress:
    """Return what is understood and what is left in some parts of a form."""
    understood = (_line(part, map(_fact, filter(_is_said, part.fields))) for part in parts)
    left = (
        _line(part, (_short(field.label) for field in part.fields if _is_open(field, part))) for part in parts
    )
    button = say("checker.confirm")
    if fields := "; ".join(filter(None, left)):
        return Progress(tuple(filter(None, understood)), say("progress.left", fields=fields, button=button))
    return Progress(tuple(filter(None, understood)), say("progress.ready", button=button))


def of_form(form: Form) -> Progress:
    """Return it for the form of one power bank."""
    return progress([Part("", (*form.fields.values(), *form.stops))])


def _line(part: Part, words: Iterable[str]) -> str:
    line = " · ".join(words)
    return say("named", name=part.name, value=line) if part.name and line else line


def _is_said(field: Field) -> bool:
    return field.value not in UNKNOWN and not field.problem


def _fact(field: Field) -> str:
    """Return a field with its value, in words."""
    shown = dict(field.options).get(field.value, field.shown or field.value)
    if _stem(field) == "date":
        shown = _day(field.value)
    return say("named", name=_plain(field.label), value=shown)


def _day(value: str) -> str:
    try:
        return day(datetime.date.fromisoformat(value))
    except ValueError:
        return value


def _is_open(field: Field, part: Part) -> bool:
    stem = _stem(field)
    instead = [other for other in part.fields if _stem(other) in _INSTEAD.get(stem, ())]
    is_empty = not field.value and not any(other.value for other in instead)
    return bool(field.problem) or (is_empty and (field.required or stem in _FIRST))


def _plain(label: str) -> str:
    """Return a question without its marks."""
    return label.strip(" ?\u00bf\uff1f\u00a0\u202f")


def _short(label: str) -> str:
    """Return a question without its details: those after a colon, or in brackets."""
    return _plain(re.split("[:\uff1a(\uff08]", label)[0])


def _stem(field: Field) -> str:
    return field.name.partition("_")[0]
