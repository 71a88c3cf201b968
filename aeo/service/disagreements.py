"""/disagreements: where sources contradict each other, by the issuer of the rule in question."""

from collections.abc import Sequence

from aeo.editions import Edition
from aeo.pages import parts
from aeo.pages.disagreements import PATH, facts, in_english
from aeo.pages.parts import authority
from aeo.pages.record import Link, Page, Paragraph, Section
from aeo.pages.sections import page
from aeo.texts import active, airline_name, say
from aeo.web import jsonld
from aeo.web.addresses import address
from aeo.web.languages import tag
from rules.corpus import Published
from rules.selectors import disagreements as selectors
from rules.selectors.disagreements import Disputed


def disagreements(edition: Edition) -> Page:
    """Return every question on which sources differ."""
    release = edition.release
    found = selectors.every(release)
    title, count = say("disagreements.title"), len(found)
    lead = say("disagreements.lead", count=count) if found else say("disagreements.none")
    cited = tuple(dict.fromkeys(citation for one in found for citation in one.citations))
    return page(
        edition,
        PATH,
        title=title,
        lead=lead,
        sections=(
            Section(say("disagreements.what"), tuple(_what())),
            *_group(release, "airlines", [one for one in found if one.airline]),
            *_group(release, "disagreements.authorities", [one for one in found if one.jurisdiction]),
            *parts.sources(release, cited),
        ),
        node=jsonld.plain_page(
            url=address(PATH),
            name=title,
            description=lead,
            language=tag(active()),
            ruleset_version=release.ruleset_version,
        )
        | {"citation": [jsonld.citation_node(citation) for citation in cited]},
        programs=parts.commas(
            [
                Link(say("ruleset.kind.rules"), "/api/rules"),
                Link(say("dataset.disagreements.title"), "/datasets/latest/disagreements.jsonl"),
            ]
        ),
    )


def _what() -> list[Paragraph]:
    said = [say("disagreements.stricter"), say("disagreements.explains"), in_english()]
    return [Paragraph((text,)) for text in said if text is not None]


def _group(release: Published, heading: str, found: Sequence[Disputed]) -> tuple[Section, ...]:
    """Return the disagreements about airlines, or about authorities, by the name of each."""
    by_name: dict[str, list[Disputed]] = {}
    for one in found:
        by_name.setdefault(_name(release, one), []).append(one)
    if not by_name:
        return ()
    return (
        Section(say(heading), ()),
        *(
            Section(name, tuple(facts(release, one) for one in by_name[name]), within=True)
            for name in sorted(by_name, key=str.casefold)
        ),
    )


def _name(release: Published, one: Disputed) -> str:
    if one.airline:
        return airline_name(release.shelf.airlines[one.airline])
    return authority(release, one.jurisdiction or "")
