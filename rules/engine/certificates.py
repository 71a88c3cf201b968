"""Certificates behind the CCC mark of a model: which are suspended or revoked, and on which days.

Only these affect a verdict. A valid certificate never proves that a unit bears the mark, so an answer is the
same with and without it. Built once per release and queried by day numbers. Called by `corpus` and
`weighing`.
"""

import datetime
from collections.abc import Iterable, Mapping

import msgspec

from rules.engine.facts import Certificate

_NEVER = datetime.date.max.toordinal() + 1


class Doubt(msgspec.Struct, frozen=True):
    """A certificate that is suspended or revoked from `first_day` to `last_day`, with its citations."""

    certificate: Certificate
    first_day: int
    last_day: int
    citations: tuple[int, ...]


class Certificates(msgspec.Struct, frozen=True):
    """The certificates of one model. `changes` are the days on which the status of one changes, in order."""

    doubts: tuple[Doubt, ...] = ()
    changes: tuple[int, ...] = ()

    def doubts_on(self, day: int) -> tuple[Doubt, ...]:
        """Return what puts the mark in doubt on a day."""
        return tuple([doubt for doubt in self.doubts if doubt.first_day <= day <= doubt.last_day])

    def next_change(self, day: int) -> int | None:
        """Return the first day after `day` on which the status of a certificate changes."""
        return next((change for change in self.changes if change > day), None)

    def doubts_starting(self, day: int, last_day: int) -> list[int]:
        """Return the days after `day`, up to `last_day`, on which a suspension or revocation starts."""
        return sorted({doubt.first_day for doubt in self.doubts if day < doubt.first_day <= last_day})


NO_CERTIFICATES = Certificates()


def certificates_of(certificates: Iterable[Certificate], cited: Mapping[str, int]) -> Certificates:
    """Return the certificates of a model, ready to query. `cited` are the citations by source."""
    doubts, changes = [], set()
    for one in certificates:
        first_day = 0 if one.since is None else one.since.toordinal()
        last_day = _NEVER if one.until is None else one.until.toordinal()
        # No day follows the last one of the calendar.
        changes |= {day for day in (first_day, last_day + 1) if 0 < day < _NEVER}
        if one.mark == "CCC" and one.status != "valid":
            citations = (cited[one.source],) if one.source in cited else ()
            doubts.append(Doubt(one, first_day, last_day, citations))
    return Certificates(tuple(doubts), tuple(sorted(changes)))
