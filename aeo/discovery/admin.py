"""The choice of indexed pages, and the pages.

A choice is a form that starts with the one in force, and shows what another choice would change.
"""

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from unfold.decorators import display

from aeo import editions
from aeo.discovery.actions import CHOSEN, choose_pages
from aeo.discovery.selectors import difference, unknown_names
from aeo.discovery.tasks import send_for_records
from aeo.page_records.models import Curation, IndexedPage
from aeo.page_records.selectors import choice_in_force
from catalog.editorial.screens.live_panels import PreviewForm
from catalog.screens.confirmation import acting_user
from catalog.screens.history import ShowsHistory
from catalog.screens.read_only import ReadOnlyAdmin
from catalog.screens.record_forms import ActionAdmin

PREVIEW = "_preview"
"""The button that shows a preview and writes nothing."""

MOST_SHOWN = 50
"""How many addresses to add, and how many to remove, are shown."""


class CurationForm(PreviewForm):
    """A choice whose names exist in the current release."""

    class Meta:
        model = Curation
        fields = [*CHOSEN, "reason"]

    def clean(self) -> dict[str, Any]:
        """Refuse names that the release does not have: a misspelled name would leave out nothing."""
        cleaned = super().clean()
        left_out = {name: cleaned.get(name) or [] for name in CHOSEN if name.startswith("without_")}
        release = editions.current(timezone.now()).release
        for name, unknown in unknown_names(Curation(**left_out), release).items():
            self.add_error(name, f"Not in the current release: {', '.join(unknown)}.")
        return cleaned


@admin.register(Curation)
class CurationAdmin(ShowsHistory, ActionAdmin):
    """The choices, the one in force first."""

    form = CurationForm
    list_display = ["choice", "reason", "most_pages", "created_by", "created_at"]
    list_select_related = ["created_by"]
    list_before_template = "admin/aeo/choices.html"
    change_form_before_template = "admin/aeo/difference.html"
    fieldsets = [
        ("How many", {"fields": ["most_pages", "most_of_model", "most_of_airline", "most_of_country"]}),
        (
            "What makes a model important, in points",
            {
                "fields": [name for name in CHOSEN if name.startswith("model_")]
                + ["most_brand_points", "most_class_points"]
            },
        ),
        (
            "What makes an airline important, in points",
            {"fields": [name for name in CHOSEN if name.startswith("airline_")]},
        ),
        ("Left out", {"fields": [name for name in CHOSEN if name.startswith("without_")]}),
        ("Why", {"fields": ["reason"]}),
    ]

    @admin.display(description="Choice", ordering="pk")
    def choice(self, row: Curation) -> str:
        """Return the number of the choice."""
        return str(row)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the choices below the number of indexed pages."""
        return super().changelist_view(
            request, {**(extra_context or {}), "indexed": IndexedPage.objects.count()}
        )

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Start with the choice in force."""
        choice = choice_in_force()
        return {name: getattr(choice, name) for name in CHOSEN}

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the class of the form, which knows whether it is read-only."""
        form_class = super().get_form(request, obj, change=change, **kwargs)
        form_class.preview_only = request.method == "POST" and PREVIEW in request.POST
        return form_class

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show what the typed choice would change, if the editor asked for that."""
        form = context["adminform"].form
        if form.is_bound and form.preview_only and not form.errors:
            typed = Curation(**{name: form.cleaned_data[name] for name in CHOSEN})
            context["difference"] = difference(typed, editions.current(timezone.now()))
            context["most_shown"] = MOST_SHOWN
        return super().render_change_form(request, context, *args, **kwargs)

    def write(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Apply the choice from the form."""
        now = timezone.now()
        choose_pages(by=acting_user(request), choice=obj, edition=editions.current(now), now=now)
        transaction.on_commit(send_for_records, robust=True)


@admin.register(IndexedPage)
class IndexedPageAdmin(ReadOnlyAdmin):
    """The pages announced to search engines. The choice of indexed pages decides which."""

    fields = ["rank", "path", "model_id", "airline", "country", "last_changed", "content_hash"]
    list_display = ["rank", "page", "airline", "country", "last_changed"]
    list_per_page = 100
    search_fields = ["model_id", "=airline", "=country"]
    search_help_text = "A part of a model id, an airline's code, a country's code."
    date_hierarchy = "last_changed"

    @display(description="Page", ordering="path")
    def page(self, row: IndexedPage) -> str:
        """Return the address, as a link to the page."""
        return format_html(
            '<a class="text-primary-600 dark:text-primary-500 underline" href="{0}">{0}</a>', row.path
        )
