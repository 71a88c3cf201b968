"""Which models of the catalog does a notice name? By exact numbers and names, never by a brand alone.

Pure: no Django, no clock, no I/O. Called by `recalls.feeds.actions` with all models of the catalog.

These name a model:

- its *number* or an *alias*, in a field of model numbers or in prose. Case, hyphens and spaces make no
  difference, digits and letters do: `A1263` is neither `A1268` nor part of `XA1263`.
- its *name*, all words in a row, if the notice names its brand too. Makers give one name to many models, so
  this is a hint unless the model has no number at all and no other model has that name.

A brand only narrows: if the notice says that someone else made the product, a number is a hint. If one name
is part of another, the longer one counts. A candidate that is `exact` becomes a draft; the others are listed
for an editor, with the words and the place.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from catalog.devices.duplicates import Named
from catalog.search.words import GENERIC, is_figure, joined, pieces, words
from recalls.feeds.notices import Notice, without_addresses

MODEL_FIELD = "model numbers"
"""The name in candidates for the fields that contain only model numbers."""

LONGEST_PROSE = 20_000
"""Longer prose is only read up to this length."""

SHORTEST = 5
"""A number in prose with fewer characters, or only digits, needs its brand next to it."""

MatchedBy = Literal["number", "alias", "name"]


class Candidate(msgspec.Struct, frozen=True, order=True):
    """A model that a notice may be about: by which words, in which field, and whether that is exact."""

    model_id: str
    exact: bool
    by: MatchedBy
    words: str
    where: str
    doubt: str = ""

    @property
    def why(self) -> str:
        """The reason in a sentence."""
        said = f"Its {self.by} “{self.words}” is in {self.where}."
        return f"{said} {self.doubt}" if self.doubt else said


class _Name(NamedTuple):
    """One name of a model, in the form that is compared."""

    model: Named
    by: MatchedBy
    said: str


class _Find(NamedTuple):
    """A name found in a text, from one word to before another."""

    start: int
    end: int
    names: tuple[_Name, ...]

    def within(self, other: "_Find") -> bool:
        """Return whether this is part of a longer one."""
        return (
            other.start <= self.start
            and self.end <= other.end
            and other.end - other.start > self.end - self.start
        )


class Catalog:
    """The models that notices are compared with."""

    def __init__(self, models: Iterable[Named]) -> None:
        self._numbers: defaultdict[tuple[str, ...], list[_Name]] = defaultdict(list)
        self._names: defaultdict[tuple[str, ...], list[_Name]] = defaultdict(list)
        self._brands: dict[str, tuple[str, ...]] = {}
        for model in models:
            brand = tuple(pieces(model.brand))
            self._brands[model.brand] = brand
            if model.model_number:
                self._add_number(_Name(model, "number", model.model_number), brand)
            for alias in model.aliases:
                self._add_number(_Name(model, "alias", alias), brand)
            self._add_name(_Name(model, "name", model.model_name), brand)

    def candidates(self, notice: Notice) -> list[Candidate]:
        """Return the models that a notice names, one candidate for each, the best reason first."""
        named = self._brands_in(notice)
        found = [*self._in_fields(notice, named), *self._in_prose(notice, named)]
        best: dict[str, Candidate] = {}
        for candidate in sorted(found, key=lambda one: (not one.exact, one.where != MODEL_FIELD, one)):
            best.setdefault(candidate.model_id, candidate)
        return sorted(best.values())

    # --- Names of models ---

    def _add_number(self, name: _Name, brand: tuple[str, ...]) -> None:
        whole = joined(name.said)
        if not any(map(str.isdigit, whole)) or len(whole) < 2 or (whole,) == brand:
            # Without a digit it is a word; it may still be found as a name.
            self._add_name(name, brand)
            return
        # `BS-30KP365` is one piece in most notices, and two in some.
        spelled = tuple(pieces(name.said.replace("-", " ")))
        for spelling in {(whole,), tuple(pieces(name.said)), spelled}:
            self._numbers[spelling].append(name)

    def _add_name(self, name: _Name, brand: tuple[str, ...]) -> None:
        of_brand = {*brand, "".join(brand)}
        name_words = tuple(word for word in words(name.said) if word not in of_brand)
        own = [word for word in name_words if word not in GENERIC and not is_figure(word)]
        # Many models have the same capacity, and anything may have a single plain word.
        if own and (len(name_words) > 1 or any(map(str.isdigit, own[0]))):
            self._names[name_words].append(name)

    # --- Their places in a notice ---

    def _in_fields(self, notice: Notice, named: set[str]) -> Iterator[Candidate]:
        for entry in notice.models:
            whole = joined(entry)
            exact = [name for name in self._numbers.get((whole,), ()) if whole == joined(name.said)]
            if exact:
                yield from self._judged(exact, MODEL_FIELD, notice, named, in_prose=False)
            else:
                for find in _longest(_finds(pieces(entry), self._numbers)):
                    yield from self._judged(find.names, MODEL_FIELD, notice, named, in_prose=True)

    def _in_prose(self, notice: Notice, named: set[str]) -> Iterator[Candidate]:
        for where, text in notice.texts.items():
            prose = without_addresses(text[:LONGEST_PROSE])
            for find in _longest(_finds(pieces(prose), self._numbers)):
                yield from self._judged(find.names, where, notice, named, in_prose=True)
            for find in _longest(_finds(_without(words(prose), named), self._names)):
                yield from self._judged_by_name(find.names, where, named)

    def _brands_in(self, notice: Notice) -> set[str]:
        """Return the brands that a notice names, anywhere."""
        texts = [notice.title, notice.url, *notice.makers, *notice.models, *notice.texts.values()]
        lines = [pieces(text[:LONGEST_PROSE].replace("-", " ")) for text in texts]
        lines += [pieces(text[:LONGEST_PROSE]) for text in texts]
        by_spelling: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
        for brand, spelled in self._brands.items():
            by_spelling[spelled].add(brand)
            by_spelling[tuple(pieces(brand.replace("-", " ")))].add(brand)
        longest = max(map(len, by_spelling), default=0)
        return {
            brand
            for line in lines
            for start in range(len(line))
            for length in range(1, longest + 1)
            for brand in by_spelling.get(tuple(line[start : start + length]), ())
        }

    # --- How certain a match is ---

    def _judged(
        self, names: Sequence[_Name], where: str, notice: Notice, named: set[str], *, in_prose: bool
    ) -> Iterator[Candidate]:
        bearers = {name.model.model_id for name in names}
        of_named = {name.model.model_id for name in names if name.model.brand in named}
        for name in names:
            model_id = name.model.model_id
            doubt = ""
            if model_id not in of_named:
                whole = joined(name.said)
                if named:
                    doubt = "The notice names another brand."
                elif in_prose and (len(whole) < SHORTEST or whole.isdecimal()):
                    doubt = "The number is too short to be certain, and the notice does not name the brand."
                elif len(bearers) > 1:
                    doubt = "Several models have it, and the notice does not name the brand."
            elif len(of_named) > 1:
                doubt = "Several models of the brand have it."
            yield Candidate(model_id, not doubt, name.by, name.said, where, doubt)

    def _judged_by_name(self, names: Sequence[_Name], where: str, named: set[str]) -> Iterator[Candidate]:
        of_named = [name for name in names if name.model.brand in named]
        for name in of_named:
            doubt = ""
            if name.model.model_number:
                doubt = "Makers give one name to many models, and the notice does not have its number."
            elif len({other.model.model_id for other in of_named}) > 1:
                doubt = "Several models of the brand have this name."
            yield Candidate(name.model.model_id, not doubt, name.by, name.said, where, doubt)


def _without(found: Sequence[str], brands: set[str]) -> list[str]:
    """Return words without those of the named brands, which are before a name or within it."""
    of_brands = {word for brand in brands for word in (*pieces(brand), joined(brand))}
    return [word for word in found if word not in of_brands]


def _finds(text: Sequence[str], index: dict[tuple[str, ...], list[_Name]]) -> Iterator[_Find]:
    longest = max(map(len, index), default=0)
    for start in range(len(text)):
        for end in range(start + 1, min(start + longest, len(text)) + 1):
            if names := index.get(tuple(text[start:end])):
                yield _Find(start, end, tuple(names))


def _longest(finds: Iterable[_Find]) -> list[_Find]:
    """Leave out what is part of something longer: NB10000 within NB10000 Gen 2."""
    every = list(finds)
    return [find for find in every if not any(find.within(other) for other in every)]
