"""Reading a question as people type it: which model, airline, places, bag, number and day it names.

`understand` is a function of its arguments and guesses nothing. Where a name fits several things, all of them
are given and none is chosen, unless the name is exactly one's own, or that of a city which dwarfs its
namesakes. What it could not read it hands back, so that a page can show what was understood and ask for the
rest. Of a long text only the beginning is read. Called by the views of the site; nothing is kept.

Spans are places in the folded text. Each reader takes the stretches that it has understood, and later ones
pass them over: names of models first, for they contain everything else (figures, numbers, common words).
"""

import datetime
import functools
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, Literal, NamedTuple

import msgspec

from aeo.finding import airlines, places
from aeo.finding.figures import Unit, dates, figures, named_dates
from aeo.finding.folding import Folded
from aeo.finding.naming import MOST_TOKENS, Models, Token, brand_of, models_of, numbered, tokens
from aeo.finding.places import Place
from aeo.finding.speech import Role, Speech, speech
from aeo.finding.suggestions import MOST, Suggestion, of_airline, of_model, of_place
from rules.corpus import Published
from rules.engine.facts import Device
from rules.engine.vocabulary import MAX_QUANTITY, Compartment


class Choice(msgspec.Struct, frozen=True):
    """What stretch of the text names something, and what it can be.

    `value` is for the form; none where the traveler must choose among `candidates` (best first, the chosen
    one among them). `words` is the stretch as it was typed.
    """

    words: str
    value: str | None
    candidates: tuple[Suggestion, ...]

    @property
    def chosen(self) -> Suggestion | None:
        """Return the candidate that is meant, if one is."""
        return next((one for one in self.candidates if one.value == self.value), None)


class Label(msgspec.Struct, frozen=True):
    """The figures of a label, in milliampere-hours, watt-hours and volts."""

    capacity_mah: int | None = None
    watt_hour: Decimal | None = None
    nominal_voltage: Decimal | None = None


class Understood(msgspec.Struct, frozen=True):
    """What a text says. A part that it does not name is none; `left_over` are the words that were not read.

    `unplaced` are places of which the text does not tell whether a flight begins or ends there. `label` is
    given only where no model is chosen.
    """

    model: Choice | None = None
    airline: Choice | None = None
    origin: Choice | None = None
    stops: tuple[Choice, ...] = ()
    destination: Choice | None = None
    unplaced: tuple[Choice, ...] = ()
    quantity: int | None = None
    compartment: Compartment | None = None
    travel_date: datetime.date | None = None
    label: Label | None = None
    left_over: tuple[str, ...] = ()


def understand(release: Published, text: str, language: str, today: datetime.date) -> Understood:
    """Return what a text says about a power bank and its flights; labels are in a language of the site.

    A day without a year is the next one from `today`.
    """
    return _Reader(release, text, language, today).read()


# --- Found things -----------------------------------------------------------------------------------------

_ARROWS = r"\-/|>~\u2010\u2011\u2013\u2014\u2192\u2794\u279c\u279d\u203a\u00bb\u21d2\u27f6\u2708\u301c"
_ROUTE = re.compile(rf"[\s{_ARROWS}]*[{_ARROWS}][\s{_ARROWS}]*")
"""What stands between the two ends of a route."""

_ASIDE = re.compile(r"[\s,\u3001(]*")
"""What stands between a city and its country."""

_NAME_GOES_ON = re.compile(r"[\s\-()\[\]+/&'\u2019.]*")
_FLIGHT = re.compile(r"(?<![A-Za-z0-9])([A-Z][A-Z0-9]|[0-9][A-Z])(?: ?[0-9]{1,4})?(?![A-Za-z0-9])")
_CODE_LETTERS = 3
_WORDS_IN_NAME = 7
_LETTERS_IN_NAME = 60
_CJK_IN_NAME = 18
_CITY = 300_000
"""So many people must live where a code in small letters leads."""

_WELL_KNOWN = 1_000_000
"""So many people must live in a place whose name is typed like any other word."""

_SHORT_COUNTRIES = frozenset(("us", "uk"))

Kind = Literal["airline", "place", "bag", "before", "after", "day", "filler"]


class _Item(NamedTuple):
    """One thing in the text that was read."""

    kind: Kind
    start: int
    end: int
    value: Any


class _Stay(NamedTuple):
    """A place of the journey, and what the words around it make of it."""

    start: int
    end: int
    places: tuple[Place, ...]
    role: Role | None
    marked: bool


class _Reader:
    """Reads one text, once."""

    def __init__(self, release: Published, text: str, language: str, today: datetime.date) -> None:
        self.release = release
        self.language = language
        self.today = today
        self.folded = Folded(text)
        self.text = self.folded.text
        self.countries = release.corpus.countries
        self.of_record = places.by_record(self.countries)
        self.taken = bytearray(len(self.text))
        self.speech: Speech = speech()
        self.models: Models = models_of(release)
        self.shouting = self.folded.source.isupper()
        self.left: list[tuple[int, int]] = []
        self.facts: dict[Unit, Decimal] = {}
        self.fact_spans: list[tuple[int, int]] = []

    def read(self) -> Understood:
        found = tokens(self.text)
        exact = self._exact_model(found)
        day = self._day()
        self._figures()
        quantity = self._quantity(found)
        model, span = self._model(found, exact)
        items = list(self._items())
        airline = self._airline([item for item in items if item.kind == "airline"]) or self._lone_code()
        stays = self._stays(items)
        bags = {item.value for item in items if item.kind == "bag"}
        relative = [item.value for item in items if item.kind == "day"]
        if len(bags) > 1:
            self.left += [(item.start, item.end) for item in items if item.kind == "bag"]
        if day is None and relative:
            day = self._later(relative[0])
        if model and span and any(self._directly_follows(span[1], start) for start, _ in self.left):
            # An unknown word behind a name may make it that of another model.
            model = msgspec.structs.replace(model, value=None)
        origin, stops, destination, unplaced = self._journey(stays)
        return Understood(
            model=model,
            airline=airline,
            origin=origin,
            stops=stops,
            destination=destination,
            unplaced=unplaced,
            quantity=quantity,
            compartment=bags.pop() if len(bags) == 1 else None,
            travel_date=day,
            label=None if model and model.value else self._label(),
            left_over=tuple(
                dict.fromkeys(self.folded.shown(start, end).strip() for start, end in sorted(self.left))
            ),
        )

    # --- Models ---

    def _exact_model(self, found: list[Token]) -> tuple[int, int, tuple[Device, ...]] | None:
        """Return the longest run of words that names models exactly."""
        for size in range(min(MOST_TOKENS, len(found)), 0, -1):
            for first in range(len(found) - size + 1):
                run = found[first : first + size]
                if devices := self.models.exactly("".join(token.word for token in run)):
                    self._take(run[0].start, run[-1].end)
                    return first, first + size, devices
        return None

    def _model(
        self, found: list[Token], exact: tuple[int, int, tuple[Device, ...]] | None
    ) -> tuple[Choice | None, tuple[int, int] | None]:
        """Return the model that is named, or those that may be, and the stretch that names them."""
        if exact is not None:
            first, last, devices = exact
            end = self._goes_on(found, brand_of(devices[0]), last)
            text = " ".join(token.word for token in found[first:end])
            if end > last:
                meeting = self.models.meeting(brand_of(devices[0]), text)
                both = tuple(device for device in devices if device in meeting)
                others = tuple(device for device in meeting if device not in both)
                sure = both[0] if len(both) == 1 else None
                candidates = (*both, *others) or devices
            else:
                sure = devices[0] if len(devices) == 1 else None
                candidates = devices
            others_named = (
                self.models.brand_at(found, at) for at in range(len(found)) if not first <= at < end
            )
            if any(named and named[0] != brand_of(devices[0]) for named in others_named):
                sure = None
            return self._named(found, first, end, sure, candidates)
        for first in range(len(found)):
            named = self.models.brand_at(found, first)
            if named is None or self.taken[found[first].start]:
                continue
            brand, last = named
            end = self._goes_on(found, brand, last)
            if all(token.generic for token in found[last:end]):
                continue
            text = self.text[found[first].start : found[end - 1].end]
            candidates = self.models.meeting(brand, text)
            sure = candidates[0] if len(candidates) == 1 and numbered(candidates[0], text) else None
            if candidates:
                return self._named(found, first, end, sure, candidates)
        return self._loosely(found)

    def _loosely(self, found: list[Token]) -> tuple[Choice | None, tuple[int, int] | None]:
        """Return what a brand alone leaves to choose from."""
        for first in range(len(found)):
            named = self.models.brand_at(found, first)
            typed = self.folded.source[self.folded.at[found[first].start]]
            if named and not self.taken[found[first].start] and (typed.isupper() or not typed.isascii()):
                brand, last = named
                candidates = self.models.meeting(brand, found[first].word if last == first + 1 else brand)
                return self._named(found, first, last, None, candidates)
        return None, None

    def _named(
        self, found: list[Token], first: int, end: int, sure: Device | None, candidates: Sequence[Device]
    ) -> tuple[Choice, tuple[int, int]]:
        start, stop = found[first].start, found[end - 1].end
        self._take(start, stop)
        offered = tuple(of_model(device) for device in candidates[:MOST])
        value = sure.model_id if sure else None
        return Choice(self.folded.shown(start, stop), value, offered), (start, stop)

    def _goes_on(self, found: list[Token], brand: str, at: int) -> int:
        """Return the token after the last one that belongs to a name which reaches up to token `at`."""
        end = at
        while end < len(found):
            token, before = found[end], found[end - 1]
            of_label = any(start <= token.start < stop for start, stop in self.fact_spans)
            small_word = not token.generic and token.word in _small_words()
            if (self.taken[token.start] and not of_label) or small_word:
                break
            if not _NAME_GOES_ON.fullmatch(self._between(before.end, token.start)):
                break
            if not (of_label or self.models.belongs(brand, token)):
                break
            end += 1
        return end

    # --- Figures, days and numbers ---

    def _day(self) -> datetime.date | None:
        days = [
            *(
                (*self._folded_span(start, end), day)
                for start, end, day in dates(self.folded.source, self.today)
            ),
            *named_dates(self.text, self.today),
        ]
        free = [(start, end, day) for start, end, day in days if not any(self.taken[start:end])]
        for start, end, _ in free:
            self._take(start, end)
        distinct = {day for _, _, day in free}
        if len(distinct) > 1:
            self.left += [(start, end) for start, end, _ in free]
        return distinct.pop() if len(distinct) == 1 else None

    def _later(self, days: int) -> datetime.date | None:
        try:
            return self.today + datetime.timedelta(days=days)
        except OverflowError:
            return None

    def _figures(self) -> None:
        for start, end, unit, number in figures(self.folded.source):
            first, last = self._folded_span(start, end)
            if first < last and not any(self.taken[first:last]):
                self._take(first, last)
                self.fact_spans.append((first, last))
                self.facts.setdefault(unit, number)

    def _label(self) -> Label | None:
        if not self.facts:
            return None
        mah = self.facts.get("mah")
        return Label(int(mah) if mah is not None else None, self.facts.get("wh"), self.facts.get("v"))

    def _quantity(self, found: list[Token]) -> int | None:
        counted: dict[int, tuple[int, int]] = {}
        for pattern in _quantities():
            for match in pattern.finditer(self.text):
                start, end = match.span()
                if not any(self.taken[start:end]):
                    self._take(start, end)
                    counted.setdefault(self._count(match["number"]), (start, end))
        for at, token in enumerate(found):
            number = self._bare_number(found, at)
            if number is not None and not self.taken[token.start] and _NO_TENS.match(self.text, token.start):
                self._take(token.start, token.end)
                counted.setdefault(number, (token.start, token.end))
        usable = [number for number in counted if 1 <= number <= MAX_QUANTITY]
        if len(counted) == 1 and usable:
            return usable[0]
        self.left += counted.values()
        return None

    def _bare_number(self, found: list[Token], at: int) -> int | None:
        """Return a number right before a model or a power bank, or a word for it that ends a clause.

        Any other number counts something else: two bags, two stops.
        """
        word = found[at].word
        number = self.speech.numbers.get(word, 0)
        if word.isascii() and word.isdecimal() and len(word) <= 2:
            number = int(word)
        if at + 1 < len(found) and (found[at + 1].generic or self.models.brand_at(found, at + 1)):
            return number or None
        behind = self.folded.source[self.folded.at[found[at].end - 1] + 1 :].lstrip()[:1]
        ends = word in self.speech.numbers and len(word) > 1 and not behind.isalnum()
        return number if ends and number > 1 else None

    def _count(self, written: str) -> int:
        return int(written) if written.isdecimal() else self.speech.numbers[written]

    # --- Everything else, from left to right ---

    def _items(self) -> Iterator[_Item]:
        at, size = 0, len(self.text)
        before: _Item | None = None
        while at < size:
            if self.taken[at] or self.text[at] == " ":
                at += 1
                continue
            item = self._longest(at, before) if self._begins_word(at, before) else None
            if item is None:
                at = self._pass_over(at)
                continue
            yield item
            before, at = item, item.end

    def _longest(self, at: int, before: _Item | None) -> _Item | None:
        """Return the longest thing that starts here."""
        for end in self._ends(at):
            stretch = self.text[at:end]
            if (kind_value := self._meaning(at, end, stretch, before)) is not None:
                return _Item(kind_value[0], at, end, kind_value[1])
        return None

    def _meaning(self, at: int, end: int, stretch: str, before: _Item | None) -> tuple[Kind, Any] | None:
        shown = self.folded.shown(at, end)
        led = before is not None and before.kind == "before" and not self._between(before.end, at).strip()
        led = led or (_script(stretch[-1]) == "g" and self.text[end:].startswith(_korean_after()))
        joined = self._joined_to_route(at, end)
        is_code = (
            len(stretch) <= _CODE_LETTERS
            and stretch.isascii()
            and shown.isupper()
            and (joined or led or not self.shouting)
        )
        codes = _airline_names(self.release).get(stretch)
        if codes and (len(stretch) > _CODE_LETTERS or not stretch.isascii() or is_code):
            return "airline", codes
        if _FLIGHT.fullmatch(shown) and (not self.shouting or any(map(str.isdigit, shown[2:]))):
            code = shown[:2]
            if code in self.release.shelf.airlines:
                return "airline", frozenset((code,))
        words = self.speech
        small = stretch in words.fillers or stretch in words.before
        if stretch in words.bags:
            return "bag", words.bags[stretch]
        if (
            before
            and before.kind == "place"
            and stretch in words.after
            and not self._between(before.end, at).strip()
        ):
            return "after", words.after[stretch]
        if (is_code or not small) and (
            found := self._places(stretch, shown, sure=joined or is_code, led=led)
        ):
            return "place", found
        if stretch in words.before:
            return "before", words.before[stretch]
        if stretch in words.days:
            return "day", words.days[stretch]
        if stretch in words.fillers or stretch in words.counted or stretch in words.after:
            return "filler", None
        if stretch in words.numbers and words.numbers[stretch] == 1:
            return "filler", None
        return None

    def _places(self, stretch: str, shown: str, *, sure: bool, led: bool) -> tuple[Place, ...]:
        """Return the places that a stretch names; a code only where its writing says that it is one.

        `sure` is a code in capitals or in a route; `led` is a word behind one such as "from".
        """
        if stretch.isdecimal():
            return ()
        found = places.named(stretch, self.countries, self.of_record)
        if len(stretch) == 1:
            # 빈 is Vienna, where a particle shows that it is a place.
            return tuple(place for place in found if led and place.population >= _WELL_KNOWN)
        if stretch.isascii() and len(stretch) < _CODE_LETTERS:
            found = found if stretch in _SHORT_COUNTRIES and shown.isupper() else []
        elif stretch.isascii() and len(stretch) == _CODE_LETTERS and not sure:
            capital = shown[:1].isupper() and not self.shouting
            found = [
                place
                for place in found
                if (capital and not _is_code(place, stretch)) or (led and place.population >= _CITY)
            ]
        return tuple(found)

    def _joined_to_route(self, at: int, end: int) -> bool:
        """Tell whether a dash or an arrow leads to a stretch, or away from it."""
        before, after = self.text[:at].rstrip(), self.text[end:].lstrip()
        left = self._between(len(before), at) if before else ""
        right = self._between(end, len(self.text) - len(after)) if after else ""
        return bool(_ROUTE.fullmatch(left) or _ROUTE.fullmatch(right))

    def _ends(self, at: int) -> Iterator[int]:
        """Yield where a stretch that starts here may end, the farthest first."""
        script = _script(self.text[at])
        ends = []
        limit = at + (_LETTERS_IN_NAME if script == "l" else _CJK_IN_NAME)
        words = 0
        for end in range(at + 1, min(len(self.text), limit) + 1):
            if self.taken[end - 1]:
                break
            if (
                end == len(self.text)
                or self.taken[end]
                or (self.text[end - 1] != " " and self._ends_word(end))
            ):
                ends.append(end)
            if self.text[end - 1] == " ":
                words += 1
                if words >= _WORDS_IN_NAME:
                    break
        yield from reversed([end for end in ends if self.text[end - 1] != " "])

    def _begins_word(self, at: int, before: _Item | None) -> bool:
        if at == 0 or self.taken[at - 1] or (before and before.end == at):
            return True
        script = _script(self.text[at])
        return script in "ch" or _script(self.text[at - 1]) != script

    def _ends_word(self, end: int) -> bool:
        script, following = _script(self.text[end - 1]), _script(self.text[end])
        if script in "ch" or following != script:
            return True
        if script == "g":
            rest = self.text[end:].split(" ", 1)[0]
            return rest.startswith(_after_korean())
        return False

    def _pass_over(self, at: int) -> int:
        """Note what could not be read, and return where reading goes on."""
        script = _script(self.text[at])
        end = at + 1
        while end < len(self.text) and not self.taken[end] and _script(self.text[end]) == script:
            if script == "c" and any(self._longest(end, None) for _ in "."):
                break
            end += 1
        if script != "h":
            self.left.append((at, end))
        return end

    # --- Airline ---

    def _airline(self, items: list[_Item]) -> Choice | None:
        if not items:
            return None
        codes = list(dict.fromkeys(code for item in items for code in sorted(item.value)))
        exact = [item for item in items if len(item.value) == 1]
        agreed = {code for item in exact for code in item.value}
        value = agreed.pop() if len(agreed) == 1 and all(agreed <= item.value for item in items) else None
        records = self.release.shelf.airlines
        offered = tuple(of_airline(self.release, records[code], self.language) for code in codes[:MOST])
        words = self.folded.shown(items[0].start, items[0].end)
        return Choice(words, value, offered)

    def _lone_code(self) -> Choice | None:
        """Return the airline whose code stands alone in small letters: offered, never chosen."""
        for start, end in self.left:
            record = self.release.shelf.airlines.get(self.text[start:end].upper())
            if record:
                self.left.remove((start, end))
                offered = of_airline(self.release, record, self.language)
                return Choice(self.folded.shown(start, end), None, (offered,))
        return None

    # --- Places ---

    def _stays(self, items: list[_Item]) -> list[_Stay]:
        """Return the places of the journey in their order, with what the words around them say."""
        stays: list[_Stay] = []
        for number, item in enumerate(items):
            if item.kind != "place":
                continue
            role = self._role(items, number)
            if stays and (merged := self._same(stays[-1], item, role)):
                stays[-1] = merged
                continue
            joined = self._joined_to_route(item.start, item.end)
            stays.append(_Stay(item.start, item.end, item.value, role, joined or role is not None))
        kept = []
        for number, stay in enumerate(stays):
            followed = number + 1 < len(stays) and stays[number + 1].marked
            preceded = number > 0 and stays[number - 1].marked and stay.marked
            if stay.marked or followed or preceded or self._stands_alone(stay):
                kept.append(stay)
            else:
                self.left.append((stay.start, stay.end))
        return kept

    def _role(self, items: list[_Item], number: int) -> Role | None:
        item = items[number]
        after = [other for other in items[number + 1 : number + 3]]
        end = item.end
        for other in after:
            if self._between(end, other.start).strip():
                break
            if other.kind == "after":
                role: Role = other.value
                return role
            if self.text[other.start : other.end] not in self.speech.airports:
                break
            end = other.end
            follows = items[items.index(other) + 1 : items.index(other) + 2]
            if follows and self.text[follows[0].start : follows[0].end] in self.speech.after:
                return self.speech.after[self.text[follows[0].start : follows[0].end]]
        start = item.start
        for other in reversed(items[max(0, number - 2) : number]):
            if self._between(other.end, start).strip(" '\u2019"):
                break
            if other.kind == "before":
                leading: Role = other.value
                return leading
            if self.text[other.start : other.end] not in self.speech.articles:
                break
            start = other.start
        return None

    def _same(self, stay: _Stay, item: _Item, role: Role | None) -> _Stay | None:
        """Return a city and its country, or its airport, as one place."""
        between = self._between(stay.end, item.start)
        if not _ASIDE.fullmatch(between) or (role and stay.role and role != stay.role):
            return None
        if stay.role is None and role is not None and _before_marker(self.text, stay.end, item.start):
            return None
        first, second = stay.places, item.value
        kinds = {place.kind for place in first}, {place.kind for place in second}
        if "country" in kinds[0] or "country" in kinds[1]:
            common = {place.country for place in first} & {place.country for place in second}
            narrow = first if "country" not in kinds[0] else second
        else:
            airports = [place for place in (*first, *second) if place.kind == "airport"]
            names = {place.name for place in first} & {place.name for place in second}
            common = {place.country for place in airports if place.name in names}
            narrow = second
        kept = tuple(place for place in narrow if place.country in common)
        if not kept or (first == second and "," not in between):
            return None
        return _Stay(stay.start, item.end, kept, role or stay.role, True)

    def _stands_alone(self, stay: _Stay) -> bool:
        """Tell whether a stretch is surely a place though no word beside it says so."""
        best = stay.places[0]
        if best.kind == "country" or best.population >= _WELL_KNOWN:
            return True
        text = self.text[stay.start : stay.end]
        if text.isascii() or _script(text[0]) == "l":
            return self._looks_like_name(stay.start)
        return len(text) > 2

    def _looks_like_name(self, at: int) -> bool:
        letter = self.folded.source[self.folded.at[at]]
        return (
            not letter.isascii() or (letter.isupper() and at > 0 and not self.shouting) or letter.isdecimal()
        )

    def _journey(
        self, stays: list[_Stay]
    ) -> tuple[Choice | None, tuple[Choice, ...], Choice | None, tuple[Choice, ...]]:
        """Return where the journey begins, stops and ends, and what the text leaves open."""
        roles: list[Role | None] = [stay.role for stay in stays]
        begin = next((at for at, role in enumerate(roles) if role == "from"), None)
        ends = [at for at, role in enumerate(roles) if role == "to"]
        free = [at for at, role in enumerate(roles) if role is None]
        end = ends[-1] if ends else None
        if end is not None and begin is None and free and free[0] < end:
            begin = free[0]
        if end is None and free and (begin is not None or len(free) > 1):
            end = free[-1] if free[-1] != begin else None
        elif end is not None and free and free[-1] > end and self._joined(stays, end, free[-1]):
            # From Dubai to Istanbul-London: the last one of a chain is its end.
            end = free[-1]
        if begin is None and end is not None and len(free) > 1:
            begin = free[0]
        if begin is not None and begin == end:
            end = None
        stops, open_ = [], []
        for at, role in enumerate(roles):
            if at in (begin, end):
                continue
            between = begin is not None and end is not None and (begin < at < end)
            if role == "via" or (role in (None, "to") and between):
                stops.append(at)
            else:
                open_.append(at)
        choice = self._place
        return (
            choice(stays[begin]) if begin is not None else None,
            tuple(choice(stays[at]) for at in stops),
            choice(stays[end]) if end is not None else None,
            tuple(choice(stays[at]) for at in open_),
        )

    def _joined(self, stays: list[_Stay], first: int, last: int) -> bool:
        pairs = zip(stays[first:last], stays[first + 1 : last + 1], strict=True)
        return all(_ROUTE.fullmatch(self._between(one.end, other.start)) for one, other in pairs)

    def _place(self, stay: _Stay) -> Choice:
        offered = dict.fromkeys(of_place(self.release, place, self.language) for place in stay.places)
        words = self.folded.shown(stay.start, stay.end)
        return Choice(words, places.meant(stay.places), tuple(offered)[:MOST])

    # --- The text ---

    def _take(self, start: int, end: int) -> None:
        self.taken[start:end] = b"\1" * (end - start)

    def _between(self, end: int, start: int) -> str:
        """Return what was typed between two stretches of the folded text."""
        if end >= start or end == 0:
            return ""
        return self.folded.source[self.folded.at[end - 1] + 1 : self.folded.at[start]]

    def _folded_span(self, start: int, end: int) -> tuple[int, int]:
        """Return where a stretch of the source stands in the folded text."""
        inside = [at for at, origin in enumerate(self.folded.at) if start <= origin < end]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)

    def _directly_follows(self, end: int, start: int) -> bool:
        """Tell whether only spaces part two stretches, both in Latin letters or figures."""
        if start < end or _script(self.text[start]) != "l":
            return False
        return not self._between(end, start).strip() if start > end else True


def _before_marker(text: str, end: int, start: int) -> bool:
    """Tell whether words stand between two places, such as those that say where the second one lies."""
    return bool(text[end:start].strip())


def _is_code(place: Place, stretch: str) -> bool:
    return stretch.upper() in place.codes and Folded(place.name).text != stretch


def _script(letter: str) -> str:
    """Return the script of a letter: han `c`, Hangul `g`, hiragana `h`, katakana `k`, space, else `l`."""
    if letter == " ":
        return " "
    if letter < "\u3005":
        return "l"
    if "\u3040" <= letter <= "\u309f":
        return "h"
    if "\u30a0" <= letter <= "\u30ff":
        return "k"
    if "\uac00" <= letter <= "\ud7a3":
        return "g"
    return "c" if letter <= "\u9fff" or letter >= "\U00020000" else "l"


@functools.lru_cache(maxsize=1)
def _airline_names(release: Published) -> dict[str, frozenset[str]]:
    """Return the airlines of each folded name."""
    named: dict[str, set[str]] = {}
    for airline in release.shelf.airlines.values():
        for name in airlines.spellings(airline.airline, airline.name):
            named.setdefault(name, set()).add(airline.airline)
    return {name: frozenset(codes) for name, codes in named.items()}


@functools.cache
def _small_words() -> frozenset[str]:
    known = speech()
    return frozenset((*known.before, *known.after, *known.numbers, *known.fillers, *known.bags, *known.days))


@functools.cache
def _korean_after() -> tuple[str, ...]:
    return tuple(phrase for phrase in speech().after if len(phrase) > 1 and _script(phrase[0]) == "g")


@functools.cache
def _after_korean() -> tuple[str, ...]:
    hangul = [phrase for phrase in speech().after if _script(phrase[0]) == "g"]
    return tuple(sorted({*hangul, *speech().particles}, key=len, reverse=True))


_TENS = "".join(
    rf"(?<!{tens})"
    for tens in (
        "[0-9一二三四五六七八九十百]",
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
"""Not behind the tens of a larger number, as in 十二 or twenty two."""

_NO_TENS = re.compile(_TENS)


@functools.cache
def _quantities() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of numbers that count power banks, the plainest first."""
    known = speech()
    numbers = "|".join(sorted(map(re.escape, known.numbers), key=len, reverse=True))
    latin = "|".join(sorted((w for w in known.counted if _script(w[0]) == "l"), key=len, reverse=True))
    others = "|".join(sorted((w for w in known.counted if _script(w[0]) != "l"), key=len, reverse=True))
    lone = "|".join(word for word in ("둘", "셋", "넷", "俩", "倆") if word in known.numbers)
    return (
        re.compile(rf"{_TENS}\b(?P<number>[0-9]{{1,2}}|{numbers}) (?:{latin})\b"),
        re.compile(rf"{_TENS}(?P<number>[0-9]{{1,2}}|{numbers}) ?(?:{others})"),
        re.compile(r"\b(?P<number>[0-9]{1,2}) ?x\b"),
        re.compile(r"\bx ?(?P<number>[0-9]{1,2})\b"),
        re.compile(rf"{_TENS}(?P<number>{lone})"),
    )
