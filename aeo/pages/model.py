"""/models/<model>: what is known of one exact model, what the limits mean for it, and verdicts on it."""

from collections.abc import Iterator

from aeo import jsonld
from aeo.brands import brand_path
from aeo.curation import Combination
from aeo.editions import Edition
from aeo.factors import model_name
from aeo.http import address
from aeo.jsonld import Node, Product
from aeo.pages import parts
from aeo.pages.limits import Limits, limits, standing
from aeo.pages.paths import model_path, recall_path
from aeo.pages.record import Bullets, Facts, Feed, Line, Link, Note, Page, Paragraph, Section
from aeo.pages.verdict_rows import Indexed, verdict_section
from aeo.texts import say
from rules.engine.corpus import Citation
from rules.engine.facts import Device, Recall
from rules.engine.matching import plain
from rules.selectors import evidence, recalls

NOT_KNOWN = "not known"


def model_page(edition: Edition, model_id: str, indexed: Indexed) -> Page:
    """Return the page of a model. Raises `KeyError` for one that the release does not hold."""
    release = edition.release
    device = release.shelf.devices[model_id]
    name, found = model_name(device), recalls.find(release, model_id=model_id)
    known = limits(release, edition.today)
    cited = evidence.citations(release, device.sources)
    of_recalls = evidence.citations(release, (source for one in found for source in one.sources))
    of_limits = evidence.citations(release, (source for rule in known.rules for source in rule.sources))
    path = model_path(model_id)
    title, lead = say("model.question", model=name), _lead(device, name, found, known)
    programs: Line = (
        Link("The model", f"/api/devices/{model_id}"),
        ", ",
        Link("its recalls", f"/api/devices/{model_id}/recalls"),
    )
    return Page(
        path=path,
        title=title,
        lead=lead,
        sections=(
            Section("The model", tuple(_facts(device, cited))),
            *_limits(known),
            Section(f"Recalls of exactly the {name}", (_recalls(found),)),
            *verdict_section(
                edition, "Verdicts on flights", _asked(edition, model_id, indexed), beside="model_id"
            ),
            *parts.sources([*cited, *of_recalls, *of_limits]),
        ),
        crumbs=parts.crumbs(
            ("Brands", "/brands"), (device.brand, brand_path(device.brand)), (device.model_name, path)
        ),
        about=parts.about(edition, programs),
        node=jsonld.web_page(
            url=address(path),
            name=title,
            description=lead,
            main=product_node(device),
            citations=[*cited, *of_recalls],
            ruleset_version=release.ruleset_version,
        ),
        json_url=f"/api/devices/{model_id}",
        feeds=(Feed(f"/feeds/recalls/models/{model_id}.atom", "Recalls of exactly this model"),),
    )


def product_node(device: Device) -> Node:
    """Return a model as a Product with the figures that are known."""
    return jsonld.product(
        Product(device.model_id, model_name(device), device.brand, device.model_number),
        watt_hour=device.watt_hour,
        capacity_mah=device.capacity_mah,
        nominal_voltage=device.nominal_voltage,
        certifications=device.certifications,
    )


def _lead(device: Device, name: str, found: list[Recall], known: Limits) -> str:
    sentences = [
        say("model.unknown", model=name)
        if device.watt_hour is None
        else say("model.known", model=name, watt_hour=plain(device.watt_hour)),
        *([] if device.watt_hour is None else [standing(device, known)]),
        *([say("model.recalls", count=len(found))] if found else []),
        say("model.route"),
    ]
    return " ".join(sentences)


def _facts(device: Device, cited: tuple[Citation, ...]) -> Iterator[Facts | Paragraph]:
    watt_hour = NOT_KNOWN if device.watt_hour is None else f"{plain(device.watt_hour)} Wh"
    capacity = NOT_KNOWN if device.capacity_mah is None else f"{device.capacity_mah:,} mAh"
    voltage = f" at {plain(device.nominal_voltage)} V" if device.nominal_voltage else ""
    yield Facts(
        (
            ("Brand", (Link(device.brand, brand_path(device.brand)),)),
            ("Model", (device.model_name,)),
            ("Model number", (device.model_number or NOT_KNOWN,)),
            *([("Also called", (", ".join(device.aliases),))] if device.aliases else []),
            ("Watt-hours", (watt_hour, Note(f" {_basis(device)}"))),
            ("Capacity", (capacity + voltage,)),
            ("Certifications", (", ".join(device.certifications) or NOT_KNOWN,)),
            ("Released", (str(device.release_year or NOT_KNOWN),)),
        )
    )
    if not cited:
        yield Paragraph((say("model.unconfirmed"),))


def _basis(device: Device) -> str:
    return {
        "rated": "as rated by its maker",
        "computed": "computed from capacity and voltage",
        "unknown": "no figure of it was found",
    }[device.watt_hour_basis]


def _limits(known: Limits) -> Iterator[Section]:
    if known.rules:
        lines = tuple(parts.rule_line(rule) for rule in known.rules)
        yield Section("The limits it is held against everywhere", (Bullets(lines),))


def _recalls(found: list[Recall]) -> Bullets | Paragraph:
    if not found:
        return Paragraph((say("recalls.none"),))
    return Bullets(
        tuple(
            (
                Link(recall.title, recall_path(recall.recall_id)),
                Note(f" {recall.authority}, {parts.announced(recall)}"),
            )
            for recall in found
        )
    )


def _asked(edition: Edition, model_id: str, indexed: Indexed) -> list[Combination]:
    """Return its indexed verdict pages; where it has none, the first flights of others, asked for it."""
    own = indexed.of_model.get(model_id)
    return own or [Combination(model_id, airline, country) for airline, country in indexed.first_flights]
