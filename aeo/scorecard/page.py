"""/scorecard: the counted verdict cases and promises, how fresh the evidence is, and what is known.

A job asks the cases and promises and stores the figures (`aeo.scorecard.actions.keep_scorecard`), never a
request.
"""

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, get_args

from aeo import coverage
from aeo.coverage.models import AskedFlights
from aeo.coverage.sections import counts, waiting
from aeo.drawing.stacked import Bar, stacked
from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.record import (
    Block,
    Bullets,
    Drawing,
    Facts,
    Instant,
    Line,
    Link,
    Note,
    Page,
    Paragraph,
    Run,
    Section,
    Table,
)
from aeo.pages.sections import folded, good_days, page, paragraph
from aeo.scorecard import freshness
from aeo.scorecard.figures import Figures
from aeo.scorecard.freshness import STATES, Due, State
from aeo.scorecard.over_releases import of_releases
from aeo.scorecard.selectors import Past
from aeo.texts import say
from aeo.web.formatting import bracketed, day, gap, number
from catalog.cadence import FRESHNESS, PACES, cadence_of
from catalog.records import SourceKind
from rules.engine.facts import Recall
from rules.proof.selectors import Proof
from rules.scorecard.figures import Differing, Scorecard
from rules.selectors.readings import HOW_READ

MOST_NAMED = 200
"""How many sources, and how many airlines, are listed; all of them are counted."""


class Counted(NamedTuple):
    """A scorecard, the day of travel of its questions, and when it was counted."""

    scorecard: Figures
    day: datetime.date
    at: datetime.datetime


MOST_WAITING = 10
"""How many airlines and authorities to read first are listed."""


def scorecard(
    edition: Edition,
    counted: Counted | None,
    asked: AskedFlights | None,
    past: Sequence[Past],
    proofs: Mapping[str, Proof],
) -> Page:
    """Return the scorecard of a release, without figures if none were counted yet.

    `asked` is the newest count of requests, `past` how the last releases answered, the oldest first, and
    `proofs` their finished proofs by version.
    """
    version = edition.release.ruleset_version
    return page(
        edition,
        "/scorecard",
        title=say("scorecard.title"),
        lead=say("scorecard.lead.none", version=version)
        if counted is None
        else say(
            "scorecard.lead",
            version=version,
            cases=number(counted.scorecard.cases),
            agreeing=number(counted.scorecard.agreeing),
            false_allowed=number(counted.scorecard.false_allowed),
        ),
        sections=(
            *_counted(counted),
            _proof(version, proofs.get(version)),
            *of_releases(past, proofs),
            *counts(edition),
            waiting(edition, asked, MOST_WAITING, Paragraph((Link(say("next.all"), "/coverage"),))),
            *_freshness(edition),
            _known(edition),
        ),
    )


def _counted(counted: Counted | None) -> tuple[Section, ...]:
    if counted is None:
        return ()
    return (_cases(counted), *_differing(counted.scorecard), _spoken(counted.scorecard), _promises(counted))


def _cases(counted: Counted) -> Section:
    card = counted.scorecard
    rows = (
        ("run", number(card.cases)),
        ("agree", number(card.agreeing)),
        ("differ", number(card.cases - card.agreeing)),
        ("false_allowed", number(card.false_allowed)),
        ("milder", number(card.milder)),
        ("counted_at", Instant(counted.at)),
    )
    blocks: list[Block] = [
        paragraph("scorecard.cases.what"),
        Drawing(
            stacked(
                say("scorecard.cases"),
                [say("scorecard.cases.agree"), say("scorecard.cases.differ")],
                [Bar(say("scorecard.cases.run"), (card.agreeing, card.cases - card.agreeing))],
                number=number,
            ),
            Facts(tuple((say(f"scorecard.cases.{name}"), (value,)) for name, value in rows)),
        ),
        paragraph("scorecard.false_allowed.what"),
    ]
    if card.false_allowed:
        blocks.append(paragraph("scorecard.false_allowed.found", count=card.false_allowed))
    return Section(say("scorecard.cases"), tuple(blocks))


def _differing(card: Scorecard) -> tuple[Section, ...]:
    if not card.differing:
        return ()
    blocks: list[Block] = [
        paragraph("scorecard.differing.what"),
        Bullets(tuple(map(_differing_line, card.differing))),
    ]
    if (more := card.cases - card.agreeing - len(card.differing)) > 0:
        blocks.append(paragraph("service.more", count=more))
    return (Section(say("scorecard.differing"), tuple(blocks)),)


def _differing_line(one: Differing) -> Line:
    return (
        parts.quoted(one.name),
        Note(bracketed(one.file)),
        *((" ", say("scorecard.differing.allowed")) if one.false_allowed else ()),
    )


def _spoken(card: Figures) -> Section:
    spoken = card.spoken
    rows = (
        ("asked", number(spoken.sentences)),
        ("milder", number(spoken.milder)),
        ("plain", number(spoken.plain)),
        ("answered", number(spoken.plain_answered)),
        ("asks", number(spoken.plain - spoken.plain_answered)),
    )
    return Section(
        say("scorecard.spoken"),
        (
            paragraph("scorecard.spoken.what", languages=number(spoken.languages)),
            Drawing(
                stacked(
                    say("scorecard.spoken"),
                    [say("scorecard.spoken.at_once"), say("scorecard.spoken.asks")],
                    [
                        Bar(
                            say("scorecard.spoken.plain"),
                            (spoken.plain_answered, spoken.plain - spoken.plain_answered),
                        )
                    ],
                    number=number,
                ),
                Facts(tuple((say(f"scorecard.spoken.{name}"), (value,)) for name, value in rows)),
            ),
        ),
    )


def _promises(counted: Counted) -> Section:
    card = counted.scorecard
    rows = tuple(
        (
            (say(f"scorecard.promise.{kept.promise}"), *((Note(f" {kept.first}"),) if kept.first else ())),
            (number(kept.tried),),
            (number(kept.broken),),
        )
        for kept in card.promises
    )
    head = (say("scorecard.promise"), say("scorecard.promise.tried"), say("scorecard.promise.broken"))
    what = paragraph("scorecard.promises.what", questions=number(card.questions), day=day(counted.day))
    return Section(say("scorecard.promises"), (what, Table(head, rows)))


def _proof(version: str, proof: Proof | None) -> Section:
    what = paragraph("scorecard.proof.what")
    if proof is None or proof.finished is None:
        return Section(say("scorecard.proof"), (what, paragraph("scorecard.proof.wait")))
    rows: tuple[tuple[str, Run], ...] = (
        ("questions", number(proof.questions)),
        ("cells", number(proof.cells)),
        ("differing", number(proof.differing)),
        ("broken", number(proof.broken)),
        ("finished", Instant(proof.finished)),
    )
    facts = Facts(tuple((say(f"scorecard.proof.{name}"), (value,)) for name, value in rows))
    file = Link(say("scorecard.proof.file"), f"/rulesets/{version}/proof.json")
    return Section(say("scorecard.proof"), (what, facts, Paragraph((file,))))


def _freshness(edition: Edition) -> tuple[Section, ...]:
    release, today = edition.release, edition.today
    sources = release.shelf.sources.values()
    kinds = get_args(SourceKind)
    counted = {
        kind: freshness.of_sources((one for one in sources if one.kind == kind), today) for kind in kinds
    }
    rows = [(say(f"scorecard.kind.{kind}"), counted[kind]) for kind in kinds]
    rows.append((say("scorecard.kind.all"), sum(counted.values(), Counter())))
    due = freshness.due(sources, today)
    standings = [say(f"scorecard.standing.{one}") for one in FRESHNESS]
    bars = [Bar(say(f"scorecard.kind.{kind}"), [counted[kind][one] for one in FRESHNESS]) for kind in kinds]
    return (
        Section(
            say("scorecard.freshness"),
            (
                paragraph("scorecard.freshness.lead", **good_days()),
                Drawing(
                    stacked(say("scorecard.freshness"), standings, bars, number=number),
                    Table(
                        (say("scorecard.kind"), *standings),
                        tuple(((words,), *_figures(figures, FRESHNESS)) for words, figures in rows),
                    ),
                ),
                paragraph("scorecard.freshness.unread", count=rows[-1][1]["unread"]),
                *folded(say("scorecard.due", count=len(due)), map(_due, due), MOST_NAMED),
            ),
        ),
        _airlines(edition),
    )


def _figures(counted: Counter[State], states: Iterable[State]) -> tuple[Line, ...]:
    return tuple((number(counted[one]),) for one in states)


def _due(one: Due) -> Line:
    cadence = cadence_of(one.source)
    said = say(
        f"scorecard.due.{cadence}",
        count=one.days_over,
        read_on=day(one.source.read_on),
        good_days=str(PACES[cadence].good_days),
    )
    return Link(one.source.authority, one.source.url), gap(), Note(said)


def _airlines(edition: Edition) -> Section:
    release = edition.release
    states = freshness.of_airlines(release, edition.today)
    read = {one.airline.airline: one.read.how for one in coverage.airlines(edition)}
    by_reading = {how: Counter(states[code] for code in states if read[code] == how) for how in HOW_READ}
    standings = [say(f"scorecard.standing.{one}") for one in STATES]
    rows = [(say(f"read.{how}"), figures) for how, figures in by_reading.items()]
    bars = [Bar(words, [figures[one] for one in STATES]) for words, figures in rows]
    rows.append((say("scorecard.kind.all"), Counter(states.values())))

    def named(key: str, *wanted: State) -> tuple[Block, ...]:
        lines = [(parts.airline_link(release, code),) for code, state in states.items() if state in wanted]
        return folded(say(key, count=len(lines)), lines, MOST_NAMED)

    return Section(
        say("scorecard.airlines"),
        (
            paragraph("scorecard.airlines.what"),
            Drawing(
                stacked(say("scorecard.airlines"), standings, bars, number=number),
                Table(
                    (say("read.how"), *standings),
                    tuple(((words,), *_figures(figures, STATES)) for words, figures in rows),
                ),
            ),
            *named("scorecard.airlines.due", "stale", "very_stale"),
            *named("scorecard.airlines.unread", "unread"),
        ),
        within=True,
    )


def _known(edition: Edition) -> Section:
    shelf = edition.release.shelf
    figures = Counter(
        "unknown" if device.watt_hour is None else device.watt_hour_basis for device in shelf.all_devices
    )
    checks = Counter(map(_check, shelf.recalls.values()))
    rows = (
        *((f"scorecard.models.{name}", figures[name]) for name in ("rated", "computed", "unknown")),
        *((f"scorecard.recalls.{name}", checks[name]) for name in ("all", "pattern", "list", "nothing")),
    )
    return Section(
        say("scorecard.models"), (Facts(tuple((say(key), (number(count),)) for key, count in rows)),)
    )


def _check(recall: Recall) -> str:
    """Return how a unit is checked against a recall."""
    affected = recall.affected_serials
    if affected.scope == "all_units":
        return "all"
    if affected.pattern is not None:
        return "pattern"
    return "nothing" if affected.explicit_list_url is None else "list"
