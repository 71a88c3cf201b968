"""Disagreements between sources on pages: the question, each side with its sources, what counts and why.

Texts of editors are in English, so on pages in other languages they are quotations. Called by the pages of
airlines and countries, by verdict pages, and by /disagreements.
"""

from collections.abc import Sequence

from aeo.pages import parts
from aeo.pages.record import Block, Facts, Line, Link, Note, Paragraph, Section
from aeo.texts import active, say
from aeo.web.formatting import bracketed
from rules.corpus import Published
from rules.selectors.disagreements import Disputed, StatedSide
from rules.wording.translating import SOURCE_LANGUAGE

PATH = "/disagreements"


def facts(release: Published, one: Disputed) -> Facts:
    """Return one disagreement."""
    rule = release.shelf.rules[one.rule_id]
    applied: Line = (parts.said_by(release, rule), " ", Link(rule.rule_id, f"/api/rules/{rule.rule_id}"))
    sides = tuple(
        (say("disagreements.side", number=str(number)), _side(side))
        for number, side in enumerate(one.sides, start=1)
    )
    return Facts(
        (
            (say("disagreements.question"), (parts.quoted(one.question),)),
            *sides,
            (say("disagreements.applied"), applied),
            (say("disagreements.because"), (parts.quoted(one.because),)),
        )
    )


def section(release: Published, found: Sequence[Disputed]) -> tuple[Section, ...]:
    """Return the disagreements about the subject of a page; empty if there are none."""
    if not found:
        return ()
    blocks: list[Block] = [facts(release, one) for one in found]
    if (note := in_english()) is not None:
        blocks.append(Paragraph((Note(note),)))
    blocks.append(Paragraph((Link(say("disagreements.all"), PATH),)))
    return (Section(say("disagreements.heading"), tuple(blocks)),)


def in_english() -> str | None:
    """Return what to know about the editors' words on a page in another language; None on English pages."""
    return None if active() == SOURCE_LANGUAGE else say("disagreements.english")


def _side(side: StatedSide) -> Line:
    said = parts.quoted(side.says)
    if not side.citations:
        return said, bracketed(say("disagreements.unsourced"))
    opening, _, closing = bracketed("|").partition("|")
    links = parts.commas(Link(citation.authority, citation.url) for citation in side.citations)
    return said, opening, *links, closing
