"""The screen of a source with what the watch knows of its page."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from catalog.admin import SourceAdmin
from catalog.editorial.screens.live_panels import LINK
from catalog.models import Source
from rules.watch.admin import words
from rules.watch.admin.links import signal_links
from rules.watch.models import WatchedPage, WatchSignal

admin.site.unregister(Source)


@admin.register(Source)
class WatchedSourceAdmin(SourceAdmin):
    """Evidence, each with a link to its watched page and to its open signals."""

    readonly_fields = [*SourceAdmin.readonly_fields, "watch"]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the form, with the watch below what was read."""
        fieldsets = [*super().get_fieldsets(request, obj)]
        return [*fieldsets[:-1], ("The watch", {"fields": ["watch"]}), fieldsets[-1]] if obj else fieldsets

    @admin.display(description="Its page")
    def watch(self, source: Any) -> str:
        """Return the state of the page, with links to it and to its open signals."""
        # The theme asks more than once for what it shows.
        if not hasattr(source, "shown_watch"):
            page = WatchedPage.objects.filter(url=source.url).first() if source.pk else None
            source.shown_watch = _shown(page) if page else "Not watched yet."
        return str(source.shown_watch)


def _shown(page: WatchedPage) -> str:
    now = timezone.now()
    link = format_html(
        '<div><a class="{}" href="{}">{}</a>, visited {}</div>',
        LINK,
        reverse("admin:rules_watchedpage_change", args=[page.pk]),
        words.page_status(page),
        words.since(page.visited, now),
    )
    return link + signal_links(WatchSignal.objects.filter(page=page))
