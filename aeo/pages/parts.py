"""What several kinds of pages say in the same way: rules, figures, dates, evidence, origin."""

import datetime
from collections.abc import Iterable, Mapping

from django.utils.formats import date_format

from aeo.editions import Edition
from aeo.factors import model_name
from aeo.http import address
from aeo.jsonld import Crumb
from aeo.pages.paths import airline_path, country_path, model_path
from aeo.pages.record import Instant, Line, Link, Note, Run, Section, Sources
from aeo.pages.words import day
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import Device, Recall, Rule
from rules.engine.matching import plain


def counted(number: int, one: str) -> str:
    """Return `1 rule` or `2 rules`."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def figure(device: Device) -> str:
    """Return the watt-hours of a model with what they rest on."""
    if device.watt_hour is None:
        return "watt-hours not known"
    basis = "rated" if device.watt_hour_basis == "rated" else "computed"
    return f"{plain(device.watt_hour)} Wh, {basis}"


def rule_line(rule: Rule, flights: str | None = None) -> Line:
    """Return what a rule says in its editors' sentence, when and where it holds, and how well it is known."""
    details = [
        *([f"since {day(rule.effective_from)}"] if rule.effective_from else []),
        *([f"until {day(rule.effective_until)}"] if rule.effective_until else []),
        *([flights] if flights else []),
        rule.confidence,
    ]
    return rule.summary, Note(f" ({', '.join(details)}) "), Link(rule.rule_id, f"/api/rules/{rule.rule_id}")


def in_brackets(cited: Iterable[Citation], numbers: Mapping[Citation, int]) -> Line:
    """Return links to sources by the numbers that they have in the list of sources: `[1] [3]`."""
    links: list[Run] = []
    for citation in cited:
        links += [" "] if links else []
        links.append(Link(f"[{numbers[citation]}]", citation.url))
    return tuple(links)


def numbered(citations: Iterable[Citation]) -> dict[Citation, int]:
    """Return sources, each once, with the numbers that they have in a list."""
    return {citation: number for number, citation in enumerate(dict.fromkeys(citations), start=1)}


def sources(citations: Iterable[Citation]) -> tuple[Section, ...]:
    """Return the evidence of a page, each source once; nothing where nobody read any."""
    each = tuple(dict.fromkeys(citations))
    return (Section("Sources", (Sources(each),)),) if each else ()


def about(edition: Edition, programs: Line) -> tuple[tuple[str, Line], ...]:
    """Return from what a page was made, until when it is fresh, and where programs read the same."""
    return origin(edition.release.ruleset_version, edition.ends_at, programs)


def origin(
    ruleset_version: str, fresh_until: datetime.datetime, programs: Line
) -> tuple[tuple[str, Line], ...]:
    """Return the same of a page whose answers hold until an instant of their own."""
    return (
        ("Ruleset version", (ruleset_version,)),
        ("Fresh until", (Instant(fresh_until),)),
        ("For programs", programs),
    )


def crumbs(*steps: tuple[str, str]) -> tuple[Crumb, ...]:
    """Return the way to a page from names and paths."""
    return tuple(Crumb(name, address(path)) for name, path in steps)


def airline_link(release: Published, code: str) -> Link:
    """Return an airline by its name."""
    return Link(release.shelf.airlines[code].name, airline_path(code))


def country_link(release: Published, code: str) -> Link:
    """Return a country by its name."""
    return Link(release.corpus.countries[code].name, country_path(code))


def model_link(release: Published, model_id: str) -> Link:
    """Return a model by its brand and name."""
    return Link(model_name(release.shelf.devices[model_id]), model_path(model_id))


def announced(recall: Recall) -> str:
    """Return when a recall was announced, as exactly as that is known."""
    date = recall.announced_on
    return {
        "day": day(date),
        "month": date_format(date, "F Y"),
        "year": date_format(date, "Y"),
        "report": f"{day(date)} at the latest, the day of a report",
        "earliest": f"{day(date)} at the earliest",
    }[recall.announced_precision]
