"""/rulesets and /rulesets/<version>: the releases with their notes, and what each changed.

Lists are limited and show the total number of records. The list of changes for programs has all of them.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from aeo.datasets.cache import Changed
from aeo.datasets.rows import DATASETS
from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.paths import recall_path
from aeo.pages.record import (
    Block,
    Bullets,
    Code,
    Facts,
    Feed,
    Instant,
    Line,
    Link,
    Note,
    Page,
    Paragraph,
    Run,
    Section,
)
from aeo.pages.sections import collection, listed, page, paragraph
from aeo.texts import say
from aeo.web.addresses import address
from aeo.web.formatting import day, joined, number
from aeo.web.jsonld import Crumb
from rules.corpus import Published
from rules.releases.selectors import Entry

ON_PAGE = 20
"""How many releases are on one page of the list."""

MOST_RECORDS = 100
"""How many changed rules, and recalls, the page of a release lists."""

SIGNS = ("added", "changed", "withdrawn")

Counts = Mapping[tuple[str, str], int]
"""How many records a release changed, by dataset and by `SIGNS`; None if that is not stored yet."""


def ruleset_path(version: str) -> str:
    """Return the address of the page of a release."""
    return f"/rulesets/{version}"


def rulesets_path(number: int) -> str:
    """Return the address of one page of the list."""
    return "/rulesets" if number == 1 else f"/rulesets?page={number}"


def pages_of(total: int) -> int:
    """Return the number of pages for so many releases; an empty list has one."""
    return max(1, -(-total // ON_PAGE))


def rulesets(
    edition: Edition, shown: Sequence[Entry], number: int, total: int, changed: Mapping[str, Counts]
) -> Page:
    """Return one page of the list, counted from 1. `changed` has the counts of the releases by version."""
    path, title = rulesets_path(number), say("rulesets.title")
    lead = say("rulesets.lead", count=total, version=edition.release.ruleset_version)
    lines = tuple(_line(one, changed.get(one.ruleset_version, {})) for one in shown)
    return page(
        edition,
        path,
        title=title,
        lead=lead,
        sections=(
            Section(say("rulesets.newest"), (paragraph("rulesets.what"), Bullets(lines))),
            *_other_pages(number, pages_of(total)),
        ),
        node=collection(
            path,
            title,
            lead,
            [Crumb(one.ruleset_version, address(ruleset_path(one.ruleset_version))) for one in shown],
        ),
        programs=(Link(say("service.programs.changes"), "/datasets/changes.json"),),
        json_url="/datasets/changes.json",
        feeds=(_feed(),),
    )


def _line(one: Entry, counts: Counts) -> Line:
    said = [_counted(counts, name) for name in ("rules", "recalls") if counts]
    return (
        Link(one.ruleset_version, ruleset_path(one.ruleset_version)),
        " ",
        Instant(one.published_at),
        " ",
        parts.quoted(f"{one.note.rstrip('.')}."),
        Note(f" {joined(said)}"),
    )


def _counted(counts: Counts, name: str) -> str:
    numbers = {sign: number(counts.get((name, sign), 0)) for sign in SIGNS}
    return say("ruleset.counts", kind=say(f"ruleset.kind.{name}"), **numbers)


def _other_pages(number: int, pages: int) -> tuple[Section, ...]:
    links: list[Run] = []
    if number > 1:
        links.append(Link(say("rulesets.newer"), rulesets_path(number - 1)))
    if number < pages:
        links += [" "] if links else []
        links.append(Link(say("rulesets.older"), rulesets_path(number + 1)))
    if not links:
        return ()
    place = Note(f" {say('rulesets.place', number=str(number), pages=str(pages))}")
    return (Section(say("rulesets.other"), (Paragraph((*links, place)),)),)


def ruleset(
    edition: Edition,
    one: Entry,
    counts: Counts | None,
    changes: Mapping[str, Sequence[Changed]],
    files: Collection[str],
) -> Page:
    """Return the page of a release. `counts` is None if its changes are not computed yet.

    `changes` are the first changed rules and recalls, by dataset; `files` the datasets with files.
    """
    path = ruleset_path(one.ruleset_version)
    title = say("ruleset.title", version=one.ruleset_version)
    answers_now = one.sha256 == edition.release.sha256
    facts: list[tuple[str, Line]] = [
        (say("ruleset.published"), (Instant(one.published_at),)),
        (say("ruleset.place"), (number(one.sequence),)),
        (say("ruleset.current"), (say("service.yes" if answers_now else "service.no"),)),
    ]
    return page(
        edition,
        path,
        title=title,
        lead=say("ruleset.lead", version=one.ruleset_version, date=day(one.published_at)),
        sections=(
            Section(
                say("ruleset.facts"),
                (
                    Paragraph((parts.quoted(one.note),)),
                    Facts(tuple(facts)),
                    Paragraph((say("ruleset.digest"),)),
                    Code(one.sha256),
                ),
            ),
            Section(say("ruleset.changes"), _changes(counts)),
            *(_records(edition.release, name, changes.get(name, ()), counts) for name in _named(counts)),
            listed(
                "ruleset.replay", "ruleset.replay.public", "ruleset.replay.staff", "ruleset.replay.answers"
            ),
            *_files(one, files),
        ),
        crumbs=parts.crumbs((say("rulesets.title"), "/rulesets"), (title, path)),
        programs=(Link(say("service.programs.changes"), "/datasets/changes.json"),),
        json_url="/datasets/changes.json",
        feeds=(_feed(),),
    )


def _changes(counts: Counts | None) -> tuple[Block, ...]:
    if counts is None:
        return (paragraph("ruleset.changes.wait"),)
    if not any(counts.values()):
        return (paragraph("ruleset.changes.none"),)
    names = ("rules", "recalls", *sorted(DATASETS.keys() - {"rules", "recalls"}))
    return (Bullets(tuple((_counted(counts, name),) for name in names)),)


def _named(counts: Counts | None) -> list[str]:
    """Return the datasets whose changed records are listed: rules and recalls, if there are any."""
    changed = Counter[str]()
    for (name, _), count in (counts or {}).items():
        changed[name] += count
    return [name for name in ("rules", "recalls") if changed[name]]


def _records(release: Published, name: str, changes: Sequence[Changed], counts: Counts | None) -> Section:
    total = sum((counts or {}).get((name, sign), 0) for sign in SIGNS)
    blocks: list[Block] = [Bullets(tuple(_record(release, one) for one in changes))]
    if len(changes) < total:
        blocks.append(paragraph("ruleset.shown", shown=number(len(changes)), total=number(total)))
    return Section(say(f"ruleset.{name}"), tuple(blocks))


def _record(release: Published, one: Changed) -> Line:
    """Return a changed record: what it said then, and a link if it still exists."""
    said = one.record["summary"] if one.name == "rules" else one.record["title"]
    if one.name == "rules":
        there, where = one.record_id in release.shelf.rules, f"/api/rules/{one.record_id}"
    else:
        there, where = one.record_id in release.shelf.recalls, recall_path(one.record_id)
    name: Run = Link(one.record_id, where) if there else one.record_id
    runs: list[Run] = [say(f"ruleset.change.{one.change}"), " ", name, " ", parts.quoted(said)]
    if one.name == "rules" and one.airline in release.shelf.airlines:
        runs += [" ", parts.airline_link(release, one.airline)]
    return tuple(runs)


def _files(one: Entry, files: Collection[str]) -> tuple[Section, ...]:
    if not files:
        return ()
    lines = tuple(
        (Link(say(f"ruleset.kind.{name}"), f"/datasets/{one.ruleset_version}/{name}.jsonl"),)
        for name in DATASETS
        if name in files
    )
    return (Section(say("ruleset.files"), (Bullets(lines),)),)


def _feed() -> Feed:
    return Feed("/feeds/rulesets.atom", say("rulesets.title"))
