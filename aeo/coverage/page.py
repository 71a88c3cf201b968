"""/coverage: what the engine can decide. Airlines by how they were read, countries by whose rules apply.

There is a list for each way of reading instead of a table with many columns, because people read it on
phones. An airline without a rule in force is not covered, even if its pages were read, and is in a list of
its own.
"""

from collections import Counter
from collections.abc import Iterator

from aeo import coverage as figures
from aeo.coverage import TOPICS, Covered, Reach
from aeo.coverage.models import AskedFlights
from aeo.coverage.sections import counts, waiting
from aeo.drawing.stacked import Bar, stacked
from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.paths import airline_path, country_path
from aeo.pages.record import Bullets, Drawing, Line, Link, Note, Page, Paragraph, Section, Table
from aeo.pages.sections import page, paragraph
from aeo.texts import airline_name, country_name, say
from aeo.web.formatting import apart, joined, number, read_words
from rules.corpus import Published
from rules.selectors import rules
from rules.selectors.readings import HOW_READ

MOST_WAITING = 25
"""How many airlines and authorities to read first are listed; the API has all of them."""


def coverage(edition: Edition, counted: AskedFlights | None) -> Page:
    """Return the page about what the engine can decide. `counted` is the newest count of requests."""
    found = figures.airlines(edition)
    decided = [one for one in found if one.rules]
    own_page = [one for one in decided if one.read.how == "own_page"]
    return page(
        edition,
        "/coverage",
        title=say("coverage.title"),
        lead=say(
            "coverage.lead",
            decided=number(len(decided)),
            airlines=number(len(found)),
            own=number(len(own_page)),
            confirmed=number(sum(one.confirmed > 0 for one in own_page)),
        ),
        sections=(
            *counts(edition),
            _topics(decided),
            waiting(edition, counted, MOST_WAITING, Paragraph((Link(say("next.all"), "/api/coverage"),))),
            *_covered(decided),
            *_uncovered([one for one in found if not one.rules]),
            *_countries(edition),
        ),
        programs=parts.commas(
            [Link(say("read.title"), "/api/coverage"), Link(say("coverage.airlines"), "/api/airlines")]
        ),
        json_url="/api/coverage",
    )


def _topics(decided: list[Covered]) -> Section:
    by_topic = Counter(topic for one in decided for topic in one.topics)
    rows = tuple(((say(f"coverage.topic.{topic}"),), (number(by_topic[topic]),)) for topic in TOPICS)
    bars = [
        Bar(say(f"coverage.topic.{topic}"), (by_topic[topic], len(decided) - by_topic[topic]))
        for topic in TOPICS
    ]
    parts = [say("coverage.topics.decided"), say("coverage.topics.silent")]
    return Section(
        say("coverage.topics"),
        (
            paragraph("coverage.topics.what", decided=number(len(decided))),
            Drawing(
                stacked(say("coverage.topics"), parts, bars, number=number),
                Table((say("coverage.topic"), say("coverage.airlines")), rows),
            ),
        ),
    )


def _covered(decided: list[Covered]) -> Iterator[Section]:
    """Return the airlines that can be decided, by how they were read."""
    for how in HOW_READ:
        lines = tuple(_line(one) for one in decided if one.read.how == how)
        if lines:
            yield Section(say(f"read.{how}"), (paragraph(f"coverage.{how}.what"), Bullets(lines)))


def _uncovered(silent: list[Covered]) -> Iterator[Section]:
    if silent:
        lines = tuple(_line(one, say("coverage.line.read", how=read_words(one.read))) for one in silent)
        yield Section(say("coverage.none"), (paragraph("coverage.none.what"), Bullets(lines)))


def _line(one: Covered, *more: str) -> Line:
    code = one.airline.airline
    notes = [say("coverage.line.rules", code=code, count=one.rules), *more]
    if one.airline.confidence == "unverified" and one.read.how != "nothing":
        notes.append(say("coverage.line.unverified"))
    elif one.read.how == "own_page" and not one.confirmed:
        notes.append(say("coverage.line.unconfirmed"))
    for key, said in (("says", True), ("silent", False)):
        topics = [say(f"coverage.topic.{topic}") for topic in TOPICS if (topic in one.topics) is said]
        # An airline without a rule has nothing to show by topic.
        if topics and one.rules:
            notes.append(say(f"coverage.line.{key}", topics=apart(topics)))
    return Link(airline_name(one.airline, coded=False), airline_path(code)), Note(f" {joined(notes)}")


def _countries(edition: Edition) -> tuple[Section, ...]:
    by_reach = figures.countries(edition)
    counts = Bullets(
        tuple((say(f"coverage.countries.{reach}", count=len(codes)),) for reach, codes in by_reach.items())
    )
    return (
        Section(say("coverage.countries"), (paragraph("coverage.countries.what"), counts)),
        *(
            Section(say(f"coverage.countries.{reach}.name"), (_of_reach(edition, reach, codes),), within=True)
            for reach, codes in by_reach.items()
            if codes
        ),
    )


def _of_reach(edition: Edition, reach: Reach, codes: list[str]) -> Bullets | Paragraph:
    """Return countries by name: those with own rules with the number in force, the others in one line."""
    release = edition.release
    named = sorted((_name(release, code).casefold(), code) for code in codes)
    found = [Link(_name(release, code), country_path(code)) for _, code in named]
    if reach != "own":
        return Paragraph(parts.commas(found))
    in_force = rules.find(release, in_force_on=edition.today)
    counted = Counter(rule.jurisdiction for rule in in_force if rule.airline is None)
    return Bullets(
        tuple(
            (link, Note(f" {say('coverage.countries.rules', count=counted[code])}"))
            for link, (_, code) in zip(found, named, strict=True)
        )
    )


def _name(release: Published, code: str) -> str:
    return country_name(code, release.corpus.countries[code].name)
