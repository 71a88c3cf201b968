"""A disagreement goes the way of rules: drafted, reviewed by another person, published, restored."""

import datetime

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from catalog.airlines.actions import delete_airline
from catalog.editorial.selectors import audit_log
from catalog.editorial.workflow import State
from catalog.errors import NotRecorded, OwnWork, Refused, StillReferred, Unfit, WrongState
from catalog.models import Source
from catalog.sources.actions import delete_source
from catalog.tables.history import history
from rules.disagreements import actions
from rules.editing.actions import approve_rules, submit_rules, withdraw_rules
from rules.engine.disagreements import About, Disagreement, Side
from rules.engine.document import decode
from rules.models import Disagreement as Row
from rules.models import Release
from rules.next_release import compile_content
from rules.publishing.actions.releases import publish_release
from rules.publishing.actions.rolling_back import roll_back_release
from rules.publishing.refusals import NotPublishable
from rules.watch.dependents import dependents_of
from tests.support.factories import a_disagreement, a_source, a_user
from tests.support.releasing import NOON
from tests.support.second_approvals import approve_all_again

HOUR = datetime.timedelta(hours=1)
NAME = a_disagreement().id


pytestmark = pytest.mark.usefixtures("world_rows")


def publish(by: User, hours: int = 0) -> Release:
    approve_all_again()
    return publish_release(by=by, note="News.", now=NOON + hours * HOUR, cases=())


def disagreements_in(release: Release) -> tuple[Disagreement, ...]:
    return decode(release.document.encode()).content.disagreements


def states() -> list[str]:
    return list(Row.objects.order_by("revision").values_list("state", flat=True))


def rewrite(by: User, reviewer: User, because: str) -> None:
    actions.revise_disagreements(by=by, disagreement_ids=[NAME], reason="News.")
    actions.change_disagreement(by=by, disagreement=a_disagreement(because=because))
    actions.submit_disagreements(by=by, disagreement_ids=[NAME])
    actions.approve_disagreements(by=reviewer, disagreement_ids=[NAME])


def test_what_was_written_is_what_is_read(editor: User) -> None:
    said = a_disagreement(
        sides=(
            Side(says="Yes", sources=("northwing-page", "intl-page")),
            Side(says="No", sources=("xa-page", "northwing-page")),
        )
    )
    actions.draft_disagreement(by=editor, disagreement=said)
    row = Row.objects.get()
    assert row.to_record() == said
    # A source that speaks for two sides is tied to the row once.
    assert [link.source_id for link in row.evidence.all()] == ["northwing-page", "intl-page", "xa-page"]


def test_an_author_does_not_approve_it(editor: User) -> None:
    actions.draft_disagreement(by=editor, disagreement=a_disagreement())
    assert compile_content().disagreements == ()
    actions.submit_disagreements(by=editor, disagreement_ids=[NAME])
    with pytest.raises(OwnWork, match="you cannot approve your own work"):
        actions.approve_disagreements(by=editor, disagreement_ids=[NAME])
    with pytest.raises(WrongState, match="is in review, not draft"):
        actions.change_disagreement(by=editor, disagreement=a_disagreement())


def test_the_next_release_holds_what_another_person_approved(approved: str, reviewer: User) -> None:
    assert disagreements_in(publish(reviewer)) == (a_disagreement(),)
    assert states() == [State.PUBLISHED]
    assert [entry.verb for entry in audit_log("disagreement", NAME)] == [
        "draft",
        "submit",
        "approve",
        "publish",
    ]


def test_a_revision_replaces_it_and_its_withdrawal_takes_it_out(
    approved: str, editor: User, reviewer: User
) -> None:
    publish(reviewer)
    rewrite(editor, reviewer, "It was asked.")
    assert [one.because for one in disagreements_in(publish(reviewer, 1))] == ["It was asked."]
    assert states() == [State.SUPERSEDED, State.PUBLISHED]

    actions.withdraw_disagreements(by=editor, disagreement_ids=[NAME], reason="The sources agree now.")
    actions.submit_disagreements(by=editor, disagreement_ids=[NAME])
    actions.approve_disagreements(by=reviewer, disagreement_ids=[NAME])
    assert disagreements_in(publish(reviewer, 2)) == ()


def test_a_roll_back_brings_it_back_and_takes_out_what_is_newer(
    approved: str, editor: User, reviewer: User
) -> None:
    first = publish(reviewer)
    rewrite(editor, reviewer, "It was asked.")
    actions.draft_disagreement(by=editor, disagreement=a_disagreement(id="another"))
    actions.submit_disagreements(by=editor, disagreement_ids=["another"])
    actions.approve_disagreements(by=reviewer, disagreement_ids=["another"])
    publish(reviewer, 1)
    back = roll_back_release(
        by=reviewer, to=str(first), reason="It was wrong.", now=NOON + 2 * HOUR, cases=()
    )
    assert disagreements_in(back) == compile_content().disagreements == (a_disagreement(),)
    restored = Row.objects.get(disagreement_id=NAME, state=State.PUBLISHED)
    assert (restored.revision, restored.to_record()) == (3, a_disagreement())
    assert [link.source_id for link in restored.evidence.all()] == ["northwing-page"]


def test_a_rule_that_goes_while_one_applies_it_blocks_publishing(
    approved: str, editor: User, reviewer: User
) -> None:
    publish(reviewer)
    rule_ids = [a_disagreement().applied]
    withdraw_rules(by=editor, rule_ids=rule_ids, reason="The page says so no more.")
    submit_rules(by=editor, rule_ids=rule_ids)
    approve_rules(by=reviewer, rule_ids=rule_ids)
    with pytest.raises(NotPublishable) as refused:
        publish(reviewer, 1)
    assert refused.value.reasons == (
        "disagreement n1-cabin-limit: applies the rule `n1.cabin-up-to-160wh`, which is not in this release: "
        "name the rule that is applied now, or withdraw the disagreement",
    )


@pytest.mark.parametrize(
    ("changed", "error", "sentence"),
    [
        ({"applied": "n1.nothing"}, Unfit, "applies the rule `n1.nothing`"),
        ({"about": About(airline="Q9")}, NotRecorded, "names the airline `Q9`, which is not recorded"),
        ({"about": About()}, Unfit, "is about exactly one"),
        ({"sides": (Side(says="Yes", sources=("lost",)), Side(says="No"))}, NotRecorded, "the source `lost`"),
        ({"sides": ()}, Unfit, "has 0 sides"),
    ],
)
def test_what_no_release_could_hold_is_not_even_drafted(
    editor: User, changed: dict[str, object], error: type[Refused], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        actions.draft_disagreement(by=editor, disagreement=a_disagreement(**changed))
    assert not Row.objects.exists()


def test_what_it_rests_on_stays(approved: str, editor: User) -> None:
    with pytest.raises(StillReferred, match="disagreement"):
        delete_source(by=editor, source_id="northwing-page")
    with pytest.raises(StillReferred, match="disagreement"):
        delete_airline(by=editor, code="N1")
    (page,) = dependents_of([a_source().url]).values()
    assert page.disagreements == [NAME]


def test_the_history_keeps_what_a_draft_said_before(editor: User) -> None:
    actions.draft_disagreement(by=editor, disagreement=a_disagreement())
    actions.change_disagreement(by=a_user("other"), disagreement=a_disagreement(because="It was asked."))
    row = Row.objects.get()
    assert row.authors == sorted([editor.pk, a_user("other").pk])
    *_, last = history(Row, row.pk)
    changed = {field.field: (field.before, field.after) for field in last.fields}
    assert changed["because"] == ("The airline's own page was read.", "It was asked.")


@pytest.mark.parametrize(
    "changes",
    [{"airline": None}, {"jurisdiction": "XA"}, {"disagreement_id": "Not a slug"}, {"state": "published"}],
)
def test_the_database_refuses_what_no_action_writes(editor: User, changes: dict[str, object]) -> None:
    actions.draft_disagreement(by=editor, disagreement=a_disagreement())
    with pytest.raises(IntegrityError), transaction.atomic():
        Row.objects.update(**changes)


def test_what_is_approved_stays_as_it_is(approved: str) -> None:
    with pytest.raises(IntegrityError, match="changes only while it is a draft"), transaction.atomic():
        Row.objects.update(because="Another reason.")
    with pytest.raises(IntegrityError, match="only while it is a draft"), transaction.atomic():
        Row.objects.get().evidence.all().delete()
    assert Source.objects.filter(disagreements__disagreement_id=NAME).exists()
