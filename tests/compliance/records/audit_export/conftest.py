"""A ledger of two releases and a log of verdicts by both of them."""

import datetime
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.db import connection

from catalog.editorial.workflow import EditorAction
from compliance.records.verdict_log import entries
from compliance.records.verdict_log.storing import store
from rules import verdicts
from rules.corpus import Published
from rules.engine.corpus import Corpus
from rules.engine.document import Content, ReleaseDocument, decode
from rules.engine.errors import AirlineNotCovered, ModelNotFound
from rules.engine.facts import Leg, Question, TripQuestion, Unit
from rules.models import Release
from rules.publishing.actions.appending import append
from rules.releases.ledger import canonical_text, digest
from tests.rules.engine.starter_questions import Drawer
from tests.support.factories import a_user
from tests.support.starter import starter_content

FIRST = datetime.datetime(2026, 11, 20, 12, tzinfo=datetime.UTC)
SECOND = FIRST + datetime.timedelta(days=1)
NOW = datetime.datetime(2026, 11, 22, 9, 30, 15, tzinfo=datetime.UTC)


class World(NamedTuple):
    """Two releases as documents, and lines of the log about both."""

    texts: tuple[str, str]
    lines: bytes


@functools.cache
def world() -> World:
    """Return verdicts of two days, by two releases, the second of which does not cover an airline any more.

    They are made once: they are the same for every test.
    """
    content = starter_content()
    fewer = Content(
        **{
            **{name: getattr(content, name) for name in content.__struct_fields__},
            "rules": tuple(rule for rule in content.rules if rule.airline != "SQ"),
        }
    )
    first = a_release(content, "2026-11-20", None)
    second = a_release(fewer, "2026-11-21", first[1].sha256)
    lines = b"".join(
        (
            *given(first[1], FIRST, 40, seed=1),
            # A process that does not know of the new release yet answers beside those that do.
            *given(first[1], SECOND, 20, seed=2),
            *given(second[1], SECOND, 40, seed=3),
        )
    )
    return World((first[0], second[0]), lines)


def a_release(content: Content, version: str, predecessor: str | None) -> tuple[str, Published]:
    text = canonical_text(ReleaseDocument(ruleset_version=version, predecessor=predecessor, content=content))
    return text, Published(version, digest(text), FIRST, Corpus(decode(text.encode()).content))


def publish(text: str, version: str, before: Release | None, now: datetime.datetime) -> Release:
    """Add a document to the ledger, whatever stands against it."""
    return append(
        by=a_user("publisher"),
        now=now,
        before=before,
        version=version,
        text=text,
        content_sha256=digest(version),
        note="News.",
        action=EditorAction.PUBLISH,
        reason="News.",
        details={},
    )


def given(release: Published, at: datetime.datetime, count: int, seed: int) -> list[bytes]:
    """The lines of verdicts about the starter corpus as if they had been given, one a second."""
    drawer = Drawer(starter_content(), seed=seed)
    lines: list[bytes] = []
    while len(lines) < count:
        now = at + datetime.timedelta(seconds=len(lines))
        question, _, _ = drawer.question()
        asked = Question(
            unit=question.unit,
            leg=question.leg,
            travel_date=now.date(),
            compartment_intent=question.compartment_intent,
        )
        try:
            answer = verdicts.answer_from(release, asked, now=now)
        except (ModelNotFound, AirlineNotCovered):
            continue
        lines.append(entries.line(answer, "api", "en", "btk_k3vq7m2a" if len(lines) % 3 else ""))
    trip = TripQuestion(
        unit=Unit(model_id="anker-a1289"),
        legs=(Leg("JP", "KR", "SQ"), Leg("KR", "SG", "ZZ")),
        travel_date=at.date(),
    )
    lines.append(entries.line(verdicts.trip_answer_from(release, trip, now=at), "page", "ja", ""))
    return lines


@pytest.fixture
def auditor(db: None) -> User:
    """Somebody who may export, and nothing else."""
    user = User.objects.create_user("auditor")
    user.groups.add(Group.objects.get(name="Auditor"))
    return user


@pytest.fixture
def recorded(db: None) -> int:
    """How many verdicts are in the log, by the two releases of the ledger."""
    first = publish(world().texts[0], "2026-11-20", None, FIRST)
    publish(world().texts[1], "2026-11-21", first, SECOND)
    return store(world().lines, connection)


@pytest.fixture
def archive(tmp_path: Path, auditor: User, recorded: int) -> Path:
    """The export of all that, by the command."""
    from tests.compliance.records.audit_export.exporting import export

    return export(tmp_path)


@pytest.fixture(autouse=True)
def at_one_instant() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield
