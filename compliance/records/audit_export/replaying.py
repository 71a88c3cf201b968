"""Judges recorded questions again, by the release documents of an archive.

It uses the door, as every verdict does; the door needs no database and no settings for this.
"""

import datetime
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from compliance.records.audit_export.layout import ReleaseLine, VerdictLine
from rules.corpus import Published
from rules.engine.corpus import Corpus
from rules.engine.document import UnreadableDocument, decode
from rules.engine.errors import AirlineNotCovered, ModelNotFound, UnknownCountry
from rules.engine.facts import ItineraryQuestion, Question, TripQuestion
from rules.selectors import recalls
from rules.verdicts import judge_from, judge_itinerary_from, judge_trip_from

Outcome = Literal["same", "other", "by_serial", "unreadable"]
"""`by_serial`: another verdict, because a serial had decided, which is not stored."""

UNANSWERED = (
    KeyError,
    OSError,
    msgspec.DecodeError,
    UnreadableDocument,
    ModelNotFound,
    AirlineNotCovered,
    UnknownCountry,
)
"""Why a question gets no verdict: it cannot be read, or its release is missing or does not cover it."""

MOST_CACHED = 2
"""Releases in memory: around a publication, verdicts of two releases follow each other."""


class Replayer:
    """Judges verdicts again, each by its own release."""

    def __init__(self, releases: Iterable[ReleaseLine], folder: Path) -> None:
        """Take the releases of an archive, and the folder in which their documents are."""
        self._lines = {line.sha256: line for line in releases}
        self._folder = folder
        self._cached: dict[str, Published] = {}

    def outcome(self, line: VerdictLine) -> Outcome:
        """Say whether a question gets its verdict again."""
        try:
            return self._outcome(line, self._release(line.release_sha256))
        except UNANSWERED:
            return "unreadable"

    def _outcome(self, line: VerdictLine, release: Published) -> Outcome:
        today = line.generated.astimezone(datetime.UTC).date()
        match line.kind:
            case "leg":
                question = _leg(line.question)
                units, verdict = [question.unit], judge_from(release, question, today=today)[0]
            case "trip":
                trip = _trip(line.question)
                units, verdict = [trip.unit], judge_trip_from(release, trip, today=today)
            case "itinerary":
                itinerary = _itinerary(line.question)
                units = [item.unit for item in itinerary.items if item.label is None]
                verdict = judge_itinerary_from(release, itinerary, today=today)
        if verdict == line.verdict:
            return "same"
        # A serial decides only by the recall status of its unit.
        without = {recalls.impact(release, unit).status for unit in units}
        decided = line.serial_given != "none" and line.recall_status not in {"", *without}
        return "by_serial" if decided else "other"

    def _release(self, sha256: str) -> Published:
        if sha256 not in self._cached:
            while len(self._cached) >= MOST_CACHED:
                # The one that was loaded first.
                del self._cached[next(iter(self._cached))]
            line = self._lines[sha256]
            document = decode((self._folder / line.file).read_bytes())
            self._cached[sha256] = Published(
                line.ruleset_version, sha256, line.published, Corpus(document.content)
            )
        return self._cached[sha256]


_leg = msgspec.json.Decoder(Question).decode
_trip = msgspec.json.Decoder(TripQuestion).decode
_itinerary = msgspec.json.Decoder(ItineraryQuestion).decode
