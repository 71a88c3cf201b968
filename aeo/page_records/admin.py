"""The indexed pages, the most important first."""

from django.contrib import admin
from django.utils.html import format_html
from unfold.decorators import display

from aeo.models import IndexedPage
from catalog.screens.read_only import ReadOnlyAdmin


@admin.register(IndexedPage)
class IndexedPageAdmin(ReadOnlyAdmin):
    """What search engines are told of. The choice of indexed pages decides it."""

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
