"""Recalls are listed newest first, each of its model, and evaluated as a verdict evaluates them."""

import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recalls.records import Recall
from recalls.serials import AffectedSerials
from rules.corpus import Published
from rules.engine.document import Content
from rules.engine.facts import Unit
from rules.selectors import evidence, recalls
from tests.support.factories import a_device, a_recall, a_source
from tests.support.starter import published

BY_PATTERN = AffectedSerials(scope="serial_pattern", identifier="serial", pattern="^AA$")
EXHAUSTIVE = AffectedSerials(scope="serial_pattern", identifier="serial", pattern="^CC$", exhaustive=True)
BY_LIST = AffectedSerials(
    scope="lookup_required", identifier="serial", explicit_list_url="https://maker.example/list"
)


def release_of(*notices: Recall, **records: Any) -> Published:
    models = (a_device(sources=()), a_device(model_id="puma-30k", sources=()))
    return published(Content(devices=models, recalls=notices, **records))


def together(release: Published, model_id: str, serial: str) -> tuple[str, str] | None:
    unit = Unit(model_id=model_id, serial=serial)
    found = recalls.of_unit(release.corpus.device(model_id), unit).together
    return None if found is None else (found.match_status, found.match_method)


@given(st.lists(st.dates(datetime.date(2020, 1, 1), datetime.date(2020, 1, 9)), max_size=12), st.randoms())
def test_the_newest_announcement_comes_first_whatever_the_order_of_the_release(
    days: list[datetime.date], shuffler: Any
) -> None:
    notices = [a_recall(recall_id=f"r{at}", announced_on=day, sources=()) for at, day in enumerate(days)]
    ordered = recalls.find(release_of(*notices))
    shuffler.shuffle(notices)
    assert recalls.find(release_of(*notices)) == ordered
    assert [recall.announced_on for recall in ordered] == sorted(days, reverse=True)


def test_recalls_are_found_by_model_and_by_jurisdiction_together() -> None:
    release = release_of(
        a_recall(recall_id="one", jurisdiction="XA", sources=()),
        a_recall(recall_id="two", jurisdiction="XB", sources=()),
        a_recall(recall_id="three", jurisdiction="XB", model_id="puma-30k", sources=()),
    )

    def ids(**asked: str) -> set[str]:
        return {recall.recall_id for recall in recalls.find(release, **asked)}

    assert ids() == {"one", "two", "three"}
    assert ids(jurisdiction="XB") == {"two", "three"}
    assert ids(model_id="lynx-10k", jurisdiction="XB") == {"two"}
    assert ids(model_id="puma-30k", jurisdiction="XA") == set()


@pytest.mark.parametrize(
    ("affected", "serial", "expected"),
    [
        ((BY_PATTERN, BY_LIST, EXHAUSTIVE), "AA", ("affected", "pattern")),
        ((BY_LIST, BY_PATTERN), "MM", ("unknown", "external_list_required")),
        ((EXHAUSTIVE, BY_PATTERN), "MM", ("unknown", "none")),
        ((EXHAUSTIVE,), "MM", ("not_affected", "pattern")),
        ((), "MM", None),
    ],
)
def test_the_strictest_recall_speaks_for_all_of_a_model(
    affected: tuple[AffectedSerials, ...], serial: str, expected: tuple[str, str] | None
) -> None:
    notices = [
        a_recall(recall_id=f"r{at}", affected_serials=one, sources=()) for at, one in enumerate(affected)
    ]
    assert together(release_of(*notices), "lynx-10k", serial) == expected
    assert together(release_of(*notices), "puma-30k", serial) is None


def test_a_source_is_cited_once_and_only_if_a_person_read_it() -> None:
    page = "https://maker.example/notice"
    release = release_of(
        sources=(
            a_source(id="one", url=page),
            a_source(id="same", url=page),
            a_source(id="other", url="https://maker.example/other"),
            a_source(id="pointer", url="https://maker.example/pointer", basis="general_knowledge"),
        )
    )
    cited = evidence.citations(release, ["other", "pointer", "one", "same"])
    assert [citation.url for citation in cited] == ["https://maker.example/other", page]
