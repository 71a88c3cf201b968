"""/recalls/<recall>: one recall of exactly one model, and how to check whether a unit is affected."""

import datetime
from collections.abc import Iterator

from aeo.articles.rows import verdict_section
from aeo.editions import Edition
from aeo.page_records.register import Indexed
from aeo.pages import parts
from aeo.pages.paths import recall_path
from aeo.pages.record import Bullets, Facts, Feed, Line, Link, Page, Paragraph, Section
from aeo.pages.sections import see
from aeo.pages.serial_check import checks, serial_check
from aeo.reference.model import product_node
from aeo.texts import active, model_name, say
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.formatting import apart, day, joined, listed, month, number
from aeo.web.languages import tag
from recalls.languages.listing import identifiers
from recalls.serials import AffectedSerials, Window
from rules.corpus import Published
from rules.engine.facts import Recall
from rules.selectors import evidence, recalls
from rules.wording.translating import SOURCE_LANGUAGE

MOST_NUMBERS = 40
"""How many numbers of affected units a page lists."""


def recall_page(edition: Edition, recall_id: str, indexed: Indexed) -> Page:
    """Return the page of a recall. Raises `KeyError` if the release does not contain it."""
    release = edition.release
    recall = release.shelf.recalls[recall_id]
    device = release.shelf.devices[recall.model_id]
    name, path = model_name(device), recall_path(recall_id)
    announced = parts.announced(recall)
    title = say("recall.question", model=name, authority=recall.authority, date=announced)
    # The notice is in English; pages in other languages quote it.
    english = active() == SOURCE_LANGUAGE
    lead = joined(
        [
            say("recall.lead", model=name, authority=recall.authority, date=announced),
            *([f"{recall.hazard.rstrip('.')}."] if english else []),
            say("recall.all" if recalls.of_all_units([recall]) else "recall.unknown"),
        ]
    )
    called = parts.recall_title(release, recall)
    cited = evidence.citations(release, recall.sources)
    others = [one for one in recalls.find(release, model_id=recall.model_id) if one is not recall]
    programs: Line = (Link(say("programs.recalls"), f"/api/recalls?model_id={recall.model_id}"),)
    return Page(
        path=path,
        title=title,
        lead=lead,
        sections=(
            Section(called, tuple(_facts(edition, recall))),
            Section(
                say("recall.unit"),
                (*serial_check([recall], others=bool(others)), *_units(recall.affected_serials)),
            ),
            Section(say("recall.models"), (Paragraph((say("recall.exact", model=name),)),)),
            *_others(release, others),
            *verdict_section(
                edition,
                say("recall.verdicts"),
                indexed.of_model.get(recall.model_id, []),
                about="model_id",
            ),
            see("/limits-of-this-check", "/methodology"),
            *parts.sources(release, cited),
        ),
        crumbs=parts.crumbs((say("recalls"), "/recalls"), (called, path)),
        about=parts.about(edition, programs),
        node=jsonld.web_page(
            url=address(path),
            name=title,
            description=lead,
            main=jsonld.recall_notice(
                recall_id=recall_id,
                title=called,
                text=f"{recall.hazard.rstrip('.')}. {recall.remedy.rstrip('.')}." if english else None,
                authority=recall.authority,
                notice_url=recall.notice_url,
                announced_on=recall.announced_on if recall.announced_precision == "day" else None,
                about=product_node(device),
            ),
            citations=cited,
            ruleset_version=release.ruleset_version,
            language=tag(),
        ),
        json_url=f"/api/recalls?model_id={recall.model_id}",
        feeds=(Feed(f"/feeds/recalls/models/{recall.model_id}.atom", say("feed.model")),),
    )


def _facts(edition: Edition, recall: Recall) -> Iterator[Facts]:
    yield Facts(
        (
            (say("label.model"), (parts.model_link(edition.release, recall.model_id),)),
            (say("label.authority"), (recall.authority,)),
            (say("label.announced"), (parts.announced(recall),)),
            (say("label.hazard"), (parts.quoted(recall.hazard),)),
            (say("label.remedy"), (parts.quoted(recall.remedy),)),
            (say("label.units"), (_counted(recall),)),
            (say("label.notice"), (Link(parts.notice_words(recall, recall.notice_url), recall.notice_url),)),
        )
    )


def _counted(recall: Recall) -> str:
    if recall.units is None:
        return say("not_known")
    return say(f"recall.units.{recall.units_scope or 'none'}", units=number(recall.units))


def _units(affected: AffectedSerials) -> Iterator[Paragraph | Facts | Bullets]:
    yield Paragraph((joined(checks(affected)),))
    rows: list[tuple[str, Line]] = []
    if affected.explicit_list_url is not None:
        rows.append(
            (say("recall.makers_list"), (Link(affected.explicit_list_url, affected.explicit_list_url),))
        )
    if affected.pattern is not None and affected.scope != "all_units":
        rows.append((say("recall.affected"), (_numbers(affected.pattern),)))
    if affected.not_affected_pattern is not None:
        rows.append((say("recall.outside"), (_numbers(affected.not_affected_pattern),)))
    if affected.exhaustive:
        rows.append((say("recall.unmatched"), (say("recall.unmatched.outside"),)))
    if affected.absent_identifier_affected:
        rows.append((say("recall.unmarked"), (say("recall.unmarked.affected"),)))
    if affected.format_hint is not None:
        rows.append((say("recall.hint"), (parts.quoted(affected.format_hint),)))
    if affected.colour_condition is not None:
        rows.append((say("recall.color"), (parts.quoted(affected.colour_condition),)))
    for name, windows in (("made", affected.manufacture_windows), ("sold", affected.sale_windows)):
        if windows:
            rows.append((say(f"recall.{name}"), (_spans(windows),)))
    if rows:
        yield Facts(tuple(rows))


def _numbers(pattern: str) -> str:
    """Return the numbers that a pattern matches. One that matches too many is not shown: it is no text."""
    return listed(identifiers(pattern, MOST_NUMBERS)) or say("recall.numbers.many")


def _spans(windows: tuple[Window, ...]) -> str:
    return apart(say("window", start=_in_words(one.from_), end=_in_words(one.to)) for one in windows)


def _in_words(written: str) -> str:
    """Return a day or a month as pages write it."""
    is_month = written.count("-") == 1
    date = datetime.date.fromisoformat(f"{written}-01" if is_month else written)
    return month(date) if is_month else day(date)


def _others(release: Published, others: list[Recall]) -> tuple[Section, ...]:
    if not others:
        return ()
    lines = tuple((Link(parts.recall_title(release, one), recall_path(one.recall_id)),) for one in others)
    return (Section(say("recall.others"), (Bullets(lines),)),)
