"""/recalls/<recall>: one recall of exactly one model, and how to tell whether a unit is affected."""

from collections.abc import Iterator

from aeo import jsonld
from aeo.editions import Edition
from aeo.factors import model_name
from aeo.http import address
from aeo.pages import parts
from aeo.pages.model import product_node
from aeo.pages.paths import recall_path
from aeo.pages.record import Bullets, Facts, Feed, Line, Link, Page, Paragraph, Section
from aeo.pages.verdict_rows import Indexed, verdict_section
from aeo.texts import say
from recalls.serials import AffectedSerials, Window
from rules.engine.facts import Recall
from rules.selectors import evidence, recalls

IDENTIFIERS = {"serial": "serial number", "po_number": "PO number"}
"""Identifiers that are not said as they are spelled."""


def recall_page(edition: Edition, recall_id: str, indexed: Indexed) -> Page:
    """Return the page of a recall. Raises `KeyError` for one that the release does not hold."""
    release = edition.release
    recall = release.shelf.recalls[recall_id]
    device = release.shelf.devices[recall.model_id]
    name, path = model_name(device), recall_path(recall_id)
    announced = parts.announced(recall)
    title = say("recall.question", model=name, authority=recall.authority, date=announced)
    lead = " ".join(
        [
            say("recall.lead", model=name, authority=recall.authority, date=announced),
            f"{recall.hazard.rstrip('.')}.",
            say("recall.all" if recall.affected_serials.scope == "all_units" else "recall.unknown"),
        ]
    )
    cited = evidence.citations(release, recall.sources)
    others = [one for one in recalls.find(release, model_id=recall.model_id) if one is not recall]
    programs: Line = (Link("The recalls of this model", f"/api/recalls?model_id={recall.model_id}"),)
    return Page(
        path=path,
        title=title,
        lead=lead,
        sections=(
            Section(recall.title, tuple(_facts(edition, recall))),
            Section("Is my unit affected?", tuple(_units(recall.affected_serials))),
            Section("Which models it concerns", (Paragraph((say("recall.exact", model=name),)),)),
            *_others(others),
            *verdict_section(
                edition,
                "Verdicts on this model",
                indexed.of_model.get(recall.model_id, []),
                beside="model_id",
            ),
            *parts.sources(cited),
        ),
        crumbs=parts.crumbs(("Recalls", "/recalls"), (recall.title, path)),
        about=parts.about(edition, programs),
        node=jsonld.web_page(
            url=address(path),
            name=title,
            description=lead,
            main=jsonld.recall_notice(
                recall_id=recall_id,
                title=recall.title,
                text=f"{recall.hazard.rstrip('.')}. {recall.remedy.rstrip('.')}.",
                authority=recall.authority,
                notice_url=recall.notice_url,
                announced_on=recall.announced_on if recall.announced_precision == "day" else None,
                about=product_node(device),
            ),
            citations=cited,
            ruleset_version=release.ruleset_version,
        ),
        json_url=f"/api/recalls?model_id={recall.model_id}",
        feeds=(Feed(f"/feeds/recalls/models/{recall.model_id}.atom", "Recalls of exactly this model"),),
    )


def _facts(edition: Edition, recall: Recall) -> Iterator[Facts]:
    yield Facts(
        (
            ("Model", (parts.model_link(edition.release, recall.model_id),)),
            ("Authority", (recall.authority,)),
            ("Announced", (parts.announced(recall),)),
            ("Hazard", (recall.hazard,)),
            ("Remedy", (recall.remedy,)),
            ("Units", (_counted(recall),)),
            ("Notice", (Link(recall.notice_url, recall.notice_url),)),
        )
    )


def _counted(recall: Recall) -> str:
    if recall.units is None:
        return "not known"
    scope = {
        "model": "of this model",
        "notice_total": "of all models of the notice together",
        "restated": "which another notice counts as well",
        None: "as the notice counts them",
    }[recall.units_scope]
    return f"{recall.units:,}, {scope}"


def _check(affected: AffectedSerials) -> Iterator[str]:
    """Say how a unit is checked, as the engine does it."""
    if affected.scope == "all_units":
        yield say("recall.all")
        return
    identifier = IDENTIFIERS.get(affected.identifier, affected.identifier.replace("_", " "))
    if affected.pattern is not None:
        yield say("recall.pattern", identifier=identifier)
    if affected.explicit_list_url is not None:
        yield say("recall.list" if affected.pattern is None else "recall.list.after", identifier=identifier)
    if affected.pattern is None and affected.explicit_list_url is None:
        yield say("recall.nothing")


def _units(affected: AffectedSerials) -> Iterator[Paragraph | Facts | Bullets]:
    yield Paragraph((" ".join(_check(affected)),))
    rows: list[tuple[str, Line]] = []
    if affected.explicit_list_url is not None:
        rows.append(("The maker's list", (Link(affected.explicit_list_url, affected.explicit_list_url),)))
    if affected.pattern is not None and affected.scope != "all_units":
        rows.append(("Pattern of affected units", (affected.pattern,)))
    if affected.not_affected_pattern is not None:
        rows.append(("Pattern of units outside it", (affected.not_affected_pattern,)))
    if affected.exhaustive:
        rows.append(("Units that the pattern does not match", ("outside this recall",)))
    if affected.absent_identifier_affected:
        rows.append(("Units without anything to read", ("affected",)))
    if affected.format_hint is not None:
        rows.append(("Where and what to read", (affected.format_hint,)))
    if affected.colour_condition is not None:
        rows.append(("Color", (affected.colour_condition,)))
    for name, windows in (("Made", affected.manufacture_window), ("Sold", affected.sale_window)):
        if windows is not None:
            rows.append((name, (_spans(windows),)))
    if rows:
        yield Facts(tuple(rows))


def _spans(windows: Window | tuple[Window, ...]) -> str:
    each = (windows,) if isinstance(windows, Window) else windows
    return "; ".join(f"{window.from_} to {window.to}" for window in each)


def _others(others: list[Recall]) -> tuple[Section, ...]:
    if not others:
        return ()
    lines = tuple((Link(one.title, recall_path(one.recall_id)),) for one in others)
    return (Section("Other recalls of the same model", (Bullets(lines),)),)
