"""What a person typed in a draft that was meanwhile discarded, submitted or approved: the way to a draft."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from catalog.dates import moment_words
from catalog.editorial.models import Revision
from catalog.editorial.screens.verbs import ReasonForm, described
from catalog.editorial.selectors import audit_log
from catalog.editorial.workflow import OPEN, EditorAction, State
from catalog.errors import Refused
from catalog.screens.confirmation import acting_user
from catalog.screens.ids import as_key
from catalog.screens.lost_text import KeepsLostText, WayOn
from catalog.tables.history import events_of

AGAIN = "again"
"""The prefix of the reason for a new draft, and the name of the button that opens it."""

SHOWN_NEXT = "The next page shows what you wrote in its form, not saved yet."


class KeepsLostDrafts(KeepsLostText):
    """A form of drafts whose text outlives them."""

    action_functions: ClassVar[Mapping[EditorAction, Callable[..., None]]]
    ids_argument: ClassVar[str]

    def offers(self, user: User, action: EditorAction) -> bool:
        """Return whether this kind of record has a verb that a person may use."""
        raise NotImplementedError

    def lost(self, request: HttpRequest, object_id: str, row: Any) -> HttpResponse | None:
        """Open a new draft if that was asked for; else say what happened, and how to go on."""
        found = (row.stable_id, row.revision) if row is not None else self._gone(object_id)
        if found is None:
            return None
        record_id, revision = found
        revisions = list(self.model._default_manager.identified([record_id]).order_by("revision"))
        happened = self._happened(record_id, revision)
        if not revisions:
            way = self.when_deleted(request, record_id)
            return self.lost_page(request, WayOn(**{**vars(way), "happened": happened}))
        newest = revisions[-1]
        if newest.state in OPEN:
            return self.lost_page(request, self._in_the_open_one(happened, newest), is_gone=row is None)
        return self._in_a_new_one(request, happened, newest, is_gone=row is None)

    def _gone(self, object_id: str) -> tuple[str, int] | None:
        """Return the record and the number of a revision that was deleted; None if there was none."""
        key = as_key(self.model, object_id)
        events = events_of(self.model).filter(pgh_obj_id=key).order_by("-pgh_id")
        found: tuple[str, int] | None = events.values_list(self.model.id_field, "revision").first()
        return found

    def _happened(self, record_id: str, revision: int) -> str:
        """Return what was done last to a revision, in a sentence."""
        story = audit_log(str(self.opts.model_name), record_id).filter(revision=revision)
        last = described(story.order_by("-pk")[:1])
        if not last:
            return f"Meanwhile another person changed what became of this draft of {record_id}."
        ((said, entry),) = last
        at = timezone.localtime(entry.done_at)
        reason = f" The reason: “{entry.reason}”" if entry.reason else ""
        by = f"{entry.done_by}, {moment_words(at)}"
        return f"Meanwhile this draft of {record_id} was {said} by {by}.{reason}"

    def _in_the_open_one(self, happened: str, newest: Any) -> WayOn:
        """Return the way into the draft that there is now, or that waits for review."""
        address = self._address_of(newest)
        if newest.state == State.DRAFT and not newest.withdraws:
            return WayOn(
                happened=happened,
                advice=f"There is another draft now. {SHOWN_NEXT} Where it says something else, you choose.",
                button="Show it in that draft",
                address=address,
            )
        return WayOn(
            happened=happened,
            advice="What waits for review cannot be changed. Ask for it to be returned, keep this page open, "
            "and try again then.",
            button="Try again",
            address=address,
        )

    def _in_a_new_one(
        self, request: HttpRequest, happened: str, newest: Revision, *, is_gone: bool
    ) -> HttpResponse:
        """Ask for the reason, open the next revision, and send what was typed on to its form."""
        if not self.offers(acting_user(request), EditorAction.REVISE):
            way = WayOn(happened=happened, advice="Copy what you need.")
            return self.lost_page(request, way, is_gone=is_gone)
        form = ReasonForm(request.POST if AGAIN in request.POST else None, prefix=AGAIN)
        if form.is_valid():
            try:
                self._revise(newest.stable_id, by=acting_user(request), reason=form.cleaned_data["reason"])
            except Refused as refusal:
                form.add_error(None, f"{refusal}.")
            else:
                # The browser sends the form again, to the new draft.
                now = self.model._default_manager.identified([newest.stable_id]).order_by("-revision")[0]
                return HttpResponseRedirect(self._address_of(now), status=HTTPStatus.TEMPORARY_REDIRECT)
        way = WayOn(
            happened=happened,
            advice=f"You can open a new draft, which begins as a copy of what is approved. {SHOWN_NEXT}",
            button="Make a new draft of it",
            more={AGAIN: "1"},
            question=form,
            knows_seen=False,
        )
        return self.lost_page(request, way, is_gone=is_gone)

    @transaction.atomic
    def _revise(self, record_id: str, *, by: User, reason: str) -> None:
        ids: Sequence[str] = [record_id]
        self.action_functions[EditorAction.REVISE](by=by, **{self.ids_argument: ids}, reason=reason)

    def _address_of(self, row: Any) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk])
