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

from aeo.asking import filling
from aeo.asking.asked import CONFIRMED, UNKNOWN, Problem, Typed
from aeo.asking.contradicting import contradicted
from aeo.asking.free_text.sentence import Choice, understand
from aeo.asking.free_text.understood import Understood, Unused
from aeo.texts import active
from rules.corpus import Published


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
        return _confirmed(given, (), filling.ALWAYS_NEEDED) if confirmed else Heard(given)
    said = understand(release, given["q"], active(), today)
    unused = (*said.unused, *contradicted(given, said, release))
    denied = said.airline is not None and filling.is_denied(given["q"], said.airline.words, unused)
    if said.airline and denied:
        # "Anyone except Qantas": the airline is not filled in, so its name is not used.
        unused = (*unused, Unused(said.airline.words, "airline"))
    needed = filling.needed(unused)
    filled = _filled(given, said, unused, "" if denied else filling.named(said.airline))
    if not unused:
        return Heard(filled, tuple(_several(given, said)))
    if confirmed:
        return _confirmed(given, unused, needed)
    problems = (*_several(given, said), Problem("q", "unconfirmed", "asked.q.unconfirmed"))
    return Heard(filled, problems, unused, needed, said.other_device)


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


def _filled(given: Typed, said: Understood, unused: tuple[Unused, ...], airline: str) -> Typed:
    """Return the fields with what the sentence says, except those that were filled by hand.

    If words are unused, a strict fact of the sentence replaces another one.
    """
    values = {
        "model": "" if said.several_models else filling.named(said.model),
        "airline": "" if said.several_airlines else airline,
        "from": filling.place(said.origin),
        "to": filling.place(said.destination),
        "date": filling.day(said),
        "count": str(said.quantity or ""),
        **filling.figures(said.label),
        **said.facts(),
    }
    added = {name: value for name, value in filling.fillable(values, unused).items() if not given[name]}
    strict = filling.strict_facts(said) if unused else {}
    stops = given.via or tuple(map(filling.place, said.stops))
    return Typed({**given.values, **added, **strict}, stops)
