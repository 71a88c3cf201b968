"""What a person typed in the form of a row that meanwhile went away, or can no longer be written.

`KeepsLostText` is a base of screens with forms. It answers such a POST with a page that says what happened,
shows what was typed, and leads to a form that can take it. The fields are in that page alone: nothing of them
is written.
"""

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, ClassVar

from django import forms
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from unfold.admin import ModelAdmin

from catalog.screens.kept import kept_fields

RESTORE = "_restore"
"""What is sent with text that was typed before: it is shown in the form, and not written."""

OF_THE_FORM = {"seen", "both"}
"""Fields that no one typed."""


@dataclass(frozen=True, kw_only=True)
class WayOn:
    """What became of the row, and where its text can be used.

    `address` takes the typed fields, and `more` beside them, when `button` is pressed; without one the text
    can only be read. `question` is asked before. Without `knows_seen` that form has nothing that another
    person wrote.
    """

    happened: str
    advice: str
    button: str = ""
    address: str = ""
    more: dict[str, str] = field(default_factory=dict)
    question: forms.Form | None = None
    knows_seen: bool = True


class KeepsLostText(ModelAdmin):
    """A form whose text outlives its row."""

    key: ClassVar[str]
    """The field that contains the primary key, or the id of a revision's record. It is chosen once."""

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Take the form; if its row can no longer be written, show what was typed."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except PermissionDenied:
            if request.method != "POST" or object_id is None or not self.has_change_permission(request):
                raise
            row = self.get_object(request, unquote(object_id))
            if row is not None and self.has_change_permission(request, row):
                raise
            lost = self.lost(request, unquote(object_id), row)
            if lost is None:
                raise
            return lost

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, opts: Any, object_id: str
    ) -> HttpResponse:
        """Answer for a row that is gone: with what was typed, if anything was."""
        is_typed = request.method == "POST" and self.has_change_permission(request)
        lost = self.lost(request, object_id, None) if is_typed else None
        return lost or super()._get_obj_does_not_exist_redirect(request, opts, object_id)

    def lost(self, request: HttpRequest, object_id: str, row: Any) -> HttpResponse | None:
        """Return the answer to a form whose row is gone, or cannot be written any more."""
        return None if row is not None else self.lost_page(request, self.when_deleted(request, object_id))

    def when_deleted(self, request: HttpRequest, object_id: str) -> WayOn:
        """Return the way on for the text of a row that is gone: the form of a new one."""
        name = self.opts.verbose_name
        happened = f"Meanwhile another person deleted the {name} {object_id}."
        if not self.has_add_permission(request):
            return WayOn(happened=happened, advice="Copy what you need.")
        return WayOn(
            happened=happened,
            advice="If it is still needed, the next page shows what you wrote in the form of a new one.",
            button=f"Make a new {name} of it",
            address=reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_add"),
            more={self.key: object_id},
            knows_seen=False,
        )

    def lost_page(self, request: HttpRequest, way: WayOn, *, is_gone: bool = True) -> HttpResponse:
        """Show what was typed, what happened, and the way on. To write what is there stays forbidden."""
        sent = [one for one in kept_fields(request) if not one[0].startswith(("_", "again-", "keep-"))]
        typed = [(name, value) for name, value in sent if name not in {*OF_THE_FORM, *way.more}]
        hidden = [*typed, *way.more.items(), (RESTORE, "1")]
        if way.knows_seen:
            hidden += [(name, value) for name, value in sent if name == "seen"]
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Not saved: your text is here",
            "way": way,
            "hidden": hidden,
            "typed": [(self._called(name), value) for name, value in typed if value],
        }
        status = HTTPStatus.CONFLICT if is_gone else HTTPStatus.FORBIDDEN
        return TemplateResponse(request, "admin/catalog/lost.html", context, status=status)

    def _called(self, name: str) -> str:
        """Return the label of a field."""
        found = self.form.base_fields.get(name)
        return str(found.label) if found and found.label else name.replace("_", " ").capitalize()
