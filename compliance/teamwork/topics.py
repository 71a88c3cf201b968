"""What people can talk about and be assigned: each kind with who sees it, who acts on it, and its rows.

A topic is named by its kind and its key, as the audit log names records. Reads only.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse

from aeo.guides.editing.models import GuideText
from catalog.editorial.models import Revision
from catalog.editorial.pending.models import ChangeSet, ChangeSetState
from catalog.editorial.workflow import OPEN, State
from recalls.feeds.models import LIVE
from recalls.models import FeedNotice, Recall
from rules.analysis import report
from rules.analysis.admin.findings import name_of
from rules.models import AcceptedFinding, Disagreement, Rule, VerdictCase, WatchSignal
from rules.next_release import REVISED

REVIEWED: Mapping[str, type[Revision]] = {
    str(model._meta.model_name): model for model in (*REVISED.values(), VerdictCase, GuideText)
}
"""The kinds of records that people write as revisions and review, by the names of their topics."""


@dataclass(frozen=True)
class Topic:
    """One record: its name for people, the address of its page, and whether there is work to do on it."""

    kind: str
    key: str
    name: str
    address: str
    is_open: bool

    @property
    def conversation(self) -> str:
        """The address of the page where people talk about it."""
        return reverse("teamwork:conversation", args=[self.kind, self.key])


@dataclass(frozen=True)
class Kind:
    """A kind of topics: the permission to see one, those of which one is needed to act on one, and rows."""

    title: str
    view: str
    act: tuple[str, ...]
    find: Callable[[Collection[str]], Mapping[str, Topic]]


def topic(kind: str, key: str) -> Topic | None:
    """Return a topic; None if there is no such record. One query at most."""
    return topics(kind, [key]).get(key) if kind in KINDS else None


def topics(kind: str, keys: Collection[str]) -> Mapping[str, Topic]:
    """Return the topics of a kind with these keys that exist, by key. One query at most."""
    return KINDS[kind].find(keys)


def sees(user: User, kind: str) -> bool:
    """Return whether a user may see topics of a kind."""
    return kind in KINDS and user.has_perm(KINDS[kind].view)


def acts_on(user: User, kind: str) -> bool:
    """Return whether a user may do anything to topics of a kind."""
    return sees(user, kind) and any(user.has_perm(one) for one in KINDS[kind].act)


def people_for(kind: str) -> QuerySet[User]:
    """Return the people who may do something to topics of a kind, by name: they can be assigned."""
    backend = "django.contrib.auth.backends.ModelBackend"
    first, *others = (User.objects.with_perm(one, backend=backend) for one in KINDS[kind].act)
    for other in others:
        first |= other
    return first.filter(is_staff=True).distinct().order_by("username")


def _revisions(model: type[Revision]) -> Callable[[Collection[str]], Mapping[str, Topic]]:
    """Return how to find records that have revisions: the newest one is the topic."""

    def find(keys: Collection[str]) -> Mapping[str, Topic]:
        kind = str(model._meta.model_name)
        rows: Any = model._default_manager.identified(keys).only("pk", model.id_field, "state")
        page = f"admin:{model._meta.app_label}_{kind}_change"
        return {
            row.stable_id: Topic(
                kind=kind,
                key=row.stable_id,
                name=row.stable_id,
                address=reverse(page, args=[row.pk]),
                is_open=row.state in (*OPEN, State.APPROVED),
            )
            for row in rows
        }

    return find


def _numbers(keys: Collection[str]) -> list[int]:
    """Return those of the keys that are numbers of rows."""
    return [int(key) for key in keys if key.isascii() and key.isdecimal() and len(key) < 18]


def _change_sets(keys: Collection[str]) -> Mapping[str, Topic]:
    return {
        str(row.pk): Topic(
            kind="changeset",
            key=str(row.pk),
            name=f"change set {row.pk}: {row.subject}",
            address=reverse("admin:catalog_changeset_change", args=[row.pk]),
            is_open=row.state in (ChangeSetState.WAITING, ChangeSetState.RETURNED),
        )
        for row in ChangeSet.objects.filter(pk__in=_numbers(keys))
    }


def _signals(keys: Collection[str]) -> Mapping[str, Topic]:
    return {
        str(row.pk): Topic(
            kind="signal",
            key=str(row.pk),
            name=f"signal {row.pk}: {row.page.url}",
            address=reverse("admin:rules_watchsignal_change", args=[row.pk]),
            is_open=row.outcome == "",
        )
        for row in WatchSignal.objects.filter(pk__in=_numbers(keys)).select_related("page")
    }


def _notices(keys: Collection[str]) -> Mapping[str, Topic]:
    return {
        str(row.pk): Topic(
            kind="notice",
            key=str(row.pk),
            name=f"notice {row}",
            address=reverse("admin:recalls_feednotice_change", args=[row.pk]),
            is_open=row.state in LIVE,
        )
        for row in FeedNotice.objects.filter(pk__in=_numbers(keys))
    }


def _findings(keys: Collection[str]) -> Mapping[str, Topic]:
    """Return findings of the last analysis, by their names in addresses."""
    last = report.cached()
    found = {name_of(one.key): one for one in last.findings} if last else {}
    known = [found[name].key for name in keys if name in found]
    accepted = set(AcceptedFinding.objects.filter(key__in=known).values_list("key", flat=True))
    return {
        name: Topic(
            kind="finding",
            key=name,
            name=f"finding: {found[name].says}",
            address=f"{reverse('desk:findings')}?state=all&kind={found[name].kind}#finding-{name}",
            is_open=found[name].weight == "problem" and found[name].key not in accepted,
        )
        for name in keys
        if name in found
    }


KINDS: dict[str, Kind] = {
    "rule": Kind(
        "Rule",
        "rules.view_rule",
        ("rules.change_rule", "rules.approve_rule", "rules.publish_release"),
        _revisions(Rule),
    ),
    "recall": Kind(
        "Recall",
        "recalls.view_recall",
        ("recalls.change_recall", "recalls.approve_recall", "rules.publish_release"),
        _revisions(Recall),
    ),
    "disagreement": Kind(
        "Disagreement",
        "rules.view_disagreement",
        ("rules.change_disagreement", "rules.approve_disagreement", "rules.publish_release"),
        _revisions(Disagreement),
    ),
    "guidetext": Kind(
        "Guide",
        "aeo.view_guidetext",
        ("aeo.change_guidetext", "aeo.approve_guidetext"),
        _revisions(GuideText),
    ),
    "verdictcase": Kind(
        "Verdict case",
        "rules.view_verdictcase",
        ("rules.change_verdictcase", "rules.approve_verdictcase"),
        _revisions(VerdictCase),
    ),
    "changeset": Kind(
        "Change set",
        "catalog.view_changeset",
        ("catalog.approve_changeset", "catalog.delete_changeset"),
        _change_sets,
    ),
    "signal": Kind("Signal", "rules.view_watchsignal", ("rules.change_watchsignal",), _signals),
    "notice": Kind("Notice", "recalls.view_feednotice", ("recalls.change_feednotice",), _notices),
    "finding": Kind(
        "Finding",
        "rules.view_acceptedfinding",
        ("rules.add_acceptedfinding", "rules.change_rule"),
        _findings,
    ),
}
"""The kinds of topics, by the name that addresses have."""
