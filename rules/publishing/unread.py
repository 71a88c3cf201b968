"""What one person alone would tell travelers: words and links of new records that no one else has read.

In an emergency a person can publish a new rule or recall of their own before anyone else has read it. It
makes answers stricter, but its words and links are shown as official: a list to look a serial up in, what to
do with a recalled unit. So it says what the program would say, and links only to the servers of authorities,
airlines and makers whose own pages a release cites, and of its recalls. If another person wrote or approved
it, it may say anything.

Compares contents, and reads nothing else. Called by the gate.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from catalog.records import Source
from recalls.records import Recall
from rules.editing.rule_sentence import names_in
from rules.engine.document import Content
from rules.engine.facts import Rule
from rules.publishing.selection import Key
from rules.wording.names import model_names

OFFICIAL = ("regulator", "airline", "manufacturer")
"""The kinds of sources whose own pages are on servers where no one else writes."""

FOR_READERS = ("form_url", "values", "format_hint", "colour_condition", "manufacture_window", "sale_window")
"""What is said of the serials of a recall for people to read; none of it decides."""


def unread_words(before: Content, after: Content, unread: Collection[Key], known: Content) -> list[str]:
    """Return what new records say that only one person has read, in words that say how to mend it.

    `unread` are the rules and recalls that no other person has read, `known` is the last release of which no
    part waits for its second approval.
    """
    there = {("rules", one.rule_id) for one in before.rules}
    there |= {("recalls", one.recall_id) for one in before.recalls}
    new = frozenset(unread) - there
    rules = [one for one in after.rules if ("rules", one.rule_id) in new]
    recalls = [one for one in after.recalls if ("recalls", one.recall_id) in new]
    cited = {source for rule in rules for source in rule.sources}
    cited |= {source for recall in recalls for source in recall.sources}
    recorded = {one.id for one in before.sources}
    sources = [one for one in after.sources if one.id in cited - recorded]
    bodies, servers = _authorities(known), _servers(known)
    identifiers = {one.affected_serials.identifier for one in known.recalls}
    return [
        *_of_rules(rules, after, bodies),
        *_of_recalls(recalls, after, bodies, servers),
        *_of_serials(recalls, identifiers),
        *_of_sources(sources, bodies, servers),
    ]


def _words_of(recall: Recall, content: Content) -> dict[str, str]:
    """Return what the program says of a recall, by field."""
    devices = {one.model_id: one for one in content.devices if one.model_id == recall.model_id}
    return {
        "title": f"Recall of {model_names([recall.model_id], devices, 'en')}",
        "hazard": "The notice names it.",
        "remedy": "Stop using it, and do what the notice says.",
    }


def _of_rules(rules: Iterable[Rule], content: Content, bodies: set[str]) -> Iterator[str]:
    names = names_in(content)
    for rule in rules:
        if rule.summary != (summary := names.say(rule)):
            yield f"rule {rule.rule_id}: its summary has to be “{summary}”"
        if rule.quotes:
            yield f"rule {rule.rule_id}: it cannot have a quote yet"
        if rule.authority not in bodies:
            yield f"rule {rule.rule_id}: the release does not know the authority “{rule.authority}”"


def _of_recalls(
    recalls: Iterable[Recall], content: Content, bodies: set[str], servers: set[str]
) -> Iterator[str]:
    for recall in recalls:
        name = f"recall {recall.recall_id}"
        for field, words in _words_of(recall, content).items():
            if getattr(recall, field) != words:
                yield f"{name}: its {field} has to be “{words}”"
        if recall.authority not in bodies:
            yield f"{name}: the release does not know the authority “{recall.authority}”"
        yield from _of_links(name, (recall.notice_url, recall.affected_serials.explicit_list_url), servers)


def _of_serials(recalls: Iterable[Recall], identifiers: set[str]) -> Iterator[str]:
    for recall in recalls:
        name, affected = f"recall {recall.recall_id}", recall.affected_serials
        if affected.identifier not in identifiers:
            yield f"{name}: no recall of the release goes by the identifier “{affected.identifier}”"
        for field in FOR_READERS:
            if getattr(affected, field):
                yield f"{name}: it cannot have {field.replace('_', ' ')} yet"


def _of_sources(sources: Iterable[Source], bodies: set[str], servers: set[str]) -> Iterator[str]:
    for source in sources:
        if source.authority not in bodies:
            yield f"source {source.id}: the release does not know the authority “{source.authority}”"
        yield from _of_links(f"source {source.id}", (source.url, source.read_url), servers)


def _of_links(name: str, links: Iterable[str | None], servers: set[str]) -> Iterator[str]:
    for link in links:
        if link is not None and (server := _server(link)) not in servers:
            yield f"{name}: the release has no official page of {server}"


def _authorities(content: Content) -> set[str]:
    airlines = {one.name for one in content.airlines}
    records: tuple[Any, ...] = (*content.rules, *content.recalls, *content.sources)
    return airlines | {one.authority for one in records}


def _servers(content: Content) -> set[str]:
    """Return the servers of the authorities, airlines and makers of a release, and of its recalls."""
    links = [one.url for one in content.sources if one.kind in OFFICIAL and one.basis.startswith("official_")]
    lists = [one.affected_serials.explicit_list_url for one in content.recalls]
    notices = [one.notice_url for one in content.recalls]
    return {_server(link) for link in (*links, *lists, *notices) if link}


def _server(link: str) -> str:
    return urlsplit(link).netloc.casefold()
