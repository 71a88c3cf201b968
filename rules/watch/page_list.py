"""Which pages to watch: cited pages, and those readers are sent to. Reads only the editors' tables.

The watch follows the text of a page if a person has read it: that is evidence. It only checks that the link
is alive for pages that no one has read, for the official page of an airline, and for notices and lists of
recalls.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from catalog.cadence import PACES, STANDARD, visit_days
from catalog.models import AirlinePolicy, Source
from catalog.records import POINTER
from recalls.editing.models import Recall
from rules.editing.models import Rule
from rules.engine.facts import Quote


class Wanted(NamedTuple):
    """How a page is to be watched: whether its text is followed, and the days between two visits."""

    follows_text: bool
    visit_days: int


class QuoteOfRule(NamedTuple):
    """A quote, and the rule that it carries."""

    rule_id: str
    quote: Quote


def wanted_pages() -> Mapping[str, Wanted]:
    """Return how each page is to be watched, by its address. If several ask for it, the strictest wins."""
    found: dict[str, Wanted] = {}
    for url, wanted in _asked_for():
        known = found.get(url, wanted)
        found[url] = Wanted(
            known.follows_text or wanted.follows_text, min(known.visit_days, wanted.visit_days)
        )
    return found


def quotes_by_page() -> Mapping[str, tuple[QuoteOfRule, ...]]:
    """Return the quotes that must be on each page, by its address; a page without quotes is not included."""
    rules = Rule.objects.to_publish().exclude(quotes=[]).order_by("rule_id")
    quotes = [
        QuoteOfRule(rule_id, msgspec.convert(one, Quote))
        for rule_id, of_rule in rules.values_list("rule_id", "quotes")
        for one in of_rule
    ]
    pages = dict(Source.objects.filter(pk__in={one.quote.source for one in quotes}).values_list("pk", "url"))
    found: dict[str, list[QuoteOfRule]] = defaultdict(list)
    for one in quotes:
        found[pages[one.quote.source]].append(one)
    return {url: tuple(of_page) for url, of_page in found.items()}


def digest_of(quotes: tuple[QuoteOfRule, ...]) -> str:
    """Return the SHA-256, in hex, of some quotes; empty if there are none."""
    return hashlib.sha256(msgspec.json.encode(quotes)).hexdigest() if quotes else ""


def host_of(url: str) -> str:
    """Return the host of an address, with its port if it has one."""
    return urlsplit(url).netloc.rpartition("@")[2].lower()


def _asked_for() -> Iterator[tuple[str, Wanted]]:
    for source in Source.objects.all():
        yield source.url, Wanted(source.basis != POINTER, visit_days(source))
    link = Wanted(follows_text=False, visit_days=PACES[STANDARD["airline"]].visit_days)
    for url in AirlinePolicy.objects.values_list("policy_url", flat=True):
        yield url, link
    link = Wanted(follows_text=False, visit_days=PACES[STANDARD["regulator"]].visit_days)
    for notice, checker in Recall.objects.to_publish().values_list("notice_url", "explicit_list_url"):
        yield notice, link
        if checker:
            yield checker, link
