"""What decides a verdict: its statements, and the sources of the rules that make them.

Called by `itinerary` for the codes of an item, and by the API for answers with less evidence.
"""

from collections.abc import Iterator
from itertools import chain

from rules.engine.certificates import Doubt
from rules.engine.corpus import CatalogEntry, Citation, Corpus
from rules.engine.facts import Question, Unit
from rules.engine.matching import Compiled, Statement
from rules.engine.outcomes import LegVerdict
from rules.engine.vocabulary import Nature


def deciding_statements(answer: LegVerdict, unit: Unit) -> Iterator[Statement]:
    """Return what bans, or what must be settled first; nothing for a verdict of another kind."""
    if answer.verdict == "banned":
        yield from answer.constraints[: answer.bans]
    elif answer.verdict == "conditional":
        for statement in answer.constraints:
            is_shown = statement.name == "ccc_mark_required" and unit.ccc_mark == "present"
            if statement.nature is Nature.PRECONDITION and not is_shown:
                yield statement


def deciding_citations(
    corpus: Corpus, entry: CatalogEntry | None, question: Question, answer: LegVerdict
) -> tuple[Citation, ...]:
    """Return those citations of an answer that decide, in its order.

    They are those of the model, of certificates in doubt and of the rules that decide. `entry` is none for a
    unit that is only known by its label.
    """
    doubts: tuple[Doubt, ...] = ()
    if entry is not None and answer.doubts:
        doubts = entry.certificates.doubts_on(question.travel_date.toordinal())
    found = corpus.cite(
        chain(
            () if entry is None else entry.citations,
            *[doubt.citations for doubt in doubts],
            *[rule.citations for rule in _deciding_rules(answer, question.unit)],
        )
    )
    return tuple([citation for citation in answer.citations if citation in found])


def _deciding_rules(answer: LegVerdict, unit: Unit) -> list[Compiled]:
    """Return the rules that ban, or that demand what is open.

    Where no rule does, the others decide by permitting, unless facts of the model alone ban.
    """
    statements = {*deciding_statements(answer, unit)}
    found = [rule for rule in answer.applied if rule.statement in statements]
    if found or answer.verdict == "banned":
        return found
    return [rule for rule in answer.applied if rule.permit_of is not None]
