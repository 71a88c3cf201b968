"""The survey of every question: two rulesets side by side, compared airline by airline.

It judges every class of questions that the two may answer differently, and only those. An answer depends on
the cell, on the class of the model and on the unit. Where a cell, restricted to what can matter for a model,
is the same on both sides, and the model and its recalls are the same too, the answers are the same.
"""

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules.engine.corpus import Corpus
from rules.impact.survey.cells import Airlines, Cell, Extent, Where, extent, within
from rules.impact.survey.changes import Changed, changed_records
from rules.impact.survey.comparison import Comparer, Flip
from rules.impact.survey.counting import counting_causes
from rules.impact.survey.descriptions import DESCRIPTIONS, LIST_ANSWERS
from rules.impact.survey.flights import Flights, Home
from rules.impact.survey.hiding import hidden_causes
from rules.impact.survey.judging import Judge
from rules.impact.survey.loosening import loosened_causes
from rules.impact.survey.models import InDoubt, ModelClass, State, classes_of_models, unlisted_classes
from rules.impact.survey.naming import moved_names
from rules.impact.survey.periods import first_days
from rules.impact.survey.rulebook import Rulebook
from rules.impact.survey.telling import told_otherwise
from rules.impact.survey.worlds import Change, Worlds, restricted, same_on_both_sides


class Found(NamedTuple):
    """How answers about a class of models flip in one cell, and on which flights and days."""

    model: ModelClass
    cell: Cell
    where: tuple[Where, ...]
    extent: Extent
    flips: tuple[Flip, ...]


class _Compared(NamedTuple):
    """A class of models that a cell may answer differently, and the cell with only what can matter for it."""

    state: State
    cell: Cell


class Survey:
    """Two rulesets side by side. Each airline is an independent part of the work."""

    def __init__(self, before: Corpus, after: Corpus, *, today: datetime.date) -> None:
        """Compare two rulesets on a day."""
        self.corpora = (before, after)
        self.today = today
        contents = before.content, after.content
        self.changed = changed_records(*contents)
        """The records that differ in what decides, before and after."""
        self.days = first_days(contents, today)
        """The first day of each period."""
        days = tuple(day.toordinal() for day in self.days)
        self._rulebook = Rulebook(contents, self.changed, days)
        self._contents, self.signatures = contents, self._rulebook.signatures
        signatures = self.signatures
        self.flights = Flights(self.corpora, self.changed, self._rulebook)
        self._airlines = Airlines(self.corpora, self.flights, self._rulebook)
        self.airlines = self._airlines.codes
        self.models = classes_of_models(self.corpora, signatures, days)
        """The classes of the models of either catalog."""
        self.unlisted = unlisted_classes(signatures)
        """The classes of units that no catalog lists."""
        self._by_reach: dict[int, list[State]] = defaultdict(list)
        for model in (*self.models, *self.unlisted):
            self._by_reach[model.reach(signatures)] += model.states((1 << len(days)) - 1)
        self._comparer = Comparer(Judge(before, signatures), signatures)
        self._changed_recalls: dict[str, set[Changed]] = defaultdict(set)
        for key, versions in self.changed.items():
            if key.kind == "recalls":
                for version in filter(None, versions):
                    self._changed_recalls[version.model_id].add(key)
        self._to_compare: dict[Cell, tuple[_Compared, ...]] = {}
        self._flips: dict[tuple[ModelClass, InDoubt, Cell], tuple[Flip, ...]] = {}

    @property
    def questions(self) -> int:
        """Return how many questions there are about the flights of one airline.

        A question is about a model, a flight, a compartment, a number of units, a mark, a label, a condition,
        an answer of the maker's list, a status that recalls can give, and a period of days.
        """
        units = sum(len(model.names) * len(model.pairs) for model in self.models)
        return units * DESCRIPTIONS * len(LIST_ANSWERS) * self.flights.total * len(self.days)

    def home(self, airline: str) -> Home:
        """Return the country of an airline before and after."""
        return self._airlines.home(airline)

    def size(self, airline: str) -> int:
        """Return how many classes of models and flights are compared for an airline. This is cheap."""
        return sum(len(self._compared(cell)) for cell in self._airlines.cells(airline))

    @property
    def size_of_all(self) -> int:
        """Return how many classes of models and flights the whole survey compares."""
        return sum(map(self.size, self.airlines))

    def beyond_questions(self) -> dict[Changed, str]:
        """Return the records that make less strict what no single question shows, each with what it does."""
        how = self.changed, self.signatures, self.days
        loosened = moved_names(self._contents) | loosened_causes(self._contents, *how)
        found = loosened | hidden_causes(self.corpora, *how) | counting_causes(self._contents, *how)
        return told_otherwise(self._contents) | found

    def part(self, airline: str) -> Iterator[Found]:
        """Compare the two rulesets for one airline, and return what flips."""
        for cell, everywhere in self._airlines.cells(airline).items():
            extents: dict[int, tuple[tuple[Where, ...], Extent]] = {}
            for compared in self._compared(cell):
                flips = self._flips_of(compared)
                if not flips:
                    continue
                periods = compared.state.periods
                if periods not in extents:
                    where = tuple(within(everywhere, periods))
                    extents[periods] = where, extent(where)
                if extents[periods][0]:
                    yield Found(compared.state.model, cell, *extents[periods], flips)

    def records_of_flights(self, airline: str, found: Found, causes: Iterable[Change]) -> set[Changed]:
        """Return the rules, places and airline behind changes that make answers of an airline less strict."""
        records = set[Changed]()
        for change in causes:
            if change.kind == "rule":
                records.add(Changed("rules", self._rulebook.name(change.rule)))
            elif change.kind == "airline":
                records.add(Changed("airlines", airline))
            elif change.kind == "places":
                records |= self._airlines.moved(airline, found.cell, found.where)
        return records

    def records_of_model(self, causes: Iterable[Change], model: str) -> set[Changed]:
        """Return the model itself and its recalls, where these make answers about it less strict."""
        records = set[Changed]()
        for change in causes:
            if change.kind == "device":
                records.add(Changed("devices", model))
            elif change.kind == "recalls":
                records |= self._changed_recalls[model]
        return records

    def _compared(self, cell: Cell) -> tuple[_Compared, ...]:
        """Return the classes of models that a cell may answer differently."""
        if cell not in self._to_compare:
            self._to_compare[cell] = tuple(self._differing(cell))
        return self._to_compare[cell]

    def _differing(self, cell: Cell) -> Iterator[_Compared]:
        for reach, states in self._by_reach.items():
            only = restricted(cell, reach, self._rulebook)
            same = same_on_both_sides(only, self._rulebook)
            yield from (_Compared(state, only) for state in states if state.changed or not same)

    def _flips_of(self, compared: _Compared) -> tuple[Flip, ...]:
        (model, in_doubt, *_), cell = compared
        key = model, in_doubt, cell
        if key not in self._flips:
            worlds = Worlds(cell, model, in_doubt, self._rulebook)
            self._flips[key] = self._comparer.flips(worlds, model)
        return self._flips[key]
