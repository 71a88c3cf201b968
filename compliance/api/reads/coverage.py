"""GET /api/coverage: how rules were read, in figures, and what should be read first.

From the verdict log it shows only one of four classes, the same to partners: its numbers are not published.
"""

import datetime
from dataclasses import dataclass

import msgspec

from aeo.coverage import asked
from aeo.coverage.asked import AskedClass
from aeo.coverage.models import AskedFlights
from aeo.coverage.queue import Waiting, queue
from compliance.api.protocol.caching import ExtraState
from compliance.api.protocol.callers import Caller
from compliance.api.protocol.operations import Operation
from compliance.api.protocol.paging import CURSOR, LIMIT, page
from compliance.api.protocol.views import Reading, ReadView
from rules.corpus import Published
from rules.engine.vocabulary import Issuer
from rules.selectors import readings, rules
from rules.selectors.readings import HowRead


class PolicyReadCountsBody(msgspec.Struct):
    """How many airlines have each `policy_read`, covered or not."""

    own_page: int
    dated_copy: int
    reports: int
    nothing: int


class AirlineCoverageBody(msgspec.Struct):
    """The airlines of the release. `covered` counts airlines with a rule in force, whatever was read."""

    total: int
    covered: int
    by_policy_read: PolicyReadCountsBody


class ConfidenceCountsBody(msgspec.Struct):
    """How many rules have each confidence."""

    confirmed: int
    reported: int
    unverified: int


class RuleCoverageBody(msgspec.Struct):
    """The rules of the release, in force or not."""

    total: int
    by_confidence: ConfidenceCountsBody


class ReadNextBody(msgspec.Struct, kw_only=True):
    """An airline or authority whose rules should be read.

    - `rank` is its position in the whole list, from 1.
    - `airline` is null for an authority, `jurisdiction` for an airline.
    - `weakness` is how weak the evidence is: 1 own page, 2 dated copy, 3 reports, 4 no page that states the
      rules, or no rule in force.
    - `asked` is how many flights were asked about, as a class: `rarely` (fewer than 100), `from_100`,
      `from_1000` or `from_10000`, with the weights 1 to 4. It is null, with weight 1, if nothing was counted
      yet.
    """

    rank: int
    issuer: Issuer
    name: str
    airline: str | None
    jurisdiction: str | None
    read: HowRead
    read_on: datetime.date | None
    rule_count: int
    weakness: int
    asked: AskedClass | None


class CoverageBody(msgspec.Struct, kw_only=True):
    """The answer of GET /api/coverage. `read_next_total` counts all pages of `read_next`.

    The counts of `asked` cover the `asked_days` days before `asked_until` (UTC), which is null if nothing was
    counted yet.
    """

    ruleset_version: str
    airlines: AirlineCoverageBody
    rules: RuleCoverageBody
    asked_days: int
    asked_until: datetime.date | None
    read_next: list[ReadNextBody]
    read_next_total: int
    next_cursor: str | None


@dataclass(frozen=True)
class AskedState(ExtraState):
    """The counts of questions, from the last counting."""

    counted: AskedFlights | None = None


class CoverageView(ReadView):
    """What is covered, and how it was read."""

    operation = Operation(
        operation_id="getCoverage",
        tag="Airlines",
        summary="Read how rules were read and what should be read first",
        description=(
            "Figures of the current release: airlines by how their policy was read, rules by their "
            "confidence. An airline without a rule in force is not covered, whatever was read.\n\n"
            "`read_next` lists every airline and authority. The first entries are those where reading again "
            "helps most: the order is `weakness` times the weight of `asked`; among equals, entries that "
            "were never read come first, then the oldest `read_on`. Questions are counted once a day, and "
            "the counts are published only as classes."
        ),
        answer=CoverageBody,
        query=(LIMIT, CURSOR),
    )

    def extra_state(self, published: Published, caller: Caller, **path: str) -> ExtraState:
        """Return the counts of questions."""
        counted = asked.newest()
        if counted is None:
            return AskedState()
        return AskedState(order=counted.day.isoformat(), moved_at=counted.finished, counted=counted)

    def answer(self, reading: Reading, **path: str) -> CoverageBody:
        """Return the figures, and a page of the list. Raises `ApiError` for a cursor of another list."""
        published, counted = reading.published, _counted(reading)
        found = queue(published, reading.today, counted)
        shown = page(list(enumerate(found, start=1)), reading)
        codes = published.shelf.airlines
        on_file = published.shelf.rules.values()
        return CoverageBody(
            ruleset_version=published.ruleset_version,
            airlines=AirlineCoverageBody(
                total=len(codes),
                covered=sum(bool(rules.active(published, code, reading.today)) for code in codes),
                by_policy_read=PolicyReadCountsBody(**readings.airlines_by_reading(published)),
            ),
            rules=RuleCoverageBody(
                total=len(on_file), by_confidence=ConfidenceCountsBody(**readings.by_confidence(on_file))
            ),
            asked_days=asked.DAYS if counted is None else counted.days,
            asked_until=None if counted is None else counted.day,
            read_next=[_body(rank, one) for rank, one in shown.items],
            read_next_total=shown.total,
            next_cursor=shown.next_cursor,
        )


def _counted(reading: Reading) -> AskedFlights | None:
    return reading.extra_state.counted if isinstance(reading.extra_state, AskedState) else None


def _body(rank: int, one: Waiting) -> ReadNextBody:
    of_airline = one.issuer == "airline"
    return ReadNextBody(
        rank=rank,
        issuer=one.issuer,
        name=one.name,
        airline=one.code if of_airline else None,
        jurisdiction=None if of_airline else one.code,
        read=one.read.how,
        read_on=one.read.on,
        rule_count=one.rules,
        weakness=one.weakness,
        asked=one.asked,
    )
