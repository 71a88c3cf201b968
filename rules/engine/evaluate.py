"""The verdict of one leg: a function of question, corpus and day, and of nothing else.

`docs/how-a-verdict-is-made.md` describes the steps. Decision, reasons and evidence are one frozen value.
Called by the door (`rules/verdicts.py`), by trips and by the case runner.
"""

import datetime
from collections.abc import Iterable
from itertools import chain
from operator import attrgetter

from msgspec.structs import replace

from catalog.cadence import Freshness
from recalls import serials
from rules.engine.corpus import CatalogEntry, Citation, Corpus, InPlay
from rules.engine.errors import AirlineNotCovered
from rules.engine.facts import Certificate, Question, Unit
from rules.engine.matching import Compiled, Statement, fold
from rules.engine.outcomes import UPCOMING_DAYS, LegVerdict, RecallFinding, RecallImpact
from rules.engine.outlook import Outlook, Upcoming, outlook
from rules.engine.vocabulary import SEVERITY_ORDER, Verdict
from rules.engine.weighing import Case, Weighed, judge, notice, weigh

_TRANSIT_RESCREENING = notice("transit_rescreening")

_DAYS = datetime.date.max.toordinal()
_STALE_FROM, _VERY_STALE_FROM = attrgetter("stale_from"), attrgetter("very_stale_from")


_NO_RECALL = RecallImpact("not_affected", "model_match", ())


def evaluate_leg(
    corpus: Corpus, question: Question, *, today: datetime.date, connecting: bool = False
) -> LegVerdict:
    """Decide one leg.

    `today` is the day of asking (UTC), from which the age of evidence is counted; rules depend on the travel
    date. `connecting` marks a later leg of a trip. Raises `ModelNotFound`, `AirlineNotCovered` or
    `UnknownCountry`.
    """
    entry = corpus.device(question.unit.model_id)
    return evaluate_leg_of(corpus, entry, question, today=today, connecting=connecting)


def evaluate_leg_of(
    corpus: Corpus,
    entry: CatalogEntry,
    question: Question,
    *,
    today: datetime.date,
    connecting: bool = False,
) -> LegVerdict:
    """Decide one leg for a given unit, whether or not it is in the catalog. The question's model is ignored.

    Raises `AirlineNotCovered` or `UnknownCountry`.
    """
    case, impact = _case(corpus, entry, question, today)
    travel_day = question.travel_date.toordinal()
    ahead = outlook(case.in_play, travel_day, today.toordinal())
    weighed = weigh(case, travel_day)
    return evaluate_case(case, weighed, impact, ahead, today=today, connecting=connecting)


def evaluate_case(
    case: Case,
    weighed: Weighed,
    impact: RecallImpact,
    ahead: Outlook,
    *,
    today: datetime.date,
    connecting: bool = False,
) -> LegVerdict:
    """Say everything that the verdict of a case on its travel date rests on.

    `weighed` is the outcome of that day, `impact` what the recalls mean for the unit, `ahead` what is known
    of the days after the flight.
    """
    corpus, entry = case.corpus, case.entry
    this_day = today.toordinal()
    freshness, staler_on = _aging(corpus, weighed.applied, this_day)
    doubts = tuple(doubt.certificate for doubt in weighed.doubts)
    return LegVerdict(
        verdict=weighed.verdict,
        gaps=weighed.gaps,
        bans=weighed.bans,
        device=entry.device,
        recall_status=impact.status,
        recall_check_method=impact.method,
        recalls=impact.findings,
        constraints=weighed.constraints,
        warnings=_warnings(case, weighed, ahead, this_day, freshness, connecting=connecting),
        path=(
            "device.resolved",
            f"recall.{impact.status}",
            *_certificate_steps(doubts),
            *[rule.rule_id for rule in weighed.applied],
            f"verdict.{weighed.verdict}",
        ),
        citations=_citations(corpus, entry, weighed),
        next_change=_date(_first(ahead.next_change, entry.certificates.next_change(this_day))),
        freshness=freshness,
        staler_on=_date(staler_on),
        doubts=doubts,
        applied=weighed.applied,
    )


def answer_of_another(
    answer: LegVerdict, weighed: Weighed, corpus: Corpus, entry: CatalogEntry, impact: RecallImpact
) -> LegVerdict:
    """Return the answer for a unit that was weighed alike, with its own model, recalls and sources."""
    return replace(
        answer,
        device=entry.device,
        recall_check_method=impact.method,
        recalls=impact.findings,
        citations=_citations(corpus, entry, weighed),
    )


def judge_leg(corpus: Corpus, question: Question, *, today: datetime.date) -> tuple[Verdict, int]:
    """Return the verdict that `evaluate_leg` gives, and how many rules it applies: for comparing many legs.

    Raises the same errors.
    """
    case, _ = _case(corpus, corpus.device(question.unit.model_id), question, today)
    return judge(case, question.travel_date.toordinal())


def recall_impact(entry: CatalogEntry, unit: Unit) -> RecallImpact:
    """Say what the recalls of an exact model mean for one unit."""
    if not entry.recalls:
        return _NO_RECALL
    evaluations = [
        serials.evaluate(affected, serial=unit.serial, serial_hash=unit.serial_hash)
        for affected in entry.affected_serials
    ]
    status, method = serials.overall(
        entry.affected_serials, evaluations, serial_given=unit.serial is not None
    )
    return RecallImpact(status, method, tuple(map(RecallFinding, entry.recalls, evaluations)))


def _case(
    corpus: Corpus, entry: CatalogEntry, question: Question, today: datetime.date
) -> tuple[Case, RecallImpact]:
    """Gather what the corpus says about a question. Raises what `evaluate_leg_of` raises."""
    in_play, impact = corpus.in_play(question.leg), recall_impact(entry, question.unit)
    return case_in(corpus, entry, question, impact, in_play, today), impact


def case_in(
    corpus: Corpus,
    entry: CatalogEntry,
    question: Question,
    impact: RecallImpact,
    in_play: InPlay,
    today: datetime.date,
) -> Case:
    """Gather the same if the rules in play and the meaning of the recalls are known.

    Raises `AirlineNotCovered`.
    """
    if not in_play.own.on(question.travel_date.toordinal()):
        raise AirlineNotCovered(question.leg.airline, _date(in_play.own.next_change(today.toordinal())))
    return Case(corpus, question, entry, in_play, impact.status, fold(question, impact.status))


def _citations(corpus: Corpus, entry: CatalogEntry, weighed: Weighed) -> tuple[Citation, ...]:
    """Return the sources of a model, of the certificates in doubt and of the rules, each once."""
    return corpus.cite(
        chain(
            entry.citations,
            *[doubt.citations for doubt in weighed.doubts],
            *[rule.citations for rule in weighed.applied],
        )
    )


def _certificate_steps(doubts: Iterable[Certificate]) -> tuple[str, ...]:
    """Return the step of a path for certificates in doubt: the graver status, if there is any."""
    statuses = {certificate.status for certificate in doubts}
    return tuple(f"certificate.{status}" for status in ("revoked", "suspended") if status in statuses)[:1]


def _first(*days: int | None) -> int | None:
    return min((day for day in days if day is not None), default=None)


def _date(day: int | None) -> datetime.date | None:
    return None if day is None or day > _DAYS else datetime.date.fromordinal(day)


def _aging(corpus: Corpus, applied: Iterable[Compiled], today: int) -> tuple[Freshness, int | None]:
    """Return how fresh the stalest evidence of some rules is, and when it gets staler, if that is soon."""
    soon = today + UPCOMING_DAYS
    # As long as all of the release is fresh, no rule needs a check.
    if soon < corpus.first_stale_day:
        return "fresh", None
    stale_from = min(map(_STALE_FROM, applied), default=_DAYS + 1)
    if today < stale_from:
        return "fresh", stale_from if stale_from <= soon else None
    very_stale_from = min(map(_VERY_STALE_FROM, applied))
    if today < very_stale_from:
        return "stale", very_stale_from if very_stale_from <= soon else None
    return "very_stale", None


def _stale(applied: Iterable[Compiled], today: int, freshness: Freshness) -> Statement:
    """Warn of stale evidence, with the day on which the oldest evidence of that freshness was last read."""
    grave = freshness == "very_stale"
    read_on = min(
        rule.read_on for rule in applied if today >= (rule.very_stale_from if grave else rule.stale_from)
    )
    return notice("evidence_stale", grave=grave, read_on=datetime.date.fromordinal(read_on).isoformat())


def _warnings(
    case: Case, weighed: Weighed, ahead: Outlook, today: int, freshness: Freshness, *, connecting: bool
) -> tuple[Statement, ...]:
    warnings = list(weighed.warnings)
    if connecting:
        warnings.append(_TRANSIT_RESCREENING)
    if freshness != "fresh":
        warnings.append(_stale(weighed.applied, today, freshness))
    travel_day = case.question.travel_date.toordinal()
    for change in ahead.upcoming:
        if _reads_differently(case, weighed, change, travel_day):
            warnings.append(_upcoming("rule_change_upcoming", change.day))
            break
    for day in case.entry.certificates.doubts_starting(travel_day, travel_day + UPCOMING_DAYS):
        if not weigh(replace(case, status_day=day), travel_day).reads_like(weighed):
            warnings.append(_upcoming("certificate_change_upcoming", day))
            break
    return tuple(sorted(warnings, key=lambda warning: SEVERITY_ORDER[warning.severity or "advisory"]))


def _reads_differently(case: Case, weighed: Weighed, change: Upcoming, travel_day: int) -> bool:
    """Return whether a change of rules changes the answer, apart from any change of certificates."""
    if not change.covered:
        return True
    if change.same_origin and not case.may_be_told_by(change.differing):
        return False
    return not weigh(replace(case, status_day=travel_day), change.day).reads_like(weighed)


def _upcoming(name: str, day: int) -> Statement:
    return notice(name, date=datetime.date.fromordinal(day).isoformat())
