"""Lists whose rows show what rests on a page, with one set of queries for all rows."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest

from catalog.screens.read_only import ReadOnlyAdmin
from rules.watch.admin.words import counted
from rules.watch.dependents import Dependents, dependents_of
from rules.watch.models import WatchedPage

MOST_NAMED = 2


class DependentsAdmin(ReadOnlyAdmin):
    """A list of pages, or of records about a page. Only the buttons write."""

    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    list_max_show_all = 0
    leads_to_page: ClassVar[str] = ""
    """The attribute of a row that is its page; empty if the row itself is a page."""

    class Media:
        css = {"all": ["catalog/desk.css", "rules/watch.css"]}

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Return the list, each row with what rests on its page."""
        changes = super().get_changelist_instance(request)
        changes.result_list = rows = list(changes.result_list)
        dependents = dependents_of({self.page_of(row).url for row in rows})
        for row in rows:
            row.dependents = dependents[self.page_of(row).url]
        return changes

    def page_of(self, row: Any) -> WatchedPage:
        """Return the page that a row is about."""
        page: WatchedPage = getattr(row, self.leads_to_page) if self.leads_to_page else row
        return page

    @admin.display(description="Sources")
    def source_names(self, row: Any) -> str:
        """Return which sources cite the page."""
        named = row.dependents.sources[:MOST_NAMED]
        more = len(row.dependents.sources) - len(named)
        return f"{', '.join(named)}{f' and {more} more' if more else ''}" or "none"

    @admin.display(description="Used by")
    def weight(self, row: Any) -> str:
        """Return how many records of each kind rest on the page."""
        return weight_of(row.dependents)


def weight_of(dependents: Dependents) -> str:
    """Return how much rests on a page: `3 rules, 1 airline`."""
    parts = [
        (dependents.rules, "rule", ""),
        (dependents.airlines, "airline", ""),
        (dependents.recalls, "recall", ""),
        (dependents.disagreements, "disagreement", ""),
    ]
    return ", ".join(counted(len(ids), one, many) for ids, one, many in parts if ids) or "nothing"
