"""Reads the parameters of an address as a question: lenient in spelling, strict in meaning.

Nothing is guessed. A value that names nothing is a problem of its field, and a question with a problem is not
answered. Only parameters of campaigns and serials are ignored.
"""

import datetime
import re
import unicodedata
from collections.abc import Container, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any, TypeVar, get_args

from django.http import QueryDict

from aeo.asking import meaning
from aeo.asking.asked import FIELDS, Asked, Point, Problem, ProblemKind, Typed
from aeo.asking.free_text.figures import number, of_thousands_of_none
from aeo.asking.meaning import Meaning
from aeo.asking.sentence import Heard, heard
from aeo.texts import country_name
from rules.answers import guidance
from rules.answers.guidance import LabelFact, LabelUnclear, Rating
from rules.corpus import Published
from rules.engine.vocabulary import (
    MAX_QUANTITY,
    Compartment,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
)

MAX_DAYS_AHEAD = 366
MAX_STOPS = 8
MAX_CHARACTERS = 300
"""Only the beginning of a longer value is kept."""

MOST_KEPT = {"q": MAX_CHARACTERS + 1}
"""One more character of a sentence is kept, to detect one that is too long."""

BAGS: tuple[Compartment, ...] = get_args(Compartment)
MARKS: tuple[MarkIndication, ...] = get_args(MarkIndication)
LABELS: tuple[LabelIndication, ...] = get_args(LabelIndication)
CONDITIONS: tuple[UnitCondition, ...] = get_args(UnitCondition)
LIST_ANSWERS: tuple[ListAnswer, ...] = get_args(ListAnswer)

LABEL = ("wh", "mah", "v")

LABEL_TOLERANCE = Decimal("0.03")
"""A rating may differ from the one on file by this share: labels are rounded."""

_OF_CAMPAIGN = re.compile(
    r"(?:utm|mtm|pk|hsa|mc|ga|gad|fb|vero|oly|hs|mkt|trk|_)[_-].*|_.*|.*clid|gbraid|wbraid|srsltid|igshid|igsh|si"
    r"|ref|ref_?src|referrer|source|campaign|lang|language|hl|locale|cid|sid|v|t"
)
"""Names that browsers, search engines and mails add to addresses: they say nothing about a question."""

_OF_A_UNIT = re.compile(
    r".*(?:serial|seriennummer|シリアル|序列号|序列號|일련번호).*|n[uú]m.*s[eé]rie.*|sn|imei|batch|lot"
)
"""Names of what identifies one unit. No address keeps it, and no page repeats it."""

NO_VOLTAGE = "none"
"""The value of `v` for a label that shows no voltage."""

FIELD_OF: dict[LabelFact, str] = {"watt_hour": "wh", "capacity_mah": "mah", "nominal_voltage": "v"}

MOST_CHOICES = 8
"""How many of the possible meanings of a name are offered."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_NUMBER = re.compile(r"[0-9]{1,8}([.,][0-9]{1,3})?")

Choice = TypeVar("Choice", bound=str)


def read(parameters: QueryDict, release: Published, today: datetime.date) -> Asked:
    """Return what the parameters ask. `today` is the day of asking (UTC)."""
    return _Reader(heard(typed(parameters), release, today), release, today).asked()


def typed(parameters: QueryDict) -> Typed:
    """Return the parameters of the form, cleaned. A parameter with two values keeps both, and is wrong."""
    values = {
        name: _clean(value_of(parameters, name), MOST_KEPT.get(name)) for name in FIELDS if name != "via"
    }
    if strange := _strange(parameters):
        values["q"] = _clean(f"{values['q']} {strange}", MOST_KEPT["q"])
    stops = [stop for stop in map(_clean, parameters.getlist("via")) if stop]
    return Typed({name: value for name, value in values.items() if value}, tuple(stops[: MAX_STOPS + 1]))


def value_of(parameters: QueryDict, name: str) -> str:
    """Return a parameter without spaces around it; one with two values keeps both, and is wrong."""
    return " / ".join(filter(None, dict.fromkeys(map(str.strip, parameters.getlist(name)))))


def _strange(parameters: QueryDict) -> str:
    """Return, as words, the parameters that are none of the fields and may be facts of a question.

    So no parameter that was written by hand, for the API or with a typing error is dropped.
    """
    return " ".join(
        f"{name}={one}"
        for name, values in parameters.lists()
        if name not in FIELDS and may_be_a_fact(name)
        for one in values
    )


def may_be_a_fact(name: str) -> bool:
    """Tell whether the name of a parameter is neither one of campaigns nor that of a serial."""
    plain = unicodedata.normalize("NFKC", name).strip().lower()
    return not _OF_CAMPAIGN.fullmatch(plain) and not _OF_A_UNIT.fullmatch(plain)


def _clean(value: str, most: int | None = None) -> str:
    return " ".join(_CONTROL.sub(" ", value).split())[: most or MAX_CHARACTERS]


class _Reader:
    """Reads one question and collects what is wrong with it."""

    def __init__(self, heard: Heard, release: Published, today: datetime.date) -> None:
        self._heard, self._release, self._today = heard, release, today
        self._typed = heard.typed
        self._problems = list(heard.problems)

    def asked(self) -> Asked:
        """Return what was asked."""
        rating = self._rating()
        model_id = self._model(rating)
        self._check_label(model_id, rating)
        places = self._places()
        found: dict[str, Any] = {
            "model_id": model_id,
            "rating": None if model_id else rating,
            "airline": self._airline(),
            "places": places,
            "travel_date": self._date(),
            "compartment": self._choice("bag", BAGS, "carry_on"),
            "quantity": self._quantity(),
            "ccc_mark": self._choice("mark", MARKS, "unknown"),
            "capacity_label": self._choice("label", LABELS, "unknown"),
            "condition": self._choice("condition", CONDITIONS, "unknown"),
            "recall_check": self._choice("recall", LIST_ANSWERS, "not_checked"),
        }
        return Asked(
            typed=self._typed,
            problems=tuple(self._problems),
            unused=self._heard.unused,
            needed=self._heard.needed,
            other_device=self._heard.other_device,
            **found,
        )

    def _wrong(self, field: str, kind: ProblemKind, key: str = "", **values: str | int) -> None:
        self._problems.append(Problem(field, kind, key or f"asked.{field}.{kind}", tuple(values.items())))

    def _model(self, rating: Rating | None) -> str:
        text = self._typed["model"]
        if self._is_wrong(("model",)):
            return ""
        if text.lower() in self._release.shelf.devices:
            return text.lower()
        found = meaning.model(self._release, text) if text else None
        if found and found.value:
            return found.value
        if rating is None and not self._is_wrong(LABEL):
            if found:
                return self._meant("model", found, "model", text)
            self._wrong("model", "missing")
        return ""

    def _check_label(self, model_id: str, rating: Rating | None) -> None:
        """Refuse a label that differs from the model's label: one of the two belongs to another unit."""
        if not model_id or rating is None:
            return
        device = self._release.shelf.devices[model_id]
        if rating.watt_hour is None:
            agrees = rating.capacity_mah == device.capacity_mah
        else:
            known = device.watt_hour
            agrees = known is not None and abs(rating.watt_hour - known) <= known * LABEL_TOLERANCE
        if not agrees:
            field = next(name for name in LABEL if self._typed[name])
            self._wrong(field, "wrong", "asked.label.other")

    def _meant(self, field: str, found: Meaning, kind: str, text: str) -> str:
        """Return the meaning of a name, or ask which of several things it means."""
        if not found.value:
            self._problems.append(unsettled(field, found, kind, text))
        return found.value

    def _rating(self) -> Rating | None:
        """Read the label. If it gives both mAh and Wh, the higher figure counts."""
        watt_hour, capacity = self._number("wh"), self._number("mah")
        # No voltage changes the answer for a checked bag: a capacity alone is never answered milder.
        no_voltage = self._typed["v"] == NO_VOLTAGE or (
            not self._typed["v"] and self._typed["bag"] == "checked"
        )
        voltage = None if no_voltage else self._number("v")
        if capacity is not None and capacity != int(capacity):
            self._wrong("mah", "wrong")
        if not any(self._typed[name] for name in LABEL) or self._is_wrong(LABEL):
            return None
        try:
            if no_voltage and capacity is not None and watt_hour is None:
                return guidance.capacity_alone(int(capacity))
            return guidance.rating(
                watt_hour=watt_hour,
                capacity_mah=None if capacity is None else int(capacity),
                nominal_voltage=voltage,
            )
        except LabelUnclear as unclear:
            kind: ProblemKind = "missing" if unclear.reason == "missing" else "wrong"
            contradicted = "asked.wh.contradicted" if unclear.reason == "contradicted" else ""
            self._wrong(FIELD_OF[unclear.fact], kind, contradicted)
            return None

    def _is_wrong(self, fields: Container[str]) -> bool:
        return any(one.field in fields for one in self._problems)

    def _number(self, field: str) -> Decimal | None:
        """Read a number above zero, with a decimal point or a decimal comma."""
        text = self._typed[field]
        if text and _NUMBER.fullmatch(text) and not of_thousands_of_none(text) and (read := number(text)):
            return read
        if text:
            self._wrong(field, "wrong")
        return None

    def _airline(self) -> str:
        """Read a code or a name. The verdict decides whether the airline is covered."""
        text = self._typed["airline"]
        if self._is_wrong(("airline",)):
            return ""
        if not text:
            self._wrong("airline", "missing")
        else:
            return self._meant("airline", meaning.airline(self._release, text), "airline", text)
        return ""

    def _point(self, field: str, text: str) -> Point:
        if not text:
            self._wrong(field, "missing")
            return Point()
        if known := self._release.corpus.countries.get(text.upper()):
            return Point(known.code, known.code, country_name(known.code, known.name))
        point, found = meaning.place(self._release, text)
        self._meant(field, found, "place", text)
        return point

    def _places(self) -> tuple[Point, ...]:
        """Return the places of the journey. No flight ends in the city or at the airport where it starts."""
        found = (
            self._point("from", self._typed["from"]),
            *self._stops(),
            self._point("to", self._typed["to"]),
        )
        for start, end in pairwise(found):
            if start.country and start == end and end.spelled != end.country:
                self._wrong("to" if end is found[-1] else "via", "wrong", "asked.to.same")
        return found

    def _stops(self) -> tuple[Point, ...]:
        if len(self._typed.via) > MAX_STOPS:
            self._wrong("via", "wrong", most=MAX_STOPS)
            return tuple(Point(spelled=stop, shown=stop) for stop in self._typed.via)
        return tuple(self._point("via", stop) for stop in self._typed.via)

    def _date(self) -> datetime.date:
        text = self._typed["date"]
        if not text:
            return self._today
        day = _day(text)
        if day is None:
            self._wrong("date", "wrong")
        elif day < self._today:
            self._wrong("date", "wrong", "asked.date.past")
        elif day > self._today + datetime.timedelta(days=MAX_DAYS_AHEAD):
            self._wrong("date", "wrong", "asked.date.far")
        else:
            return day
        return self._today

    def _quantity(self) -> int:
        text = self._typed["count"]
        if not text:
            return 1
        if re.fullmatch(r"[0-9]{1,3}", text) and 1 <= int(text) <= MAX_QUANTITY:
            return int(text)
        self._wrong("count", "wrong", most=MAX_QUANTITY)
        return 1

    def _choice(self, field: str, values: Sequence[Choice], default: Choice) -> Choice:
        text = self._typed[field]
        for value in values:
            if value == text:
                return value
        if text:
            self._wrong(field, "wrong")
        return default


def unsettled(field: str, found: Meaning, kind: str, text: str) -> Problem:
    """Return the problem of a name without a clear meaning, with its possible meanings."""
    choices = found.choices[:MOST_CHOICES]
    key, values = f"asked.{kind}.{found.unsettled}", {"typed": text}
    if found.unsettled in ("near", "several") and len(choices) == 1:
        key, values["meant"] = f"{key}_one", choices[0].label
    return Problem(field, "unknown", key, tuple(values.items()), choices)


def _day(text: str) -> datetime.date | None:
    """Return the day of a text in the form YYYY-MM-DD."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return None
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None
