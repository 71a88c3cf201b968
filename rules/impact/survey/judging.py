"""The verdict of the engine in any world: before a change, after it, or with some of the changes.

A world is a set of signatures, of which the engine's own `judge` makes the verdict. So there is no second
evaluator that could disagree.
"""

import datetime
from decimal import Decimal
from typing import NamedTuple

from recalls.serials import RecallStatus
from rules.engine.certificates import NO_CERTIFICATES, Certificates, Doubt
from rules.engine.corpus import CatalogEntry, Corpus, InPlay, Speakers
from rules.engine.facts import Airline, Certificate, Device, Leg, Question, Unit
from rules.engine.vocabulary import ListAnswer, MarkIndication
from rules.engine.weighing import Case, judge
from rules.impact.survey.models import Seen
from rules.impact.survey.outcomes import Outcome
from rules.impact.survey.signatures import Signatures


class Ground(NamedTuple):
    """All that a verdict rests on, but for the description of the unit."""

    signatures: int
    unverified: bool
    domestic: bool
    seen: Seen
    in_doubt: bool


class UnitFacts(NamedTuple):
    """What is said about a unit: the bits of its facts, and what the engine reads from the question."""

    facts: int
    ccc_mark: MarkIndication
    recall_check: ListAnswer
    status: RecallStatus

    @property
    def recalled(self) -> bool:
        """Whether the unit is recalled, which bans it whatever the rules say."""
        return self.status == "affected" or self.recall_check == "affected"


_DAY = 1
_ALWAYS = Certificates(
    (Doubt(Certificate(mark="CCC", status="suspended", source=""), 0, datetime.date.max.toordinal(), ()),)
)
_NO_RULES = Speakers(((),), (), ())


class Judge:
    """Gives the verdict in a world. Whatever is built for one is kept for the next."""

    def __init__(self, corpus: Corpus, signatures: Signatures) -> None:
        self._corpus, self._signatures = corpus, signatures
        self._in_play: dict[tuple[int, bool], InPlay] = {}
        self._entries: dict[tuple[Seen, bool], CatalogEntry] = {}
        self._questions: dict[tuple[MarkIndication, ListAnswer, bool], Question] = {}

    def outcome(self, ground: Ground | None, unit: UnitFacts) -> Outcome:
        """Return the verdict, or that there is none: without ground nothing is answered."""
        if ground is None:
            return "not_answered"
        if unit.recalled:
            return "banned"
        asked = unit.ccc_mark, unit.recall_check, ground.domestic
        question = self._questions.get(asked) or self._question(*asked)
        case = Case(
            self._corpus,
            question,
            self._entries.get((ground.seen, ground.in_doubt)) or self._entry(ground.seen, ground.in_doubt),
            self._in_play.get(ground[:2]) or self._rules(*ground[:2]),
            unit.status,
            unit.facts,
        )
        return judge(case, _DAY)[0]

    def _rules(self, signatures: int, unverified: bool) -> InPlay:
        airline = Airline(
            airline="",
            icao="",
            name="",
            country="",
            policy_url="",
            confidence="unverified" if unverified else "confirmed",
            summary="",
        )
        rules = Speakers((self._signatures.entries(signatures),), (), ())
        found = self._in_play[signatures, unverified] = InPlay(airline, [rules], [], _NO_RULES)
        return found

    def _entry(self, seen: Seen, in_doubt: bool) -> CatalogEntry:
        figure = None if seen.unknown else Decimal(1)
        device = Device(model_id="", brand="", model_name="", watt_hour=figure, watt_hour_basis="rated")
        found = self._entries[seen, in_doubt] = CatalogEntry(
            device=device,
            band=seen.band,
            band_beyond=seen.band_beyond,
            named=seen.named,
            recalls=(),
            affected_serials=(),
            citations=(),
            confirmed=True,
            certificates=_ALWAYS if in_doubt else NO_CERTIFICATES,
        )
        return found

    def _question(self, mark: MarkIndication, answer: ListAnswer, domestic: bool) -> Question:
        found = self._questions[mark, answer, domestic] = Question(
            unit=Unit(model_id="", ccc_mark=mark, recall_check=answer),
            leg=Leg("A", "A" if domestic else "B", ""),
            travel_date=datetime.date.fromordinal(_DAY),
        )
        return found
