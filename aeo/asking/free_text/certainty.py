"""Which places of a sentence are surely places of the journey, and which of those need a confirmation.

Many words are also places: a small town, the code of an airport. A verdict for a place that no one meant may
be too mild, so a word is a place only if something in the sentence says so.

Called by `aeo.asking.free_text.journey`.
"""

import re
from collections.abc import Sequence

from aeo.asking.free_text.items import WELL_KNOWN, is_code
from aeo.asking.free_text.reading import Reading
from aeo.asking.free_text.stays import Stay, is_word
from aeo.asking.names.places import KNOWN_BY_CODE, is_only_country
from aeo.asking.names.scripts import script_of

TOWN = 100_000
"""The minimum population of a place whose name is typed with a capital letter and nothing next to it."""

_LONG_NAME = 5
_LONG_NAME_OF_OTHERS = 2
"""A name with so many letters, in scripts other than Latin, is rarely another word."""


COMMAS = frozenset((",", "\u3001", "\uff0c"))

_APART = re.compile(r"[?/(\[~_\u2026]")
"""Signs between two places that are no way from one to the other."""


class Certainty:
    """Judges the places of one text."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def of_journey(self, stays: Sequence[Stay]) -> list[Stay]:
        """Return the places that belong to the journey. One that may be another word is its own doubt."""
        kept = (self._kept(stays, number) for number in range(len(stays)))
        return [one for one in kept if one is not None]

    def _kept(self, stays: Sequence[Stay], number: int) -> Stay | None:
        """Return a place with its doubts; None if it does not belong to the journey."""
        stay = stays[number]
        if stay.marked or self._is_known(stay):
            doubtful = (
                self._is_other_word(stays, number) if stay.marked else self._belongs_to_model(stays, number)
            )
        else:
            followed = number + 1 < len(stays) and stays[number + 1].marked
            adjacent = any(self._is_adjacent(stay, other) for other in stays[max(0, number - 1) : number + 2])
            if not (followed or adjacent or self._is_certain(stay)):
                return None
            if not self._is_large_code(stays, number) and is_word(self._text(stay)):
                return None
            doubtful = not self._is_sure(stays, number, adjacent=adjacent)
        doubtful = doubtful or (number > 0 and self._may_distinguish(stays, number))
        return stay._replace(doubts=(*stay.doubts, stay)) if doubtful else stay

    def _may_distinguish(self, stays: Sequence[Stay], number: int) -> bool:
        """Tell whether a place may be no further stop, but say which one before it is meant, or ask again.

        "From Lagos Portugal to Paris" may begin in Portugal (Hong Kong is a city too), "London/Paris" is one
        or the other, and "To London? To Tokyo?" are two questions.
        """
        before, stay = stays[number - 1], stays[number]
        between = self.reading.between(before.end, stay.start).strip()
        if _APART.search(between):
            return True
        follows = between == "" and number + 1 < len(stays)
        return (
            is_only_country(stay.places)
            and not stay.markers
            and before.places[0].kind != "country"
            and (follows or between in COMMAS)
        )

    def _text(self, stay: Stay) -> str:
        return self.reading.text[stay.start : stay.end]

    def _is_known(self, stay: Stay) -> bool:
        """Tell whether a stretch is the name of a country or of a very large city, and not a code."""
        best = stay.places[0]
        large = best.kind == "country" or (best.kind == "city" and best.population >= WELL_KNOWN)
        return large and not is_code(best, self._text(stay))

    def _is_other_word(self, stays: Sequence[Stay], number: int) -> bool:
        """Tell whether a place with a dash or a word next to it may be another word: "- fat", "to burns".

        A capital shows that it is a name, if a word such as "to" or an arrow is next to it: "to Nice",
        "Muscat > Zurich". The code of a large city is one next to another code: "TPE-VIE".
        """
        stay = stays[number]
        text, shown = self._text(stay), self.reading.folded.shown(stay.start, stay.end)
        if not is_word(text) or self._is_known(stay):
            return False
        if is_code(stay.places[0], text):
            around = (*stays[max(0, number - 1) : number], *stays[number + 1 : number + 2])
            large = stay.places[0].population >= KNOWN_BY_CODE
            return not (large and any(is_code(one.places[0], self._text(one)) for one in around))
        is_name = shown[:1].lower() == shown[:1].upper() or (shown[:1].isupper() and not shown.isupper())
        return not is_name or (stay.role is None and not self.reading.has_arrow(stay.start, stay.end))

    def _belongs_to_model(self, stays: Sequence[Stay], number: int) -> bool:
        """Tell whether a place may say where a power bank is from: "my Hong Kong Anker 737"."""
        stay = stays[number]
        before = [max(one.end, *(end for _, end in one.markers), one.end) for one in stays[:number][-1:]]
        follows = any(self.reading.touch(end, stay.start) for end in before)
        return not follows and self.reading.leads_to_model(stay.end)

    def _is_large_code(self, stays: Sequence[Stay], number: int) -> bool:
        """Tell whether a name is the code of a large city next to another code: `DXB SIN`."""
        place = stays[number].places[0]
        large = place.population >= KNOWN_BY_CODE and is_code(place, self._text(stays[number]))
        return large and self._beside_code(stays, number)

    def _beside_code(self, stays: Sequence[Stay], number: int) -> bool:
        """Tell whether nothing but space separates a place from a code."""
        stay = stays[number]
        around = [*stays[max(0, number - 1) : number], *stays[number + 1 : number + 2]]
        others = [one for one in around if self._touches(*sorted((stay, one)))]
        return bool(others) and all(is_code(one.places[0], self._text(one)) for one in others)

    def _touches(self, first: Stay, second: Stay) -> bool:
        return self.reading.touch(first.end, second.start)

    def _is_sure(self, stays: Sequence[Stay], number: int, *, adjacent: bool) -> bool:
        """Tell whether a place without a word such as "from" needs no confirmation.

        A code may be another abbreviation (LED, PPS), unless it is next to another code. A small place may be
        another word (Rost), unless it is next to another place or the word before that.
        """
        stay = stays[number]
        following = stays[number + 1] if number + 1 < len(stays) else None
        leads = following is not None and any(
            start >= stay.end and self.reading.touch(stay.end, start) for start, _ in following.markers
        )
        if is_code(stay.places[0], self._text(stay)):
            to_code = leads and following and is_code(following.places[0], self._text(following))
            return bool(to_code) or self._beside_code(stays, number)
        people = stay.places[0].population
        return adjacent or leads or people >= (TOWN if self._is_certain(stay) else KNOWN_BY_CODE)

    def _is_adjacent(self, stay: Stay, other: Stay) -> bool:
        """Tell whether a longer name of a place with an airport is right next to another place."""
        first, second = sorted((stay, other))
        end = max(first.end, *(end for _, end in first.markers), first.end)
        latin = script_of(self.reading.text[stay.start]) == "l"
        return (
            first != second
            and not self.reading.between(end, second.start).strip()
            and stay.end - stay.start >= (_LONG_NAME if latin else _LONG_NAME_OF_OTHERS)
            and any(place.codes for place in stay.places)
        )

    def _is_certain(self, stay: Stay) -> bool:
        """Tell whether a stretch is surely a place even if no word next to it says so."""
        best = stay.places[0]
        if best.kind == "country" or best.population >= WELL_KNOWN:
            return True
        text = self.reading.text[stay.start : stay.end]
        if text.isascii() or script_of(text[0]) == "l":
            return self._looks_like_name(stay.start)
        return len(text) > 2

    def _looks_like_name(self, at: int) -> bool:
        letter = self.reading.folded.source[self.reading.folded.at[at]]
        return (
            not letter.isascii()
            or (letter.isupper() and at > 0 and not self.reading.shouting)
            or letter.isdecimal()
        )
