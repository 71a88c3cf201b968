"""The fields of the checker as they are shown: what was typed, in words, with its problems."""

import datetime
from collections.abc import Callable, Iterable

import msgspec
from msgspec import structs

from aeo.asking import MAX_DAYS_AHEAD, NO_VOLTAGE, Asked, Point, Problem, query_with, query_with_stop
from aeo.asking.asked import UNKNOWN
from aeo.asking.writing import USUAL
from aeo.texts import airline_name, model_name, say
from aeo.web.languages import localized
from rules.corpus import Published
from rules.engine.vocabulary import MAX_QUANTITY

CHOICES = {
    "bag": ("carry_on", "on_person", "checked"),
    "mark": ("present", "absent", "unknown"),
    "label": ("legible", "missing", "unknown"),
    "condition": ("intact", "damaged", "unknown"),
    "recall": ("not_affected", "affected", "not_checked"),
}
OPTIONAL = ("mark", "label", "condition", "recall")
IN_FULL = ("count", "condition")
"""The fields that ask the full question if they are required."""

PICKED = ("date", "count")
"""The fields that a browser empties if it cannot read them."""

SHOWN_STOPS = 2
"""The minimum number of fields for stops."""


class ChoiceLink(msgspec.Struct, frozen=True):
    """A possible meaning, and the address at which the question continues with it."""

    label: str
    detail: str
    path: str


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field. `value` is what the form sends, `shown` is its text for people."""

    name: str
    label: str
    value: str = ""
    shown: str = ""
    problem: str = ""
    options: tuple[tuple[str, str], ...] = ()
    choices: tuple[ChoiceLink, ...] = ()
    id: str = ""
    what: str = ""
    required: bool = False


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """All fields.

    `said_more` tells whether the optional fields are filled, `no_voltage` that the label shows no voltage.
    `confirms`: the sentence has unused words, so the traveler has to confirm the fields.
    """

    sentence: str
    fields: dict[str, Field]
    stops: tuple[Field, ...]
    said_stops: bool
    said_rating: bool
    no_voltage: bool
    said_more: bool
    confirms: bool
    first_day: str
    last_day: str
    most: int = MAX_QUANTITY

    @property
    def needed_choices(self) -> tuple[Field, ...]:
        """The facts of the unit that are required."""
        return tuple(self.fields[name] for name in OPTIONAL if self.fields[name].required)

    @property
    def other_choices(self) -> tuple[Field, ...]:
        """The facts of the unit that are optional."""
        return tuple(self.fields[name] for name in OPTIONAL if not self.fields[name].required)

    def __getattr__(self, name: str) -> Field:
        """Return a field by its name, for templates."""
        try:
            return self.fields[name]
        except KeyError as error:
            raise AttributeError(name) from error


def check_path(query: str) -> str:
    """Return the path that answers a question, given by its parameters."""
    return f"{localized('/check')}?{query}"


def form(
    asked: Asked | None,
    release: Published,
    today: datetime.date,
    path: Callable[[str], str] = check_path,
) -> Form:
    """Return the form filled with the question. If nothing was asked, it is empty and nothing is missing.

    `path` returns the path at which a question, given by its parameters, continues.
    """
    return _Filler(asked, release, path).form(today)


class _Filler:
    """Fills one form."""

    def __init__(self, asked: Asked | None, release: Published, path: Callable[[str], str]) -> None:
        self._asked, self._release, self._path = asked, release, path

    def form(self, today: datetime.date) -> Form:
        fields = [
            self._field("model", self._model(), "models"),
            *(self._field(name, self._typed(name)) for name in ("wh", "mah")),
            self._field("v", "" if self._no_voltage else self._typed("v")),
            self._field("airline", self._airline(), "airlines"),
            self._place("from", self._asked.departure if self._asked else Point()),
            self._place("to", self._asked.arrival if self._asked else Point()),
            self._field("date", self._kept("date")),
            self._field("count", self._kept("count") or ("" if self._by_hand("count") else "1")),
            *(self._choice(name) for name in CHOICES),
        ]
        stops = self._asked.stops if self._asked else ()
        return Form(
            sentence=self._typed("q"),
            fields={field.name: field for field in fields},
            stops=tuple(
                self._stop(number, stops[number - 1] if number <= len(stops) else Point())
                for number in range(1, max(SHOWN_STOPS, len(stops)) + 1)
            ),
            said_stops=bool(stops),
            said_rating=any(map(self._typed, ("wh", "mah", "v"))) or self._kind("model") == "unknown",
            no_voltage=self._no_voltage,
            said_more=any(
                self._typed(name) not in {"", USUAL[name]} and not self._by_hand(name) for name in OPTIONAL
            ),
            confirms=bool(self._asked and self._asked.needed),
            first_day=today.isoformat(),
            last_day=(today + datetime.timedelta(days=MAX_DAYS_AHEAD)).isoformat(),
        )

    @property
    def _no_voltage(self) -> bool:
        return self._typed("v") == NO_VOLTAGE

    def _typed(self, name: str) -> str:
        return self._asked.typed[name] if self._asked else ""

    def _needs(self, name: str) -> bool:
        """Tell whether a field has to be filled in by hand: none of its values is assumed."""
        if self._asked is None:
            return False
        return name in self._asked.needed or self._kind(name) == "missing"

    def _by_hand(self, name: str) -> bool:
        """Tell whether a field starts empty: its value is needed, or what was given could not be read."""
        return self._needs(name) or self._kind(name) == "wrong"

    def _kept(self, name: str) -> str:
        """Return what was typed. A browser shows no date and no number that it cannot read."""
        return "" if self._kind(name) == "wrong" else self._typed(name)

    def _problem(self, name: str) -> Problem | None:
        return self._asked.problem(name) if self._asked else None

    def _kind(self, name: str) -> str:
        problem = self._problem(name)
        return problem.kind if problem else ""

    def _field(self, name: str, shown: str, what: str = "") -> Field:
        problem = self._problem(name)
        return Field(
            name=name,
            id=name,
            label=self._label(name),
            value=self._typed(name),
            shown=shown,
            required=(self._asked is not None and name in self._asked.needed)
            or (name in PICKED and self._kind(name) == "wrong"),
            problem=problem.sentence if problem else "",
            choices=self._links(name, problem),
            what=what,
        )

    def _links(self, name: str, problem: Problem | None) -> tuple[ChoiceLink, ...]:
        asked = self._asked
        if asked is None:
            return ()
        return choice_links(problem, lambda sent: self._path(query_with(asked, {name: sent})))

    def _label(self, name: str) -> str:
        """Return the label of a field. If its answer decides alone, the label asks the full question."""
        return say(f"field.{name}.needed" if self._needs(name) and name in IN_FULL else f"field.{name}")

    def _choice(self, name: str) -> Field:
        problem = self._problem(name)
        needed = self._needs(name)
        values = tuple(value for value in CHOICES[name] if not needed or value not in UNKNOWN)
        by_hand = self._by_hand(name)
        usual = "" if by_hand else USUAL[name]
        typed = self._typed(name)
        return Field(
            name=name,
            id=name,
            label=self._label(name),
            value=typed if typed in values else usual,
            required=by_hand,
            options=tuple((value, say(f"field.{name}.{value}")) for value in values),
            problem=problem.sentence if problem else "",
        )

    def _place(self, name: str, point: Point) -> Field:
        filled = self._field(name, point.shown, "places")
        return structs.replace(filled, value=point.spelled)

    def _stop(self, number: int, stop: Point) -> Field:
        asked = self._asked
        problem = problem_of(stop, asked.problems if asked else ())
        return Field(
            name="via",
            id=f"via-{number}",
            label=say("field.via", number=number),
            value=stop.spelled,
            shown=stop.shown,
            problem=problem.sentence if problem else "",
            choices=choice_links(
                problem, lambda sent: self._path(query_with_stop(asked, number, sent) if asked else "")
            ),
            what="places",
        )

    def _model(self) -> str:
        if self._asked and self._asked.model_id:
            return model_name(self._release.shelf.devices[self._asked.model_id])
        return self._typed("model")

    def _airline(self) -> str:
        airline = self._release.shelf.airlines.get(self._asked.airline) if self._asked else None
        return airline_name(airline, coded=False) if airline else self._typed("airline")


def choice_links(problem: Problem | None, path: Callable[[str], str]) -> tuple[ChoiceLink, ...]:
    """Return the possible meanings, each once. `path` gives the address at which the question continues."""
    each = {one.sent: one for one in reversed(problem.choices)} if problem else {}
    return tuple(ChoiceLink(one.label, one.detail, path(sent)) for sent, one in reversed(each.items()))


def problem_of(stop: Point, problems: Iterable[Problem]) -> Problem | None:
    """Return the problem of a stop: the one about this name, or the one about all stops."""
    if stop.country or not stop.spelled:
        return None
    of_stops = [one for one in problems if one.field == "via"]
    named = (one for one in of_stops if ("typed", stop.spelled) in one.values)
    return next(named, of_stops[0] if of_stops else None)
