"""Judging recorded questions again, by the release documents of an archive. Pure but for reading files."""

import datetime
from pathlib import Path
from typing import Literal

import msgspec

from compliance.records.audit_export.layout import VerdictLine
from rules.engine.corpus import Corpus
from rules.engine.document import UnreadableDocument, decode
from rules.engine.errors import AirlineNotCovered, ModelNotFound, UnknownCountry
from rules.engine.evaluate import judge_leg, recall_impact
from rules.engine.facts import Question, TripQuestion
from rules.engine.trip import judge_trip

Outcome = Literal["same", "other", "by_serial", "unreadable"]
"""`by_serial`: another verdict, as it must be where a serial had decided, which nobody keeps."""

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

HELD = 2
"""Releases in memory: around a publishing, verdicts of two follow each other."""


class Replayer:
    """Judges verdicts again, each by its own release."""

    def __init__(self, files: dict[str, Path]) -> None:
        """Take the files of release documents by their digests."""
        self._files = files
        self._held: dict[str, Corpus] = {}

    def outcome(self, line: VerdictLine) -> Outcome:
        """Tell whether a question gets its verdict once more."""
        try:
            return self._outcome(line, self._corpus(line.release_sha256))
        except UNANSWERED:
            return "unreadable"

    def _outcome(self, line: VerdictLine, corpus: Corpus) -> Outcome:
        today = line.generated.astimezone(datetime.UTC).date()
        question: Question | TripQuestion
        if line.kind == "leg":
            question = _leg(line.question)
            verdict, _ = judge_leg(corpus, question, today=today)
        else:
            question = _trip(line.question)
            verdict = judge_trip(corpus, question, today=today)
        if verdict == line.verdict:
            return "same"
        # A serial decides by what the recalls mean for its unit, and by nothing else.
        without = recall_impact(corpus.device(question.unit.model_id), question.unit).status
        decided = line.serial_given != "none" and line.recall_status not in {"", without}
        return "by_serial" if decided else "other"

    def _corpus(self, sha256: str) -> Corpus:
        if sha256 not in self._held:
            while len(self._held) >= HELD:
                # The one that was taken in first.
                del self._held[next(iter(self._held))]
            self._held[sha256] = Corpus(decode(self._files[sha256].read_bytes()).content)
        return self._held[sha256]


_leg = msgspec.json.Decoder(Question).decode
_trip = msgspec.json.Decoder(TripQuestion).decode
