"""Turns a question in a visitor's own words into the fields of the form. Called by `reading`.

What the words name is written into its field. If they may name several things, the field gets the words, and
the visitor chooses there. A field that was filled by hand stays as it is.

Words that fit no field may matter. If there are any, the question waits. The visitor has to confirm that the
fields contain all facts, and to fill in how many power banks there are and whether they are intact. Then only
the fields are the question; the sentence no longer counts.
"""

import datetime
from collections.abc import Iterator
from typing import NamedTuple

from aeo.asking.asked import CONFIRMED, UNKNOWN, Problem, Typed
from aeo.asking.contradicting import contradicted
from aeo.asking.free_text.sentence import Choice, understand
from aeo.asking.free_text.understood import Understood, Unused
from aeo.asking.free_text.vocabulary import MILD
from aeo.texts import active
from rules.corpus import Published
from rules.engine.matching import plain

ALWAYS_NEEDED = frozenset(("bag", "condition", "count"))
"""The fields that are required for a confirmation."""

NEEDED_FOR = {
    "when": "date",
    "day": "date",
    "bag": "bag",
    "label": "label",
    "mark": "mark",
    "recalled": "recall",
}
"""The additional required fields, by the subject of the unused words."""

MILD_FIELDS = frozenset(MILD)
"""Facts that a sentence with unused words must not fill in alone: one of these may contradict them."""


class Heard(NamedTuple):
    """The fields with what a sentence adds to them and what it leaves open; see `Asked`."""

    typed: Typed
    problems: tuple[Problem, ...] = ()
    unused: tuple[Unused, ...] = ()
    needed: frozenset[str] = frozenset()
    other_device: bool = False


def heard(given: Typed, release: Published, today: datetime.date) -> Heard:
    """Return the fields of a question with what its sentence adds."""
    confirmed = given["confirmed"] == CONFIRMED
    if not given["q"]:
        return _confirmed(given, (), ALWAYS_NEEDED) if confirmed else Heard(given)
    said = understand(release, given["q"], active(), today)
    unused = (*said.unused, *contradicted(given, said, release))
    needed = ALWAYS_NEEDED | {NEEDED_FOR[one.about] for one in unused if one.about in NEEDED_FOR}
    if not unused:
        return Heard(_filled(given, said), tuple(_several(given, said)))
    if confirmed:
        return _confirmed(given, unused, needed)
    problems = (*_several(given, said), Problem("q", "unconfirmed", "asked.q.unconfirmed"))
    filled = _without_mild(_filled(given, said), given, said)
    return Heard(filled, problems, unused, needed, said.other_device)


def _without_mild(filled: Typed, given: Typed, said: Understood) -> Typed:
    """Leave open the mild facts and the number that only the sentence states. Its strict facts stay.

    A word that was not used, such as “each”, can multiply any number.
    """
    kept = {
        name: value
        for name, value in filled.values.items()
        if given[name] or (name != "count" and (name, value) not in MILD_FIELDS)
    }
    strict = {name: value for name, value in said.facts().items() if (name, value) not in MILD_FIELDS}
    return Typed({**kept, **strict}, filled.via)


def _confirmed(given: Typed, unused: tuple[Unused, ...], needed: frozenset[str]) -> Heard:
    """Return the fields as the visitor confirmed them. A fact that was not given is missing."""
    missing = [field for field in sorted(needed) if given[field] in UNKNOWN]
    problems = tuple(Problem(field, "missing", f"asked.{field}.missing") for field in missing)
    return Heard(given, problems, unused, needed)


def _several(given: Typed, said: Understood) -> Iterator[Problem]:
    """Yield a problem for each part with several names in the words, if it can have only one."""
    if said.several_models and not given["model"]:
        yield _choose("model", said.model)
    if said.several_airlines and not given["airline"]:
        yield _choose("airline", said.airline)
    if said.several_units and not said.several_models and not given["count"]:
        yield Problem("count", "missing", "asked.count.missing")


def _choose(field: str, choice: Choice | None) -> Problem:
    words, choices = (choice.words, choice.candidates) if choice else ("", ())
    return Problem(field, "unknown", f"asked.{field}.named", (("typed", words),), choices)


def _filled(given: Typed, said: Understood) -> Typed:
    """Return the fields with what the sentence says, except those that were filled by hand."""
    values = {
        "model": "" if said.several_models else _field(said.model),
        "airline": "" if said.several_airlines else _field(said.airline),
        "from": _place(said.origin),
        "to": _place(said.destination),
        "date": said.travel_date.isoformat() if said.travel_date else "",
        "count": str(said.quantity) if said.quantity else "",
        **said.facts(),
    }
    if said.label is not None:
        values["wh"] = plain(said.label.watt_hour) if said.label.watt_hour else ""
        values["mah"] = str(said.label.capacity_mah or "")
        values["v"] = plain(said.label.nominal_voltage) if said.label.nominal_voltage else ""
    added = {name: value for name, value in values.items() if value and not given[name]}
    stops = given.via or tuple(map(_place, said.stops))
    return Typed({**given.values, **added}, stops)


def _field(choice: Choice | None) -> str:
    return "" if choice is None else choice.value or choice.words


def _place(choice: Choice | None) -> str:
    """Return a place as the visitor named it: a city stays a city."""
    return choice.chosen.sent if choice and choice.chosen else _field(choice)
