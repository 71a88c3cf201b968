"""What a publisher chose on the page that publishes, and what the page shows of it. Reads only.

A choice has a short reference, which is in the address of the page and in each of its forms: a selection that
was kept, a plan or a request. Without one it is all that is approved, but for what is planned for later.
"""

import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from catalog.errors import NotRecorded
from catalog.screens.ids import as_key
from rules.engine.document import Content
from rules.next_release import compile_content
from rules.publishing.actions.plans import keys_of, why_not
from rules.publishing.admin.calendar import calendar
from rules.publishing.admin.shown_changes import address
from rules.publishing.begin_later import first_day
from rules.publishing.models import PlannedRelease, PlanState, PublishRequest, Selection
from rules.publishing.selection import Key
from rules.publishing.units import CATALOG, Pinned, Unit, Waiting, name_of_key, pinned, waiting
from rules.releases.ledger import content_or_none
from rules.releases.models import Release

CHOICE, TAKE, AGAIN = "choice", "take", "again"
"""The fields of forms: the reference of a choice, each unit that is ticked, and the plan that is replaced."""

OF_PLAN, OF_REQUEST = "plan-", "request-"
"""How the references of a plan and of a request begin."""

GROUPS = {
    "rules": "Rules",
    "recalls": "Recalls",
    "disagreements": "Disagreements",
    CATALOG: "Models, airlines and places",
    "sources": "Sources",
}


class Selected(NamedTuple):
    """What is chosen: `keys` are its records, None for all that is approved.

    `waits` is None if there is no release that can be read; then nothing is chosen. `gone` is how many of the
    ticked units no longer wait.
    """

    everything: Content
    waits: Waiting | None
    keys: frozenset[Key] | None
    plans: Sequence[PlannedRelease]
    reference: str = ""
    gone: int = 0

    @property
    def content(self) -> Content:
        """Return what would be published."""
        if self.waits is None or self.keys is None:
            return self.everything
        return self.waits.content(self.keys)


class ShownUnit(NamedTuple):
    """A unit with its tick. `planned` is when it is planned to go out, if it is."""

    unit: Unit
    ticked: bool
    address: str
    planned: datetime.datetime | None


class ShownPlan(NamedTuple):
    """A plan, its records with their addresses, why it could not go out now, and how to plan it again."""

    plan: PlannedRelease
    records: list[tuple[str, str]]
    why_not: str
    again: str


def selected(base: Release | None, reference: str = "") -> Selected:
    """Return what a reference chooses. Raises `NotRecorded` for one that is not known any more."""
    everything, before = compile_content(), content_or_none(base)
    live = PlannedRelease.objects.filter(state__in=(PlanState.PLANNED, PlanState.FAILED))
    plans = list(live.select_related("created_by").order_by("due", "pk"))
    if base is None or before is None:
        return Selected(everything, None, None, plans)
    waits = waiting(base, before, everything)
    chosen, gone = _chosen(waits, reference, plans)
    keys = None if chosen == waits.differ.keys() else chosen
    return Selected(everything, waits, keys, plans, reference, gone)


def _chosen(waits: Waiting, reference: str, plans: Collection[PlannedRelease]) -> tuple[frozenset[Key], int]:
    """Return the records that a reference chooses, and how many of its units no longer wait."""
    if reference.startswith(OF_PLAN):
        number = as_key(PlannedRelease, reference.removeprefix(OF_PLAN))
        plan = PlannedRelease.objects.filter(pk=number).first() if number is not None else None
        if plan is not None:
            return waits.closed(list(keys_of(plan))), 0
    elif reference.startswith(OF_REQUEST):
        number = as_key(PublishRequest, reference.removeprefix(OF_REQUEST))
        asked = PublishRequest.objects.filter(pk=number).first() if number is not None else None
        if asked is not None and asked.records:
            return waits.closed([(kind, name) for kind, name in asked.records]), 0
        if asked is not None:
            reference = ""
    elif reference and (kept := Selection.objects.filter(pk=reference).first()) is not None:
        return waits.taken(kept.names), len(set(kept.names) - {unit.name for unit in waits.units()})
    if reference:
        raise NotRecorded(
            "this choice", "is not kept any more: all that is approved is ticked instead, so choose again"
        )
    return waits.closed(waits.differ.keys() - _planned(plans).keys()), 0


def address_of(reference: str, *, again: str = "") -> str:
    """Return the address of the page that publishes, with a choice."""
    fields = {CHOICE: reference, AGAIN: again}
    query = urlencode({name: value for name, value in fields.items() if value})
    page = reverse("admin:rules_release_publish")
    return f"{page}?{query}" if query else page


def shown_choice(found: Selected, today: datetime.date) -> dict[str, Any]:
    """Return what the page shows of a choice, of the plans and of the days to come."""
    users = {plan.created_by_id: plan.created_by for plan in found.plans}
    for plan in found.plans:
        # Each planner's rights are read once.
        plan.created_by = users[plan.created_by_id]
    now = pinned({key for plan in found.plans for key in keys_of(plan)}, found.everything)
    return {
        "groups": _groups(found),
        "some": found.keys is not None,
        "choice": found.reference,
        "gone": found.gone,
        "along": _along(found),
        "begins": _begins(found, today),
        "plans": [_shown_plan(found, plan, now) for plan in found.plans],
        "calendar": calendar(
            found.waits,
            [plan for plan in found.plans if plan.state == PlanState.PLANNED],
            _planned(found.plans),
            today=today,
            address_of=_address_of,
        ),
    }


def _groups(found: Selected) -> dict[str, list[ShownUnit]]:
    groups: dict[str, list[ShownUnit]] = {}
    if found.waits is None:
        return groups
    due = _planned(found.plans)
    for unit in found.waits.units():
        groups.setdefault(GROUPS[unit.group], []).append(
            ShownUnit(
                unit,
                found.keys is None or unit.keys <= found.keys,
                _address(unit),
                next((due[key] for key in sorted(unit.keys) if key in due), None),
            )
        )
    return {title: groups[title] for title in GROUPS.values() if title in groups}


def _address(unit: Unit) -> str:
    if len(unit.keys) > 1 or unit.name.startswith("change set"):
        return ""
    return _address_of(next(iter(unit.keys)))


def _address_of(key: Key) -> str:
    return address(*key) or ""


def _along(found: Selected) -> list[str]:
    """Return the records that come along with units that name them, but are of a unit that stays."""
    if found.waits is None or found.keys is None:
        return []
    whole = {key for unit in found.waits.units() if unit.keys <= found.keys for key in unit.keys}
    return [name_of_key(key) for key in sorted(found.keys - whole)]


def _begins(found: Selected, today: datetime.date) -> datetime.date | None:
    if found.waits is None:
        return None
    keys = found.waits.differ.keys() if found.keys is None else found.keys
    return first_day([(key, found.waits.differ[key]) for key in keys], today)


def _planned(plans: Collection[PlannedRelease]) -> Mapping[Key, datetime.datetime]:
    """Return when each record is planned to go out. A page can also go out with others before."""
    return {
        key: plan.due
        for plan in plans
        if plan.state == PlanState.PLANNED
        for key in keys_of(plan)
        if key[0] != "sources"
    }


def _shown_plan(found: Selected, plan: PlannedRelease, now: Collection[Pinned]) -> ShownPlan:
    keys = set(keys_of(plan))
    failed = plan.state == PlanState.FAILED
    waits = found.waits is not None and not keys.isdisjoint(found.waits.differ)
    return ShownPlan(
        plan,
        [(name_of_key(key), _address_of(key)) for key in sorted(keys)],
        plan.failure if failed else why_not(plan, now, found.everything),
        address_of(f"{OF_PLAN}{plan.pk}", again=str(plan.pk)) if failed and waits else "",
    )
