"""What releases changed in policies, as pages tell it: a line for each record, in the reader's language.

Rules and the previews of airlines' policies can be read by anybody, so what became of them can be as well.
Dated changes that editors recorded, and their remarks, are for partners. Called by the builders of pages.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from aeo.pages import parts
from aeo.pages.record import Block, Bullets, Line, Link, Note, Run
from aeo.pages.sections import paragraph
from aeo.texts import active, say
from aeo.web.formatting import day, number
from rules.corpus import Published
from rules.policy_history.selectors import HistoryEntry
from rules.policy_history.wording import told

MOST_OF_AIRLINE = 10
"""So many changes stand on the page of an airline."""

MOST_OF_ALL = 30
"""So many changes stand on the page of all changes."""

FOR_PARTNERS = frozenset({"notes"})
"""Fields that nobody else reads."""

News = Sequence[HistoryEntry]


def state(news: News | None) -> tuple[str, ...] | None:
    """Return what tells one state of the news from another: from which release on there are none."""
    return None if news is None else tuple(one.ruleset_version for one in news[:1])


def blocks(release: Published, news: News, *, most: int, total: int, named: bool) -> tuple[Block, ...]:
    """Return the newest changes, so many at most, and how many there are; nothing where there is none.

    `named` says of each whose it is.
    """
    lines = tuple(_line(release, one, named) for one in news[:most] if _is_public(one))
    if not lines:
        return ()
    shown = Bullets(lines)
    if len(lines) == total:
        return (shown,)
    return (shown, paragraph("policy_news.shown", shown=number(len(lines)), total=number(total)))


def _is_public(one: HistoryEntry) -> bool:
    return one.change != "changed" or not FOR_PARTNERS.issuperset(field.field for field in one.fields)


def _line(release: Published, one: HistoryEntry, named: bool) -> Line:
    whose: list[Run] = [_whose(release, one), " "] if named else []
    public = replace(one, fields=tuple(field for field in one.fields if field.field not in FOR_PARTNERS))
    ruleset = Link(one.ruleset_version, f"/rulesets/{one.ruleset_version}")
    on = say("policy_news.on", date=day(one.date))
    return (*whose, Note(f"{on} "), told(public, active()), " ", ruleset)


def _whose(release: Published, one: HistoryEntry) -> Run:
    if one.airline is not None and one.airline in release.shelf.airlines:
        return parts.airline_link(release, one.airline)
    record = one.after or one.before or {}
    return str(record.get("name") or record.get("authority") or one.airline or one.jurisdiction)
