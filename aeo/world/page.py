"""The map as a page: the world at a glance, then each region with its countries as links and as a list."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from aeo.asking.names.folding import fold
from aeo.drawing.world_map import MARKS, Area, legend, overview, region
from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.paths import country_path
from aeo.pages.record import Drawing, Facts, Folded, Line, Link, Page, Paragraph, Section
from aeo.pages.sections import page
from aeo.texts import say
from aeo.web.formatting import bracketed, joined, number, region_name
from aeo.web.languages import localized
from aeo.world.layers import LAYERS, international, path_of, values
from aeo.world.shapes import Region, shapes
from rules.corpus import Published


def world_map(edition: Edition, layer: str) -> Page:
    """Return the page of a layer."""
    release, found = edition.release, values(edition, layer)
    marks, empty = _marks(found), _Empty(international(edition, layer))
    title = say(f"map.{layer}.title")
    lead = say("map.lead", known=number(len(found)), countries=number(len(release.corpus.countries)))
    return page(
        edition,
        path_of(layer),
        title=title,
        lead=joined([lead, *empty.lead]),
        sections=(
            Section(say("map.world"), (_layers(layer), _overview(release, found, marks, empty, title))),
            *(_region(release, found, marks, empty, one) for one in shapes().regions),
        ),
        crumbs=parts.crumbs((say("map.title"), path_of(LAYERS[0])), (title, path_of(layer))),
        programs=(Link(say("ruleset.kind.rules"), "/api/rules"),),
    )


class _Empty(NamedTuple):
    """How a country without words of its own is said: by the international words, if there are any."""

    international: str

    @property
    def name(self) -> str:
        """Return what is known of such a country."""
        if not self.international:
            return say("map.none")
        return say("map.international", value=self.international)

    @property
    def lead(self) -> list[str]:
        """Return a sentence about such countries; empty if nothing is known of them."""
        return [say("map.lead.international", value=self.international)] if self.international else []

    @property
    def what(self) -> str:
        """Return what such a country does not mean."""
        return say("map.international.what" if self.international else "map.none.what")


def _marks(found: Mapping[str, str]) -> dict[str, int]:
    """Return the mark of each value. Values beyond the marks that can be told apart share the last one."""
    by_count = sorted(Counter(found.values()).items(), key=lambda pair: (-pair[1], pair[0]))
    return {said: min(at, MARKS - 1) for at, (said, _) in enumerate(by_count)}


def _layers(shown: str) -> Paragraph:
    """Return links to the other layers."""
    forms = ((say(f"map.{layer}"), path_of(layer)) for layer in LAYERS)
    return Paragraph(parts.choices(forms, path_of(shown)))


def _overview(
    release: Published, found: Mapping[str, str], marks: Mapping[str, int], empty: _Empty, label: str
) -> Drawing:
    world, counts = shapes().world, Counter(found.values())
    of = {code: marks[said] for code, said in found.items()}
    svg = overview((shapes().width, world.height), world.shapes, world.dots, of, label=label)
    none = len(release.corpus.countries) - len(found)
    rows: list[tuple[int | None, str]] = [(marks[said], _counted(said, counts[said])) for said in marks]
    rows.append((None, _counted(empty.name, none)))
    drawn = svg + legend(rows, label=say("map.legend"))
    return Drawing(drawn, Paragraph((empty.what,)))


def _counted(said: str, count: int) -> str:
    return f"{said}{bracketed(say('count.countries', count=count))}"


def _region(
    release: Published, found: Mapping[str, str], marks: Mapping[str, int], empty: _Empty, shown: Region
) -> Section:
    """Return a region as a picture, and its countries by value and name."""
    name, here = region_name(shown.region), shown.codes & release.corpus.countries.keys()
    areas = {code: _area(release, code, found[code], marks) for code in sorted(here) if code in found}
    svg = region((shapes().width, shown.height), shown.shapes, shown.dots, areas, label=name)
    known = tuple(_rows(release, found, marks, here))
    unknown = _unknown(release, here - found.keys(), empty)
    if not known:
        return Section(name, (Drawing(svg, unknown),))
    return Section(name, (Drawing(svg, Facts(known)), *([unknown] if here - found.keys() else [])))


def _area(release: Published, code: str, said: str, marks: Mapping[str, int]) -> Area:
    label = say("named", name=parts.country(release, code).name, value=said)
    return Area(marks[said], localized(country_path(code)), label)


def _rows(
    release: Published, found: Mapping[str, str], marks: Mapping[str, int], here: set[str]
) -> Iterator[tuple[str, Line]]:
    """Yield the values that countries of a region have, each with these countries by name."""
    for said in marks:
        links = [parts.country_link(release, code) for code in here if found.get(code) == said]
        if links:
            yield f"{said}{bracketed(number(len(links)))}", _by_name(links)


def _unknown(release: Published, codes: Set[str], empty: _Empty) -> Folded:
    """Return the countries of a region for which no rule of their own is known."""
    summary = f"{empty.name}{bracketed(number(len(codes)))}"
    return Folded(summary, (Paragraph(_by_name(parts.country_link(release, code) for code in codes)),))


def _by_name(links: Iterable[Link]) -> Line:
    return parts.commas(sorted(links, key=lambda one: fold(one.text)))
