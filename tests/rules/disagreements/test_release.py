"""A release holds disagreements: checked, compared, and without a trace in releases that have none."""

from typing import Any

import pytest
from msgspec.structs import replace

from catalog.tables.history import FieldChange
from rules.engine.disagreements import About, Disagreement, Side
from rules.engine.document import Content, Problem, ReleaseDocument, decode, problems
from rules.publishing.release_notes import release_note
from rules.releases import ledger
from rules.releases.comparison import RecordChange, compare
from tests.support.factories import a_country, a_disagreement, a_jurisdiction, a_rule, a_source, an_airline


def content(*disagreements: Disagreement, **changes: Any) -> Content:
    sound = Content(
        countries=(a_country(),),
        jurisdictions=(a_jurisdiction(),),
        sources=(a_source(), a_source(id="pointer", basis="general_knowledge")),
        airlines=(an_airline(),),
        rules=(a_rule(),),
        disagreements=disagreements,
    )
    return replace(sound, **changes)


def document(of: Content) -> str:
    return ledger.canonical_text(ReleaseDocument(ruleset_version="2026-11-23", predecessor=None, content=of))


def test_a_disagreement_comes_back_from_a_release_as_it_went_in() -> None:
    said = (a_disagreement(), a_disagreement(id="xa", about=About(jurisdiction="XA")))
    assert problems(content(*said)) == []
    assert decode(document(content(*said)).encode()).content.disagreements == said


def test_a_release_without_one_reads_as_before_there_were_any() -> None:
    text = document(content())
    assert "disagreement" not in text
    assert decode(text.encode()).content == content()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"applied": "n1.gone"},
            "applies the rule `n1.gone`, which is not in this release: "
            "name the rule that is applied now, or withdraw the disagreement",
        ),
        ({"about": About()}, "is about exactly one of an airline and a jurisdiction"),
        (
            {"about": About(airline="N1", jurisdiction="XA")},
            "is about exactly one of an airline and a jurisdiction",
        ),
        ({"about": About(airline="Q9")}, "is about the airline `Q9`, which is not in this release"),
        (
            {"about": About(jurisdiction="XQ")},
            "is about the jurisdiction `XQ`, which is not in this release",
        ),
        ({"question": " "}, "asks no question"),
        ({"because": ""}, "gives no reason for the rule that is applied"),
        ({"id": "Not a slug"}, "the id is not lower-case words joined by hyphens"),
        ({"sides": a_disagreement().sides[:1]}, "has 1 sides, not 2 to 6"),
        ({"sides": (*a_disagreement().sides, Side(says=" "))}, "has a side that says nothing"),
        (
            {"sides": (Side(says="Yes", sources=("lost",)), Side(says="No"))},
            "names the source `lost`, which is not in this release",
        ),
        (
            {"sides": (Side(says="Yes", sources=("pointer",)), Side(says="No"))},
            "names the source `pointer`, which was never read, so it cannot be cited",
        ),
        (
            {"sides": (Side(says="Yes", sources=("northwing-page", "northwing-page")), Side(says="No"))},
            "names a source twice on one side",
        ),
        (
            {"sides": (Side(says="Yes"), Side(says="No"))},
            "rests on no source: at least one side names one",
        ),
    ],
)
def test_what_is_wrong_with_one_blocks_publishing_and_is_said(changes: dict[str, Any], sentence: str) -> None:
    wrong = a_disagreement(**changes)
    assert problems(content(wrong)) == [Problem(f"disagreement {wrong.id}", sentence)]


def test_two_of_one_id_block_publishing() -> None:
    assert Problem("disagreement n1-cabin-limit", "stands 2 times") in problems(
        content(a_disagreement(), a_disagreement())
    )


def test_two_releases_are_compared_and_the_note_tells() -> None:
    before, after = content(a_disagreement()), content(a_disagreement(because="It was asked."))
    assert compare(before, after) == [
        RecordChange(
            "disagreements",
            "n1-cabin-limit",
            "changed",
            (FieldChange("because", "The airline's own page was read.", "It was asked."),),
        )
    ]
    assert [change.change for change in compare(content(), before)] == ["added"]
    assert [change.change for change in compare(before, content())] == ["removed"]
    assert release_note(content(), before) == "Disagreements: 1 added (n1-cabin-limit)."
