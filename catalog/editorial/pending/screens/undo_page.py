"""The page that asks before an approved change set is undone."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse

from catalog.bulk.tables import Table
from catalog.editorial.pending.models import ChangeSet, ChangeSetState
from catalog.editorial.pending.undoing import undo
from catalog.editorial.screens.verbs import ReasonForm
from catalog.screens.confirmation import Consent, Step, acting_user, ask_before
from catalog.screens.ids import row_or_none
from catalog.screens.read_only import ReadOnlyAdmin


class UndoPage(ReadOnlyAdmin):
    """Screens of change sets, with the button that undoes one."""

    def tables(self) -> dict[str, Table]:
        """Return the tables whose records wait, by kind."""
        raise NotImplementedError

    def get_urls(self) -> list[Any]:
        """Add the page."""
        view = self.admin_site.admin_view(self.undo_view)
        return [path("<path:object_id>/undo/", view, name="catalog_changeset_undo"), *super().get_urls()]

    def may_undo(self, request: HttpRequest, found: ChangeSet) -> bool:
        """Return whether a user may change all kinds of records that an approved set changed."""
        kinds = found.changes.order_by().values_list("kind", flat=True).distinct()
        return found.state == ChangeSetState.APPROVED and all(
            acting_user(request).has_perm(f"catalog.change_{kind}") for kind in kinds
        )

    def undo_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the reason, and open the change set that undoes this one."""
        found = row_or_none(ChangeSet, object_id)
        if found is None:
            raise Http404
        if not self.may_undo(request, found):
            raise PermissionDenied
        step = Step(
            title=f"Undo: {found}",
            consequence="All of its records get the facts that they had before it. What it added is deleted, "
            "what it deleted comes back, without the notes for editors. Nothing is written before another "
            "person approves.",
            button="Propose the undoing",
            form_class=ReasonForm,
        )

        def act(consent: Consent) -> HttpResponse:
            opened = undo(found, by=consent.by, reason=consent.answers["reason"], tables=self.tables())
            return HttpResponseRedirect(reverse("admin:catalog_changeset_change", args=[opened.pk]))

        return ask_before(step, act, admin=self, request=request, subject=found)
