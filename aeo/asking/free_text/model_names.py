"""Which models a sentence names, or may mean. Called by `aeo.asking.free_text.sentence`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from aeo.asking.free_text.items import Item
from aeo.asking.free_text.model_index import (
    APOSTROPHES,
    LETTERS,
    SUFFIXES,
    VARIANTS,
    Models,
    Token,
    brand_of,
    new_ones,
    numbered,
)
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.understood import Choice
from aeo.asking.free_text.vocabulary import MILD, phrases, small_words
from aeo.asking.names.suggestions import MOST, of_model
from rules.engine.facts import Device

_NAME_GOES_ON = re.compile(r"[\s\-()\[\].'\u2019]*")
_NEXT_SENTENCE = re.compile(r"[^\w]*[.!?]\s")
_MOST_NAMES = 8
_CODE_LETTERS = 2

_AROUND = " -,()[]\"'\u2018\u2019\u201c\u201d\u201e"
_SAYS_MODEL = frozenset(
    phrases("model, type, version, Modell, Typ, modèle, modelo, tipo, モデル, 型番, 型号, 型號, 모델")
)

Run = tuple[int, int, tuple[Device, ...]]
"""The first token of a name, the one after its last, and the models of that name."""


class Named(NamedTuple):
    """A stretch that names a model. `device` is set if that model is surely meant."""

    start: int
    end: int
    device: Device | None
    candidates: tuple[Device, ...]
    branded: bool
    """Whether the stretch begins with the brand, as a name does. A number without the brand does not."""


class ModelReader:
    """Reads the models of one text: call `exactly` before its figures are read, and `named` after."""

    def __init__(self, reading: Reading, models: Models, found: Sequence[Token]) -> None:
        self.reading = reading
        self.models = models
        self.found = found

    def exactly(self) -> list[Run]:
        """Return the runs of words that name models exactly, the longest first."""
        runs: list[Run] = []
        while len(runs) < _MOST_NAMES and (run := self._longest()):
            runs.append(run)
        return runs

    def named(self, exact: Sequence[Run], label: Sequence[tuple[int, int]]) -> list[Named]:
        """Return the models that are named, or that may be, in their order.

        `exact` is the result of `exactly`, `label` the stretches of figures.
        """
        found = [self._continued(*run, label) for run in exact]
        while len(found) < _MOST_NAMES and (one := self._by_brand(label) or self._by_brand_alone()):
            found.append(one)
        return sorted(found, key=lambda one: one.start)

    def choice(self, named: Sequence[Named]) -> Choice | None:
        """Return what the traveler chooses from. It has a value only if one model is surely meant."""
        if not named:
            return None
        first = named[0]
        sure = first.device if all(one.device == first.device for one in named) else None
        several = tuple(one.device for one in named if one.device)
        candidates = dict.fromkeys((*several, *(device for one in named for device in one.candidates)))
        words = " · ".join(self.reading.folded.shown(one.start, one.end) for one in named)
        return Choice(words, sure.model_id if sure else None, tuple(map(of_model, list(candidates)[:MOST])))

    def with_words_behind(
        self, choice: Choice | None, named: Sequence[Named], items: Sequence[Item]
    ) -> Choice | None:
        """Return a choice without a value if a word directly behind a name may make it another model.

        Such a word is unknown, or a known one that names of models have too: "Anker 737 SE".
        """
        spans = sorted(
            [
                *(span for span in self.reading.unused_spans() if not self._is_small_word(span)),
                *(span for one in named for span in self._variants(one, items, named)),
            ]
        )
        ends = [self._with_spans(one.end, spans) for one in named]
        if choice is None or all(one.end == end for one, end in zip(named, ends, strict=True)):
            return choice
        shown = (self.reading.folded.shown(one.start, end) for one, end in zip(named, ends, strict=True))
        return msgspec.structs.replace(choice, value=None, words=" · ".join(shown))

    def _is_small_word(self, span: tuple[int, int]) -> bool:
        """Tell whether a stretch is one word that ends a name: "the Anker 737 to the limit"."""
        shown = self.reading.folded.shown(*span)
        return shown.islower() and self.reading.text[slice(*span)] in small_words()

    def _with_spans(self, end: int, spans: Iterable[tuple[int, int]]) -> int:
        for start, stop in spans:
            if self.reading.directly_follows(end, start):
                end = stop
        return end

    def _variants(
        self, one: Named, items: Sequence[Item], named: Sequence[Named]
    ) -> Iterator[tuple[int, int]]:
        """Set aside and yield what stands behind a name and may distinguish models: SE, type C.

        A word between two names joins them: Anker 737 plus Anker 733.
        """
        end = one.end
        for at, item in enumerate(items):
            if item.start < end:
                continue
            word = self.reading.text[item.start : item.end]
            apart = self.reading.between(end, item.start).strip(
                _AROUND if word in VARIANTS | new_ones() else " "
            )
            if apart:
                return
            if any(self.reading.directly_follows(item.end, other.start) for other in named):
                return
            if word in _SAYS_MODEL:
                end = item.end
            elif self._may_distinguish(one, word, *items[at : at + 2]):
                start = next(other.start for other in items if other.start >= one.end)
                self.reading.set_aside(start, item.end, "variant")
                yield start, item.end
                return
            else:
                return

    def _may_distinguish(self, one: Named, word: str, item: Item, behind: Item | None = None) -> bool:
        """Tell whether a small word may belong to the name of a model.

        A letter with an apostrophe does not, and neither does one before a place.
        """
        if word in VARIANTS | new_ones() or word in LETTERS:
            leads = item.kind == "before" and behind is not None and behind.kind == "place"
            return not leads and self.reading.sign_behind(item.end) not in APOSTROPHES
        if word in SUFFIXES and self._is_capital(item):
            # "Anker 737 I want to take" begins another clause.
            return len(word) > 1 or behind is None or behind.kind != "filler"
        if len(word) == _CODE_LETTERS and item.kind in {"filler", "before", "after"} and self._is_code(item):
            # Anker 737 ME
            return True
        is_small = item.kind == "filler" or (item.kind, item.value) in MILD
        brands = {brand_of(device) for device in one.candidates if is_small}
        said = self.reading.text[one.start : item.end]
        return any(self.models.has_word(brand, word) and self.models.meeting(brand, said) for brand in brands)

    def _is_code(self, item: Item) -> bool:
        shown = self.reading.folded.shown(item.start, item.end)
        return shown.isascii() and shown.isupper() and not self.reading.shouting

    def _is_capital(self, item: Item) -> bool:
        return not self.reading.shouting and self.reading.folded.shown(item.start, item.end)[:1].isupper()

    def _longest(self) -> Run | None:
        """Take the longest run of free words that names models exactly."""
        free = [not self.reading.is_taken(token.start, token.end) for token in self.found]
        runs: list[Run] = []
        for first in range(len(self.found)):
            others = range(first, len(self.found))
            behind = next(
                (at for at in others if not free[at] or self._begins_sentence(at, first)), len(free)
            )
            size, devices = self.models.longest(self.found[first:behind])
            if size:
                runs.append((first, first + size, devices))
        if not runs:
            return None
        first, last, devices = max(runs, key=lambda run: run[1] - run[0])
        self.reading.take(self.found[first].start, self.found[last - 1].end, "model")
        return first, last, devices

    def _begins_sentence(self, at: int, first: int) -> bool:
        """Tell whether a sentence ends between a word and the one before: "an Anker. 737 plane"."""
        if at == first:
            return False
        return bool(_NEXT_SENTENCE.match(self.reading.between(self.found[at - 1].end, self.found[at].start)))

    def _continued(
        self, first: int, last: int, devices: tuple[Device, ...], label: Sequence[tuple[int, int]]
    ) -> Named:
        """Return what an exact name means together with the catalog words that follow it."""
        brand = brand_of(devices[0])
        # Figures that fit no model of the name are not part of the name.
        for end in dict.fromkeys((self._goes_on(brand, last, label), self._goes_on(brand, last, ()))):
            if end == last:
                return self._named(first, end, devices[0] if len(devices) == 1 else None, devices)
            meeting = self.models.meeting(brand, " ".join(token.word for token in self.found[first:end]))
            both = tuple(device for device in devices if device in meeting)
            others = tuple(device for device in meeting if device not in both)
            if both or others:
                break
        return self._named(
            first, end, both[0] if len(both) == 1 else None, (*both, *others) or tuple(devices)
        )

    def _by_brand(self, label: Sequence[tuple[int, int]]) -> Named | None:
        """Return the first brand that is followed by words of its catalog."""
        for first, brand, last in self._brands():
            # Figures that fit no model of the name are not part of the name.
            for end in dict.fromkeys((self._goes_on(brand, last, label), self._goes_on(brand, last, ()))):
                if all(token.generic for token in self.found[last:end]):
                    continue
                text = self.reading.text[self.found[first].start : self.found[end - 1].end]
                if candidates := self.models.meeting(brand, text):
                    sure = candidates[0] if len(candidates) == 1 and numbered(candidates[0], text) else None
                    return self._named(first, end, sure, candidates)
        return None

    def _by_brand_alone(self) -> Named | None:
        """Return the models of a brand named alone, if its spelling shows that it is a brand."""
        for first, brand, last in self._brands():
            typed = self.reading.folded.source[self.reading.folded.at[self.found[first].start]]
            if typed.isupper() or not typed.isascii():
                text = self.found[first].word if last == first + 1 else brand
                return self._named(first, last, None, self.models.meeting(brand, text))
        return None

    def _brands(self) -> list[tuple[int, str, int]]:
        """Return the brands that are in no name yet: first token, brand, the token after it."""
        named = ((first, self.models.brand_at(self.found, first)) for first in range(len(self.found)))
        return [
            (first, *brand)
            for first, brand in named
            if brand and not self.reading.is_taken(self.found[first].start, self.found[first].end)
        ]

    def _named(self, first: int, end: int, device: Device | None, candidates: Iterable[Device]) -> Named:
        start, stop = self.found[first].start, self.found[end - 1].end
        typed = self.reading.folded.shown(start, stop) + self.reading.sign_behind(stop)
        if device and not self.models.surely(device, typed):
            candidates = dict.fromkeys((device, *candidates, *self.models.meeting(brand_of(device), typed)))
            device = None
        self.reading.take(start, stop, "model", device.model_name if device else "")
        branded = self.models.brand_at(self.found, first) is not None
        return Named(start, stop, device, tuple(candidates), branded)

    def _goes_on(self, brand: str, at: int, label: Sequence[tuple[int, int]]) -> int:
        """Return the token after the last one of a name that reaches up to token `at`."""
        end = at
        while end < len(self.found):
            token, before = self.found[end], self.found[end - 1]
            of_label = any(start <= token.start < stop for start, stop in label)
            taken = self.reading.is_taken(token.start, token.end) and not of_label
            if taken or token.word in small_words() or self.models.brand_at(self.found, end):
                break
            between = self.reading.between(before.end, token.start)
            if not _NAME_GOES_ON.fullmatch(between) or _NEXT_SENTENCE.match(between):
                break
            if not (of_label or self.models.belongs(brand, token)):
                break
            end += 1
        return end
