"""Whatever random people do in whatever order, the releases hold what was agreed and the log tells it all."""

import datetime
from collections import defaultdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from msgspec.structs import replace

from catalog.editorial.workflow import OPEN
from catalog.errors import Refused
from catalog.models import AuditEntry
from rules.engine.document import decode
from rules.models import Release
from rules.next_release import compile_content
from rules.publishing.actions.releases import NothingToPublish, publish_release
from rules.publishing.actions.rolling_back import request_roll_back, roll_back_release
from rules.publishing.refusals import NothingToRollBack, SecondApprovalMissing, SecondPersonMissing
from tests.support.factories import a_publisher, a_recall, a_rule, a_user
from tests.support.revision_kinds import RECALLS, RULES, Kind
from tests.support.second_approvals import approve_all_again

PEOPLE = ("ann", "bob", "cid")
RECORDS = {
    "n1.one": (RULES, a_rule(rule_id="n1.one")),
    "one": (RECALLS, a_recall(recall_id="one", model_id="lynx-27k")),
}

LEADS_TO = {
    "draft": "draft",
    "revise": "draft",
    "withdraw": "draft",
    "change": "draft",
    "submit": "in_review",
    "return": "draft",
    "approve": "approved",
    "approve_again": "approved",
    "take_back": "withdrawn",
    "publish": "published",
    "supersede": "superseded",
    "end": "withdrawn",
    "roll_back": "published",
    "renumber": "draft",
}
"""What each word of the log means for the state of its revision; one that is discarded is gone."""


def contents_of(release: Release) -> dict[str, str]:
    """Return the text of each record of a release."""
    content = decode(release.document.encode()).content
    texts = {rule.rule_id: rule.summary for rule in content.rules}
    return texts | {recall.recall_id: recall.title for recall in content.recalls}


people = st.sampled_from(PEOPLE)
names = st.sampled_from(sorted(RECORDS))


class Desk(RuleBasedStateMachine):
    """Three people at three records. Each example is rolled back."""

    def __init__(self) -> None:
        super().__init__()
        self.example = transaction.atomic()
        self.example.__enter__()
        self.user: dict[str, User] = {name: a_user(name) for name in PEOPLE}
        self.now = datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.UTC)
        self.texts = 0
        # Our own account, kept from what went through: of the open revision of a record its text, None for a
        # withdrawal, and its authors; the same of those that are agreed and not yet out, the newest last; and
        # what the current release says.
        self.text: dict[str, str | None] = {}
        self.authors: dict[str, set[str]] = {}
        self.waiting: defaultdict[str, list[tuple[str | None, set[str]]]] = defaultdict(list)
        self.live: dict[str, str | None] = {}

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.example.__exit__(None, None, None)

    def does(self, who: str, action: str, name: str, **reason: str) -> bool:
        kind, _ = RECORDS[name]
        try:
            getattr(kind, action)(name, by=self.user[who], **reason)
        except Refused:
            return False
        return True

    def newest_text(self, name: str) -> str:
        kind, _ = RECORDS[name]
        return getattr(kind.newest(name), kind.text)

    @rule(who=people, name=names)
    def draft(self, who: str, name: str) -> None:
        kind, record = RECORDS[name]
        self.texts += 1
        text = f"Text {self.texts}."
        try:
            kind.draft(by=self.user[who], record=replace(record, **{kind.text: text}))
        except Refused:
            return
        self.text[name], self.authors[name] = text, {who}

    @rule(who=people, name=names)
    def change(self, who: str, name: str) -> None:
        kind, _ = RECORDS[name]
        self.texts += 1
        text = f"Text {self.texts}."
        try:
            kind.change(by=self.user[who], record=replace(RECORDS[name][1], **{kind.text: text}))
        except Refused:
            return
        self.text[name] = text
        self.authors[name].add(who)

    @rule(who=people, name=names)
    def revise(self, who: str, name: str) -> None:
        if self.does(who, "revise", name, reason="News."):
            self.text[name], self.authors[name] = self.newest_text(name), {who}

    @rule(who=people, name=names)
    def withdraw(self, who: str, name: str) -> None:
        if self.does(who, "withdraw", name, reason="Over."):
            assert name in self.live
            self.text[name], self.authors[name] = None, {who}

    @rule(who=people, name=names)
    def discard(self, who: str, name: str) -> None:
        if self.does(who, "discard", name, reason="A mistake."):
            del self.text[name], self.authors[name]

    @rule(who=people, name=names)
    def submit(self, who: str, name: str) -> None:
        self.does(who, "submit", name)

    @rule(who=people, name=names)
    def give_back(self, who: str, name: str) -> None:
        self.does(who, "give_back", name, reason="Wrong.")

    @rule(who=people, name=names)
    def approve(self, who: str, name: str) -> None:
        if self.does(who, "approve", name):
            authors = self.authors.pop(name)
            assert who not in authors
            self.waiting[name].append((self.text.pop(name), authors))

    @rule(who=people, name=names)
    def approve_again(self, who: str, name: str) -> None:
        self.does(who, "approve_again", name)

    @rule(who=people, name=names)
    def take_back(self, who: str, name: str) -> None:
        if self.does(who, "take_back", name, reason="Too early."):
            self.waiting[name].pop()

    @rule(whole_way=st.lists(people, min_size=4, max_size=8), name=names, ends=st.booleans())
    def go_on(self, whole_way: list[str], name: str, ends: bool) -> None:
        """Do what comes next, one person after the other, so that long ways are gone as well."""
        for who in whole_way:
            self.next_step(who, name, ends=ends)

    def next_step(self, who: str, name: str, *, ends: bool) -> None:
        kind, _ = RECORDS[name]
        match kind.states(name):
            case []:
                self.draft(who, name)
            case [*_, "draft"]:
                self.change(who, name)
                self.submit(who, name)
            case [*_, "in_review"]:
                self.approve(who, name)
            case [*_, "approved"]:
                self.publish(who)
            case _ if ends:
                self.withdraw(who, name)
            case _:
                self.revise(who, name)

    @rule(who=people)
    def publish(self, who: str) -> None:
        """Publish, unless it makes an answer milder and one of its own people wrote it."""
        approve_all_again()
        before = Release.objects.count()
        try:
            release = publish_release(by=self.user[who], note="News.", now=self.now, cases=())
        except NothingToPublish as nothing:
            self.nothing_is_new(nothing.current)
            return
        except SecondApprovalMissing:
            assert Release.objects.count() == before
            return
        for name, waiting in self.waiting.items():
            if waiting:
                self.live[name], _ = waiting[-1]
                waiting.clear()
        assert contents_of(release) == {name: text for name, text in self.live.items() if text is not None}

    def nothing_is_new(self, current: Release) -> None:
        """What is agreed says what the release says, such as a withdrawal of what a roll-back took away."""
        agreed = {name: waiting[-1][0] for name, waiting in self.waiting.items() if waiting}
        said = {name: text for name, text in (self.live | agreed).items() if text is not None}
        assert contents_of(current) == said

    @rule(who=people, back=st.integers(1, 3))
    def roll_back(self, who: str, back: int) -> None:
        """Go back: what was said then is said again, and of what was written nothing is lost."""
        releases = list(Release.objects.order_by("-sequence")[: back + 1])
        if len(releases) <= back:
            return
        to = releases[-1]
        try:
            if to.content_sha256 != Release.objects.current().content_sha256:  # type: ignore[union-attr]
                another = a_publisher("roll-back-requester")
                request_roll_back(by=another, to=str(to), reason="Wrong.", now=self.now)
            release = roll_back_release(
                by=self.user[who], to=str(to), reason="Wrong.", now=self.now, cases=()
            )
        except NothingToRollBack:
            return
        except SecondPersonMissing:
            # Who wrote what becomes less strict again does not roll back to it.
            assert Release.objects.current() == releases[0]
            return
        then = contents_of(to)
        assert contents_of(release) == then
        for name in RECORDS:
            if self.live.get(name) == then.get(name):
                continue
            # What was agreed on top of it is to be agreed to anew, unless somebody was at it already.
            wrote = set().union(*(authors for _, authors in self.waiting[name]))
            if self.waiting[name] and name not in self.text:
                self.text[name], self.authors[name] = self.waiting[name][-1]
            if name in self.text:
                self.take_over_the_authors(name, wrote)
            self.waiting[name].clear()
            self.live[name] = then.get(name)
        if not any(self.waiting.values()):
            assert compile_content() == decode(release.document.encode()).content

    def take_over_the_authors(self, name: str, wrote: set[str]) -> None:
        """Let all be authors of what is open who wrote what it copies; more of them is no harm."""
        authors = User.objects.filter(pk__in=RECORDS[name][0].newest(name).authors)
        self.user |= {user.username: user for user in authors}
        found = {user.username for user in authors}
        assert found >= self.authors[name] | wrote
        self.authors[name] = found

    @invariant()
    def what_is_open_is_what_was_written(self) -> None:
        opened = {row.stable_id: row for row in self.rows() if row.state in OPEN}
        texts = {
            name: None if row.withdraws else getattr(row, RECORDS[name][0].text)
            for name, row in opened.items()
        }
        assert texts == self.text
        for name, row in opened.items():
            assert set(row.authors) == {self.user[who].pk for who in self.authors[name]}

    @invariant()
    def no_one_approved_their_own_work(self) -> None:
        for row in self.rows():
            assert row.approved_by_id not in row.authors
            assert row.second_approved_by_id not in {*row.authors, row.approved_by_id} - {None}
            assert row.created_by_id in row.authors

    @invariant()
    def the_log_is_complete(self) -> None:
        states: dict[tuple[str, int | None], str] = {}
        for entry in AuditEntry.objects.filter(kind__in=["rule", "recall"]):
            if entry.verb == "discard":
                del states[entry.subject, entry.revision]
            elif entry.verb == "renumber":
                # The restored revision has taken its place by then.
                states[entry.subject, entry.revision] = "draft"
            else:
                states[entry.subject, entry.revision] = LEADS_TO[entry.verb]
        assert states == {(row.stable_id, row.revision): row.state for row in self.rows()}

    def rows(self) -> list[Any]:
        kinds: list[Kind] = [RULES, RECALLS]
        return [row for kind in kinds for row in kind.model._default_manager.all()]


def test_after_any_sequence_of_actions_each_release_holds_the_newest_agreed_revisions(
    empty_desk: None,
) -> None:
    run_state_machine_as_test(
        Desk,
        settings=settings(
            max_examples=15, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
