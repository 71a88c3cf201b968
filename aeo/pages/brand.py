"""/brands and /brands/<brand> as pages: the exact models of a brand, each with its verdict pages."""

from collections.abc import Iterator, Sequence

from aeo import jsonld
from aeo.brands import Brand, brand_path
from aeo.curation import Combination
from aeo.editions import Edition
from aeo.factors import model_name
from aeo.http import address
from aeo.jsonld import Crumb
from aeo.pages import parts
from aeo.pages.paths import model_path
from aeo.pages.record import Block, Bullets, Feed, Line, Link, Note, Page, Paragraph, Section
from aeo.pages.verdict_rows import Indexed, flights_link
from aeo.texts import say
from rules.engine.facts import Device

MOST_LINKS = 6
"""How many verdict pages are linked from each model."""

_HOME = ("Brands", "/brands")


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
            Section("Its models", (Paragraph((say("brand.recalls"),)),)),
            *(_model(edition, device, indexed) for device in brand.models),
        ),
        crumbs=parts.crumbs(_HOME, (brand.name, path)),
        about=parts.about(edition, (Link("Its models", f"/api/devices?brand={brand.brand_id}"),)),
        node=jsonld.collection(
            url=address(path),
            name=title,
            description=lead,
            items=[
                Crumb(model_name(device), address(model_path(device.model_id))) for device in brand.models
            ],
        ),
        json_url=f"/api/devices?brand={brand.brand_id}",
        feeds=(
            Feed(f"/feeds/recalls/brands/{brand.brand_id}.atom", f"Recalls of exact {brand.name} models"),
        ),
    )


def brands_page(edition: Edition, brands: Sequence[Brand]) -> Page:
    """Return the list of brands."""
    title, lead = "Power bank brands", say("brands.lead")
    lines: list[Line] = [
        (Link(brand.name, brand_path(brand.name)), Note(f" {parts.counted(len(brand.models), 'model')}"))
        for brand in brands
    ]
    return Page(
        path="/brands",
        title=title,
        lead=lead,
        sections=(Section("By number of models", (Bullets(tuple(lines)),)),),
        crumbs=parts.crumbs(_HOME),
        about=parts.about(edition, (Link("All models", "/api/devices"),)),
        node=jsonld.collection(
            url=address("/brands"),
            name=title,
            description=lead,
            items=[Crumb(brand.name, address(brand_path(brand.name))) for brand in brands],
        ),
    )


def _model(edition: Edition, device: Device, indexed: Indexed) -> Section:
    return Section(device.model_name, tuple(_about(edition, device, indexed)), within=True)


def _about(edition: Edition, device: Device, indexed: Indexed) -> Iterator[Block]:
    recalls = len(edition.release.shelf.recalls_of(device.model_id))
    recalled = f" {parts.counted(recalls, 'recall')} of exactly this model." if recalls else ""
    capacity = f", {device.capacity_mah:,} mAh" if device.capacity_mah else ""
    said = f"{parts.figure(device)}{capacity}.{recalled} "
    yield Paragraph(
        (said[0].upper() + said[1:], Link(f"About the {device.model_name}", model_path(device.model_id)))
    )
    pages: Sequence[Combination] = indexed.of_model.get(device.model_id, [])
    if pages:
        lines = tuple((flights_link(edition, page, "model_id"),) for page in pages[:MOST_LINKS])
        yield Bullets(lines)
