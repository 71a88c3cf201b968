"""How a screen takes revisions through the editorial workflow: states, buttons, questions and the history.

`WorkflowAdmin` is the base of the screens of rules and of recalls. It offers an action only if
`catalog.editorial.permissions.may` allows it and the state permits it, asks for a reason if the log needs
one, and calls the action, which decides. A button acts only on what the user saw: if the revision has changed
since, nothing happens.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet, prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from unfold.decorators import display

from catalog.bulk.cells import differences
from catalog.editorial.models import MARKS, Revision
from catalog.editorial.permissions import may
from catalog.editorial.screens.lost_drafts import KeepsLostDrafts
from catalog.editorial.screens.many_rows import Seen
from catalog.editorial.screens.verbs import ReasonForm, described
from catalog.editorial.selectors import audit_log, in_state_since, nothing_new
from catalog.editorial.workflow import AGREED, NEEDS_REASON, OPEN, EditorAction, State
from catalog.errors import ChangedSinceSeen, Refused, WrongState
from catalog.screens.confirmation import Consent, Step, acting_user, ask_before, page_context
from catalog.screens.history import in_lines
from catalog.screens.ids import row_or_none
from catalog.screens.record_forms import RecordAdmin, digest
from catalog.tables.history import Change, histories

COLORS = {
    State.DRAFT.label: "default",
    State.IN_REVIEW.label: "info",
    State.APPROVED.label: "primary",
    State.PUBLISHED.label: "success",
    State.SUPERSEDED.label: "default",
    State.WITHDRAWN.label: "danger",
}
"""The color of each state's pill; the pill also names the state."""

WITHDRAWAL = "Withdrawal"

PILLS = COLORS | {WITHDRAWAL: "danger"}
"""The same for a list: a published withdrawal is the end of a rule, not a rule."""

SINCE_WHEN = {*MARKS, "id", "revision", "withdraws", "created_at", "created_by", "authors"}
"""Columns for the state of a revision. The log shows it better, so the history leaves them out."""


@dataclass(frozen=True)
class ActionButton:
    """An action as a button: its label, and what happens when it is pressed."""

    action: EditorAction
    label: str
    icon: str
    consequence: str
    done: str
    dangerous: bool = False

    @property
    def needs_reason(self) -> bool:
        """Whether the log keeps a reason."""
        return self.action in NEEDS_REASON


ACTIONS: dict[EditorAction, ActionButton] = {
    button.action: button
    for button in [
        ActionButton(
            EditorAction.SUBMIT,
            "Submit for review",
            "send",
            "Another person reviews it. Until then it cannot be changed.",
            "waits for review",
        ),
        ActionButton(
            EditorAction.APPROVE,
            "Approve",
            "check",
            "You confirm that you have read the evidence and that it says this. The next release "
            "includes it.",
            "is approved",
        ),
        ActionButton(
            EditorAction.APPROVE_AGAIN,
            "Approve again",
            "done_all",
            "A change that makes any answer less strict needs a second approval. You confirm "
            "that you have read the evidence too.",
            "is approved twice",
        ),
        ActionButton(
            EditorAction.RETURN,
            "Return",
            "undo",
            "It goes back to its authors as a draft, with your reason.",
            "is a draft again",
        ),
        ActionButton(
            EditorAction.REVISE,
            "Revise",
            "edit",
            "The next revision begins as a copy. The present one stays in force until the new "
            "one is published.",
            "has a new draft",
        ),
        ActionButton(
            EditorAction.TAKE_BACK,
            "Take back",
            "remove_done",
            "The next release does not include it. The revision approved before it counts again.",
            "is taken back",
            dangerous=True,
        ),
        ActionButton(
            EditorAction.WITHDRAW,
            "Withdraw",
            "block",
            "This opens a revision that withdraws the record. After another person has approved "
            "it, the next release leaves the record out.",
            "has a draft that withdraws it",
            dangerous=True,
        ),
        ActionButton(
            EditorAction.DISCARD,
            "Discard the draft",
            "delete",
            "The draft is deleted. Only the history keeps its content.",
            "no longer has this draft",
            dangerous=True,
        ),
    ]
}
"""The buttons, in their order."""


SUBMIT = "_submit"
"""The button that saves a draft and submits it."""


def with_consequences(
    buttons: Mapping[EditorAction, ActionButton], consequences: Mapping[EditorAction, str]
) -> dict[EditorAction, ActionButton]:
    """Return buttons that say something else of what happens when they are pressed."""
    return {
        action: replace(button, consequence=consequences.get(action, button.consequence))
        for action, button in buttons.items()
    }


def target(action: EditorAction, revisions: Sequence[Revision]) -> Revision | None:
    """Return the revision that a verb would act on, of those of a record with the oldest first.

    None if no state permits the verb. This mirrors the refusals of the actions, so every button works.
    """
    newest = revisions[-1]
    agreed = [row for row in revisions if row.state in AGREED]
    published = any(row.state == State.PUBLISHED for row in agreed)
    permitted = {
        EditorAction.CHANGE: newest.state == State.DRAFT and not newest.withdraws,
        EditorAction.SUBMIT: newest.state == State.DRAFT,
        EditorAction.DISCARD: newest.state == State.DRAFT,
        EditorAction.RETURN: newest.state == State.IN_REVIEW,
        EditorAction.APPROVE: newest.state == State.IN_REVIEW,
        EditorAction.REVISE: newest.state not in OPEN,
        EditorAction.WITHDRAW: newest.state not in OPEN and published and not agreed[-1].withdraws,
        EditorAction.TAKE_BACK: bool(agreed) and agreed[-1].state == State.APPROVED,
        EditorAction.APPROVE_AGAIN: bool(agreed)
        and agreed[-1].state == State.APPROVED
        and agreed[-1].second_approved_at is None,
    }
    if not permitted.get(action, False):
        return None
    return agreed[-1] if action in (EditorAction.TAKE_BACK, EditorAction.APPROVE_AGAIN) else newest


class WorkflowAdmin(KeepsLostDrafts, RecordAdmin):
    """A list and a form over revisions. The form writes drafts only; everything else is a button."""

    action_functions: ClassVar[Mapping[EditorAction, Callable[..., None]]]
    """The function for each verb of `ACTIONS`, such as `submit_rules`."""

    ids_argument: ClassVar[str]
    """The name of the parameter for the ids in these functions, such as `rule_ids`."""

    buttons: ClassVar[Mapping[EditorAction, ActionButton]] = ACTIONS
    """The verbs of this kind as buttons, in their order."""

    published_is_called: ClassVar[str] = str(State.PUBLISHED.label)
    """What the state “published” is called where another word is true."""

    before_all_is: ClassVar[str] = ""
    """What `before_all` returns, in words."""

    # Counting every choice of every filter takes seconds with tens of thousands of revisions.
    show_facets = admin.ShowFacets.NEVER
    actions = ["show_impact"]

    change_form_outer_before_template = "admin/catalog/_workflow.html"
    object_history_template = "admin/catalog/workflow_history.html"

    # --- Who may do what ---

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return whether a user may draft."""
        return may(acting_user(request), EditorAction.DRAFT, self.model)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether a user may change a row: a draft, and nothing else."""
        allowed = may(acting_user(request), EditorAction.CHANGE, self.model)
        return allowed and (obj is None or (obj.state == State.DRAFT and not obj.withdraws))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: drafts are discarded, with a reason, and everything else stays."""
        return False

    # --- The list ---

    def in_state_since(self) -> Any:
        """Return since when a revision has been in its state."""
        return in_state_since(self.model)

    @display(description="State", ordering="state", label=PILLS)
    def state_pill(self, row: Revision) -> tuple[str, str]:
        """Return what colors the pill, and its words: the state, and whether the revision ends its record."""
        label = self.state_of(row)
        if row.withdraws:
            return WITHDRAWAL, f"{WITHDRAWAL}: {label}"
        return str(State(row.state).label), label

    def state_of(self, row: Revision) -> str:
        """Return the state of a revision in a word."""
        state = State(row.state)
        return self.published_is_called if state == State.PUBLISHED else str(state.label)

    @admin.action(description="Measure the changes", permissions=["view"])
    def show_impact(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:
        """Redirect to the effects of the chosen revisions, which the room of rules shows."""
        keys = [(str(self.opts.model_name), str(key)) for key in queryset.values_list("pk", flat=True)]
        # With GET that page would measure nothing, so the browser is redirected to POST again.
        address = f"{reverse('admin:rules_impact_drafts')}?{urlencode(keys)}"
        return HttpResponseRedirect(address, status=HTTPStatus.TEMPORARY_REDIRECT)

    # --- The form ---

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the form below the state of the revision and the buttons."""
        row = self._row(object_id)
        shown = {"workflow": self.workflow_status(request, row)} if row else {}
        return super().change_view(request, object_id, form_url, (extra_context or {}) | shown)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        """Offer one way to save: it redirects back here, where the editor submits the draft."""
        context["show_save_and_continue"] = False
        context["may_submit"] = self.offers(acting_user(request), EditorAction.SUBMIT)
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Pass the form to the action, and note which row it wrote."""
        super().save_model(request, obj, form, change)
        if not change:
            obj.pk = self._newest(obj).pk

    def response_post_save_add(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Redirect to the draft, which is submitted first if that was asked for."""
        return self._after_saving(request, obj)

    def response_post_save_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Redirect back to the draft, likewise."""
        return self._after_saving(request, obj)

    def _after_saving(self, request: HttpRequest, obj: Any) -> HttpResponse:
        if SUBMIT in request.POST and self.offers(acting_user(request), EditorAction.SUBMIT):
            self.submit_saved(request, self._newest(obj))
        return HttpResponseRedirect(self._address_after(obj))

    def submit_saved(self, request: HttpRequest, row: Any) -> None:
        """Submit a draft that was just saved; it stays a draft if that is refused."""
        button = ACTIONS[EditorAction.SUBMIT]
        try:
            with transaction.atomic():
                seen = _seen(row, digest(row.to_record()))
                self.carry_out(button, [seen], by=acting_user(request))
        except Refused as refusal:
            messages.warning(request, f"Saved as a draft, and not submitted. {refusal}.")
        else:
            messages.success(request, f"{row.stable_id} {button.done}.")

    def offers(self, user: User, action: EditorAction) -> bool:
        """Return whether this kind of record has a verb that a person may use."""
        return action in self.action_functions and may(user, action, self.model)

    def workflow_status(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return the state of a revision, and what a user may do with it."""
        user, revisions = acting_user(request), self._revisions(row)
        prefetch_related_objects([row], *self.model.record_parts)
        story = list(audit_log(str(self.opts.model_name), row.stable_id))
        mine = [entry for entry in story if entry.revision == row.revision]
        returned = next((entry for entry in reversed(mine) if entry.verb == EditorAction.RETURN), None)
        offered = [
            button
            for button in self.buttons.values()
            if self.offers(user, button.action) and self._acts_on(button.action, row, revisions)
        ]
        unpublished = row.state in (*OPEN, State.APPROVED)
        why_not = {button.action: self.why_not(button.action, row, user) for button in offered}
        if EditorAction.SUBMIT in why_not and nothing_new(revisions):
            why_not[EditorAction.SUBMIT] = "Change it before you submit it, or discard it."
        return {
            "row": row,
            "state": self.state_of(row),
            "color": COLORS[State(row.state).label],
            "revisions": revisions,
            "last": described(mine[-1:]),
            "opened": mine[0] if mine and mine[0].reason else None,
            "returned": returned,
            "offered": [button for button in offered if not why_not[button.action]],
            "why_not": [sentence for sentence in why_not.values() if sentence],
            "newest": revisions[-1] if revisions[-1].pk != row.pk else None,
            "to_publish": _to_publish_instead(row, revisions),
            "compared": self._differences(row, revisions),
            "brings_back": _withdrawn_before(row, revisions),
            "seen": digest(row.to_record()),
            "unpublished": unpublished,
            # Only a change that can affect an answer takes a second approval.
            "may_change_answers": unpublished and EditorAction.APPROVE_AGAIN in self.action_functions,
        }

    def why_not(self, action: EditorAction, row: Any, user: User) -> str:
        """Say why a verb that the state permits would be refused to a person; "" if it would not."""
        own_work = user.pk in row.authors
        if action == EditorAction.APPROVE and own_work:
            return "You wrote in this revision, so another person must approve it."
        if action == EditorAction.APPROVE_AGAIN and own_work:
            return "You wrote in this revision, so you cannot give it a second approval."
        if action == EditorAction.APPROVE_AGAIN and user.pk == row.approved_by_id:
            return "You gave the first approval. If it needs a second one, another person gives it."
        return ""

    def _differences(
        self, row: Any, revisions: Sequence[Any]
    ) -> list[tuple[str, list[tuple[str, str, str]]]]:
        """Return how a revision that is not published differs from the agreed one before it.

        If that one is a withdrawal, it differs from the one that was withdrawn. If that one is not published,
        the revision also differs from the published one: whoever approves it approves all of that.
        """
        if row.state not in (*OPEN, State.APPROVED) or row.withdraws:
            return []
        agreed = [one for one in revisions if one.state in AGREED and one.revision < row.revision]
        published = [one for one in agreed if one.published_at and not one.withdraws]
        before = {one.pk: one for one in (*agreed[-1:], *published[-1:]) if not one.withdraws}
        earlier = [
            (f"revision {one.revision}, which is {self.state_of(one).lower()}", one.to_record())
            for one in before.values()
        ]
        if not agreed and (first := self.before_all(row)) is not None:
            earlier = [(self.before_all_is, first)]
        return [(name, self.labeled(differences(record, row.to_record()))) for name, record in earlier]

    def before_all(self, row: Any) -> Any:
        """Return what readers have of a record before the first revision; None if nothing."""
        return None

    def labeled(self, found: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
        """Return differences with the labels of the form in place of the names of columns."""
        return [(self.label_of(column), before, after) for column, before, after in found]

    def label_of(self, column: str) -> str:
        """Return the label of a column in the form: `params.max_units` is “Units”."""
        name = column.rpartition(".")[2]
        name = self.form.spoken_of_as.get(name, name)
        field = self.form.base_fields.get(name)
        return str(field.label) if field and field.label else name.replace("_", " ").capitalize()

    def _row(self, object_id: str) -> Any:
        return row_or_none(self.model, object_id)

    def _revisions(self, row: Revision) -> list[Any]:
        if row.revision == 1 and row.state in OPEN:
            # No other one is opened meanwhile.
            return [row]
        mine = self.model._default_manager.filter(**{self.model.id_field: row.stable_id})
        return list(mine.order_by("revision"))

    def _acts_on(self, action: EditorAction, row: Revision, revisions: Sequence[Revision]) -> bool:
        found = target(action, revisions)
        return found is not None and found.pk == row.pk

    # --- The buttons ---

    def get_urls(self) -> list[URLPattern]:
        """Add the page of each button."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_do"
        view = self.admin_site.admin_view(self.do_view)
        return [path("<path:object_id>/do/<slug:action>/", view, name=name), *super().get_urls()]

    def do_view(self, request: HttpRequest, object_id: str, action: str) -> HttpResponse:
        """Ask about an action if it needs a question, and do it."""
        button = self.buttons.get(action)  # type: ignore[call-overload]
        row = self._row(object_id)
        if button is None or button.action not in self.action_functions or row is None:
            raise Http404
        if not may(acting_user(request), button.action, self.model):
            raise PermissionDenied
        step = Step(
            title=f"{button.label}: {row}",
            consequence=button.consequence,
            button=button.label,
            form_class=self._question(button, row),
            dangerous=button.dangerous,
        )

        def act(consent: Consent) -> HttpResponse:
            return self._do(request, button, row, consent)

        return ask_before(step, act, admin=self, request=request, subject=row)

    def _question(self, button: ActionButton, row: Any) -> type[forms.Form]:
        """Return the form of a button, which knows what the user saw when they pressed it."""
        seen = forms.CharField(widget=forms.HiddenInput, initial=digest(row.to_record()))
        return type("Question", (ReasonForm if button.needs_reason else forms.Form,), {"seen": seen})

    def _do(self, request: HttpRequest, button: ActionButton, row: Any, consent: Consent) -> HttpResponse:
        """Do the confirmed action, and redirect to its result."""
        answers = consent.answers
        reason = answers["reason"] if button.needs_reason else ""
        seen = _seen(row, answers["seen"])
        self.carry_out(button, [seen], by=consent.by, reason=reason)
        messages.success(request, f"{row.stable_id} {button.done}.")
        return HttpResponseRedirect(self._address_after(row))

    def carry_out(self, button: ActionButton, seen: Sequence[Seen], *, by: User, reason: str = "") -> None:
        """Call the action on revisions of records, all or none of them, as the user saw them.

        Call it inside a transaction. Raises `Refused`.
        """
        ids = [one.record_id for one in seen]
        rows = self.model._default_manager.filter(**{f"{self.model.id_field}__in": ids}).order_by("pk")
        locked = rows.select_for_update().prefetch_related(*self.model.record_parts)
        revisions = defaultdict(list)
        for row in sorted(locked, key=lambda found: found.revision):
            revisions[row.stable_id].append(row)
        for one in seen:
            self._require_as_seen(button.action, one, revisions[one.record_id])
        why = {"reason": reason} if button.needs_reason else {}
        self.action_functions[button.action](by=by, **{self.ids_argument: ids}, **why)

    def _require_as_seen(self, action: EditorAction, seen: Seen, revisions: Sequence[Any]) -> None:
        found = next((found for found in revisions if found.pk == seen.pk), None)
        if found is None or digest(found.to_record()) != seen.digest:
            raise ChangedSinceSeen(seen.record_id, "has changed since you opened it: look at it again first")
        if target(action, revisions) is not None and not self._acts_on(action, found, revisions):
            raise WrongState(seen.record_id, f"has a newer revision; this is revision {found.revision}")

    def _with_labels(self, saving: Change) -> Change:
        fields = (change._replace(field=self.label_of(change.field)) for change in saving.fields)
        return saving._replace(fields=tuple(fields))

    def _newest(self, row: Revision) -> Any:
        mine = self.model._default_manager.filter(**{self.model.id_field: row.stable_id})
        return mine.order_by("-revision").first()

    def _address_after(self, row: Revision) -> str:
        newest = self._newest(row)
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}"
        return reverse(f"{name}_change", args=[newest.pk]) if newest else reverse(f"{name}_changelist")

    # --- The history ---

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the history of a record: its revisions, what each changed, and who did what and why."""
        row = self._row(object_id)
        if row is None:
            raise Http404
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        context = page_context(self, request, row, f"History of {row.stable_id}")
        context |= {"chapters": list(self._chapters(row)), **(extra_context or {})}
        return TemplateResponse(request, self.object_history_template, context)

    def _chapters(self, row: Revision) -> Iterator[dict[str, Any]]:
        """Return the revisions of a record, the newest first, each with its changes and its log."""
        story = list(audit_log(str(self.opts.model_name), row.stable_id))
        mine = self.model._default_manager.filter(**{self.model.id_field: row.stable_id})
        revisions = list(mine.order_by("revision").prefetch_related(*self.model.record_parts))
        records = [found.to_record() for found in revisions]
        savings = histories(self.model, [found.pk for found in revisions])
        listed = {found.revision for found in revisions}
        for at in reversed(range(len(revisions))):
            found = revisions[at]
            yield {
                "revision": found,
                "state": self.state_of(found),
                "color": COLORS[State(found.state).label],
                "before": revisions[at - 1] if at else None,
                "differences": self.labeled(differences(records[at - 1], records[at])) if at else [],
                "story": described(entry for entry in story if entry.revision == found.revision),
                "savings": [self._with_labels(saving) for saving in _of_content(savings[found.pk])],
            }
        gone = [entry for entry in story if entry.revision not in listed]
        if gone:
            yield {"revision": None, "story": described(gone)}


def _seen(row: Any, read: str) -> Seen:
    """Return a revision as a person saw it alone, by the digest of what they read."""
    return Seen(row.pk, row.stable_id, read, "", together=False)


def _to_publish_instead(row: Revision, revisions: Sequence[Revision]) -> Revision | None:
    """Return the approved revision that the next release contains, if that is not the one shown."""
    agreed = [one for one in revisions if one.state in AGREED]
    waits = bool(agreed) and agreed[-1].state == State.APPROVED and agreed[-1].pk != row.pk
    return agreed[-1] if waits else None


def _withdrawn_before(row: Revision, revisions: Sequence[Revision]) -> Revision | None:
    """Return the withdrawal after which an unpublished revision brings its record back, if there is one."""
    agreed = [one for one in revisions if one.state in AGREED and one.revision < row.revision]
    if row.state not in (*OPEN, State.APPROVED) or row.withdraws or not agreed or not agreed[-1].withdraws:
        return None
    return agreed[-1]


def _of_content(savings: Iterable[Change]) -> Iterator[Change]:
    """Return each change of the content of a revision while it was a draft."""
    for change in savings:
        fields = tuple(field for field in change.fields if field.field not in SINCE_WHEN)
        if change.what == "update" and fields:
            yield change._replace(fields=tuple(map(in_lines, fields)))
