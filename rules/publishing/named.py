"""What a measurement named as less strict, kept so that a later one can be compared with it.

A plan keeps what its planner was shown. At its time it goes only if nothing is less strict than that. Pure.
"""

from collections.abc import Iterator

import msgspec

from rules.engine.document import ID_FIELD, Content
from rules.impact.second_approvals import NAMES
from rules.impact.survey import Changed, Result
from rules.impact.survey.result import Count, Rows

ANSWERS, UNLISTED, HIDDEN = "answers", "unlisted", "hidden"

WORDS = {"not_answered": "not answered"}
"""How an outcome is written, if it is no single word."""


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """What was named as less strict.

    `records` are the records that make it so, with how each does it: in answers, in answers about units that
    no catalog lists, or only by itself, where something hides it. `ways` are the transitions, such as “banned
    allowed”. `airlines`, `countries` and `models` are those with such answers; None if not all were listed.
    """

    records: dict[str, tuple[str, ...]] = {}
    ways: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    airlines: tuple[str, ...] | None = ()
    countries: tuple[str, ...] | None = ()
    models: tuple[str, ...] | None = ()


def named(result: Result | None) -> Named:
    """Return what a measurement named; nothing if there was nothing to measure."""
    if result is None:
        return Named()
    return Named(
        records={
            name_of(cause.record): tuple(
                how
                for how, is_so in (
                    (ANSWERS, cause.count),
                    (UNLISTED, cause.unlisted),
                    (HIDDEN, cause.beyond),
                )
                if is_so
            )
            for cause in result.causes
        },
        ways=_milder(result.ways),
        unlisted=_milder(result.unlisted),
        airlines=lenient(result.airlines),
        countries=lenient(result.countries),
        models=lenient(result.models),
    )


def lenient(rows: Rows) -> tuple[str, ...] | None:
    """Return the names of all rows with answers that become less strict; None if not all rows are there."""
    if len(rows.rows) < rows.total:
        return None
    return tuple(sorted(row.name for row in rows.rows if row.lenient))


def milder_than(now: Named, then: Named, known: Content | None) -> list[str]:
    """Say what is less strict now that was not named then, a few words each; empty if nothing is.

    `known` is what was current then: what was not in it could not be named, and passed the gate since.
    """
    return [*_records(now, then), *_ways(now, then), *_places(now, then, known)]


def _records(now: Named, then: Named) -> Iterator[str]:
    for name, how in now.records.items():
        before = then.records.get(name)
        if before is None:
            yield f"{name} makes answers less strict"
        elif {*how} - {*before, HIDDEN}:
            yield f"{name} makes more answers less strict"


def _ways(now: Named, then: Named) -> Iterator[str]:
    for about, ways, before in (
        ("", now.ways, then.ways),
        (" about units that are not in the catalog", now.unlisted, then.unlisted),
    ):
        for way in ways:
            if way not in before:
                old, new = (WORDS.get(one, one) for one in way.split(" "))
                yield f"answers{about} that are {old} become {new}"


def _places(now: Named, then: Named, known: Content | None) -> Iterator[str]:
    for what, kind, names, before in (
        ("airline", "airlines", now.airlines, then.airlines),
        ("country", "countries", now.countries, then.countries),
        ("model", "devices", now.models, then.models),
    ):
        there = None
        if known is not None:
            there = {getattr(one, ID_FIELD[kind]) for one in getattr(known, kind)}
        if before is None:
            continue
        if names is None:
            yield f"answers become less strict for each {what} of more than can be listed"
            continue
        for name in names:
            if name not in before and (there is None or name in there):
                yield f"answers become less strict for {what} {name}"


def _milder(counts: tuple[Count, ...]) -> tuple[str, ...]:
    return tuple(sorted(f"{one.before} {one.after}" for one in counts if one.lenient))


def name_of(record: Changed) -> str:
    """Return a record in words."""
    return f"{NAMES[record.kind]} {record.record_id}"
