"""The check of the ledger finds whatever was altered, dropped or put in."""

import hashlib
import json
import logging
from typing import Any

import pytest
import rfc8785
from django.db import connection
from msgspec.structs import replace

from rules.engine.document import builtins
from rules.models import Release
from rules.releases.ledger import canonical_text, verify_ledger
from rules.tasks import verify_ledger as nightly_check
from tests.support.factories import a_country
from tests.support.releasing import Desk, alter, unguarded
from tests.support.starter import starter_content


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _with(release: Release, **fields: Any) -> dict[str, Any]:
    """Return the columns of a release whose document says something else, and the digest with it."""
    text = rfc8785.dumps({**json.loads(release.document), **fields}).decode()
    return {"document": text, "sha256": _digest(text)}


def reasons() -> list[str]:
    return [f"{problem.where}: {problem.reason}" for problem in verify_ledger()]


def test_a_document_is_written_as_canonical_json_whatever_is_in_its_texts() -> None:
    every = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000))))
    content = replace(starter_content(), countries=(a_country(name=every),))
    assert canonical_text(content).encode() == rfc8785.dumps(builtins(content))


def test_a_ledger_that_was_only_published_to_holds(desk: Desk) -> None:
    for _ in range(3):
        desk.publish_news()

    assert verify_ledger() == []


def test_an_empty_ledger_has_no_current_release(db: None) -> None:
    assert reasons() == ["ledger: has no release, so none is current"]


def test_a_changed_word_is_found(desk: Desk) -> None:
    release = desk.publish_news()
    alter(release, document=release.document.replace("Land of AA", "Land of ZZ"))

    assert reasons() == [
        "release 2026-11-20: the digest of the document is not the published one",
        "release 2026-11-20: the digest of the content is not the published one",
    ]


def test_a_changed_word_is_found_even_with_new_digests(desk: Desk) -> None:
    first = desk.publish_news()
    desk.publish_news()
    content = json.loads(first.document)["content"]
    content["countries"][0]["name"] = "Another land"
    alter(first, **_with(first, content=content), content_sha256=_digest(rfc8785.dumps(content).decode()))

    assert reasons() == [
        "release 2026-11-20: its sha256 is not the signed one",
        "release 2026-11-20: its content sha256 is not the signed one",
        "release 2026-11-20.2: its predecessor is not 2026-11-20",
    ]


def test_the_same_document_in_other_words_is_found(desk: Desk) -> None:
    release = desk.publish_news()
    spaced = json.dumps(json.loads(release.document), sort_keys=True)
    alter(release, document=spaced, sha256=_digest(spaced))

    assert reasons() == [
        "release 2026-11-20: the document is not canonical",
        "release 2026-11-20: its sha256 is not the signed one",
    ]


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        (
            {"ruleset_version": "2026-11-19"},
            "release 2026-11-19: the document says that it is 2026-11-20.2",
        ),
        (
            {"sequence": 7},
            "release 2026-11-20.2: it is at place 7 of the chain, not 2",
        ),
        (
            {"predecessor_sha256": "f" * 64},
            "release 2026-11-20.2: its predecessor is not 2026-11-20",
        ),
        (
            {"content_sha256": "f" * 64},
            "release 2026-11-20.2: the digest of the content is not the published one",
        ),
    ],
)
def test_a_row_that_disagrees_with_its_document_is_found(
    desk: Desk, columns: dict[str, Any], reason: str
) -> None:
    desk.publish_news()
    alter(desk.publish_news(), **columns)

    assert reason in reasons()


def test_a_document_that_names_another_predecessor_is_found(desk: Desk) -> None:
    desk.publish_news()
    second = desk.publish_news()
    alter(second, **_with(second, predecessor="f" * 64))

    assert reasons() == [
        f"release 2026-11-20.2: the document follows {'f' * 64}, the row {second.predecessor_id}",
        "release 2026-11-20.2: its sha256 is not the signed one",
    ]


@pytest.mark.parametrize("text", ["", "not JSON", "[]", "{}", '{"content":9007199254740993}'])
def test_a_text_that_is_no_document_is_found(desk: Desk, text: str) -> None:
    release = desk.publish_news()
    alter(release, document=text, sha256=_digest(text))

    reason, signed = reasons()
    assert reason.startswith("release 2026-11-20: the document cannot be read: ")
    assert signed == "release 2026-11-20: its sha256 is not the signed one"


def test_a_document_of_fields_that_no_one_knows_is_found(desk: Desk) -> None:
    release = desk.publish_news()
    alter(release, **_with(release, extra=1))

    reason, _ = reasons()
    assert reason.startswith("release 2026-11-20: the document cannot be read: ")
    assert "extra" in reason


def test_a_dropped_release_is_found(desk: Desk) -> None:
    _, second, _ = (desk.publish_news() for _ in range(3))
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM rules_release WHERE id = %s", [second.pk])

    assert reasons() == [
        "release 2026-11-20.3: it is at place 3 of the chain, not 2",
        "release 2026-11-20.3: its predecessor is not 2026-11-20",
        "release 2026-11-20.3: it follows another statement than that of the release before it",
    ]


def test_a_dropped_beginning_is_found(desk: Desk) -> None:
    first = desk.publish_news()
    desk.publish_news()
    with unguarded(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM rules_release WHERE id = %s", [first.pk])

    assert reasons() == [
        "release 2026-11-20.2: it is at place 2 of the chain, not 1",
        "release 2026-11-20.2: it names a predecessor, although it is the first",
        "release 2026-11-20.2: it follows another statement than that of the release before it",
    ]


def test_the_nightly_check_logs_each_problem_as_critical(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    release = desk.publish_news()
    assert nightly_check() == 0
    assert caplog.records == []

    alter(release, document=release.document.replace("Land of AA", "Land of ZZ"))

    assert nightly_check() == 2
    assert [record.levelno for record in caplog.records] == [logging.CRITICAL] * 2
    assert "release 2026-11-20: the digest of the document is not the published one" in caplog.messages[0]
