"""The page docs/desk-at-scale.md: what the screens of a full desk cost."""

import datetime
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

BUDGET_QUERIES, WANTED_MS = 20, 1_000
SLOWEST = 25
FILE = "text/csv"
MOST_OF_ADDRESS = 100

ROOMS = ("aeo", "auth", "catalog", "compliance", "recalls", "rules")

SAYS = """\
`make desk` fills a database with 100,000 models, 50,000 rules (5,100 of them under way), 20,000 recalls,
20,000 sources, 1,150 airlines, 500 change sets, 2,000 comments, signals and notices each, 200 people, 200
partners and 100,000 recorded verdicts. It starts the web server of `make run` on it, signs in as a person
with every role, and opens every address of the desk: those of a record for the fullest one, and lists with
their orders, filters and searches. It was run on {day}, on {cores} cores that other programs shared.
{screens} addresses showed a screen; the others only take forms, lead on, or send a file.

*Queries* are all statements of a request, with those of the session, except that once a minute the use of the
session is noted. *ms* is the time from the request to the last byte; *Python* and *SQL* are parts of it. All
are medians of three visits after a first one. A screen that takes more than 20 s was opened once."""


class Figures(NamedTuple):
    """What a screen cost. Of several visits these are medians; `ms` is from the request to the last byte."""

    screen: str
    status: int
    kind: str
    queries: int
    ms: int
    cpu_ms: int
    sql_ms: int
    size: int


def written(figures: Mapping[str, Figures], work: Mapping[str, float], day: datetime.date) -> str:
    """Return the page, in Markdown."""
    files = [one for one in figures.values() if one.status == 200 and one.kind == FILE]
    shown = [one for one in figures.values() if one.status == 200 and one.kind != FILE]
    over = [one for one in shown if one.queries > BUDGET_QUERIES]
    slow = [one for one in shown if one.ms > WANTED_MS]
    lines = [
        "# The editors' desk at scale",
        "",
        SAYS.format(day=day, cores=os.cpu_count(), screens=len(shown)),
        "",
        f"- Screens with more than {BUDGET_QUERIES} queries: {len(over)} of {len(shown)}.",
        f"- Screens that take longer than {WANTED_MS / 1000:.0f} s: {len(slow)} of {len(shown)}.",
        "",
        "## By room",
        "",
        *_table(_summaries(shown), ("Screens of", "Screens", "Queries, most", "ms, median", "ms, most")),
        *_section("More queries than the budget", over),
        *_section("The slowest", sorted(shown, key=lambda one: -one.ms)[:SLOWEST]),
        *_section("Files of whole lists", files),
        "",
        "## Work that no screen waits for",
        "",
        *_table(work.items(), ("Work", "Seconds")),
        *_section("Every screen", sorted(shown, key=lambda one: one.screen)),
    ]
    return "\n".join([*lines, ""])


def _summaries(shown: Iterable[Figures]) -> Iterable[Sequence[object]]:
    rooms = defaultdict(list)
    for one in shown:
        parts = one.screen.split("/")
        rooms["/".join(parts[2:4]) if parts[2] in ROOMS else "the desk itself"].append(one)
    for room, of_room in sorted(rooms.items()):
        times = [one.ms for one in of_room]
        yield room, len(of_room), max(one.queries for one in of_room), round(median(times)), max(times)


def _section(title: str, found: Sequence[Figures]) -> list[str]:
    if not found:
        return []
    rows = [
        (
            f"`{one.screen[:MOST_OF_ADDRESS]}`",
            one.queries,
            one.ms,
            one.cpu_ms,
            one.sql_ms,
            -(-one.size // 1000),
        )
        for one in found
    ]
    return ["", f"## {title}", "", *_table(rows, ("Screen", "Queries", "ms", "Python", "SQL", "kB"))]


def _table(rows: Iterable[Sequence[object]], titles: Sequence[str]) -> list[str]:
    columns = [titles, ["---"] + ["--:"] * (len(titles) - 1), *rows]
    return ["| " + " | ".join(map(str, row)) + " |" for row in columns]
