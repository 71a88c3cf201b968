"""The numbers of a sentence: its day, the figures of the label, and the number of power banks.

Called by `aeo.asking.free_text.sentence`.
"""

import datetime
import functools
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from aeo.asking.free_text.doubting import set_doubts_aside
from aeo.asking.free_text.figures import Unit, dates, figures, named_dates
from aeo.asking.free_text.model_index import Models, Token
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.understood import Label
from aeo.asking.free_text.vocabulary import matcher, small_words, vocabulary
from aeo.asking.names.scripts import script_of
from rules.engine.facts import Device
from rules.engine.vocabulary import MAX_QUANTITY

Span = tuple[int, int]


def read_day(
    reading: Reading, found: Sequence[Token], models: Models, today: datetime.date
) -> datetime.date | None:
    """Return the day that a text names; None if it names none or several, or if its number may count units.

    "May 3 Anker 737 fly" asks about three of them.
    """
    days = [
        *((*reading.folded_span(start, end), day) for start, end, day in dates(reading.folded.source, today)),
        *named_dates(reading.text, today),
    ]
    free = [(start, end, day) for start, end, day in days if not reading.is_taken(start, end)]
    distinct = {day for _, _, day in free}
    months_first = [end for start, end, _ in free if reading.text[start].isalpha()]
    if any(_may_count(reading, found, models, end) for end in months_first):
        distinct.clear()
    for start, end, _ in free:
        if len(distinct) == 1:
            reading.take(start, end, "day", "/")
        else:
            reading.set_aside(start, end, "when", "/")
    set_doubts_aside(reading, "day", ((start, end) for start, end, _ in free))
    return distinct.pop() if len(distinct) == 1 else None


def _may_count(reading: Reading, found: Sequence[Token], models: Models, end: int) -> bool:
    """Tell whether what directly follows a number may be what it counts: power banks, or people."""
    leading = [word for word, kind in vocabulary().determiners.items() if kind != "indefinite"]
    at = next(
        (at for at, token in enumerate(found) if token.start >= end and token.word not in leading), None
    )
    if at is None or _ENDS.search(reading.between(end, found[at].start)):
        return False
    start = found[at].start
    return (
        reading.is_taken(start, start + 1)
        or found[at].word[:1].isdecimal()
        or (found[at].generic and found[at].word not in small_words())
        or models.brand_at(found, at) is not None
        or _countable().match(reading.text, start) is not None
    )


_ENDS = re.compile(r"[^\w\s]")


def days_later(today: datetime.date, days: int) -> datetime.date | None:
    """Return the day so many days after today; None if the calendar ends before it."""
    try:
        return today + datetime.timedelta(days=days)
    except OverflowError:
        return None


def _is_joining(text: str) -> bool:
    meaning = vocabulary().meanings.get(text.strip())
    return meaning is not None and meaning.value == "joining"


def _divides(between: str) -> bool:
    """Tell whether the text between two figures may join, choose or count units: "and one of"."""
    known, padded = vocabulary(), f" {between.strip()} "
    if matcher(frozenset(known.determiners)).search(between):
        return True
    said = (phrase for phrase, meaning in known.meanings.items() if meaning.value in _DIVIDING)
    return bool(re.search("[0-9]", between)) or any(
        f" {phrase} " in padded or (script_of(phrase[0]) != "l" and phrase in padded)
        for phrase in (*said, *known.numbers)
    )


def _units_in(text: str) -> int:
    """Return how often a text has a word for a power bank."""
    return len(_power_bank().findall(text))


_USUAL_VOLTS = Decimal("3.7")
"""The nominal voltage of the cells in nearly all power banks."""

_DIVIDING = frozenset(("joining", "choosing", "number"))
_Found = tuple[Span, Unit, Decimal]


class Figures:
    """The figures of a label in a text, in milliampere-hours, watt-hours and volts.

    `spans` are the stretches that name them. `confirm`, `labels` and `label` use them, once the model is
    known.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._found: list[_Found] = []
        for start, end, unit, number in figures(reading.folded.source):
            first, last = reading.folded_span(start, end)
            if first < last and not reading.is_taken(first, last):
                reading.set_aside(first, last, "figure")
                self._found.append(((first, last), unit, number))

    @property
    def spans(self) -> list[Span]:
        """The stretches of all figures."""
        return [span for span, _, _ in self._found]

    def label(self) -> Label | None:
        """Use the figures for a unit that is not on file. Two figures in one measure are both left."""
        facts: dict[Unit, set[Decimal]] = {}
        for _, unit, number in self._found:
            facts.setdefault(unit, set()).add(number)
        sure = {unit: min(numbers) for unit, numbers in facts.items() if len(numbers) == 1}
        said = set[Unit]()
        for span, unit, _ in self._found:
            # "99 Wh, 99 Wh" may be two units.
            if unit in sure and unit not in said:
                self._reading.take(*span, "label")
                said.add(unit)
        spans = sorted(self.spans)
        for (_, end), (start, _) in pairwise(spans):
            if _is_joining(self._reading.text[end:start]) and len(sure) > 1:
                # 20,000 mAh and 3.7 V
                self._reading.take(end, start, "label")
        if self._agree(self._found) and all(
            self._reading.between(end, start).strip() == "/" for (_, end), (start, _) in pairwise(spans)
        ):
            # 20,000 mAh / 3.7 V / 74 Wh
            self._reading.take(spans[0][0], spans[-1][1], "label", "/")
        if not sure:
            return None
        return _label(sure)

    def labels(self) -> tuple[Label, ...]:
        """Return the labels of several units, and set their figures aside; nothing if there may be one unit.

        "20,000 mAh and 3.7 V" is one label, "20,000 mAh and 99 Wh" may be two.
        """
        groups: list[list[_Found]] = []
        for one in sorted(self._found):
            if groups and not self._begins_another(groups[-1], one):
                groups[-1].append(one)
            else:
                groups.append([one])
        figures = [{unit: number for _, unit, number in group} for group in groups]
        if len(groups) == 1 or not all({"mah", "wh"} & group.keys() for group in figures):
            return ()
        for group in groups:
            self._reading.set_aside(group[0][0][0], group[-1][0][1], "rating")
        return tuple(map(_label, figures))

    def _begins_another(self, group: Sequence[_Found], one: _Found) -> bool:
        """Tell whether a figure may be about another unit than those before it."""
        (start, _), unit, number = one
        if any(known == unit and other != number for _, known, other in group):
            return True
        between = self._reading.text[group[-1][0][1] : start]
        if _units_in(between) and _units_in(self._reading.text) > 1:
            return True
        is_one_label = _is_joining(between) and self._agree([*group, one])
        return _divides(between) and not is_one_label

    def _agree(self, figures: Sequence[_Found]) -> bool:
        """Tell whether figures may stand on one label: 20,000 mAh and 3.7 V, or 20,000 mAh and 74 Wh."""
        said = {unit: number for _, unit, number in figures}
        if len(said) < len(figures) or "mah" not in said or _units_in(self._reading.text) > 1:
            return said.keys() == {"mah", "v"}
        computed = said["mah"] * said.get("v", _USUAL_VOLTS) / 1000
        return abs(computed - said.get("wh", computed)) <= computed / 100

    def confirm(self, device: Device) -> None:
        """Use the figures that agree with a model. Others contradict it and are left."""
        known: dict[Unit, Container[Decimal | int | None]] = {
            "mah": {device.capacity_mah},
            "wh": {device.watt_hour, device.watt_hour and round(device.watt_hour)},
            "v": {device.nominal_voltage},
        }
        for span, unit, number in self._found:
            if number in known[unit]:
                self._reading.take(*span, "model")


def _label(figures: Mapping[Unit, Decimal]) -> Label:
    mah = figures.get("mah")
    return Label(None if mah is None else int(mah), figures.get("wh"), figures.get("v"))


def read_quantity(
    reading: Reading, found: Sequence[Token], models: Models, figures: Sequence[Span]
) -> int | None:
    """Return how many power banks a text counts; None if it counts none, or counts them in several ways."""
    for match in _phrases_with_numbers().finditer(reading.text):
        if not reading.is_taken(*match.span()):
            meaning = vocabulary().meanings.get(match[0])
            if meaning is None:
                reading.take(*match.span(), "filler")
            else:
                reading.set_aside(*match.span(), str(meaning.value))
    spans: list[tuple[Span, int]] = []
    for quantity in _quantities():
        for match in quantity.finditer(reading.text):
            if not reading.is_taken(*match.span()):
                reading.take(*match.span(), "count")
                spans.append((match.span(), _count(match["number"])))
    for at, token in enumerate(found):
        if reading.is_taken(token.start, token.end) or not _NO_TENS.match(reading.text, token.start):
            continue
        number = _bare_number(reading, found, at, models) or _before_figures(reading, found[at], figures)
        if number is not None:
            reading.take(token.start, token.end, "count")
            spans.append(((token.start, token.end), number))
    # "Two for me and two for you" may be two or four.
    if len(spans) == 1 and 1 <= spans[0][1] <= MAX_QUANTITY:
        return spans[0][1]
    set_counts_aside(reading, [span for span, _ in spans])
    return None


def set_counts_aside(reading: Reading, spans: Sequence[Span]) -> None:
    """Leave numbers that count power banks, because it is unclear which ones they count."""
    for start, end in spans:
        reading.set_aside(start, end, "number")


def names_several(reading: Reading, found: Sequence[Token], models: Models) -> bool:
    """Tell whether a text speaks of power banks in the plural, anywhere."""
    known = vocabulary()
    padded = f" {reading.text} "
    if any(f" {phrase} " in padded for phrase in known.power_banks):
        return True
    if _PLURAL_ENDING.search(reading.folded.source) or _PLURAL_BEHIND.search(reading.text):
        return True
    return any(
        _is_plural(reading.text[: token.start])
        and (
            token.generic
            or models.brand_at(found, at)
            or any(reading.text.startswith(phrase, token.start) for phrase in known.power_bank)
        )
        for at, token in enumerate(found)
    )


def _is_plural(before: str) -> bool:
    """Tell whether a text ends with words that mean more than one of what follows: "are my"."""
    before = f" {before.rstrip()}"
    return any(
        before.endswith(phrase if script_of(phrase[0]) != "l" else f" {phrase}")
        for phrase in vocabulary().plural_before
    )


def _bare_number(reading: Reading, found: Sequence[Token], at: int, models: Models) -> int | None:
    """Return a number right before a model or a power bank, or before a word for it that ends a clause.

    Any other number counts something else: two bags, two stops.
    """
    word, known = found[at].word, vocabulary()
    number = known.numbers.get(word, 0)
    if word.isascii() and word.isdecimal() and len(word) <= 2:
        number = int(word)
    if at and found[at - 1].word in _BEFORE_DAYS:
        return None
    if at + 1 < len(found) and (found[at + 1].generic or models.brand_at(found, at + 1)):
        return number or None
    behind = reading.folded.source[reading.folded.at[found[at].end - 1] + 1 :].lstrip()[:1]
    ends = word in known.numbers and len(word) > 1 and not behind.isalnum()
    return number if ends and number > 1 else None


def _before_figures(reading: Reading, token: Token, figures: Sequence[Span]) -> int | None:
    """Return a number in words that only the figures of a label part from power banks: "two 74 Wh …"."""
    known, end = vocabulary(), token.end
    number = known.numbers.get(token.word)
    if number is None or len(token.word) == 1:
        return None
    for first, last in sorted(figures):
        if first >= end and reading.touch(end, first):
            end = last
    following = end + 1 if reading.text[end : end + 1] == " " else end
    unit = matcher(known.power_bank | known.power_banks).match(reading.text, following)
    return number if unit and end > token.end and reading.touch(end, following) else None


def _count(written: str) -> int:
    return int(written) if written.isdecimal() else vocabulary().numbers[written]


_TENS = "".join(
    rf"(?<!{tens})"
    for tens in (
        "[一二三四五六七八九十百]",
        "열",
        "스물",
        "서른",
        "twenty ",
        "thirty ",
        "vingt ",
        "trente ",
        " y ",
    )
)
"""Not after the tens of a larger number, as in 十二 or twenty two."""

_BEFORE_DAYS = frozenset(("the", "on", "le", "el", "am", "den", "dem"))
"""Words before a number that is a day of the month: le cinq."""

_PLURAL_ENDING = re.compile(r"(?:[0-9]|bank|pack|charger)['\u2019`\u00b4\u2010\u2011-]s\b", re.IGNORECASE)
"""A plural as people write it: 737's, power bank's, 737-s."""

_PLURAL_BEHIND = re.compile(r"[0-9] (?:are|were|sind|waren|sont)\b")
"""A verb in the plural behind a model."""

_LONE = ("둘", "셋", "넷", "俩", "倆")
"""Numbers that count without a word after them."""

_NO_TENS = re.compile(_TENS)


@functools.cache
def _phrases_with_numbers() -> re.Pattern[str]:
    """Return the pattern of phrases whose number counts no power banks: two pack, un vol, sac à dos."""
    known = vocabulary()
    signals = (phrase for phrase, meaning in known.meanings.items() if meaning.kind == "signal")
    phrases = (
        phrase
        for phrase in (*signals, *known.fillers)
        if (" " in phrase and not known.numbers.keys().isdisjoint(phrase.split(" ")))
        or (phrase.startswith(_LONE) and phrase not in _LONE)
    )
    return re.compile(rf"\b(?:{_any_of(phrases)})\b")


@functools.cache
def _quantities() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of numbers that count power banks, the clearest first."""
    known = vocabulary()
    things = known.counted | known.power_bank | known.power_banks
    latin = _any_of(word for word in things if script_of(word[0]) == "l")
    others = _any_of(word for word in things if script_of(word[0]) != "l")
    lone = _any_of(word for word in _LONE if word in known.numbers)
    total = _any_of(known.total)
    number = rf"(?P<number>(?<![0-9])[0-9]{{1,2}}|{_any_of(known.numbers)})"
    begin = rf"(?:(?<![a-z0-9])(?:{total}) ?)?{_TENS}"
    end = rf"(?: ?(?:{total})(?![a-z0-9]))?"
    return (
        re.compile(rf"{begin}\b{number} (?:{latin})\b{end}"),
        re.compile(rf"{begin}{number} ?(?:{others}){end}"),
        re.compile(rf"\b(?P<number>[0-9]{{1,2}}) ?x\b{end}"),
        re.compile(rf"\bx ?(?P<number>[0-9]{{1,2}})\b{end}"),
        re.compile(rf"{begin}(?P<number>{lone}){end}"),
        re.compile(rf"{_TENS}\b{number} (?:{total})(?![a-z0-9])"),
    )


@functools.cache
def _countable() -> re.Pattern[str]:
    """Return the pattern of what a number may count: power banks, pieces, people ("of us")."""
    known = vocabulary()
    things = _any_of({*known.power_bank, *known.power_banks, *known.counted, "of"})
    return re.compile(rf"(?:{things})(?![a-z0-9])")


@functools.cache
def _power_bank() -> re.Pattern[str]:
    return re.compile(_any_of(vocabulary().power_bank | vocabulary().power_banks))


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"
