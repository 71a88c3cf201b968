"""Which model a sentence names, or which ones it may mean. Called by `aeo.finding.sentence`."""

import re
from collections.abc import Sequence

from aeo.finding.naming import MOST_TOKENS, Models, Token, brand_of, numbered
from aeo.finding.reading import Reading
from aeo.finding.speech import small_words
from aeo.finding.suggestions import MOST, of_model
from aeo.finding.understood import Choice
from rules.engine.facts import Device

_NAME_GOES_ON = re.compile(r"[\s\-()\[\]+/&'\u2019.]*")


class ModelReader:
    """Reads the model of one text: `exactly` before its figures are read, and `named` when they are."""

    def __init__(self, reading: Reading, models: Models, found: Sequence[Token]) -> None:
        self.reading = reading
        self.models = models
        self.found = found

    def exactly(self) -> tuple[int, int, tuple[Device, ...]] | None:
        """Return the longest run of words that names models exactly.

        That is its first token, the one behind its last, and the models.
        """
        for size in range(min(MOST_TOKENS, len(self.found)), 0, -1):
            for first in range(len(self.found) - size + 1):
                run = self.found[first : first + size]
                if devices := self.models.exactly("".join(token.word for token in run)):
                    self.reading.take(run[0].start, run[-1].end)
                    return first, first + size, devices
        return None

    def named(
        self, exact: tuple[int, int, tuple[Device, ...]] | None, label: Sequence[tuple[int, int]]
    ) -> tuple[Choice | None, tuple[int, int] | None]:
        """Return the model that is named, or those that may be, and the stretch that names them.

        `exact` is what `exactly` gave, `label` the stretches of figures.
        """
        if exact is not None:
            first, last, devices = exact
            end = self._goes_on(brand_of(devices[0]), last, label)
            text = " ".join(token.word for token in self.found[first:end])
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
                self.models.brand_at(self.found, at) for at in range(len(self.found)) if not first <= at < end
            )
            if any(named and named[0] != brand_of(devices[0]) for named in others_named):
                sure = None
            return self._choice(first, end, sure, candidates)
        for first in range(len(self.found)):
            named = self.models.brand_at(self.found, first)
            if named is None or self.reading.taken[self.found[first].start]:
                continue
            brand, last = named
            end = self._goes_on(brand, last, label)
            if all(token.generic for token in self.found[last:end]):
                continue
            text = self.reading.text[self.found[first].start : self.found[end - 1].end]
            candidates = self.models.meeting(brand, text)
            sure = candidates[0] if len(candidates) == 1 and numbered(candidates[0], text) else None
            if candidates:
                return self._choice(first, end, sure, candidates)
        return self._loosely()

    def _loosely(self) -> tuple[Choice | None, tuple[int, int] | None]:
        """Return what a brand alone leaves to choose from."""
        for first in range(len(self.found)):
            named = self.models.brand_at(self.found, first)
            typed = self.reading.folded.source[self.reading.folded.at[self.found[first].start]]
            if (
                named
                and not self.reading.taken[self.found[first].start]
                and (typed.isupper() or not typed.isascii())
            ):
                brand, last = named
                candidates = self.models.meeting(
                    brand, self.found[first].word if last == first + 1 else brand
                )
                return self._choice(first, last, None, candidates)
        return None, None

    def _choice(
        self, first: int, end: int, sure: Device | None, candidates: Sequence[Device]
    ) -> tuple[Choice, tuple[int, int]]:
        start, stop = self.found[first].start, self.found[end - 1].end
        self.reading.take(start, stop)
        offered = tuple(of_model(device) for device in candidates[:MOST])
        value = sure.model_id if sure else None
        return Choice(self.reading.folded.shown(start, stop), value, offered), (start, stop)

    def _goes_on(self, brand: str, at: int, label: Sequence[tuple[int, int]]) -> int:
        """Return the token after the last one that belongs to a name which reaches up to token `at`."""
        end = at
        while end < len(self.found):
            token, before = self.found[end], self.found[end - 1]
            of_label = any(start <= token.start < stop for start, stop in label)
            small_word = not token.generic and token.word in small_words()
            if (self.reading.taken[token.start] and not of_label) or small_word:
                break
            if not _NAME_GOES_ON.fullmatch(self.reading.between(before.end, token.start)):
                break
            if not (of_label or self.models.belongs(brand, token)):
                break
            end += 1
        return end
