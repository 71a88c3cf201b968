"""A question in a visitor's own words, as the fields of the form. Called by `reading`.

What the words name is written into its field; where they may name several things, the field gets the words,
so that the visitor chooses there. A field that was filled by hand is left alone.

Words that no field holds may matter. While there are any, the question waits until the visitor has confirmed
that the fields are all the facts, and has filled in how many power banks there are and whether they are
intact. Then the fields are the question, and the sentence is not.
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
"""The fields that whoever confirms has to fill in."""

NEEDED_FOR = {
    "when": "date",
    "day": "date",
    "bag": "bag",
    "label": "label",
    "mark": "mark",
    "recalled": "recall",
}
"""The fields that have to be filled in too, by what the unused words are about."""

MILD_FIELDS = frozenset((*MILD, ("count", "1")))
"""Fields that a sentence must not fill by itself while some of its words are unused: one may take it back."""


class Heard(NamedTuple):
    """The fields with what a sentence adds to them, and what it leaves open; see `Asked`."""

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
    """Leave open what only the sentence says, and mildly. What it says strictly stays."""
    kept = {
        name: value
        for name, value in filled.values.items()
        if given[name] or (name, value) not in MILD_FIELDS
    }
    strict = {name: value for name, value in said.facts().items() if (name, value) not in MILD_FIELDS}
    return Typed({**kept, **strict}, filled.via)


def _confirmed(given: Typed, unused: tuple[Unused, ...], needed: frozenset[str]) -> Heard:
    """Return the fields as they were confirmed. A fact that was not said is missing."""
    missing = [field for field in sorted(needed) if given[field] in UNKNOWN]
    problems = tuple(Problem(field, "missing", f"asked.{field}.missing") for field in missing)
    return Heard(given, problems, unused, needed)


def _several(given: Typed, said: Understood) -> Iterator[Problem]:
    """Yield what the words name several of, where only one can be asked about."""
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
    """Return the fields with what was said, except those that were filled by hand."""
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
    """Return a place as it was named: a city stays a city."""
    return choice.chosen.sent if choice and choice.chosen else _field(choice)
