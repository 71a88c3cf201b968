"""/scorecard: the verdict cases and promises as they were counted, how fresh the evidence is, what is known.

The cases and promises are asked by a job and kept (`aeo.actions.keep_scorecard`), never in a request.
"""

import datetime
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, get_args

from aeo import freshness
from aeo.editions import Edition
from aeo.freshness import AGES, LONGER_AGO, OLD_AFTER_DAYS, Band, within
from aeo.pages import parts
from aeo.pages.paths import airline_path
from aeo.pages.record import Block, Bullets, Facts, Instant, Line, Link, Note, Page, Paragraph, Section, Table
from aeo.pages.service.parts import bounded, page, paragraph
from aeo.pages.words import bracketed, day, number
from aeo.texts import say
from catalog.records import SourceKind
from rules.engine.facts import Recall
from rules.scorecard import Differing, Scorecard

MOST_AIRLINES = 30
"""So many airlines with old evidence are named; all of them are counted."""


class Counted(NamedTuple):
    """A scorecard, the day of travel that its questions were drawn for, and when it was counted."""

    scorecard: Scorecard
    day: datetime.date
    at: datetime.datetime


def scorecard(edition: Edition, counted: Counted | None) -> Page:
    """Return the scorecard of a release; without the figures that nobody has counted yet."""
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
            *_freshness(edition),
            _known(edition),
        ),
    )


def _counted(counted: Counted | None) -> tuple[Section, ...]:
    if counted is None:
        return ()
    return (_cases(counted), *_differing(counted.scorecard), _promises(counted))


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
        Facts(tuple((say(f"scorecard.cases.{name}"), (value,)) for name, value in rows)),
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


def _freshness(edition: Edition) -> tuple[Section, ...]:
    release, today = edition.release, edition.today
    sources = release.shelf.sources.values()
    read = sum(source.citable for source in sources)
    kinds = tuple(
        (
            say(f"scorecard.kind.{kind}"),
            (_within(freshness.of_sources((one for one in sources if one.kind == kind), today)),),
        )
        for kind in get_args(SourceKind)
    )
    airlines = freshness.of_airlines(release, today)
    return (
        Section(
            say("scorecard.freshness"),
            (
                paragraph("scorecard.freshness.lead", read=number(read), total=number(len(sources))),
                _ages("scorecard.sources", freshness.of_sources(sources, today)),
            ),
        ),
        Section(say("scorecard.kinds"), (Facts(kinds),), within=True),
        Section(
            say("scorecard.airlines.ages"),
            (paragraph("scorecard.airlines.what"), _ages("scorecard.airlines", airlines)),
            within=True,
        ),
        _named(
            say("scorecard.airlines.old", days=str(OLD_AFTER_DAYS)),
            (
                (Link(one.name, airline_path(one.airline)), Note(f" {day(read_on)}"))
                for one, read_on in freshness.old_airlines(release, today)
            ),
        ),
        _named(
            say("scorecard.airlines.unread"),
            ((Link(one.name, airline_path(one.airline)),) for one in freshness.unread_airlines(release)),
        ),
    )


def _ages(what: str, counted: Counter[Band]) -> Table:
    rows: list[tuple[str, int]] = [
        (say("scorecard.age.within", count=days), within(counted, days)) for days in AGES
    ]
    rows.append((say("scorecard.age.older", count=AGES[-1]), counted[LONGER_AGO]))
    rows.append((say("scorecard.age.never"), counted[None]))
    return Table(
        (say("scorecard.age"), say(what)), tuple(((words,), (number(count),)) for words, count in rows)
    )


def _within(counted: Counter[Band]) -> str:
    """Say of a kind of source how many were read within each span."""
    spans = {f"d{days}": number(within(counted, days)) for days in AGES}
    return say(
        "scorecard.kind.ages",
        total=number(counted.total()),
        older=number(counted[LONGER_AGO]),
        never=number(counted[None]),
        **spans,
    )


def _named(heading: str, lines: Iterable[Line]) -> Section:
    found = bounded(list(lines), MOST_AIRLINES)
    return Section(heading, found or (Paragraph((say("scorecard.none"),)),), within=True)


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
