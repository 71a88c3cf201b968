"""Forms with live panels: while an editor types, panels show the effects, and nothing is written.

The script of such a page sends the form as it is and gets a panel back. Without a script, the buttons named
in `preview_buttons` send it, and the page comes back with the typed values. Users who may only read see the
same panels, made from the row. Called by the screens of revisions.
"""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join

from catalog.editorial.screens.workflow import WorkflowAdmin
from catalog.screens.ids import row_or_none
from catalog.screens.record_forms import ActionForm, RecordForm
from catalog.sources.evidence_columns import caption

COPY = "copy"
"""The field of an address that names the revision which a new draft copies."""

LINK = "text-primary-600 dark:text-primary-500 underline"


class PreviewForm(ActionForm):
    """A form that may be previewed: the typed values are checked and shown, and nothing is written."""

    preview_only = False

    def is_valid(self) -> bool:
        """Return whether this can be written; never in a preview."""
        return super().is_valid() and not self.preview_only

    def _post_clean(self) -> None:
        """Check the row only if it is to be written.

        Django asks the database about each of its constraints: too slow for every key press.
        """
        if not self.preview_only:
            super()._post_clean()


class RecordPreviewForm(PreviewForm, RecordForm):
    """Such a form of a record."""


class PreviewAdmin(WorkflowAdmin):
    """A screen of revisions with panels."""

    written: ClassVar[list[Any]]
    """The fieldsets of the form, in the order in which an editor thinks."""

    read: ClassVar[list[Any]]
    """The same fieldsets, read-only."""

    preview_buttons: ClassVar[frozenset[str]]
    """The buttons that show and write nothing, for browsers without the script."""

    not_copied: ClassVar[frozenset[str]] = frozenset()
    """The fields that a copy leaves open: what it is about, and its evidence. Without any, none is copied."""

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Begin with the content of the revision that the address names, but never with its evidence."""
        row = row_or_none(self.model, request.GET.get(COPY, "")) if self.not_copied else None
        if row is None or not self.has_view_permission(request, row):
            return super().get_changeform_initial_data(request)
        form = self.get_form(request, row, change=True)(instance=row)
        return {name: value for name, value in form.initial.items() if name not in self.not_copied}

    def writes(self, request: HttpRequest, row: Any) -> bool:
        """Return whether a user may write in a row, or in a new one if there is none yet."""
        return self.has_change_permission(request, row) if row else self.has_add_permission(request)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fieldsets of the form, or the read-only ones."""
        return self.written if self.writes(request, obj) else self.read

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return a revision with all the data that its page shows.

        The theme asks for each field several times, and would repeat the queries for each of its parts.
        """
        row = super().get_object(request, object_id, from_field)
        if row is not None:
            if hasattr(row, "evidence"):
                prefetch_related_objects([row], "evidence__source")
            row.may_be_copied = bool(self.not_copied) and self.has_add_permission(request)
            row.author_names = dict(User.objects.filter(pk__in=row.authors).values_list("pk", "username"))
        return row

    @admin.display(description="Sources")
    def sources_read(self, row: Any) -> str:
        """Return the sources with links: to the page itself, and to its screen in the desk."""
        return format_html_join(
            "",
            '<p class="desk-source"><a class="{0}" href="{1}">{2}</a> {3}'
            ' <a class="{0}" href="{4}" rel="noreferrer" target="_blank">open the page</a></p>',
            [
                (LINK, reverse("admin:catalog_source_change", args=[one.pk]), one.pk, caption(one), one.url)
                for one in (link.source for link in row.evidence.all())
            ],
        )

    @admin.display(description="Written by")
    def written_by(self, row: Any) -> str:
        """Return who wrote in this revision."""
        return ", ".join(row.author_names.get(author, str(author)) for author in row.authors)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the class of the form, which knows whether this is a preview."""
        form_class = super().get_form(request, obj, change=change, **kwargs)
        form_class.preview_only = request.method == "POST" and not self.preview_buttons.isdisjoint(
            request.POST
        )
        return form_class

    def typed(self, request: HttpRequest, object_id: int | None) -> tuple[Any, Any]:
        """Return the row of a POST and the form as it is typed; the form is None if it is only read."""
        row = self.get_queryset(request).filter(pk=object_id).first() if object_id is not None else None
        if object_id is not None and row is None:
            raise Http404
        if request.method != "POST" or not self.has_view_permission(request, row):
            raise PermissionDenied
        if not self.writes(request, row):
            if row is None:
                raise PermissionDenied
            return row, None
        form = self.get_form(request, row, change=row is not None)(request.POST, instance=row)
        form.preview_only = True
        form.full_clean()
        return row, form
