"""/coverage: what the engine can decide. Airlines by grade, countries by whose rules speak.

A list for each grade, not a table of many columns: it is read on telephones.
"""

from collections import Counter

from aeo import coverage as figures
from aeo.coverage import TOPICS, Covered, Reach
from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.airline import GRADES, Grade, grade_word
from aeo.pages.paths import airline_path, country_path
from aeo.pages.record import Bullets, Line, Link, Note, Page, Paragraph, Section, Table
from aeo.pages.service.parts import page, paragraph
from aeo.pages.words import apart, joined, number
from aeo.texts import airline_name, country_name, say
from rules.corpus import Published
from rules.selectors import rules


def coverage(edition: Edition) -> Page:
    """Return what the engine can decide."""
    found = figures.airlines(edition)
    decided = [one for one in found if one.grade != "none"]
    counted = Counter(one.grade for one in found)
    return page(
        edition,
        "/coverage",
        title=say("coverage.title"),
        lead=say(
            "coverage.lead",
            decided=number(len(decided)),
            airlines=number(len(found)),
            official=number(counted["official"]),
        ),
        sections=(
            Section(say("coverage.totals"), (_totals(found, counted), paragraph("coverage.what"))),
            _topics(decided),
            *(_of_grade(grade, found) for grade in GRADES if counted[grade]),
            *_countries(edition),
        ),
        programs=(Link(say("coverage.airlines"), "/api/airlines"),),
        json_url="/api/airlines",
    )


def _totals(found: tuple[Covered, ...], counted: Counter[Grade]) -> Table:
    own_rules = Counter[Grade]()
    for one in found:
        own_rules[one.grade] += one.rules
    rows = tuple(
        ((grade_word(grade),), (number(counted[grade]),), (number(own_rules[grade]),)) for grade in GRADES
    )
    return Table((say("coverage.grade"), say("coverage.airlines"), say("coverage.rules")), rows)


def _topics(decided: list[Covered]) -> Section:
    told = Counter(topic for one in decided for topic in one.topics)
    rows = tuple(((say(f"coverage.topic.{topic}"),), (number(told[topic]),)) for topic in TOPICS)
    return Section(
        say("coverage.topics"),
        (
            paragraph("coverage.topics.what", decided=number(len(decided))),
            Table((say("coverage.topic"), say("coverage.airlines")), rows),
        ),
    )


def _of_grade(grade: Grade, found: tuple[Covered, ...]) -> Section:
    lines = tuple(_line(one) for one in found if one.grade == grade)
    return Section(grade_word(grade), (paragraph(f"coverage.{grade}.what"), Bullets(lines)))


def _line(one: Covered) -> Line:
    code = one.airline.airline
    told = [say("coverage.line.rules", code=code, count=one.rules)]
    for key, said in (("says", True), ("silent", False)):
        topics = [say(f"coverage.topic.{topic}") for topic in TOPICS if (topic in one.topics) is said]
        # Of an airline without a rule there is nothing to be told by topic.
        if topics and one.rules:
            told.append(say(f"coverage.line.{key}", topics=apart(topics)))
    return Link(airline_name(one.airline, coded=False), airline_path(code)), Note(f" {joined(told)}")


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
    """Return countries by name: those with rules of their own with how many are in force, others in a row."""
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
