"""/models, /countries and /recalls: the records in groups, a limited number on each page."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby

import msgspec
from django.utils.text import slugify

from aeo.asking.names.folding import fold
from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.parts import authority
from aeo.pages.paths import country_path, model_path, recall_path
from aeo.pages.record import Bullets, Feed, Line, Link, Note, Page, Paragraph, Section
from aeo.pages.sections import see
from aeo.texts import model_name, say
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.formatting import apart, listed, year
from aeo.web.jsonld import Crumb
from aeo.web.languages import tag
from rules.engine.facts import Device
from rules.selectors import recalls

ENTRIES_ON_PAGE = 100

LISTS = ("models", "countries", "recalls")


class Entry(msgspec.Struct, frozen=True):
    """One line of a list, with its group."""

    group: str
    name: str
    path: str
    note: str


class Listing(msgspec.Struct, frozen=True):
    """A whole list, ready to be divided into pages."""

    name: str
    title: str
    lead: str
    json_url: str
    entries: tuple[Entry, ...]

    @property
    def pages(self) -> int:
        """Return its number of pages; an empty list has one."""
        return max(1, -(-len(self.entries) // ENTRIES_ON_PAGE))


def listing(edition: Edition, name: str) -> Listing:
    """Return a list by its name, one of `LISTS`."""
    return _MAKERS[name](edition)


def list_page(edition: Edition, shown: Listing, number: int) -> Page:
    """Return one page of a list, counted from 1."""
    first = (number - 1) * ENTRIES_ON_PAGE
    entries = shown.entries[first : first + ENTRIES_ON_PAGE]
    path = page_path(shown.name, number)
    title = shown.title if number == 1 else say("list.title.further", title=shown.title, number=str(number))
    return Page(
        path=path,
        title=title,
        lead=shown.lead,
        sections=(
            *(
                Section(group, (Bullets(tuple(map(_line, members))),))
                for group, members in groupby(entries, key=lambda entry: entry.group)
            ),
            *_other_pages(shown, number),
            see(*(["/map"] if shown.name == "countries" else []), "/coverage", "/methodology"),
        ),
        crumbs=parts.crumbs((shown.title, path)),
        about=parts.about(edition, (Link(say("programs.list"), shown.json_url),)),
        node=jsonld.collection(
            url=address(path),
            name=title,
            description=shown.lead,
            items=[Crumb(entry.name, address(entry.path)) for entry in entries],
            language=tag(),
        ),
        json_url=shown.json_url,
        feeds=_feeds(shown.name),
    )


def _feeds(name: str) -> tuple[Feed, ...]:
    """Return the feed of changes of a list: recalls change with the rulesets."""
    title = say("policy_changes.follow.rulesets")
    return (Feed("/feeds/rulesets.atom", title),) if name == "recalls" else ()


def page_path(name: str, number: int) -> str:
    """Return the address of one page of a list."""
    return f"/{name}" if number == 1 else f"/{name}?page={number}"


def _line(entry: Entry) -> Line:
    return Link(entry.name, entry.path), Note(f" {entry.note}")


def _other_pages(shown: Listing, number: int) -> tuple[Section, ...]:
    if shown.pages == 1:
        return ()
    pages = ((str(other), page_path(shown.name, other)) for other in range(1, shown.pages + 1))
    line = parts.choices(pages, page_path(shown.name, number))
    return (Section(say("list.pages"), (Paragraph(line),)),)


def _models(edition: Edition) -> Listing:
    release = edition.release
    devices = sorted(
        release.shelf.all_devices,
        key=lambda device: (slugify(device.brand), device.model_name.casefold(), device.model_id),
    )
    names = {device.brand: min(release.shelf.brands[slugify(device.brand)]) for device in devices}
    entries = [
        Entry(
            names[device.brand],
            device.model_name,
            model_path(device.model_id),
            listed([parts.figure(device), *_recalled(len(release.shelf.recalls_of(device.model_id)))]),
        )
        for device in devices
    ]
    return Listing(
        "models",
        say("list.models.title"),
        say("list.models", count=len(entries)),
        "/api/devices",
        tuple(entries),
    )


def _recalled(count: int) -> list[str]:
    return [say("count.recalls", count=count)] if count else []


def _countries(edition: Edition) -> Listing:
    release = edition.release
    based = Counter(airline.country for airline in release.shelf.airlines.values())
    groups: dict[str, list[Entry]] = {}
    for code in release.corpus.countries:
        places = release.corpus.places(code)
        if places or code in based:
            group = _countries_group(code, places)
            notes = [authority(release, place) for place in reversed(places)]
            if code in based:
                notes.append(say("count.airlines_based", count=based[code]))
            groups.setdefault(group, []).append(
                Entry(
                    say(f"list.countries.{group}"),
                    parts.country(release, code).name,
                    country_path(code),
                    apart(notes),
                )
            )
    entries = [
        entry
        for group in sorted(groups, key=_GROUPS_OF_COUNTRIES.index)
        for entry in sorted(groups[group], key=lambda entry: fold(entry.name))
    ]
    own = len(groups.get(_GROUPS_OF_COUNTRIES[0], []))
    return Listing(
        "countries",
        say("list.countries.title"),
        say("list.countries", count=own),
        "/api/rules",
        tuple(entries),
    )


_GROUPS_OF_COUNTRIES = ("own", "regional", "baseline")


def _countries_group(code: str, places: Sequence[str]) -> str:
    own, regional, none = _GROUPS_OF_COUNTRIES
    return own if code in places else regional if places else none


def _recalls(edition: Edition) -> Listing:
    release = edition.release
    entries = [
        Entry(
            year(recall.announced_on),
            parts.recall_title(release, recall),
            recall_path(recall.recall_id),
            listed(
                [
                    *_numbered(release.shelf.devices[recall.model_id]),
                    recall.authority,
                    parts.announced(recall),
                ]
            ),
        )
        for recall in recalls.find(release)
    ]
    return Listing(
        "recalls",
        say("list.recalls.title"),
        say("list.recalls", count=len(entries)),
        "/api/recalls",
        tuple(entries),
    )


def _numbered(device: Device) -> list[str]:
    """Return the name of a model, and its number if the name does not contain it."""
    name, number = model_name(device), device.model_number
    return [name] if number is None or number.casefold() in name.casefold() else [name, number]


_MAKERS: dict[str, Callable[[Edition], Listing]] = {
    "models": _models,
    "countries": _countries,
    "recalls": _recalls,
}
