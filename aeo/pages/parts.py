"""The parts that several kinds of pages share: rules, figures, dates, evidence, origin."""

import datetime
import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlencode, urlsplit

import msgspec

from aeo.editions import Edition
from aeo.pages.paths import airline_path, country_path, model_path
from aeo.pages.record import (
    Excerpt,
    Instant,
    Line,
    Link,
    Note,
    Paragraph,
    Quote,
    Run,
    Section,
    Shown,
    Sources,
)
from aeo.texts import active, airline_name, country_name, model_name, say
from aeo.web.addresses import address
from aeo.web.formatting import bracketed, comma, day, joined, listed, month, number, year
from aeo.web.jsonld import Crumb
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import Country, Device, Recall, Rule, Source
from rules.engine.matching import plain
from rules.selectors import evidence
from rules.selectors.evidence import Cited
from rules.wording.steps import rule_words
from rules.wording.translating import SOURCE_LANGUAGE

ADDRESS = re.compile(r"(https?://[!-~]*[A-Za-z0-9/])")
"""A web address in a sentence of any language: sentences end with a sign that addresses do not end with."""

START_PAGES = frozenset(("", "en", "global", "recalls", "product-safety-alerts-reports-recalls"))
"""Parts of the addresses of start pages and of lists, where a notice has to be searched for."""


def figure(device: Device) -> str:
    """Return the watt-hours of a model, with their basis."""
    if device.watt_hour is None:
        return say("watt_hour.unknown")
    basis = "rated" if device.watt_hour_basis == "rated" else "computed"
    return say(f"watt_hour.{basis}", watt_hour=plain(device.watt_hour))


def capacity(device: Device) -> str:
    """Return the capacity of a model, with the voltage for which it is stated."""
    known = {} if device.capacity_mah is None else {"capacity_mah": number(device.capacity_mah)}
    name = "capacity" if known else "capacity.unknown"
    if device.nominal_voltage:
        return say(f"{name}.at", **known, nominal_voltage=plain(device.nominal_voltage))
    return say(name, **known) if known else say("not_known")


def rule_line(release: Published, rule: Rule, flights: Iterable[str] = ()) -> Line:
    """Return what a rule says, when and where it applies, how well it is known, and its pages' words."""
    details = [
        *([say("since", date=day(rule.effective_from))] if rule.effective_from else []),
        *([say("until", date=day(rule.effective_until))] if rule.effective_until else []),
        *flights,
        say(f"confidence.{rule.confidence}"),
    ]
    note = f"{bracketed(listed(details))} "
    api = Link(rule.rule_id, f"/api/rules/{rule.rule_id}")
    return said_by(release, rule), Note(note), api, *map(excerpt, evidence.excerpts(release, rule))


def excerpt(one: evidence.Excerpt) -> Excerpt:
    """Return the words of a page that a rule rests on."""
    # An editor describes the position of the words, in English.
    where = one.where if active() == SOURCE_LANGUAGE else None
    return Excerpt(say("quote.label"), one.words, Link(one.authority, one.url), where or "")


def said_by(release: Published, rule: Rule) -> str:
    """Return what a rule says: its editors' sentence, in English, or its own words."""
    return rule.summary if active() == SOURCE_LANGUAGE else own_words(release, rule)


def own_words(release: Published, rule: Rule) -> str:
    """Return what a rule says, with its conditions, in the words of verdicts."""
    words = rule_words(rule, active(), release.shelf.devices)
    return joined([words.says, *words.conditions])


def with_links(text: str) -> Line:
    """Return a text with its web addresses as links."""
    pieces = enumerate(ADDRESS.split(text))
    return tuple(Link(piece, piece) if at % 2 else piece for at, piece in pieces if piece)


def commas(links: Iterable[Link]) -> Line:
    """Return links with commas between them."""
    runs: list[Run] = []
    for link in links:
        runs += [comma(), link] if runs else [link]
    return tuple(runs)


def choices(forms: Iterable[tuple[str, str]], shown: str) -> Line:
    """Return links to the forms of a page, each with its words and its address; the shown form is no link."""
    runs: list[Run] = []
    for words, path in forms:
        # The space keeps the dot at the end of a line: a link may break from what follows it.
        runs += ["\N{NO-BREAK SPACE}· "] if runs else []
        runs.append(words if path == shown else Link(words, path))
    return tuple(runs)


def quoted(words: str) -> Run:
    """Return English words of a record: a quotation on a page in another language."""
    return words if active() == SOURCE_LANGUAGE else Quote(words)


def recall_title(release: Published, recall: Recall) -> str:
    """Return the title of a recall: its own title, in English, or who recalled what and when."""
    if active() == SOURCE_LANGUAGE:
        return recall.title
    model = model_name(release.shelf.devices[recall.model_id])
    return say("recall.title", model=model, authority=recall.authority, date=announced(recall))


def in_brackets(cited: Iterable[Citation], numbers: Mapping[Citation, int]) -> Line:
    """Return links to sources by their numbers in the list of sources, in its order: `[1] [3]`."""
    links: list[Run] = []
    for citation in sorted(cited, key=numbers.__getitem__):
        links += [" "] if links else []
        links.append(Link(f"[{numbers[citation]}]", citation.url))
    return tuple(links)


def numbered(citations: Iterable[Citation]) -> dict[Citation, int]:
    """Return sources, each once, with their numbers in a list."""
    return {citation: number for number, citation in enumerate(dict.fromkeys(citations), start=1)}


def sources(release: Published, citations: Iterable[Citation]) -> tuple[Section, ...]:
    """Return the evidence of a page, each source once; empty if no source was read."""
    each = evidence.with_basis(release, citations)
    return (Section(say("sources"), (Sources(each),)),) if each else ()


def about(edition: Edition, programs: Line) -> tuple[tuple[str, Line], ...]:
    """Return the release behind a page, until when it is fresh, and where programs read the same."""
    return origin(edition.release.ruleset_version, edition.ends_at, programs)


def origin(
    ruleset_version: str, fresh_until: datetime.datetime, programs: Line
) -> tuple[tuple[str, Line], ...]:
    """Return the same for a page whose answers have their own end."""
    return (
        (say("about.ruleset"), (ruleset_version,)),
        (say("about.fresh"), (Instant(fresh_until),)),
        (say("about.programs"), programs),
    )


def dated(shown: Shown) -> tuple[tuple[str, Line], ...]:
    """Return the release behind a page, its dates, and where readers get its changes."""
    dates = (("page.published", shown.published), ("page.changed", shown.changed))
    known = tuple((say(key), (Instant(at),)) for key, at in dates if at is not None)
    feeds = commas(Link(feed.title, feed.path) for feed in shown.page.feeds)
    return (*shown.page.about, *known, *([(say("about.feeds"), feeds)] if feeds else []))


def crumbs(*steps: tuple[str, str]) -> tuple[Crumb, ...]:
    """Return the path to a page as steps of names and addresses."""
    return tuple(Crumb(name, address(path)) for name, path in steps)


def country(release: Published, code: str) -> Country:
    """Return a country with its name in the active language."""
    known = release.corpus.countries[code]
    return msgspec.structs.replace(known, name=country_name(code, known.name))


def airline_link(release: Published, code: str) -> Link:
    """Return an airline by its name."""
    return Link(airline_name(release.shelf.airlines[code]), airline_path(code))


def country_link(release: Published, code: str) -> Link:
    """Return a country by its name."""
    return Link(country(release, code).name, country_path(code))


def model_link(release: Published, model_id: str) -> Link:
    """Return a model by its brand and name."""
    return Link(model_name(release.shelf.devices[model_id]), model_path(model_id))


def own_flight(**asked: str) -> Paragraph:
    """Return a link to the checker, with the known parts of the question filled in."""
    return Paragraph((Link(say("own_flight"), f"/check?{urlencode(asked)}"),))


def announced(recall: Recall) -> str:
    """Return when a recall was announced, as exactly as it is known."""
    date = recall.announced_on
    return {
        "day": day(date),
        "month": month(date),
        "year": year(date),
        "report": say("announced.report", date=day(date)),
        "earliest": say("announced.earliest", date=day(date)),
    }[recall.announced_precision]


def search_site(notice_url: str) -> str:
    """Return the site on which a notice must be searched for; empty if its address leads to it."""
    parts = urlsplit(notice_url)
    named = set(parts.path.casefold().strip("/").split("/"))
    return (parts.hostname or "").removeprefix("www.") if named <= START_PAGES and not parts.query else ""


def notice_words(recall: Recall, direct: str) -> str:
    """Return the words of a link to a notice: `direct`, unless the notice must be searched for."""
    site = search_site(recall.notice_url)
    return say("recall.notice.search", site=site) if site else direct


def authority(release: Published, place: str) -> str:
    """Return who makes the rules of a jurisdiction."""
    record = release.shelf.jurisdictions.get(place)
    return place if record is None else record.regulator


def source_note(source: Cited | Source) -> str:
    """Return the kind of a source, where it applies, and what of it was read when."""
    return listed([say(f"source.kind.{source.kind}"), source.jurisdiction, source_read(source)])


def source_read(source: Cited | Source) -> str:
    """Return when a source was read, and if it was not its own page, what was read."""
    date = source.pulled_at if isinstance(source, Cited) else source.read_on
    match source.basis:
        case "official_copy_read":
            return say("source.read.copy", date=day(date))
        case "secondary_read" if source.kind != "news":
            return say("source.read.report", date=day(date))
        case _:
            return say("source.read", date=day(date))
