"""Import and export on lists of rules and recalls: a file becomes drafts, and the log keeps the reason."""

from typing import ClassVar

from django.contrib import messages
from django.http import HttpRequest

from catalog.bulk import importing
from catalog.editorial.permissions import may
from catalog.editorial.screens.verbs import ReasonForm
from catalog.editorial.workflow import EditorAction
from catalog.screens.bulk import BulkAdmin, FileForm
from catalog.screens.confirmation import acting_user


class FileAndReasonForm(FileForm, ReasonForm):
    """The file to import, and why."""

    field_order = ("file", "reason")


class BulkRevisionsAdmin(BulkAdmin):
    """A list whose revisions are exported, and whose records are imported as drafts."""

    file_form: ClassVar[type[FileForm]] = FileAndReasonForm
    what_imports_do = (
        "and differs opens the next revision of that record, as your draft. Any other row "
        "becomes the draft of a new record. Another person must approve each draft before a "
        "release can contain it"
    )

    def has_import_permission(self, request: HttpRequest) -> bool:
        """Return whether a user may import: a file can draft, revise and change."""
        user = acting_user(request)
        return all(
            may(user, action, self.model)
            for action in (EditorAction.DRAFT, EditorAction.REVISE, EditorAction.CHANGE)
        )

    def log_import(self, request: HttpRequest, name: str, plan: importing.Plan) -> None:
        """Describe the next step. The actions have already written the log."""
        messages.info(
            request, "The imported rows are now your drafts. Submit them for review when they are correct."
        )
