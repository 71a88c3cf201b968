"""The page of dated rules: a picture of the months, and below it what starts and ends in each.

With all days on it, it says who made rules and how many; with some of them, each rule in words with its
sources. What is to come always has its words. With some of them, it says what was chosen, and names the next
change of all, which may count for the same flights.
"""

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from aeo.asking.names.folding import fold
from aeo.drawing.calendar_grid import Count, Month, calendar_grid
from aeo.editions import Edition
from aeo.feeds.calendar import Day, every_day
from aeo.pages import parts
from aeo.pages.paths import country_path
from aeo.pages.record import (
    Block,
    Bullets,
    Drawing,
    Feed,
    Folded,
    Form,
    Line,
    Link,
    Note,
    Page,
    Paragraph,
    Run,
    Section,
    Select,
)
from aeo.pages.sections import page, paragraph
from aeo.texts import airline_name, say
from aeo.timeline.dates import COMING, EVERYTHING, MOST, PATH, Wanted, found, issuer, issuers, years
from aeo.web.formatting import bracketed, comma, day, joined, listed, month, month_name, number, year
from aeo.web.languages import localized
from rules.corpus import Published
from rules.engine.facts import Rule
from rules.selectors import evidence


def timeline(edition: Edition, wanted: Wanted) -> Page:
    """Return the page with the wanted days."""
    release, shown = edition.release, found(edition, wanted)
    overview = Section(say("timeline.months"), tuple(_overview(edition, wanted, shown)))
    months = tuple(_months(edition, wanted, shown))
    return page(
        edition,
        wanted.path,
        title=say("timeline.title"),
        lead=_lead(edition, wanted, shown),
        glance=() if wanted == EVERYTHING else tuple(_chosen(edition, wanted, shown)),
        sections=(
            # What is coming is a few lines, and who asks for it wants to read them.
            *((*months, overview) if wanted.coming else (overview, *months)),
            *_issuers(release, wanted, shown),
        ),
        crumbs=parts.crumbs((say("timeline.title"), PATH)),
        programs=parts.commas(
            [
                Link(say("ruleset.kind.rules"), "/api/rules"),
                Link(say("policy_changes.follow.calendar"), "/feeds/effective-dates.ics"),
            ]
        ),
        feeds=(Feed("/feeds/effective-dates.ics", say("policy_changes.follow.calendar"), "text/calendar"),),
    )


def short_line(release: Published, one: Day) -> Line:
    """Return one day of a rule: the day, what the rule says, who made it, and that it is not confirmed."""
    return (*_day_line(release, one), *_unsure(one.rule))


def _rule_line(release: Published, one: Day) -> Line:
    """Return the same with the id of the rule and its sources."""
    api = Link(one.rule.rule_id, f"/api/rules/{one.rule.rule_id}")
    return (*_day_line(release, one), comma(), api, *_sources(release, one.rule), *_unsure(one.rule))


def _day_line(release: Published, one: Day) -> Line:
    key = "policy_changes.starts" if one.starts else "policy_changes.ends"
    said = parts.own_words(release, one.rule)
    return f"{say(key, date=day(one.date))} ", said, " ", _issuer(release, one.rule)


def _unsure(rule: Rule) -> tuple[Note, ...]:
    """Return that a rule is not confirmed, for the end of a line."""
    return () if rule.confidence == "confirmed" else (Note(bracketed(say("timeline.unconfirmed"))),)


def _sources(release: Published, rule: Rule) -> Iterator[Run]:
    """Yield the pages behind a rule: each page once, those of one publisher by their numbers."""
    pages: dict[str, dict[str, None]] = {}
    for cited in evidence.citations(release, rule.sources):
        pages.setdefault(cited.authority, {})[cited.url] = None
    for publisher, urls in pages.items():
        yield comma()
        if len(urls) == 1:
            yield Link(publisher, *urls)
            continue
        yield publisher
        for at, url in enumerate(urls, start=1):
            yield from (" ", Link(f"[{at}]", url))


def issuer_name(release: Published, rule: Rule) -> str:
    """Return who made a rule: an airline, a country with its authority, or an authority of several."""
    if rule.airline is not None:
        return airline_name(release.shelf.airlines[rule.airline], coded=False)
    if rule.jurisdiction not in release.corpus.countries:
        return rule.authority
    name = parts.authority(release, rule.jurisdiction)
    return say("named", name=parts.country(release, rule.jurisdiction).name, value=name)


def _lead(edition: Edition, wanted: Wanted, shown: Sequence[Day]) -> str:
    counted = {"starts": number(sum(one.starts for one in shown))}
    counted["ends"] = number(len(shown) - sum(one.starts for one in shown))
    key = "timeline.lead" if wanted == EVERYTHING else "timeline.lead.chosen"
    coming = [one for one in shown if one.date >= edition.today]
    if not coming:
        return say(f"{key}.none_coming", **counted)
    return say(key, **counted, date=day(coming[0].date))


def _chosen(edition: Edition, wanted: Wanted, shown: Sequence[Day]) -> Iterator[Block]:
    """Yield what was chosen, and the next changes of all if they are not among the shown ones."""
    release = edition.release
    what = [
        *([_names(release)[wanted.who]] if wanted.who else []),
        *([_year(int(wanted.year))] if wanted.year else []),
        *([say("timeline.when.coming")] if wanted.coming else []),
    ]
    yield Paragraph((say("named", name=say("timeline.chosen"), value=listed(what)),))
    coming = found(edition, COMING)
    following = [one for one in coming if one.date == coming[0].date]
    if all(one in shown for one in following):
        return
    general = [say("timeline.general")] if wanted.who.startswith("airline-") else []
    yield Paragraph((joined([*general, say("timeline.next_of_all", date=day(coming[0].date))]),))
    yield Bullets(tuple(short_line(release, one) for one in following[:MOST]))
    yield Paragraph((Link(say("home.coming.all"), COMING.path),))


def _overview(edition: Edition, wanted: Wanted, shown: Sequence[Day]) -> Iterator[Block]:
    if not shown:
        yield paragraph("timeline.nothing")
        yield _filter(edition, wanted)
        return
    counts = {key: _count(wanted, key, those) for key, those in _by_month(shown).items()}
    svg = calendar_grid(
        counts,
        edition.today,
        label=say("timeline.picture"),
        months=[month_name(number) for number in range(1, 13)],
        today_word=say("timeline.today", date=day(edition.today)),
        year_word=_year,
    )
    yield paragraph("timeline.signs")
    lines = tuple((count.label,) for _, count in sorted(counts.items(), reverse=True))
    yield Drawing(svg, Folded(say("timeline.in_words"), (Bullets(lines),)))
    yield _filter(edition, wanted)


def _filter(edition: Edition, wanted: Wanted) -> Form:
    release = edition.release
    of = _names(release)
    named = sorted(((of[one], one) for one in issuers(release)), key=lambda pair: fold(pair[0]))
    dated = years(every_day(release))
    newest = [(str(one), _year(one)) for one in dated]
    return Form(
        "filter",
        PATH,
        (
            Select(
                "who",
                say("timeline.who"),
                (("", say("timeline.who.all")), *((one, name) for name, one in named)),
                wanted.who,
            ),
            Select("year", say("timeline.year"), (("", say("timeline.year.all")), *newest), wanted.year),
            Select(
                "coming",
                say("timeline.when"),
                (("", say("timeline.when.all")), ("1", say("timeline.when.coming"))),
                wanted.coming,
            ),
        ),
        say("timeline.show"),
    )


def _year(number: int) -> str:
    return year(datetime.date(number, 1, 1))


def _names(release: Published) -> dict[str, str]:
    """Return everyone with a dated rule by name. Several authorities of one jurisdiction are all named."""
    found: dict[str, dict[str, None]] = {}
    for one in every_day(release):
        found.setdefault(issuer(one.rule), {})[issuer_name(release, one.rule)] = None
    return {who: listed(sorted(names)) for who, names in found.items()}


def _by_month(shown: Iterable[Day]) -> dict[Month, list[Day]]:
    return {
        key: list(those) for key, those in groupby(shown, key=lambda one: (one.date.year, one.date.month))
    }


def _count(wanted: Wanted, key: Month, those: Sequence[Day]) -> Count:
    starts = sum(one.starts for one in those)
    # With everything shown, what the rules say is one page further.
    there = localized(wanted._replace(year=str(key[0])).path) if wanted == EVERYTHING else ""
    counted = _counted(starts, len(those) - starts)
    label = say("named", name=month(those[0].date), value=counted)
    return Count(starts, len(those) - starts, f"{there}#{_anchor(key)}", label)


def _counted(starts: int, ends: int) -> str:
    said = [say("timeline.starts", count=starts)] * (starts > 0) + [say("timeline.ends", count=ends)] * (
        ends > 0
    )
    return listed(said)


def _anchor(key: Month) -> str:
    return f"m{key[0]}-{key[1]:02}"


def _months(edition: Edition, wanted: Wanted, shown: Sequence[Day]) -> Iterator[Section]:
    """Yield the years and their months, the newest first, with what starts and ends in each.

    If not one issuer is chosen, months that are past open on demand.
    """
    months = sorted(_by_month(shown).items(), reverse=True)
    for one, group in groupby(months, key=lambda pair: pair[0][0]):
        past, heads = [], []
        for key, those in group:
            lines = Bullets(tuple(_lines(edition, wanted, those)))
            if not wanted.who and those[-1].date < edition.today:
                past.append(Folded(_count(wanted, key, those).label, (lines,), _anchor(key)))
            else:
                heads.append(Section(month(those[0].date), (lines,), within=True, anchor=_anchor(key)))
        yield Section(_year(one), () if heads else tuple(past))
        yield from heads
        if heads and past:
            yield Section(say("timeline.earlier", year=_year(one)), tuple(past), within=True)


def _lines(edition: Edition, wanted: Wanted, those: Sequence[Day]) -> Iterator[Line]:
    """Yield the lines of a month: each rule, or, with everything shown, the past ones in groups."""
    newest_first = sorted(those, key=lambda one: one.date, reverse=True)
    for (date, is_start, who), group in groupby(
        sorted(newest_first, key=lambda one: (-one.date.toordinal(), not one.starts, issuer(one.rule))),
        key=lambda one: (one.date, one.starts, issuer(one.rule)),
    ):
        days = list(group)
        if wanted != EVERYTHING or date >= edition.today:
            yield from (_rule_line(edition.release, one) for one in days)
            continue
        counted = say(f"timeline.{'starts' if is_start else 'ends'}", count=len(days))
        there = Wanted(who=who, year=str(date.year)).path
        yield (
            f"{say('timeline.on', date=day(date))} ",
            _issuer(edition.release, days[0].rule),
            comma(),
            Link(counted, f"{there}#{_anchor((date.year, date.month))}"),
        )


def _issuer(release: Published, rule: Rule) -> Run:
    """Return who made a rule, with a link to the page of the airline or country."""
    if rule.airline is not None:
        return parts.airline_link(release, rule.airline)
    name = issuer_name(release, rule)
    is_country = rule.jurisdiction in release.corpus.countries
    return Link(name, country_path(rule.jurisdiction)) if is_country else name


def _issuers(release: Published, wanted: Wanted, shown: Sequence[Day]) -> Iterator[Section]:
    """Yield everyone with a dated rule, the most dates first, if not one of them is chosen."""
    if wanted.who or not shown:
        return
    counted = Counter(issuer(one.rule) for one in shown)
    names = _names(release)
    lines = tuple(
        (
            Link(names[who], wanted._replace(who=who).path),
            Note(f" {say('timeline.days', count=count)}"),
        )
        for who, count in sorted(counted.items(), key=lambda pair: (-pair[1], names[pair[0]].casefold()))
    )
    summary = say("timeline.issuers.count", count=len(lines))
    yield Section(say("timeline.issuers"), (Folded(summary, (Bullets(lines),)),))
