"""Dead letters of jobs: the list, and the action that tries them again."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from unfold.decorators import action

from catalog.editorial.permissions import may
from catalog.editorial.workflow import EditorAction
from catalog.models import DeadLetter
from catalog.screens.confirmation import Consent, Step, acting_user, ask_before
from catalog.screens.ids import row_or_404
from catalog.screens.read_only import ReadOnlyAdmin
from rules.watch.actions.signals import try_again
from rules.watch.admin import words

MOST = 200
"""How many are tried again at once."""

LISTED = "admin:catalog_deadletter_changelist"


@admin.register(DeadLetter)
class DeadLetterAdmin(ReadOnlyAdmin):
    """Dead letters."""

    actions = ["try_many_again"]
    actions_detail = ["try_one_again"]
    list_display = ["subject", "name", "reason", "tries", "last"]
    list_display_links = ["subject"]
    list_filter = ["name"]
    list_filter_submit = False
    search_fields = ["subject", "reason"]
    search_help_text = "A word of the subject or of the reason."
    fields = readonly_fields = ["name", "subject", "reason", "tries", "first", "last"]

    @admin.display(description="First tried", ordering="first_tried")
    def first(self, letter: DeadLetter) -> str:
        """Return when it was first tried."""
        return words.instant(letter.first_tried)

    @admin.display(description="Last tried", ordering="last_tried")
    def last(self, letter: DeadLetter) -> str:
        """Return when it was last tried."""
        return f"{words.instant(letter.last_tried)}, {words.since(letter.last_tried, timezone.now())}"

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        """Show the letter: the audit log says what was done about it."""
        return self.change_view(request, object_id)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the actions for many rows."""
        return super().get_actions(request) if self.has_try_again_permission(request) else {}

    def has_try_again_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return whether the user may try something again."""
        return may(acting_user(request), EditorAction.RETRY, DeadLetter)

    @admin.action(description="Try again")
    def try_many_again(self, request: HttpRequest, chosen: QuerySet[DeadLetter]) -> None:
        """Try the chosen ones again."""
        letters = list(chosen[: MOST + 1])
        if len(letters) > MOST:
            messages.error(request, f"Nothing was done. You can choose up to {MOST} at once.")
            return
        for letter in letters:
            try_again(by=acting_user(request), letter=letter)
        done = words.counted(len(letters), "item is", "items are")
        messages.success(request, f"{done} tried again in the next run of the job.")

    @action(description="Try again", url_path="try-again", permissions=["try_again"], icon="replay")
    def try_one_again(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Ask, then try one again."""
        letter = row_or_404(DeadLetter, object_id)

        def act(consent: Consent) -> HttpResponse:
            try_again(by=consent.by, letter=letter)
            messages.success(request, f"{letter.subject} is tried again in the next run of {letter.name}.")
            return HttpResponseRedirect(reverse(LISTED))

        step = Step(
            title=f"Try again: {letter.subject}",
            consequence="It leaves this list. If it fails again, it comes back.",
            button="Try again",
        )
        return ask_before(step, act, admin=self, request=request, subject=letter)
