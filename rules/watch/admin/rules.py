"""The screen of a rule with the open signals about its pages."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from rules.editing.admin.rules import RuleAdmin
from rules.editing.models import Rule
from rules.watch.admin.links import signal_links
from rules.watch.models import WatchSignal

admin.site.unregister(Rule)


@admin.register(Rule)
class WatchedRuleAdmin(RuleAdmin):
    """Rules, each with the open signals about the pages that it cites."""

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        """Add the open signals."""
        row = context["original"]
        context["signals"] = _signals(row) if row else ""
        return super().render_change_form(request, context, *args, **kwargs)


def _signals(row: Rule) -> str:
    """Return links to the open signals about the pages that a revision cites."""
    urls = {link.source.url for link in row.evidence.all()}
    return signal_links(WatchSignal.objects.filter(page__url__in=urls))
