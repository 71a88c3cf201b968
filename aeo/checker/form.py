"""The fields of the checker as they are shown: what was typed, in words, with what is wrong beside it."""

import datetime
from collections.abc import Callable

import msgspec

from aeo.asking import MAX_DAYS_AHEAD, Asked, Problem, query_with
from aeo.factors import model_name
from aeo.languages import localized
from aeo.texts import airline_name, country_name, say
from rules.corpus import Published
from rules.engine.vocabulary import MAX_QUANTITY

CHOICES = {
    "bag": ("carry_on", "on_person", "checked"),
    "mark": ("present", "absent", "unknown"),
    "label": ("legible", "missing", "unknown"),
    "condition": ("intact", "damaged", "unknown"),
}
OPTIONAL = ("mark", "label", "condition")
SHOWN_STOPS = 2
"""How many fields for stops are shown where fewer are filled."""


class ChoiceLink(msgspec.Struct, frozen=True):
    """Something that may have been meant, and where the question goes on with it."""

    label: str
    detail: str
    path: str


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One field. `value` is what the form sends, `shown` how it reads."""

    name: str
    label: str
    value: str = ""
    shown: str = ""
    problem: str = ""
    options: tuple[tuple[str, str], ...] = ()
    choices: tuple[ChoiceLink, ...] = ()
    id: str = ""
    what: str = ""


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """All fields. `said_more` tells whether the optional ones say something."""

    sentence: str
    fields: dict[str, Field]
    stops: tuple[Field, ...]
    said_stops: bool
    said_rating: bool
    said_more: bool
    first_day: str
    last_day: str
    most: int = MAX_QUANTITY

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
    """Return the form filled with what was asked; empty where nothing was, and then nothing is missing.

    `path` gives the path at which a question, by its parameters, goes on.
    """
    return _Filler(asked, release, path).form(today)


class _Filler:
    """Fills one form."""

    def __init__(self, asked: Asked | None, release: Published, path: Callable[[str], str]) -> None:
        self._asked, self._release, self._path = asked, release, path

    def form(self, today: datetime.date) -> Form:
        fields = [
            self._field("model", self._model(), "models"),
            *(self._field(name, self._typed(name)) for name in ("wh", "mah", "v")),
            self._field("airline", self._airline(), "airlines"),
            self._field("from", self._place("from"), "places"),
            self._field("to", self._place("to"), "places"),
            self._field("date", self._typed("date")),
            self._field("count", self._typed("count") or "1"),
            *(self._choice(name) for name in CHOICES),
        ]
        stops = self._asked.typed.via if self._asked else ()
        return Form(
            sentence=self._typed("q"),
            fields={field.name: field for field in fields},
            stops=tuple(
                self._stop(number, stops[number - 1] if number <= len(stops) else "")
                for number in range(1, max(SHOWN_STOPS, len(stops)) + 1)
            ),
            said_stops=bool(stops),
            said_rating=any(map(self._typed, ("wh", "mah", "v"))) or self._kind("model") == "unknown",
            said_more=any(self._typed(name) not in {"", "unknown"} for name in OPTIONAL),
            first_day=today.isoformat(),
            last_day=(today + datetime.timedelta(days=MAX_DAYS_AHEAD)).isoformat(),
        )

    def _typed(self, name: str) -> str:
        return self._asked.typed[name] if self._asked else ""

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
            label=say(f"field.{name}"),
            value=self._typed(name),
            shown=shown,
            problem=problem.sentence if problem else "",
            choices=self._links(name, problem),
            what=what,
        )

    def _links(self, name: str, problem: Problem | None) -> tuple[ChoiceLink, ...]:
        if self._asked is None or problem is None:
            return ()
        each = {one.value: one for one in reversed(problem.choices)}
        return tuple(
            ChoiceLink(one.label, one.detail, self._path(query_with(self._asked, {name: value})))
            for value, one in reversed(each.items())
        )

    def _choice(self, name: str) -> Field:
        problem = self._problem(name)
        values = CHOICES[name]
        usual = "carry_on" if name == "bag" else "unknown"
        typed = self._typed(name)
        return Field(
            name=name,
            id=name,
            label=say(f"field.{name}"),
            value=typed if typed in values else usual,
            options=tuple((value, say(f"field.{name}.{value}")) for value in values),
            problem=problem.sentence if problem else "",
        )

    def _stop(self, number: int, typed: str) -> Field:
        problem = (
            self._problem("via") if typed and typed.upper() not in self._release.corpus.countries else None
        )
        return Field(
            name="via",
            id=f"via-{number}",
            label=say("field.via", number=number),
            value=typed,
            shown=self._country(typed),
            problem=problem.sentence if problem else "",
            what="places",
        )

    def _model(self) -> str:
        if self._asked and self._asked.model_id:
            return model_name(self._release.shelf.devices[self._asked.model_id])
        return self._typed("model")

    def _airline(self) -> str:
        airline = self._release.shelf.airlines.get(self._asked.airline) if self._asked else None
        return airline_name(airline, coded=False) if airline else self._typed("airline")

    def _place(self, name: str) -> str:
        return self._country(self._typed(name))

    def _country(self, typed: str) -> str:
        country = self._release.corpus.countries.get(typed.upper())
        return country_name(country.code, country.name) if country else typed
