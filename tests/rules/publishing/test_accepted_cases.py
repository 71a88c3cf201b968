"""Verdict cases that fail, and that reviewers accept as they fail."""

import datetime
from collections.abc import Callable, Sequence
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, transaction
from msgspec.structs import replace

from catalog.editorial.selectors import audit_log
from catalog.errors import AlreadyRecorded, NotRecorded, OwnWork, ReasonMissing, WrongState
from catalog.models import AuditEntry
from rules.cases import Case, Expect, Given, case_digest, outcome_digest
from rules.models import AcceptedCase, Release, Rule
from rules.publishing.actions.case_acceptance import accept_case, reopen_case
from rules.publishing.actions.releases import NotPublishable, publish_release
from rules.publishing.candidate import candidate
from tests.support.factories import a_user
from tests.support.releasing import NOON, unguarded
from tests.support.revision_kinds import RULES
from tests.support.world import APPROVER

pytestmark = pytest.mark.usefixtures("world_rows")

HOUR = datetime.timedelta(hours=1)
NAME = "Two units on Northwing are one too many."

BANNED = Case(
    file="routes.yaml",
    name=NAME,
    given=Given(on=NOON.date(), model_id="lynx-27k", route=("XA", "XB"), airline="N1"),
    expect=Expect(verdict="banned"),
)
"""It expects what is not so in the test world: there the unit is allowed."""

STRICTER = replace(BANNED, given=replace(BANNED.given, quantity=3), expect=Expect(verdict="allowed"))
"""And this one the other way round: three units are banned there."""


@pytest.fixture
def reviewers(db: None) -> tuple[User, User]:
    """Two reviewers, and the test world."""
    return a_user(APPROVER), a_user("another reviewer")


@pytest.fixture
def in_force(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put cases in the place of the project's own."""

    def put(*cases: Case) -> None:
        monkeypatch.setattr("rules.publishing.candidate.cases_in_force", lambda: cases)

    return put


def digest(case: Case) -> str:
    (failing,) = candidate([case]).failing
    return outcome_digest(failing.judged)


def accept(by: User, case: Case, *, reason: str = "The page has changed.", shown: str | None = None) -> None:
    accept_case(by=by, name=case.name, reason=reason, now=NOON, shown=shown or digest(case))


def publish(by: User) -> Release:
    return publish_release(by=by, note="News.", now=NOON)


def test_a_case_that_is_accepted_as_it_fails_no_longer_blocks_publishing(
    reviewers: tuple[User, User], in_force: Callable[..., None]
) -> None:
    in_force(STRICTER)
    with pytest.raises(NotPublishable):
        publish(reviewers[0])

    accept(reviewers[0], STRICTER)
    with pytest.raises(NotPublishable):
        publish(reviewers[0])
    accept(reviewers[1], STRICTER, reason="So it says.")
    release = publish(reviewers[0])

    (entry,) = audit_log("release", str(release))
    assert entry.details["cases"] == 1
    (entry_details,) = entry.details["accepted_cases"]
    assert (entry_details["case"], entry_details["reason"], entry_details["by"]) == (
        NAME,
        "The page has changed.",
        [APPROVER, "another reviewer"],
    )
    assert entry_details["outcome"] == [["the verdict allowed", "banned"]]
    assert [(one.verb, one.reason) for one in audit_log("case", NAME)] == [
        ("accept", "The page has changed."),
        ("accept", "So it says."),
    ]


def test_a_case_that_is_allowed_where_it_must_not_be_takes_two_reviewers(
    reviewers: tuple[User, User], in_force: Callable[..., None]
) -> None:
    in_force(BANNED)
    first, second = reviewers

    accept(first, BANNED)
    with pytest.raises(NotPublishable):
        publish(first)
    with pytest.raises(OwnWork, match="second reviewer"):
        accept(first, BANNED)
    accept(second, BANNED, reason="So it says.")

    publish(first)
    with pytest.raises(AlreadyRecorded):
        accept(second, BANNED)
    assert AuditEntry.objects.filter(kind="case", verb="accept").count() == 2


@pytest.mark.parametrize("expected", ["banned", "insufficient", "conditional"])
def test_whatever_is_not_allowed_counts_as_granted(
    reviewers: tuple[User, User], in_force: Callable[..., None], expected: str
) -> None:
    case = replace(BANNED, expect=Expect(verdict=expected))  # type: ignore[arg-type]
    assert candidate([case]).failing[0].judged.grants
    unanswered = replace(BANNED, expect=Expect(error="AIRLINE_NOT_COVERED"))
    assert candidate([unanswered]).failing[0].judged.grants


def test_a_trip_of_which_one_segment_is_granted_counts_as_granted(reviewers: tuple[User, User]) -> None:
    trip = replace(
        BANNED,
        given=replace(BANNED.given, route=("XA", "XB", "XC")),
        expect=Expect(verdict="banned", segments=("banned", "insufficient")),
    )
    assert candidate([trip]).failing[0].judged.grants


@pytest.mark.parametrize(
    "other",
    [
        replace(STRICTER, given=replace(STRICTER.given, quantity=4)),
        replace(STRICTER, expect=Expect(verdict="allowed", constraints=("terminals_protected",))),
        replace(STRICTER, expect=Expect(verdict="conditional")),
    ],
    ids=["asks otherwise", "expects more", "expects otherwise"],
)
def test_an_acceptance_is_of_one_case_with_one_outcome(
    reviewers: tuple[User, User], in_force: Callable[..., None], other: Case
) -> None:
    in_force(STRICTER)
    accept(reviewers[0], STRICTER)
    accept(reviewers[1], STRICTER)

    in_force(other)
    with pytest.raises(NotPublishable):
        publish(reviewers[0])

    # It is accepted again, in the place of the other.
    accept(reviewers[1], other)
    accept(reviewers[0], other)
    publish(reviewers[0])
    assert AcceptedCase.objects.get().created_by == reviewers[1]


def test_where_a_case_stands_does_not_matter(reviewers: tuple[User, User]) -> None:
    assert case_digest(replace(STRICTER, file="moved.yaml", name="Renamed.")) == case_digest(STRICTER)


def test_an_acceptance_falls_when_the_answer_becomes_another_one(
    reviewers: tuple[User, User], in_force: Callable[..., None]
) -> None:
    case = replace(STRICTER, expect=Expect(verdict="banned", first_constraint="max_units_1"))
    in_force(case)
    accept(reviewers[0], case)
    accept(reviewers[1], case)
    assert candidate([case]).against == []

    with unguarded():
        Rule.objects.filter(code="max_units").delete()
    assert candidate([case]).against != []


def test_an_author_of_the_release_accepts_no_case_of_it(
    reviewers: tuple[User, User], in_force: Callable[..., None]
) -> None:
    in_force(STRICTER)
    with pytest.raises(OwnWork, match="you wrote something in the next release"):
        accept(a_user(), STRICTER)
    assert not AcceptedCase.objects.exists()


def test_an_acceptance_no_longer_counts_when_its_reviewer_writes_in_the_release(
    reviewers: tuple[User, User], in_force: Callable[..., None]
) -> None:
    first, second = reviewers
    in_force(STRICTER)
    accept(first, STRICTER)
    accept(second, STRICTER)
    RULES.revise("s2.one-unit", by=second, reason="A slip of the pen.")
    RULES.rewrite("s2.one-unit", "One unit.", by=second)
    RULES.submit("s2.one-unit", by=second)
    RULES.approve("s2.one-unit", by=first)

    (failing,) = candidate([STRICTER]).failing
    assert (failing.own_work, failing.blocks_publishing) == (True, True)
    with pytest.raises(NotPublishable):
        publish(a_user("publisher"))
    # Two others may accept it instead.
    accept(a_user("third"), STRICTER)
    accept(first, STRICTER)
    publish(a_user("publisher"))


def test_what_cannot_be_accepted_is_refused(
    reviewers: tuple[User, User], in_force: Callable[..., None]
) -> None:
    passing = replace(STRICTER, name="It passes.", expect=Expect(verdict="banned"))
    in_force(STRICTER, passing)
    by = reviewers[0]
    with pytest.raises(ReasonMissing):
        accept(by, STRICTER, reason=" ")
    with pytest.raises(NotRecorded, match="there is no such case"):
        accept(by, replace(STRICTER, name="Unknown."))
    with pytest.raises(WrongState, match="does not fail"):
        accept(by, passing, shown="0" * 64)
    with pytest.raises(WrongState, match="now fails in another way than was shown"):
        accept(by, STRICTER, shown="0" * 64)
    assert not AcceptedCase.objects.exists()


def test_a_case_that_is_taken_up_again_fails_as_before(
    reviewers: tuple[User, User], in_force: Callable[..., None]
) -> None:
    in_force(STRICTER)
    accept(reviewers[0], STRICTER)
    reopen_case(by=reviewers[1], name=NAME, now=NOON)
    with pytest.raises(NotPublishable):
        publish(reviewers[0])
    with pytest.raises(NotRecorded):
        reopen_case(by=reviewers[1], name=NAME, now=NOON)
    assert [one.verb for one in audit_log("case", NAME)] == ["accept", "reopen"]


def test_the_database_refuses_what_no_action_does(
    reviewers: tuple[User, User], in_force: Callable[..., None]
) -> None:
    first, second = reviewers
    in_force(BANNED)
    accept(first, BANNED)
    row = AcceptedCase.objects.filter(pk=NAME)
    before = NOON - HOUR
    sound = AcceptedCase(
        name="Another.",
        case_sha256="0" * 64,
        outcome=[],
        grants=False,
        reason="So.",
        created_at=NOON,
        created_by=first,
    )

    def insert(**changes: object) -> None:
        values = {
            field.attname: getattr(sound, field.attname) for field in AcceptedCase._meta.concrete_fields
        }
        AcceptedCase.objects.bulk_create([AcceptedCase(**{**values, **changes})])

    refusals: Sequence[tuple[str, Callable[[], object]]] = [
        ("sha256_is_a_digest", partial(insert, case_sha256="abc")),
        ("has_a_reason", partial(insert, reason=" ")),
        ("agreement_is_a_pair", partial(row.update, agreed_at=NOON)),
        ("second_reviewer_is_somebody_else", partial(row.update, agreed_at=NOON, agreed_by=first)),
        ("agreed_after_acceptance", partial(row.update, agreed_at=before, agreed_by=second)),
        ("stays as it was accepted", partial(row.update, grants=False)),
        ("stays as it was accepted", partial(row.update, outcome=[])),
    ]
    for said, write in refusals:
        with pytest.raises(IntegrityError, match=said), transaction.atomic():
            write()
    row.update(agreed_at=NOON, agreed_by=second)
    with pytest.raises(DatabaseError, match="who agreed"), transaction.atomic():
        row.update(agreed_at=None, agreed_by=None)
