"""Forms whose changes wait for approval. Screens of models, brands and airlines subclass this."""

from typing import Any, ClassVar

import msgspec
from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from unfold.widgets import UnfoldAdminTextareaWidget

from catalog.bulk import importing
from catalog.bulk.tables import Table
from catalog.editorial.pending import actions
from catalog.editorial.pending.display import shown_change, unread
from catalog.editorial.pending.facts import kind_of, with_facts
from catalog.editorial.pending.importing import PendingWriter
from catalog.editorial.pending.models import ChangeSet, ChangeSetState, PendingChange
from catalog.editorial.pending.selectors import approvers_of, waiting_change
from catalog.errors import AlreadyRecorded
from catalog.screens.bulk import BulkAdmin, FileForm
from catalog.screens.confirmation import acting_user
from catalog.screens.history import ShowsHistory
from catalog.screens.ids import as_key
from catalog.screens.record_forms import RecordAdmin, RecordForm

CORRECTS = "corrects"
"""The parameter of a form that begins with a returned change: the id of its change set."""


class PendingForm(RecordForm):
    """A form of a record, with the reason for the change.

    `corrects` is the returned change with whose content the form begins.
    """

    table: ClassVar[Table]
    corrects: ClassVar[PendingChange | None] = None

    reason = forms.CharField(
        label="Reason for the change",
        required=False,
        max_length=2000,
        widget=UnfoldAdminTextareaWidget({"rows": 2}),
        help_text="For the person who approves the change.",
    )
    replaces = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if self.corrects is not None:
            instance = kwargs.get("instance")
            record = instance.to_record() if instance is not None else None
            wanted = with_facts(self.table.record_type, record, self.corrects.after)
            kwargs["initial"] = {
                **(kwargs.get("initial") or {}),
                **self._initial(msgspec.structs.asdict(wanted), new=record is None),
                "reason": self.corrects.change_set.reason,
                "replaces": self.corrects.change_set_id,
            }
        super().__init__(*args, **kwargs)

    def _initial(self, fields: dict[str, Any], *, new: bool) -> dict[str, Any]:
        shown = self.from_record(fields) | (self.from_new_record(fields) if new else {})
        return {self.names.get(name, name): value for name, value in shown.items()}

    def from_new_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields that the form shows for a new record only."""
        return {}


class PendingFileForm(FileForm):
    """The file to import, and the reason for the changes that wait for approval."""

    reason = forms.CharField(
        required=False,
        max_length=2000,
        widget=UnfoldAdminTextareaWidget({"rows": 2}),
        help_text="For the person who approves. A rated energy far from mAh times volts needs a reason.",
    )


class PendingAdmin(ShowsHistory, RecordAdmin):
    """A form over records of the catalog whose facts change by approval."""

    table: ClassVar[Table]

    change_form_outer_before_template = "admin/catalog/_waiting.html"

    # --- The form ---

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the class of the form, which begins with a returned change if the address names one."""
        form_class = super().get_form(request, obj, change=change, **kwargs)
        asked = as_key(ChangeSet, request.GET.get(CORRECTS, ""))
        if asked is not None and request.method != "POST":
            form_class.corrects = (
                PendingChange.objects.filter(
                    change_set=asked,
                    change_set__state=ChangeSetState.RETURNED,
                    kind=kind_of(self.table),
                    **({"record_id": obj.pk} if obj else {"before__isnull": True}),
                )
                .select_related("change_set")
                .first()
            )
        return form_class

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the form below the change of the record that waits, if one does."""
        waiting = waiting_change(self.table, object_id)
        row = self.model._default_manager.filter(pk=object_id).first() if waiting else None
        shown: dict[str, Any] = {}
        if waiting and row:
            change_set = waiting.change_set
            shown["waiting"] = {
                "change_set": change_set,
                "change": shown_change(self.table, waiting, row.to_record(), self.form),
                "approvers": [user.get_username() for user in approvers_of(change_set)],
                "own_work": acting_user(request).pk in change_set.authors,
            }
        return super().change_view(request, object_id, form_url, (extra_context or {}) | shown)

    @admin.display(description="")
    def reason(self, row: Any) -> str:
        """Return nothing: a user who may only view gives no reason."""
        return ""

    @admin.display(description="")
    def replaces(self, row: Any) -> str:
        """Return nothing: a user who may only view replaces nothing."""
        return ""

    # --- Writing ---

    def write(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save the record: what decides answers becomes a change set."""
        by = acting_user(request)
        if not change and self.table.existing([str(obj.pk)], by=by):
            raise AlreadyRecorded(str(obj.pk), "is already recorded")
        found = actions.propose(
            self.table,
            [form.record()],
            by=by,
            subject=str(obj.pk),
            reason=form.cleaned_data.get("reason") or "",
            replaces=form.cleaned_data.get("replaces"),
            # The row has been locked since the form was read.
            known={str(obj.pk): form.before} if change else {},
        )
        form.change_set = request.change_set = found  # type: ignore[attr-defined]

    def what_changed(self, form: Any) -> str:
        """Return each field, before and after, and which change set it waits in."""
        changed = super().what_changed(form)
        return f"{changed} (in {form.change_set})" if form.change_set else changed

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Log a new record, unless it waits: then the audit log has it."""
        return None if _of(request) else super().log_addition(request, obj, message)

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Redirect to the change set of a new record that waits."""
        found = _of(request)
        return (
            self.lead_to(request, found) if found else super().response_add(request, obj, post_url_continue)
        )

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Redirect to the change set of a change that waits."""
        found = _of(request)
        return self.lead_to(request, found) if found else super().response_change(request, obj)

    def lead_to(self, request: HttpRequest, change_set: ChangeSet) -> HttpResponse:
        """Redirect to a change set that was opened, and say that it waits."""
        messages.warning(
            request,
            f"{change_set.subject}: the change waits for approval by another person.",
        )
        if request.user.has_perm("catalog.view_changeset"):
            # Its page says what it lacks.
            return HttpResponseRedirect(reverse("admin:catalog_changeset_change", args=[change_set.pk]))
        self._warn(request, change_set)
        return HttpResponseRedirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"))

    def _warn(self, request: HttpRequest, change_set: ChangeSet) -> None:
        """Say which records of a change set rest on nothing that was read."""
        if warning := unread(change_set):
            messages.warning(request, warning)


class PendingBulkAdmin(BulkAdmin, PendingAdmin):
    """A list and a form over such records, with import and export. A deletion waits, too."""

    file_form = PendingFileForm
    writer = PendingWriter
    what_imports_do = (
        "changes that record. Any other row adds a record. All of it but notes waits for another person's "
        "approval, all of a file together"
    )

    def log_import(self, request: HttpRequest, name: str, plan: importing.Plan) -> None:
        """Log what was imported, and describe what waits."""
        super().log_import(request, name, plan)
        if plan.change_set is not None:
            messages.warning(
                request,
                format_html(
                    '<a class="underline" href="{}">Change set {}</a> waits for approval by another person. '
                    "Records in it: {}.",
                    reverse("admin:catalog_changeset_change", args=[plan.change_set]),
                    plan.change_set,
                    plan.waiting,
                ),
            )
            self._warn(request, ChangeSet.objects.get(pk=plan.change_set))

    def remove(self, request: HttpRequest, obj: Any) -> None:
        """Keep the deletion in a change set: another person approves it."""
        by = acting_user(request)
        found = actions.propose_deletion(self.table, str(obj.pk), by=by)
        request.change_set = found  # type: ignore[attr-defined]

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Log nothing: the deletion waits, and the audit log has it."""

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: Any) -> HttpResponse:
        """Redirect to the change set of a deletion, which waits."""
        found = _of(request)
        if found is None:
            return super().response_delete(request, obj_display, obj_id)
        return self.lead_to(request, found)


def _of(request: HttpRequest) -> ChangeSet | None:
    """Return the change set that the form of a request became."""
    return getattr(request, "change_set", None)
