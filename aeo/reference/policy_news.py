"""Changes of policies in releases, as pages show them: a line for each record, in the reader's language.

Rules and the previews of airlines' policies are public, so their changes are as well. The dated changes that
editors recorded, and their remarks, are for partners. Called by the builders of pages.
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
from rules.policy_history.wording import change_sentence

MOST_OF_AIRLINE = 10
"""How many changes the page of an airline shows."""

MOST_OF_ALL = 30
"""How many changes the page of all changes shows."""

FOR_PARTNERS = frozenset({"notes"})
"""Fields for partners only."""

News = Sequence[HistoryEntry]


def state(news: News | None) -> tuple[str, ...] | None:
    """Return a value that identifies the state of the news, including since which release there are none."""
    return None if news is None else tuple(one.ruleset_version for one in news[:1])


def blocks(release: Published, news: News, *, most: int, total: int, named: bool) -> tuple[Block, ...]:
    """Return the newest changes, at most so many, and their total number; empty if there is none.

    `named` adds the owner of each.
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
    return (*whose, Note(f"{on} "), change_sentence(public, active()), " ", ruleset)


def _whose(release: Published, one: HistoryEntry) -> Run:
    if one.airline is not None and one.airline in release.shelf.airlines:
        return parts.airline_link(release, one.airline)
    record = one.after or one.before or {}
    return str(record.get("name") or record.get("authority") or one.airline or one.jurisdiction)
