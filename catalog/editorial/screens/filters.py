"""Filters of lists of revisions: by state, and by what the reader of the list has to do with them."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest

from catalog.editorial.permissions import may
from catalog.editorial.selectors import (
    DRAFTED_BY_A_PROGRAM,
    agreed_of,
    drafts_of,
    in_review_by,
    not_measured_for,
    owes_approval_of,
    reviewable_by,
    was_returned,
)
from catalog.editorial.workflow import EditorAction, State
from catalog.screens.confirmation import acting_user
from catalog.screens.filters import ConditionFilter


class StateFilter(ConditionFilter):
    """Which revisions a list shows: by default the newest of each record, whatever its state."""

    title = "state"
    parameter_name = "state"
    EVERY = "every"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the states, and every revision."""
        return [*((str(state.value), str(state.label)) for state in State), (self.EVERY, "Every revision")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the newest revisions, those in one state, or all."""
        if self.value() == self.EVERY:
            return queryset
        return queryset.filter(state=self.value()) if self.value() else queryset.newest()  # type: ignore[attr-defined]

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Return the choices; the first describes the default."""
        first, *others = super().choices(changelist)
        yield {**first, "display": "Newest of each"}
        yield from others


class DeskFilter(ConditionFilter):
    """What a user has to do with a revision."""

    title = "what I have to do"
    parameter_name = "desk"

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        self.user, self.model = acting_user(request), model
        self.reviews = may(self.user, EditorAction.APPROVE, model)
        super().__init__(request, params, model, model_admin)

    def conditions_now(self) -> dict[str, tuple[str, Q]]:
        """Return the user's own revisions, and those that wait for the user."""
        drafts = drafts_of(self.user)
        return {
            "drafts": ("My drafts", drafts),
            "returned": ("Returned to me", drafts & was_returned(self.model)),
            "waits": ("Waiting for my review", reviewable_by(self.user) if self.reviews else drafts),
            "owed": ("Waiting for my second approval", owes_approval_of(self.user, self.model)),
            "again": ("Approved once, not measured yet", not_measured_for(self.user, self.model)),
            "mine": ("Mine, in review", in_review_by(self.user)),
            "agreed": ("Mine, approved and not published", agreed_of(self.user)),
            "programs": ("Drafted by a program", DRAFTED_BY_A_PROGRAM),
        }
