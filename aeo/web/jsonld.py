"""Structured data (schema.org) of pages, as JSON-LD.

Pure: values in, JSON out; no Django, no clock, no settings. The caller gives every date. Called by the views.
A page and its structured data say the same.
"""

import datetime
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from rules.engine.corpus import Citation
from rules.engine.facts import INTERNATIONAL, Country

PUBLISHER = "Battery travel compliance"

Node = dict[str, Any]

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""Characters that could end a script element or a line of JavaScript; in JSON they occur only in strings."""


class Crumb(NamedTuple):
    """One step on the way to a page."""

    name: str
    url: str


class Publisher(NamedTuple):
    """The publisher of the site, by the addresses of the site and of its logo."""

    site: str
    logo: str


class Image(NamedTuple):
    """A picture and its size in pixels."""

    url: str
    width: int
    height: int


class Product(NamedTuple):
    """An exact catalog model."""

    model_id: str
    name: str
    brand: str
    model_number: str | None


def article(
    *,
    publisher: Publisher,
    image: Image,
    url: str,
    headline: str,
    body: str,
    language: str,
    ruleset_version: str,
    expires: datetime.datetime,
    about: Product,
    citations: Iterable[Citation],
) -> Node:
    """Return the Article of a page. The caller adds its dates."""
    return {
        "@context": "https://schema.org",
        "@type": "Article",
        "@id": f"{url}#article",
        "url": url,
        "mainEntityOfPage": url,
        "headline": headline,
        "image": {
            "@type": "ImageObject",
            "url": image.url,
            "width": image.width,
            "height": image.height,
        },
        "articleBody": body,
        "inLanguage": language,
        "version": ruleset_version,
        "expires": _instant(expires),
        "author": _publisher(publisher),
        "publisher": _publisher(publisher),
        "about": _product(about),
        "citation": [citation_node(citation) for citation in citations],
    }


def technical_article(*, publisher: Publisher, url: str, headline: str, description: str) -> Node:
    """Return the TechArticle of a page of the documentation, which is in English."""
    return {
        "@context": "https://schema.org",
        "@type": "TechArticle",
        "@id": f"{url}#article",
        "url": url,
        "mainEntityOfPage": url,
        "headline": headline,
        "description": description,
        "inLanguage": "en",
        "author": _publisher(publisher),
        "publisher": _publisher(publisher),
    }


def web_page(
    *,
    url: str,
    name: str,
    description: str,
    main: Node,
    citations: Iterable[Citation],
    ruleset_version: str,
    language: str,
) -> Node:
    """Return the WebPage of a page about one thing, `main`. The caller adds its dates."""
    prose = plain_page(
        url=url, name=name, description=description, language=language, ruleset_version=ruleset_version
    )
    return prose | {
        "mainEntity": main,
        "citation": [citation_node(citation) for citation in citations],
    }


def plain_page(
    *, url: str, name: str, description: str, language: str, ruleset_version: str | None = None
) -> Node:
    """Return the WebPage of a page in prose, with the release of its figures, if it has any."""
    node: Node = {
        "@context": "https://schema.org",
        "@type": "WebPage",
        "@id": f"{url}#page",
        "url": url,
        "name": name,
        "description": description,
        "inLanguage": language,
    }
    return node if ruleset_version is None else {**node, "version": ruleset_version}


def collection(*, url: str, name: str, description: str, items: Iterable[Crumb], language: str) -> Node:
    """Return the CollectionPage of a list, with its items."""
    return {
        "@context": "https://schema.org",
        "@type": "CollectionPage",
        "@id": f"{url}#page",
        "url": url,
        "name": name,
        "description": description,
        "inLanguage": language,
        "hasPart": [{"@type": "WebPage", "name": item.name, "url": item.url} for item in items],
    }


def home(
    *, publisher: Publisher, url: str, search_url: str, name: str, description: str, language: str
) -> list[Node]:
    """Return the site, its publisher, and the checker, which is an application.

    `search_url` answers a question in one sentence; `{words}` is replaced by its words.
    """
    site = {
        "@context": "https://schema.org",
        "@type": "WebSite",
        "@id": f"{publisher.site}#site",
        "url": url,
        "name": name,
        "description": description,
        "inLanguage": language,
        "publisher": _publisher(publisher),
        "potentialAction": {
            "@type": "SearchAction",
            "target": {"@type": "EntryPoint", "urlTemplate": search_url},
            "query-input": "required name=words",
        },
    }
    application = {
        "@context": "https://schema.org",
        "@type": "WebApplication",
        "@id": f"{url}#application",
        "url": url,
        "name": name,
        "description": description,
        "inLanguage": language,
        "applicationCategory": "TravelApplication",
        "operatingSystem": "Any",
        "isAccessibleForFree": True,
        "publisher": _publisher(publisher),
    }
    return [site, {"@context": "https://schema.org", **_publisher(publisher)}, application]


def dated(node: Node, changed: datetime.datetime | None, published: datetime.datetime | None = None) -> Node:
    """Return a node with the times at which its content first appeared and last changed, if recorded."""
    dates = {"datePublished": published, "dateModified": changed}
    return node | {name: _instant(instant) for name, instant in dates.items() if instant is not None}


def product(
    known: Product,
    *,
    watt_hour: Decimal | None,
    capacity_mah: int | None,
    nominal_voltage: Decimal | None,
    certifications: Iterable[str],
) -> Node:
    """Return a model with its known figures. Units are UN/CEFACT codes, as schema.org requires."""
    figures = (
        ("watt-hours", watt_hour, "WHR"),
        ("capacity", capacity_mah, "E09"),
        ("nominal voltage", nominal_voltage, "VLT"),
    )
    properties: list[Node] = [
        {"@type": "PropertyValue", "name": name, "value": float(value), "unitCode": unit}
        for name, value, unit in figures
        if value is not None
    ]
    properties += [
        {"@type": "PropertyValue", "name": "certification", "value": mark} for mark in certifications
    ]
    node = _product(known)
    if properties:
        node["additionalProperty"] = properties
    return node


def airline(*, name: str, iata: str, icao: str, country: Country) -> Node:
    """Return an airline with its codes and the country where it is based."""
    return {
        "@type": "Airline",
        "name": name,
        "iataCode": iata,
        "identifier": {"@type": "PropertyValue", "propertyID": "ICAO", "value": icao},
        "location": place(country),
    }


def place(known: Country) -> Node:
    """Return a country by its name and its ISO 3166-1 code."""
    return {"@type": "Country", "name": known.name, "identifier": known.code}


def recall_notice(
    *,
    recall_id: str,
    title: str,
    text: str | None,
    authority: str,
    notice_url: str,
    announced_on: datetime.date | None,
    about: Node,
) -> Node:
    """Return the notice of a recall. `announced_on` is None if the day is not known exactly.

    `text` is None if the page cannot give its content in the page's language.
    """
    node: Node = {
        "@type": "CreativeWork",
        "genre": "Recall notice",
        "identifier": recall_id,
        "name": title,
        **({} if text is None else {"text": text}),
        "author": {"@type": "Organization", "name": authority},
        "url": notice_url,
        "about": about,
    }
    if announced_on is not None:
        node["datePublished"] = announced_on.isoformat()
    return node


def citation_node(citation: Citation) -> Node:
    """Return a source with its kind, its jurisdiction and the day on which it was read.

    The service's specification has its own names for kind, jurisdiction and day. If schema.org has a name for
    a value, the value has that name too.
    """
    place = {} if citation.jurisdiction == INTERNATIONAL else {"spatialCoverage": _area(citation)}
    return {
        "@type": "CreativeWork",
        "name": citation.authority,
        "url": citation.url,
        "genre": citation.kind,
        "publisher": {"@type": "Organization", "name": citation.authority},
        **place,
        "citation_kind": citation.kind,
        "citation_jurisdiction": citation.jurisdiction,
        "pulled_at": pulled_at(citation.pulled_at),
    }


def pulled_at(day: datetime.date) -> str:
    """Return a day of reading as the date-time of its start, UTC."""
    return f"{day.isoformat()}T00:00:00Z"


def breadcrumbs(crumbs: Sequence[Crumb]) -> Node:
    """Return the path to a page, the page itself last."""
    return {
        "@context": "https://schema.org",
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": position, "name": crumb.name, "item": crumb.url}
            for position, crumb in enumerate(crumbs, start=1)
        ],
    }


def questions(*, url: str, language: str, answered: Iterable[tuple[str, str]]) -> Node:
    """Return the questions and answers of a page."""
    return {
        "@context": "https://schema.org",
        "@type": "FAQPage",
        "@id": f"{url}#questions",
        "url": url,
        "inLanguage": language,
        "mainEntity": [
            {"@type": "Question", "name": asked, "acceptedAnswer": {"@type": "Answer", "text": answer}}
            for asked, answer in answered
        ],
    }


def script_text(nodes: Sequence[Node] | Node) -> str:
    """Return nodes as JSON for a script element: nothing in it can end the element."""
    text = msgspec.json.encode(nodes).decode()
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return text


def _publisher(publisher: Publisher) -> Node:
    return {
        "@type": "Organization",
        "@id": f"{publisher.site}#publisher",
        "name": PUBLISHER,
        "url": publisher.site,
        "logo": {"@type": "ImageObject", "url": publisher.logo},
    }


def _area(citation: Citation) -> Node:
    """Return where a source applies, by code; a name would be in one language."""
    return {"@type": "AdministrativeArea", "identifier": citation.jurisdiction}


def _product(product: Product) -> Node:
    node: Node = {
        "@type": "Product",
        "productID": product.model_id,
        "name": product.name,
        "brand": {"@type": "Brand", "name": product.brand},
    }
    if product.model_number is not None:
        node["model"] = product.model_number
    return node


def _instant(instant: datetime.datetime) -> str:
    return instant.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
