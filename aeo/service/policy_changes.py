"""/policy-changes: the public facts about changes: how many, whose, and when rules start and end."""

import datetime
from collections.abc import Iterator, Mapping, Sequence

from aeo.editions import Edition
from aeo.feeds.calendar import Day, days
from aeo.pages import parts
from aeo.pages.record import Block, Bullets, Facts, Feed, Line, Link, Note, Page, Section
from aeo.pages.sections import page, paragraph
from aeo.reference import policy_news
from aeo.texts import say
from aeo.web.formatting import day, number
from rules.corpus import Published
from rules.policy_history import recorded_changes, selectors
from rules.policy_history.log import PolicyLog
from rules.selectors import watched_sources

RECENT = datetime.timedelta(days=90)

MOST_DAYS = 60
"""How many days of rules are listed; the calendar has all of them."""


def changes_of_policies(edition: Edition) -> Page:
    """Return the public counts of changes, and the days on which rules start and end."""
    release, today = edition.release, edition.today
    found = recorded_changes.history(release)
    log = PolicyLog(release, selectors.history(release))
    statuses = recorded_changes.counts(found, today)
    known = days(edition)
    upcoming = [one for one in known if one.date >= today]
    recent = [one for one in reversed(known) if today - RECENT <= one.date < today]
    return page(
        edition,
        "/policy-changes",
        title=say("policy_changes.title"),
        lead=say(
            "policy_changes.lead",
            total=number(len(found)),
            in_effect=number(statuses["in_effect"]),
            upcoming=number(statuses["upcoming"]),
        ),
        sections=(
            _days(release, "upcoming", upcoming),
            _days(release, "recent", recent),
            *_by_releases(edition, log),
            _by_airline(edition, log.by_airline()),
            _watched(edition),
            _follow(),
            Section(say("policy_changes.partners"), (paragraph("policy_changes.partners.what"),)),
        ),
        programs=(Link(say("policy_changes.programs"), "/api/policy-changes"),),
        json_url="/api/policy-changes",
        feeds=(
            Feed("/feeds/rulesets.atom", say("policy_changes.follow.rulesets")),
            Feed("/feeds/effective-dates.ics", say("policy_changes.follow.calendar"), "text/calendar"),
        ),
    )


def _days(release: Published, name: str, found: Sequence[Day]) -> Section:
    heading = say(f"policy_changes.{name}")
    if not found:
        return Section(heading, (paragraph(f"policy_changes.{name}.none"),))
    blocks: list[Block] = [Bullets(tuple(_day(release, one) for one in found[:MOST_DAYS]))]
    if len(found) > MOST_DAYS:
        blocks.append(paragraph("policy_changes.shown", shown=number(MOST_DAYS), total=number(len(found))))
    return Section(heading, tuple(blocks))


def _day(release: Published, one: Day) -> Line:
    key = "policy_changes.starts" if one.starts else "policy_changes.ends"
    rule = one.rule
    return (
        f"{say(key, date=day(one.date))} ",
        parts.said_by(release, rule),
        Note(f" {rule.authority} "),
        Link(rule.rule_id, f"/api/rules/{rule.rule_id}"),
    )


def _by_releases(edition: Edition, log: PolicyLog) -> Iterator[Section]:
    """Yield the newest changes in releases; nothing while they cannot be read."""
    news = selectors.newest(edition.release)
    if news is None:
        return
    shown = policy_news.blocks(
        edition.release, news, most=policy_news.MOST_OF_ALL, total=log.by_releases or 0, named=True
    )
    yield Section(say("policy_news.title"), shown or (paragraph("policy_news.none"),))


def _by_airline(edition: Edition, found: Mapping[str, int]) -> Section:
    heading = say("policy_changes.airlines")
    if not found:
        return Section(heading, (paragraph("policy_changes.none"),))
    counted = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    lines = tuple(
        (
            parts.airline_link(edition.release, code) if code in edition.release.shelf.airlines else code,
            Note(f" {say('policy_changes.airlines.count', count=count)}"),
        )
        for code, count in counted
    )
    return Section(heading, (Bullets(lines),))


def _watched(edition: Edition) -> Section:
    seen = watched_sources.monitoring(watched_sources.watched(edition.release))
    rows: list[tuple[str, str]] = [
        ("all", number(seen.sources_watched)),
        ("official", number(seen.by_basis["official_page_read"])),
        ("copy", number(seen.by_basis["official_copy_read"])),
        ("secondary", number(seen.by_basis["secondary_read"])),
        ("unread", number(seen.by_basis["general_knowledge"])),
    ]
    if seen.oldest_read_on is not None and seen.newest_read_on is not None:
        rows += [("oldest", day(seen.oldest_read_on)), ("newest", day(seen.newest_read_on))]
    return Section(
        say("policy_changes.watched"),
        (Facts(tuple((say(f"policy_changes.watched.{name}"), (value,)) for name, value in rows)),),
    )


def _follow() -> Section:
    lines: tuple[Line, ...] = (
        (Link(say("policy_changes.follow.calendar"), "/feeds/effective-dates.ics"),),
        (Link(say("policy_changes.follow.rulesets"), "/feeds/rulesets.atom"),),
        (say("policy_changes.follow.airline"),),
    )
    return Section(say("policy_changes.follow"), (Bullets(lines),))
