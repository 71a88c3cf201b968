"""Finds the shortest identifiers in the languages of patterns, in each combination of them.

A language is a set of normalized identifiers: 1 to 64 visible characters, without small letters or spaces of
ASCII. There are three kinds:

- `matched(pattern)`: what the pattern matches;
- `misread(pattern)`: what has a look-alike reading that the pattern matches. A reading replaces each
  character by one of its own group (`serials.LOOK_ALIKES`), and the groups have no character in common. So
  these are the identifiers of the pattern in which each class accepts the whole group of each member;
- `CLEARABLE`: ASCII with at most `serials.MAX_READINGS` readings. The number of readings is the product of
  the sizes of the groups, so a search counts them.

The states of a pattern are sets of its places (Glushkov's automaton), made when they are first reached.
`shortest` runs all automata side by side. So an intersection, a union or a complement needs no automaton of
its own: it is a condition on the combination.

Characters with the same effect on all automata are one kind, and the search tries one of each. Beyond ASCII,
`syntax` accepts only single characters, no ranges. So one character that no pattern lists represents all such
characters.
"""

import functools
import string
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from recalls import serials
from recalls.languages import syntax
from recalls.languages.syntax import Choice, Letters, Repeat, Tree
from recalls.serials import PatternError

MAX_STATES = 2_000
"""How many places a pattern can have, and how many states its automaton."""

MAX_COMBINED_STATES = 100_000
"""How many states automata can have together. A search of so many takes about a second."""

ASCII = string.ascii_uppercase + string.digits + string.punctuation
"""The ASCII characters of normalized identifiers, those first that people read best."""


class TooLarge(PatternError):
    """Patterns whose automata have too many states to be compared."""


class Language(NamedTuple):
    """A set of identifiers, by its kind and its pattern."""

    kind: Literal["matched", "misread", "clearable"]
    pattern: str


def matched(pattern: str) -> Language:
    """Return the identifiers that a pattern matches."""
    return Language("matched", pattern)


def misread(pattern: str) -> Language:
    """Return the identifiers that could be misread as one that a pattern matches."""
    return Language("misread", pattern)


CLEARABLE = Language("clearable", "")
"""The identifiers that a recall can clear: ASCII, and not too many readings."""


# --- The places of a pattern ---


class _Part(NamedTuple):
    """Where a part of a pattern can begin and end, as sets of places, and whether it can be left out."""

    first: int
    last: int
    empty: bool


_NOTHING = _Part(0, 0, True)


class Places:
    """The characters of a pattern as numbered places, and which can follow which. Place 0 is the beginning.

    A set of places is a number whose bits are the places.
    """

    def __init__(self, tree: Tree) -> None:
        self.letters: dict[Letters, int] = {}
        self._follow = [0]
        whole = self._part(tree)
        self._follow[0] = whole.first
        self._last = whole.last | (1 if whole.empty else 0)

    def with_letter(self, character: str) -> int:
        """Return the places where a character can be."""
        return functools.reduce(
            int.__or__, (places for letters, places in self.letters.items() if letters.has(character)), 0
        )

    def after(self, places: int) -> int:
        """Return the places that can follow."""
        following = 0
        for place in _bits(places):
            following |= self._follow[place]
        return following

    def ends(self, places: int) -> bool:
        """Return whether the pattern can end at one of some places."""
        return bool(places & self._last)

    def _part(self, tree: Tree) -> _Part:
        match tree:
            case Letters():
                return self._place(tree)
            case Choice(options):
                return functools.reduce(_either, map(self._part, options))
            case Repeat(part, least, most):
                return self._repeated(part, least, most)
            case syntax.Sequence(parts):
                # From the end, so that the number of links grows only with the pattern.
                return functools.reduce(self._joined, map(self._part, reversed(parts)), _NOTHING)

    def _place(self, letters: Letters) -> _Part:
        if len(self._follow) > MAX_STATES:
            raise TooLarge(f"it has more than {MAX_STATES:,} places with its repetitions written out")
        place = 1 << len(self._follow)
        self._follow.append(0)
        self.letters[letters] = self.letters.get(letters, 0) | place
        return _Part(place, place, False)

    def _joined(self, rest: _Part, part: _Part) -> _Part:
        for place in _bits(part.last):
            self._follow[place] |= rest.first
        return _Part(
            part.first | (rest.first if part.empty else 0),
            rest.last | (part.last if rest.empty else 0),
            part.empty and rest.empty,
        )

    def _repeated(self, tree: Tree, least: int, most: int | None) -> _Part:
        rest = _NOTHING
        if most is None:
            endless = self._part(tree)
            for place in _bits(endless.last):
                self._follow[place] |= endless.first
            rest = endless if least else endless._replace(empty=True)
            least = max(least - 1, 0)
        else:
            for _ in range(most - least):
                rest = self._joined(rest, self._part(tree))._replace(empty=True)
        for _ in range(least):
            rest = self._joined(rest, self._part(tree))
        return rest


def _either(one: _Part, other: _Part) -> _Part:
    return _Part(one.first | other.first, one.last | other.last, one.empty or other.empty)


def _bits(places: int) -> Iterator[int]:
    while places:
        lowest = places & -places
        yield lowest.bit_length() - 1
        places ^= lowest


@functools.lru_cache(maxsize=1024)
def places(pattern: str) -> Places:
    """Return the places of a pattern. Raises `NotSupported` and `TooLarge`."""
    return Places(syntax.read(pattern))


# --- Automata ---


class _Automaton:
    """The states of a pattern: sets of its places, numbered as they are first reached. 0 is the beginning.

    `effects` has, for each kind of character, the places where it can be.
    """

    def __init__(self, of_pattern: Places, effects: Sequence[int]) -> None:
        self._places, self._effects = of_pattern, effects
        self._numbers = {1: 0}
        self._states = [1]
        self._rows: dict[int, list[int]] = {}
        self.accepts = [of_pattern.ends(1)]

    def row(self, number: int) -> list[int]:
        """Return the state after each kind of character."""
        row = self._rows.get(number)
        if row is None:
            following = self._places.after(self._states[number])
            row = self._rows[number] = [self._number(following & effect) for effect in self._effects]
        return row

    def _number(self, state: int) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self._states)
            if number == MAX_STATES:
                raise TooLarge(f"its automaton has more than {MAX_STATES:,} states")
            self._states.append(state)
            self.accepts.append(self._places.ends(state))
        return number


def _effect(language: Language, character: str) -> int:
    """Return the places where a character can be; for `CLEARABLE`, how many readings it has."""
    readings = serials.READINGS.get(character, character)
    if language == CLEARABLE:
        return len(readings) if character.isascii() else serials.MAX_READINGS + 1
    with_letter = places(language.pattern).with_letter
    if language.kind == "matched":
        return with_letter(character)
    return functools.reduce(int.__or__, map(with_letter, readings))


def _kinds(languages: Sequence[Language]) -> dict[tuple[int, ...], str]:
    """Return the kinds of characters: their effects on the languages, and one character of each."""
    named = {
        character
        for language in languages
        for letters in places(language.pattern).letters
        for character in letters.listed
        if not character.isascii()
    }
    beyond = next(character for character in map(chr, range(0x4E2D, 0x9FA6)) if character not in named)
    kinds: dict[tuple[int, ...], str] = {}
    for character in [*ASCII, *sorted(named), beyond]:
        kinds.setdefault(tuple(_effect(language, character) for language in languages), character)
    return kinds


# --- Search ---


class _Found(NamedTuple):
    """An identifier, the states of all automata after it, and how many readings it has."""

    states: tuple[int, ...]
    readings: int
    identifier: str


def _search(
    automata: Sequence[_Automaton], kinds: Sequence[tuple[str, int]], *, fewest: bool
) -> Iterator[_Found]:
    """Yield a shortest identifier for each combination of states, and again for fewer or more readings.

    A kind is a character and how many readings it has. If two identifiers lead to the same states, the search
    goes on with the shorter one, and with the longer one only if it has fewer readings, or more, as asked.
    Nothing is lost: what keeps the longer one within the maximum, or takes it beyond, does the same to the
    shorter one. If the fewest are asked for, identifiers beyond the maximum are left out.
    """
    too_many = serials.MAX_READINGS + 1
    best: dict[tuple[int, ...], int] = {}
    tried = 0
    level = {(0,) * len(automata): (1, "")}
    for _ in range(serials.MAX_CHARACTERS):
        following: dict[tuple[int, ...], tuple[int, str]] = {}
        for states, (so_far, start) in level.items():
            tried += 1
            if tried > MAX_COMBINED_STATES:
                raise TooLarge(f"together, their automata have more than {MAX_COMBINED_STATES:,} states")
            rows = [automaton.row(state) for automaton, state in zip(automata, states, strict=True)]
            for (character, size), target in zip(kinds, zip(*rows, strict=True), strict=True):
                readings = min(so_far * size, too_many)
                if fewest and readings == too_many:
                    continue
                known = best.get(target)
                if known is not None and (known <= readings if fewest else known >= readings):
                    continue
                best[target] = readings
                following[target] = (readings, start + character)
                yield _Found(target, readings, start + character)
        level = following


def shortest(languages: Sequence[Language]) -> dict[frozenset[Language], str]:
    """Return each combination of languages that some identifier is in, with a shortest such identifier.

    An identifier is in all languages of its combination, and in none of the others. The shortest combinations
    are first. Raises `NotSupported` and `TooLarge`.
    """
    of_patterns = [language for language in languages if language != CLEARABLE]
    if not of_patterns:
        return {frozenset(languages): ASCII[0]}
    counted = len(of_patterns) < len(languages)
    kinds = _kinds([*of_patterns, CLEARABLE] if counted else of_patterns)
    sizes = [effects[-1] if counted else 1 for effects in kinds]
    automata = [
        _Automaton(places(language.pattern), [effects[place] for effects in kinds])
        for place, language in enumerate(of_patterns)
    ]
    found: dict[tuple[bool, ...], str] = {}
    for fewest in (True, False) if counted else (True,):
        for states, readings, identifier in _search(
            automata, list(zip(kinds.values(), sizes, strict=True)), fewest=fewest
        ):
            if fewest or readings > serials.MAX_READINGS:
                inside = [automaton.accepts[state] for automaton, state in zip(automata, states, strict=True)]
                found.setdefault((*inside, fewest and counted), identifier)
    named = [*of_patterns, CLEARABLE]
    return {
        frozenset(language for language, within in zip(named, inside, strict=True) if within): identifier
        for inside, identifier in sorted(found.items(), key=lambda item: len(item[1]))
    }


@functools.lru_cache(maxsize=1024)
def check(pattern: str) -> None:
    """Refuse a pattern that cannot be compared with others. Raises `NotSupported` and `TooLarge`."""
    for language in (matched(pattern), misread(pattern)):
        shortest([language])
