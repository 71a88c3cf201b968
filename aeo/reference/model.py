"""/models/<model>: the facts about one exact model, what the limits mean for it, and verdicts on it."""

from collections.abc import Iterator

from aeo.articles.rows import verdict_section
from aeo.editions import Edition
from aeo.page_records.register import Combination, Indexed
from aeo.pages import energy, parts
from aeo.pages.paths import brand_path, model_path, recall_path
from aeo.pages.record import Block, Bullets, Facts, Feed, Line, Link, Note, Page, Paragraph, Section
from aeo.pages.serial_check import how_to_check, serial_check
from aeo.reference import glance
from aeo.reference.limits import Limits, limits, sentence, spans
from aeo.texts import model_name, say
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.formatting import bracketed, day, joined, listed
from aeo.web.jsonld import Node, Product
from aeo.web.languages import tag
from rules.corpus import Published
from rules.engine.corpus import Citation
from rules.engine.facts import Certificate, Device, Recall
from rules.engine.matching import plain
from rules.selectors import evidence, recalls


def model_page(edition: Edition, model_id: str, indexed: Indexed) -> Page:
    """Return the page of a model. Raises `KeyError` if the release does not contain it."""
    release = edition.release
    device = release.shelf.devices[model_id]
    name, found = model_name(device), recalls.find(release, model_id=model_id)
    known = limits(release, edition.today)
    cited = evidence.citations(release, device.sources)
    of_certificates = evidence.citations(release, (one.source for one in device.certificates))
    of_recalls = evidence.citations(release, (source for one in found for source in one.sources))
    of_limits = evidence.citations(release, (source for rule in known.rules for source in rule.sources))
    path = model_path(model_id)
    title, lead = say("model.question", model=name), _lead(device, name, found, known)
    programs = parts.commas(
        [
            Link(say("programs.model"), f"/api/devices/{model_id}"),
            Link(say("programs.of_recalls"), f"/api/devices/{model_id}/recalls"),
        ]
    )
    return Page(
        path=path,
        title=title,
        lead=lead,
        glance=(
            glance.of_model(device, known, found),
            parts.own_flight(model=model_id),
        ),
        sections=(
            _limits(edition, device, known),
            Section(say("model.of_recalls", model=name), (*serial_check(found), *_recalls(release, found))),
            Section(say("model.facts"), tuple(_facts(release, device, cited))),
            *_certificates(release, device),
            *verdict_section(
                edition, say("model.verdicts"), _asked(edition, model_id, indexed), about="model_id"
            ),
            *parts.sources(release, [*cited, *of_certificates, *of_recalls, *of_limits]),
        ),
        crumbs=parts.crumbs(
            (say("brands"), "/brands"), (device.brand, brand_path(device.brand)), (device.model_name, path)
        ),
        about=parts.about(edition, programs),
        node=jsonld.web_page(
            url=address(path),
            name=title,
            description=lead,
            main=product_node(device),
            citations=[*cited, *of_certificates, *of_recalls],
            ruleset_version=release.ruleset_version,
            language=tag(),
        ),
        json_url=f"/api/devices/{model_id}",
        feeds=(Feed(f"/feeds/recalls/models/{model_id}.atom", say("feed.model")),),
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
    is_known = device.watt_hour is not None
    is_what = say(
        "model.known" if is_known else "model.unknown",
        model=name,
        **({} if device.watt_hour is None else {"watt_hour": plain(device.watt_hour)}),
    )
    if recalls.of_all_units(found):
        return joined([is_what, say("model.recalled")])
    within = [sentence(device, known)] if is_known else []
    recalled = [say("model.recalls", count=len(found))] if found else []
    return joined([is_what, *within, *recalled, say("model.route")])


def _facts(release: Published, device: Device, cited: tuple[Citation, ...]) -> Iterator[Facts | Paragraph]:
    not_known = say("not_known")
    watt_hour = not_known if device.watt_hour is None else say("watt_hour", watt_hour=plain(device.watt_hour))
    yield Facts(
        (
            (say("label.brand"), (Link(device.brand, brand_path(device.brand)),)),
            (say("label.model"), (device.model_name,)),
            (say("label.model_number"), (device.model_number or not_known,)),
            *([(say("label.aliases"), (listed(device.aliases),))] if device.aliases else []),
            (say("label.watt_hour"), (watt_hour, Note(f" {_basis(release, device)}"))),
            (say("label.capacity"), (parts.capacity(device),)),
            (say("label.certifications"), (listed(device.certifications) or not_known,)),
            (say("label.released"), (str(device.release_year or not_known),)),
        )
    )
    if not cited:
        yield Paragraph((say("model.unconfirmed"),))


def _basis(release: Published, device: Device) -> str:
    if device.watt_hour_basis != "rated":
        return say(f"basis.{device.watt_hour_basis}")
    whose, authority = evidence.rated_by(release, device)
    return say(f"basis.rated.{whose}", authority=authority)


def _certificates(release: Published, device: Device) -> Iterator[Section]:
    """Return what is known about the certificates behind its marks; empty if nothing is."""
    if device.certificates:
        lines = tuple(_certificate_line(release, one) for one in device.certificates)
        yield Section(
            say("model.certificates"), (Bullets(lines), Paragraph((say("model.certificates.note"),)))
        )


def _certificate_line(release: Published, certificate: Certificate) -> Line:
    """Return the status of a certificate with its days, where to look it up, and its source."""
    details = [
        *([say("since", date=day(certificate.since))] if certificate.since else []),
        *([say("until", date=day(certificate.until))] if certificate.until else []),
        *([say("certificate.number", number=certificate.number)] if certificate.number else []),
    ]
    links = [
        *([Link(say("certificate.lookup"), certificate.lookup_url)] if certificate.lookup_url else []),
        *(Link(one.authority, one.url) for one in evidence.citations(release, [certificate.source])),
    ]
    note = bracketed(listed(details)) if details else ""
    return say(f"certificate.{certificate.status}"), Note(f"{note} "), *parts.commas(links)


def _limits(edition: Edition, device: Device, known: Limits) -> Section:
    """Return the model against the limits of the baseline, and the rules behind them."""
    row = energy.Row((say("energy.international"),), spans(edition.release, edition.today))
    drawn = energy.against([energy.Carried(device)], [row])
    lines = tuple(parts.rule_line(edition.release, rule) for rule in known.rules)
    return Section(say("model.limits"), (drawn, *([Bullets(lines)] if lines else [])))


def _recalls(release: Published, found: list[Recall]) -> Iterator[Block]:
    """Yield what to do about the recalls, and each with its remedy and how a unit is checked."""
    if not found:
        yield Paragraph((say("recalls.none"),))
        return
    yield Paragraph((say("model.recalls.all" if recalls.of_all_units(found) else "model.recalls.stop"),))
    for recall in found:
        yield Paragraph(
            (
                Link(parts.recall_title(release, recall), recall_path(recall.recall_id)),
                Note(f" {listed([recall.authority, parts.announced(recall)])} "),
                parts.quoted(recall.remedy),
            )
        )
        yield Bullets((how_to_check(recall),))


def _asked(edition: Edition, model_id: str, indexed: Indexed) -> list[Combination]:
    """Return its indexed verdict pages; if it has none, the first flights of others, asked for it."""
    own = indexed.of_model.get(model_id)
    return own or [Combination(model_id, airline, country) for airline, country in indexed.first_flights]
