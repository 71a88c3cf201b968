"""Some of what is approved, chosen as a publisher does it."""

import datetime
from collections.abc import Collection

from django.contrib.auth.models import User
from django.utils import timezone

from rules.models import PlannedRelease, Release
from rules.next_release import compile_content
from rules.publishing.actions.plans import plan_release
from rules.publishing.actions.releases import Shown, publish_release
from rules.publishing.refusals import ReleaseRefused
from rules.publishing.selection import Key
from rules.publishing.units import Waiting, waiting
from rules.releases.ledger import canonical_text, digest


def what_waits() -> Waiting:
    base = Release.objects.current()
    assert base is not None
    return waiting(base, base.read().content, compile_content())


def chosen(*names: str) -> tuple[frozenset[Key], Shown]:
    """Return the records of some units with what goes along, and what their publisher is shown."""
    waits = what_waits()
    keys = waits.taken(names)
    shown = Shown(str(Release.objects.current()), digest(canonical_text(waits.content(keys))))
    return keys, shown


def publish(by: User, *names: str) -> str:
    """Publish some units. Return why it was refused; empty if it was not."""
    keys, shown = chosen(*names)
    try:
        publish_release(by=by, note="News.", now=timezone.now(), shown=shown, only=keys)
    except ReleaseRefused as refused:
        return str(refused)
    return ""


def plan(by: User, *names: str, after: datetime.timedelta, again: int | None = None) -> PlannedRelease:
    keys, shown = chosen(*names)
    now = timezone.now()
    return plan_release(by=by, note="Later.", due=now + after, shown=shown, now=now, only=keys, again=again)


def ids(kind: str, keys: Collection[Key]) -> set[str]:
    return {name for of, name in keys if of == kind}
