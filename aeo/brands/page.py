"""/brands and /brands/<brand> as pages: the exact models of a brand, each with its verdict pages."""

from collections.abc import Iterator, Sequence

from aeo.articles.rows import flights_link
from aeo.brands.hubs import Brand
from aeo.editions import Edition
from aeo.page_records.register import Combination, Indexed
from aeo.pages import parts
from aeo.pages.paths import brand_path, model_path
from aeo.pages.record import Block, Bullets, Feed, Line, Link, Note, Page, Paragraph, Section
from aeo.texts import model_name, say
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.formatting import joined, listed, number
from aeo.web.jsonld import Crumb
from aeo.web.languages import tag
from rules.engine.facts import Device

MOST_LINKS = 6
"""How many verdict pages each model links to."""


def brand_page(edition: Edition, brand: Brand, indexed: Indexed) -> Page:
    """Return the hub of a brand."""
    path = brand_path(brand.name)
    title = say("brand.title", brand=brand.name)
    lead = say(
        "brand.lead",
        count=len(brand.models),
        brand=brand.name,
        version=edition.release.ruleset_version,
        recent=brand.recent_count,
        near=brand.near_limit_count,
    )
    return Page(
        path=path,
        title=title,
        lead=lead,
        sections=(
            Section(say("brand.models"), (Paragraph((say("brand.recalls"),)),)),
            *(_model(edition, device, indexed) for device in brand.models),
        ),
        crumbs=parts.crumbs(_home(), (brand.name, path)),
        about=parts.about(edition, (Link(say("programs.models"), f"/api/devices?brand={brand.brand_id}"),)),
        node=jsonld.collection(
            url=address(path),
            name=title,
            description=lead,
            items=[
                Crumb(model_name(device), address(model_path(device.model_id))) for device in brand.models
            ],
            language=tag(),
        ),
        json_url=f"/api/devices?brand={brand.brand_id}",
        feeds=(Feed(f"/feeds/recalls/brands/{brand.brand_id}.atom", say("feed.brand", brand=brand.name)),),
    )


def brands_page(edition: Edition, brands: Sequence[Brand]) -> Page:
    """Return the list of brands."""
    title, lead = say("brands.title"), say("brands.lead")
    lines: list[Line] = [
        (Link(brand.name, brand_path(brand.name)), Note(f" {say('count.models', count=len(brand.models))}"))
        for brand in brands
    ]
    return Page(
        path="/brands",
        title=title,
        lead=lead,
        sections=(Section(say("brands.by_models"), (Bullets(tuple(lines)),)),),
        crumbs=parts.crumbs(_home()),
        about=parts.about(edition, (Link(say("programs.all_models"), "/api/devices"),)),
        node=jsonld.collection(
            url=address("/brands"),
            name=title,
            description=lead,
            items=[Crumb(brand.name, address(brand_path(brand.name))) for brand in brands],
            language=tag(),
        ),
    )


def _home() -> tuple[str, str]:
    return say("brands"), "/brands"


def _model(edition: Edition, device: Device, indexed: Indexed) -> Section:
    return Section(device.model_name, tuple(_about(edition, device, indexed)), within=True)


def _about(edition: Edition, device: Device, indexed: Indexed) -> Iterator[Block]:
    recalls = len(edition.release.shelf.recalls_of(device.model_id))
    figures = [parts.figure(device)]
    if device.capacity_mah:
        figures.append(say("capacity", capacity_mah=number(device.capacity_mah)))
    sentences = [say("as_sentence", words=listed(figures))]
    if recalls:
        sentences.append(say("brand.model.recalls", count=recalls))
    said = joined(sentences)
    about = Link(say("model.link", model=device.model_name), model_path(device.model_id))
    yield Paragraph((f"{said[0].upper()}{said[1:]} ", about))
    pages: Sequence[Combination] = indexed.of_model.get(device.model_id, [])
    if pages:
        lines = tuple((flights_link(edition, page, "model_id"),) for page in pages[:MOST_LINKS])
        yield Bullets(lines)
