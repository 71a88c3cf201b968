"""Reads the pattern of a recall as a tree. A small part of RE2's syntax, and nothing else.

A pattern has characters, escaped punctuation, classes, `.`, groups, `|` and repetitions. `^` and `$` are
accepted where they change nothing: at the ends of the pattern, and of its alternatives outside groups. A
pattern is always compared with a whole identifier.

For all that is accepted here, a tree means what RE2 means by the pattern; `tests/recalls/languages` compares
them. RE2 knows more: flags, reluctant repetitions, classes by name. They are refused, each with its place.
Nothing is guessed, since a wrong reading would hide that a change clears a unit.
"""

import re
import string
import unicodedata
from typing import NamedTuple, NoReturn

from recalls.serials import PatternError, normalize

MAX_DEPTH = 50
"""How deep groups can be nested."""

MAX_REPETITIONS = 1000
"""The largest number in a repetition; it is RE2's limit."""


class NotSupported(PatternError):
    """A pattern with something that is not part of the syntax; the message says what and where."""


class Letters(NamedTuple):
    """A set of characters: those listed, or all others."""

    listed: frozenset[str]
    others: bool = False

    def has(self, character: str) -> bool:
        """Return whether a character is in the set."""
        return (character in self.listed) != self.others

    def opposite(self) -> "Letters":
        """Return all characters that are not in the set."""
        return Letters(self.listed, not self.others)

    def union(self, other: "Letters") -> "Letters":
        """Return the characters that are in one of the two sets."""
        if self.others and other.others:
            return Letters(self.listed & other.listed, others=True)
        if self.others or other.others:
            excluded, listed = (self, other) if self.others else (other, self)
            return Letters(excluded.listed - listed.listed, others=True)
        return Letters(self.listed | other.listed)


class Sequence(NamedTuple):
    """One part after the other. Without parts, it is the empty text."""

    parts: "tuple[Tree, ...]"


class Choice(NamedTuple):
    """One of several options."""

    options: "tuple[Tree, ...]"


class Repeat(NamedTuple):
    """A part several times: `least` times or more, at most `most` times if that is a number."""

    part: "Tree"
    least: int
    most: int | None


Tree = Letters | Sequence | Choice | Repeat

_KINDS = {
    "d": Letters(frozenset(string.digits)),
    "w": Letters(frozenset(string.ascii_letters + string.digits + "_")),
    "s": Letters(frozenset("\t\n\f\r ")),
}
_ESCAPED_KINDS = {
    **{f"\\{name}": letters for name, letters in _KINDS.items()},
    **{f"\\{name.upper()}": letters.opposite() for name, letters in _KINDS.items()},
}
_ANY = Letters(frozenset("\n"), others=True)
_TIMES = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_COUNTED = re.compile(r"\{(0|[1-9][0-9]{0,3})(?:(,)(0|[1-9][0-9]{0,3})?)?\}")
_BRACKETS = {
    "[": "an opening square bracket is never closed",
    "(": "an opening parenthesis is never closed",
}


def read(pattern: str) -> Tree:
    """Return a pattern as a tree. Raises `NotSupported`."""
    return _Reader(pattern).whole()


class _Reader:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    def whole(self) -> Tree:
        tree = self.alternatives(0)
        if self.at < len(self.pattern):
            self.refuse("a closing parenthesis was never opened")
        return tree

    # --- What comes next ---

    def next(self, length: int = 1) -> str:
        return self.pattern[self.at : self.at + length]

    def take(self, expected: str) -> bool:
        taken = self.pattern.startswith(expected, self.at)
        if taken:
            self.at += len(expected)
        return taken

    def refuse(self, why: str, at: int | None = None) -> NoReturn:
        raise NotSupported(f"{why} (character {(self.at if at is None else at) + 1})")

    # --- The parts of a pattern ---

    def alternatives(self, depth: int) -> Tree:
        options = [self.sequence(depth)]
        while self.take("|"):
            options.append(self.sequence(depth))
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def sequence(self, depth: int) -> Tree:
        parts: list[Tree] = []
        if depth == 0:
            self.take("^")
        while self.next() not in {"", "|", ")"}:
            if depth == 0 and self.next(2) in {"$", "$|"}:
                self.at += 1
                break
            parts.append(self.repeated(self.part(depth)))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def part(self, depth: int) -> Tree:
        character = self.next()
        if character == "(":
            return self.group(depth)
        if character == "[":
            return self.in_class()
        if character == ".":
            self.at += 1
            return _ANY
        if character in {"^", "$"}:
            self.refuse(f"`{character}` is only supported at the ends of a pattern and of its alternatives")
        if character in {"*", "+", "?"} or _COUNTED.match(self.pattern, self.at):
            self.refuse("a repetition such as * or + has nothing to repeat")
        if character in {"{", "}", "]"}:
            self.refuse(f"`{character}` alone is not supported: write `\\{character}`")
        return self.escaped_kind() or _one(self.character())

    def group(self, depth: int) -> Tree:
        opened = self.at
        if depth == MAX_DEPTH:
            self.refuse(f"groups are nested more than {MAX_DEPTH} deep")
        self.at += 1
        if not self.take("?:") and self.next() == "?":
            self.refuse("groups with a name or a flag are not supported, nor is looking ahead or behind")
        tree = self.alternatives(depth + 1)
        if not self.take(")"):
            self.refuse(_BRACKETS["("], opened)
        return tree

    def repeated(self, part: Tree) -> Tree:
        character = self.next()
        if character in _TIMES:
            self.at += 1
            least, most = _TIMES[character]
        elif counted := _COUNTED.match(self.pattern, self.at):
            least = int(counted[1])
            most = least if counted[2] is None else None if counted[3] is None else int(counted[3])
            if max(least, most or 0) > MAX_REPETITIONS or (most is not None and most < least):
                self.refuse("a repetition is out of order, or too large")
            self.at = counted.end()
        else:
            return part
        if self.next() in _TIMES or _COUNTED.match(self.pattern, self.at):
            self.refuse("two repetitions next to each other are not supported")
        return Repeat(part, least, most)

    def in_class(self) -> Letters:
        opened = self.at
        self.at += 1
        opposite = self.take("^")
        letters = Letters(frozenset())
        if self.next() == "]":
            self.refuse("a class of characters is empty, or begins with `]`: write `\\]`")
        start = self.at
        while not self.take("]"):
            if self.next() == "":
                self.refuse(_BRACKETS["["], opened)
            letters = letters.union(self.escaped_kind() or self.range(start))
        return letters.opposite() if opposite else letters

    def range(self, start: int) -> Letters:
        at = self.at
        if self.next() == "[":
            self.refuse("`[` within a class of characters is not supported: write `\\[`")
        if self.next() == "-" and self.at != start and self.next(2) != "-]":
            self.refuse("`-` within a class of characters is not supported here: write `\\-`")
        first = self.character()
        if self.next() != "-" or self.next(2) == "-]":
            return _one(first)
        self.at += 1
        if self.next() in {"", "["} or self.next(2) in _ESCAPED_KINDS:
            self.refuse("a range of characters has no end")
        last = self.character()
        if not first.isascii() or not last.isascii():
            self.refuse("a range of characters is only supported within ASCII: list the characters", at)
        if last < first:
            self.refuse("a range of characters is out of order", at)
        return Letters(frozenset(map(chr, range(ord(first), ord(last) + 1))))

    def escaped_kind(self) -> Letters | None:
        kind = _ESCAPED_KINDS.get(self.next(2))
        if kind is not None:
            self.at += 2
        return kind

    def character(self) -> str:
        at = self.at
        if self.take("\\") and self.next() not in {*string.punctuation, " "}:
            named = self.pattern[at : at + 2]
            self.refuse(
                f"the escape `{named}` is not supported" if len(named) == 2 else "an escape is not complete",
                at,
            )
        character = self.next()
        if character.isascii() and not character.isprintable():
            self.refuse("an invisible character is not supported")
        if not (character.isascii() or _alone(character)):
            self.refuse(f"no identifier has `{character}` once it is normalized")
        self.at += 1
        return character


def _one(character: str) -> Letters:
    return Letters(frozenset(character))


def _alone(character: str) -> bool:
    """Return whether a character that is not ASCII stays as it is, whatever is before and after it."""
    joins = unicodedata.category(character)[0] == "M" or "\u1100" <= character <= "\u11ff"
    return normalize(character) == character and character.isprintable() and not joins
