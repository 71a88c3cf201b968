"""How the last releases answered the cases, and whether they were proved: a column for each release."""

from collections.abc import Iterator, Mapping, Sequence

from aeo.drawing.columns import SHAPES, Column, Mark, columns
from aeo.pages.record import Drawing, Line, Link, Section, Table
from aeo.pages.sections import paragraph
from aeo.scorecard.selectors import Past
from aeo.texts import say
from aeo.web.formatting import number
from rules.proof.selectors import Proof


def of_releases(past: Sequence[Past], proofs: Mapping[str, Proof]) -> Iterator[Section]:
    """Yield the section about the last releases; nothing if none was counted.

    `past` has the oldest first, `proofs` the finished proofs by version.
    """
    if not past:
        return
    parts = [say("scorecard.cases.agree"), say("scorecard.cases.differ")]
    drawn = [
        Column(
            one.ruleset_version,
            (one.agreeing, one.cases - one.agreeing),
            _mark(proofs.get(one.ruleset_version)),
        )
        for one in past
    ]
    marks = {mark: say(f"scorecard.releases.{mark}") for mark in SHAPES}
    title = say("scorecard.releases")
    head = ("status.version", "scorecard.cases.run", "scorecard.cases.agree", "scorecard.proof")
    yield Section(
        title,
        (
            paragraph("scorecard.releases.what"),
            Drawing(
                columns(title, parts, drawn, marks, number=number),
                Table(
                    tuple(map(say, head)),
                    tuple(_row(one, _mark(proofs.get(one.ruleset_version))) for one in reversed(past)),
                ),
            ),
        ),
    )


def _mark(proof: Proof | None) -> Mark:
    if proof is None:
        return "unknown"
    return "yes" if proof.is_clean else "no"


def _row(one: Past, mark: Mark) -> tuple[Line, ...]:
    version = one.ruleset_version
    return (
        (Link(version, f"/rulesets/{version}"),),
        (number(one.cases),),
        (number(one.agreeing),),
        (say(f"scorecard.releases.{mark}"),),
    )
