"""The figures about how rules were read, and where an editor's hour helps most.

Used by the pages of the scorecard and of coverage.
"""

from collections import Counter

from aeo import coverage
from aeo.coverage import asked
from aeo.coverage.models import AskedFlights
from aeo.coverage.queue import Waiting, queue
from aeo.drawing.stacked import Bar, stacked
from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.parts import authority
from aeo.pages.paths import country_path
from aeo.pages.record import Block, Drawing, Line, Link, Note, Section, Table
from aeo.pages.sections import paragraph
from aeo.texts import say
from aeo.web.formatting import bracketed, day, listed, number
from rules.corpus import Published
from rules.selectors import readings
from rules.selectors.readings import HOW_READ


def counts(edition: Edition) -> tuple[Section, Section]:
    """Return how many airlines were read in which way, and how many rules are known how well."""
    found = coverage.airlines(edition)
    all_of = Counter(one.read.how for one in found)
    covered = Counter(one.read.how for one in found if one.rules)
    rows = tuple(((say(f"read.{how}"),), (number(all_of[how]),), (number(covered[how]),)) for how in HOW_READ)
    bars = [Bar(say(f"read.{how}"), (covered[how], all_of[how] - covered[how])) for how in HOW_READ]
    on_file = readings.by_confidence(edition.release.shelf.rules.values())
    known = tuple(((say(f"read.rules.{word}"),), (number(count),)) for word, count in on_file.items())
    return (
        Section(
            say("read.title"),
            (
                Drawing(
                    stacked(
                        say("read.title"), [say("read.covered"), say("read.uncovered")], bars, number=number
                    ),
                    Table((say("read.how"), say("read.airlines"), say("read.covered")), rows),
                ),
                paragraph("read.what"),
                paragraph("coverage.what"),
            ),
        ),
        Section(
            say("read.rules"),
            (
                paragraph("read.rules.what", total=number(sum(on_file.values()))),
                Table((say("read.rules.confidence"), say("read.rules.count")), known),
            ),
            within=True,
        ),
    )


def waiting(edition: Edition, counted: AskedFlights | None, most: int, *more: Block) -> Section:
    """Return the airlines and authorities to read first, and the reason for this order."""
    release = edition.release
    found = queue(release, edition.today, counted)
    rows = tuple(
        (_named(release, rank, one), _read(one), (say(f"next.asked.{one.asked or 'unknown'}"),))
        for rank, one in enumerate(found[:most], start=1)
    )
    return Section(
        say("next.title"),
        (
            paragraph("next.order", count=counted.days if counted else asked.DAYS),
            paragraph("next.classes" if counted else "next.uncounted"),
            Table((say("next.issuer"), say("next.read"), say("next.asked")), rows),
            *more,
        ),
    )


def _named(release: Published, rank: int, one: Waiting) -> Line:
    if one.issuer == "airline":
        return f"{number(rank)}. ", parts.airline_link(release, one.code)
    name = authority(release, one.code)
    if one.code not in release.corpus.countries:
        return f"{number(rank)}. ", name
    country = parts.country(release, one.code).name
    return f"{number(rank)}. ", Link(name, country_path(one.code)), Note(f" {country}")


def _read(one: Waiting) -> Line:
    """Return how it was read, and in small print when, or that no rule is in force."""
    notes = [] if one.read.on is None else [day(one.read.on)]
    if not one.rules:
        notes.append(say("uncovered"))
    how = say(f"read.{one.read.how}")
    return (how, Note(bracketed(listed(notes)))) if notes else (how,)
