"""One step for many revisions at once: choose them on the list, check the preview, and press the button.

Each revision is tried separately. The page before the button has tried the step and rolled it back, so it
shows which revisions would be refused and why; the page after it shows the outcome of each. The actions
decide in both cases. The button acts only on what the user saw: a revision that has changed since is refused.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import msgspec
from django import forms
from django.contrib.admin.options import IS_POPUP_VAR
from django.core.exceptions import BadRequest, PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from catalog.bulk.cells import differences
from catalog.editorial.models import Revision
from catalog.editorial.permissions import may
from catalog.editorial.screens.workflow import ACTIONS, ActionButton, ReasonForm, WorkflowAdmin
from catalog.editorial.workflow import AGREED, EditorAction
from catalog.screens.confirmation import acting_user
from catalog.screens.record_forms import digest
from catalog.tables.actions.best_effort import try_each

MOST = 500
"""How many revisions go one step at once: as many as a person can check and a request can wait for."""

MANY: dict[EditorAction, ActionButton] = {
    action: replace(ACTIONS[action], label=label, consequence=consequence)
    for action, label, consequence in [
        (
            EditorAction.SUBMIT,
            "Submit for review",
            "Another person reviews them. Until then they cannot be changed.",
        ),
        (
            EditorAction.APPROVE,
            "Approve",
            ("You confirm that you have read each of them and its evidence. The next release includes them."),
        ),
        (
            EditorAction.APPROVE_AGAIN,
            "Approve again",
            "You confirm that you, too, have read each of them and its evidence.",
        ),
        (
            EditorAction.RETURN,
            "Return",
            "They go back to their authors as drafts. All get the same reason.",
        ),
        (
            EditorAction.DISCARD,
            "Discard the drafts",
            "The drafts are deleted. Only the history keeps their content.",
        ),
    ]
}
"""The actions for many revisions, in the order in which they are offered."""


class Seen(NamedTuple):
    """A revision as the user saw it: its key, its record's id, and the digest of its content."""

    pk: int
    record_id: str
    digest: str


class BulkMovesAdmin(WorkflowAdmin):
    """A list that offers the workflow's steps for many revisions at once."""

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return what a user may do to many revisions."""
        if IS_POPUP_VAR in request.GET:
            return {}
        user = acting_user(request)
        steps = {
            f"{action}_many": (partial(_ask, action=action), f"{action}_many", button.label)
            for action, button in MANY.items()
            if self.offers(user, action)
        }
        return steps | super().get_actions(request)

    def get_urls(self) -> list[URLPattern]:
        """Add the address of the button."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_do_many"
        view = self.admin_site.admin_view(self.do_many_view)
        return [path("do/<slug:action>/", view, name=name), *super().get_urls()]

    # --- Before ---

    def ask_about_many(
        self, request: HttpRequest, action: EditorAction, chosen: QuerySet[Any]
    ) -> HttpResponse | None:
        """Show the effect of a step on each of the revisions that were chosen on the list."""
        keys = list(chosen.order_by("pk").values_list("pk", flat=True)[: MOST + 1])
        if len(keys) > MOST:
            self.message_user(
                request,
                f"Nothing was done. You can choose up to {MOST} at once: filter the list first.",
                "error",
            )
            return None
        return self._show_preview(request, action, keys, back=request.GET.urlencode())

    def _show_preview(
        self, request: HttpRequest, action: EditorAction, keys: Sequence[int], *, back: str, form: Any = None
    ) -> HttpResponse:
        rows = self.model._default_manager.filter(pk__in=keys).order_by(self.model.id_field, "revision")
        records = {row: row.to_record() for row in rows.prefetch_related(*self.model.record_parts)}
        seen = [Seen(row.pk, row.stable_id, digest(record)) for row, record in records.items()]
        tried = self._try(request, action, seen, reason="Only tried.", keep=False)
        agreed_before = self._agreed_before(records)
        lines = [
            {
                "row": row,
                "refusal": refusal,
                "known": row in agreed_before,
                "changes": [] if refusal else self.labeled(differences(agreed_before.get(row), record)),
            }
            for (row, record), (_, refusal) in zip(records.items(), tried, strict=True)
        ]
        possible = sum(not line["refusal"] for line in lines)
        context = {
            "form": form or (ReasonForm() if MANY[action].needs_reason else forms.Form()),
            "seen": msgspec.json.encode(seen).decode(),
            "lines": sorted(lines, key=lambda line: not line["refusal"]),
            "possible": possible,
            "button": f"{MANY[action].label} ({possible})",
        }
        return self._answer(request, action, "admin/catalog/move_many.html", context, back)

    def _agreed_before(self, rows: Collection[Revision]) -> dict[Revision, Any]:
        """Return the revision that was approved before each of these, if there was one."""
        ids = {row.stable_id for row in rows}
        found = self.model._default_manager.filter(
            **{f"{self.model.id_field}__in": ids}, state__in=AGREED
        ).prefetch_related(*self.model.record_parts)
        agreed = found.by_record()
        return {
            row: before[-1].to_record()
            for row in rows
            if (before := [one for one in agreed.get(row.stable_id, []) if one.revision < row.revision])
        }

    # --- The button and the result ---

    def do_many_view(self, request: HttpRequest, action: str) -> HttpResponse:
        """Do to each revision what was shown, and report the outcome of each."""
        button = MANY.get(action)  # type: ignore[call-overload]
        if button is None or button.action not in self.action_functions:
            raise Http404
        if not may(acting_user(request), button.action, self.model):
            raise PermissionDenied
        back = request.POST.get("back", "")
        if request.method != "POST":
            return HttpResponseRedirect(self._list(back))
        seen = _seen(request.POST.get("seen", ""))
        form = ReasonForm(request.POST) if button.needs_reason else forms.Form(request.POST)
        if not form.is_valid():
            return self._show_preview(request, button.action, [one.pk for one in seen], back=back, form=form)
        done = self._try(request, button.action, seen, reason=form.cleaned_data.get("reason", ""), keep=True)
        newest = self.model._default_manager.identified([one.record_id for one in seen])
        pk_of = {row.stable_id: row.pk for row in newest}
        outcomes = [(one.record_id, pk_of.get(one.record_id), refusal) for one, refusal in done]
        context = {
            # Refused first.
            "outcomes": sorted(outcomes, key=lambda outcome: not outcome[2]),
            "done": sum(not refusal for _, _, refusal in outcomes),
            "refused": sum(bool(refusal) for _, _, refusal in outcomes),
        }
        return self._answer(request, button.action, "admin/catalog/moved_many.html", context, back)

    def _try(
        self, request: HttpRequest, action: EditorAction, seen: Sequence[Seen], *, reason: str, keep: bool
    ) -> list[tuple[Seen, str]]:
        def act(one: Seen) -> None:
            self.carry_out(
                ACTIONS[action],
                one.record_id,
                one.pk,
                by=acting_user(request),
                seen=one.digest,
                reason=reason,
            )

        return try_each(seen, act, keep=keep)

    def _answer(
        self, request: HttpRequest, action: EditorAction, template: str, context: dict[str, Any], back: str
    ) -> HttpResponse:
        frame = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{MANY[action].label}: {self.opts.verbose_name_plural}",
            "offered": MANY[action],
            "back": back,
            "list": self._list(back),
        }
        return TemplateResponse(request, template, frame | context)

    def _list(self, query: str) -> str:
        address = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        return f"{address}?{query}" if query else address


def _ask(admin: BulkMovesAdmin, request: HttpRequest, chosen: QuerySet[Any], *, action: EditorAction) -> Any:
    return admin.ask_about_many(request, action, chosen)


def _seen(text: str) -> list[Seen]:
    """Return what the page says that the user saw. No one types it, so a broken value is a bad request."""
    try:
        return msgspec.json.decode(text, type=list[Seen])
    except msgspec.MsgspecError:
        raise BadRequest("`seen` is not what the page said.") from None
