"""Import and export on any list of records: a screen takes part by naming its `table`.

An import has two steps. The file is read and its effect is shown, row by row; then a button does exactly
that. Between the two the file stays in the session of its sender, and the button carries the digest of what
was shown, so it cannot do anything else.
"""

import base64
import zlib
from http import HTTPStatus
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminFileFieldWidget

from catalog.bulk import files, importing, parts
from catalog.bulk.cells import columns_of
from catalog.bulk.tables import Table
from catalog.errors import Refused
from catalog.screens.confirmation import acting_user

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}
MOST_SHOWN = 1_000
"""How many changed rows a preview shows."""

KINDS: tuple[importing.Kind, ...] = ("error", "unchecked", "new", "changed", "same")

PARTS = {"rows-with-errors": parts.with_errors, "other-rows": parts.without_errors}
"""The files into which a file with errors is divided, by the last part of their address."""

WAITING = "catalog_import"


class FileForm(forms.Form):
    """The file to import."""

    file = forms.FileField(
        widget=UnfoldAdminFileFieldWidget({"accept": ".csv,.xlsx,.json"}),
        help_text=f"CSV in UTF-8 or JSON, up to {files.MAX_BYTES // 1024 // 1024} MB and {files.MAX_ROWS:,} "
        f"rows; XLSX up to {files.MAX_WORKBOOK_ROWS:,} rows. You see first what "
        "would change.",
    )


class BulkAdmin(ModelAdmin):
    """A list whose records can be exported and imported."""

    table: ClassVar[Table]
    file_form: ClassVar[type[FileForm]] = FileForm
    writer: ClassVar[type[importing.Writer]] = importing.Writer
    what_imports_do: ClassVar = "changes that record. Any other row adds a record"
    """The outcome of a row whose record exists, and of others."""

    list_before_template = "admin/catalog/tools.html"

    class Media:
        css = {"all": ["catalog/desk.css"]}

    def get_urls(self) -> list[Any]:
        """Return the addresses, with import and export before those of records."""
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        return [
            path("import/", self.admin_site.admin_view(self.import_view), name=f"{name}_import"),
            path(
                "import/<slug:part>/",
                self.admin_site.admin_view(self.part_view),
                name=f"{name}_import_part",
            ),
            path(
                "export/<str:file_format>/",
                self.admin_site.admin_view(self.export_view),
                name=f"{name}_export",
            ),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the list, with its tools above it."""
        return super().changelist_view(request, {**(extra_context or {}), "tools": self.tools(request)})

    def tools(self, request: HttpRequest) -> list[tuple[str, str, str]]:
        """Return the links above the list: label, icon, address."""
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}"
        query = f"?{request.GET.urlencode()}" if request.GET else ""
        tools = [
            (
                f"Export {file_format.upper()}",
                "download",
                reverse(f"{name}_export", args=[file_format]) + query,
            )
            for file_format in CONTENT_TYPES
        ]
        if self.has_import_permission(request):
            tools.append(("Import", "upload", reverse(f"{name}_import")))
        return tools

    def has_import_permission(self, request: HttpRequest) -> bool:
        """Return whether a user may import: a file can both add and change."""
        return self.has_add_permission(request) and self.has_change_permission(request)

    # --- Export ---

    def export_view(self, request: HttpRequest, file_format: str) -> HttpResponse:
        """Send the records that the list shows, on all its pages."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if file_format not in CONTENT_TYPES:
            raise Http404
        try:
            rows = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters:
            raise Http404 from None
        keys = list(rows.order_by(*self.table.order).values_list("pk", flat=True))
        try:
            if file_format == "xlsx" and len(keys) > files.MAX_WORKBOOK_ROWS:
                raise files.UnwritableFile(
                    f"A workbook of more than {files.MAX_WORKBOOK_ROWS:,} rows takes too long. "
                    "Filter the list, or export CSV or JSON."
                )
            content = files.write(file_format, self.table.exported(keys), self.table.file_type)
        except files.UnwritableFile as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect("../../")
        return _download(content, file_format, f"{self.table.name}.{file_format}")

    # --- Import ---

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Take a file and show its effect, or import it."""
        if not self.has_import_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return self._ask(request, self.file_form(initial={"reason": self._kept_reason(request)}))
        if "agreed" in request.POST:
            return self._apply(request, request.POST["agreed"])
        form = self.file_form(request.POST, request.FILES)
        if not form.is_valid():
            return self._ask(request, form)
        uploaded = form.cleaned_data["file"]
        if uploaded.size > files.MAX_BYTES:
            form.add_error(
                "file", f"The file is larger than {files.MAX_BYTES // 1024 // 1024} MB; import it in parts."
            )
            return self._ask(request, form)
        content, reason = uploaded.read(), form.cleaned_data.get("reason", "")
        try:
            plan = importing.preview(
                self.table,
                uploaded.name,
                content,
                by=acting_user(request),
                reason=reason,
                writer=self.writer,
            )
        except (files.UnreadableFile, Refused) as problem:
            form.add_error("file", str(problem))
            return self._ask(request, form)
        self._keep(request, uploaded.name, content, reason, plan)
        return self._show(request, uploaded.name, plan)

    def _apply(self, request: HttpRequest, agreed: str) -> HttpResponse:
        """Do the agreed import; show it again if its outcome has changed."""
        waiting = request.session.get(WAITING, {})
        if waiting.get("table") != self.table.name:
            messages.error(request, "Nothing was imported: the file is no longer stored. Choose it again.")
            return HttpResponseRedirect(request.path)
        content = zlib.decompress(base64.b64decode(waiting["content"]))
        try:
            done, plan = importing.apply(
                self.table,
                waiting["name"],
                content,
                by=acting_user(request),
                agreed=agreed,
                reason=waiting["reason"],
                names_confirmed="names_confirmed" in request.POST,
                writer=self.writer,
            )
        except (files.UnreadableFile, Refused) as problem:
            messages.error(request, f"Nothing was imported. {problem}")
            return HttpResponseRedirect(request.path)
        if not done:
            unconfirmed = plan.digest == agreed and plan.new_names
            messages.error(
                request,
                "Nothing was imported: confirm the new brands first."
                if unconfirmed
                else "Nothing was imported: records have changed since the preview. Look at the new preview.",
            )
            return self._show(request, waiting["name"], plan)
        del request.session[WAITING]
        self.log_import(request, waiting["name"], plan)
        messages.success(request, _said(waiting["name"], plan))
        return HttpResponseRedirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"))

    def _kept_reason(self, request: HttpRequest) -> str:
        """Return the reason that was typed for an import of this list which was not done."""
        waiting = request.session.get(WAITING, {})
        return str(waiting["reason"]) if waiting.get("table") == self.table.name else ""

    def part_view(self, request: HttpRequest, part: str) -> HttpResponse:
        """Send the rows with errors of the file that was last chosen, or the others."""
        if not self.has_import_permission(request):
            raise PermissionDenied
        waiting = request.session.get(WAITING, {})
        if waiting.get("table") != self.table.name or part not in PARTS:
            raise Http404
        content = zlib.decompress(base64.b64decode(waiting["content"]))
        sheet = files.read(waiting["name"], content, self.table.file_type)
        problems = {number: reason for reason, numbers in waiting["problems"] for number in numbers}
        extension = "json" if sheet.is_json else "csv"
        name = f"{self.table.name}-{part}.{extension}"
        return _download(PARTS[part](sheet, problems), extension, name)

    def _keep(
        self, request: HttpRequest, name: str, content: bytes, reason: str, plan: importing.Plan
    ) -> None:
        packed = base64.b64encode(zlib.compress(content)).decode()
        request.session[WAITING] = {
            "table": self.table.name,
            "name": name,
            "content": packed,
            "reason": reason,
            "problems": [(problem.reason, problem.rows) for problem in plan.problems],
        }

    def log_import(self, request: HttpRequest, name: str, plan: importing.Plan) -> None:
        """Log what was imported."""
        for kind, flag in (("new", ADDITION), ("changed", CHANGE)):
            ids = [outcome.record_id for outcome in plan.outcomes if outcome.kind == kind]
            LogEntry.objects.log_actions(
                user_id=acting_user(request).pk,
                queryset=self.table.model.objects.filter(pk__in=ids),
                action_flag=flag,
                change_message=f"Imported from {name}.",
            )

    def _ask(self, request: HttpRequest, form: FileForm) -> HttpResponse:
        status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
        context = {
            "form": form,
            "columns": columns_of(self.table.record_type),
            "marks": self.table.marks,
            "key": self.table.key,
            "what_imports_do": self.what_imports_do,
        }
        return self._page(request, "admin/catalog/import.html", context, status)

    def _show(self, request: HttpRequest, name: str, plan: importing.Plan) -> HttpResponse:
        happening = [outcome for outcome in plan.outcomes if outcome.kind != "same"]
        # Problems come first.
        happening.sort(key=lambda outcome: outcome.kind != "error")
        context = {
            "file_name": name,
            "plan": plan,
            "counts": [(kind, count) for kind in KINDS if (count := plan.count(kind))],
            "outcomes": happening[:MOST_SHOWN],
            "more": max(len(happening) - MOST_SHOWN, 0),
        }
        return self._page(request, "admin/catalog/preview.html", context, HTTPStatus.OK)

    def _page(
        self, request: HttpRequest, template: str, context: dict[str, Any], status: HTTPStatus
    ) -> HttpResponse:
        frame = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"Import {self.opts.verbose_name_plural}",
        }
        return TemplateResponse(request, template, frame | context, status=status)


def _download(content: bytes, file_format: str, name: str) -> HttpResponse:
    return HttpResponse(
        content,
        content_type=CONTENT_TYPES[file_format],
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )


def _said(name: str, plan: importing.Plan) -> str:
    """Return what an import did: what waits for approval is not in force yet."""
    counts = f"{plan.count('new')} new, {plan.count('changed')} changed, {plan.count('same')} the same"
    if not plan.waiting:
        return f"Imported {name}: {counts}."
    wait = f"{plan.waiting:,} {'record waits' if plan.waiting == 1 else 'records wait'} for approval"
    return f"Read {name}: {counts}. {wait}, in change set {plan.change_set}."
