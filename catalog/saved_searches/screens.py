"""Saved searches above a list: links, a form that saves what the list shows, and buttons that delete one."""

import copy
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import path as address
from django.urls import reverse
from django.views.decorators.http import require_POST
from unfold.admin import ModelAdmin

from catalog.errors import Refused, Unfit
from catalog.saved_searches.actions import forget_search, save_search
from catalog.saved_searches.models import MOST_CHARACTERS, SavedSearch
from catalog.screens.confirmation import acting_user
from catalog.screens.ids import as_key

NOT_KEPT = ("p", "page", "all", "e", "_popup", "_to_field", "_changelist_filters")
"""Parameters of a list that say nothing about what is searched."""

MOST_FIELDS = 100


def kept(text: str) -> str:
    """Return a query as it is saved. Raises `Unfit` for one that no list sends."""
    if len(text) > MOST_CHARACTERS:
        raise Unfit("the search", f"has a query of more than {MOST_CHARACTERS:,} characters")
    query = QueryDict(text.removeprefix("?"), mutable=True)
    for name in NOT_KEPT:
        query.pop(name, None)
    for name, values in list(query.lists()):
        # The form of the filters also sends those that are not set.
        if any("\x00" in text for text in (name, *values)):
            raise Unfit("the search", "this list has no such filter")
        query.setlist(name, [value for value in values if value])
        if not query.getlist(name):
            del query[name]
    return query.urlencode()


def shown(request: HttpRequest, page: str, save: str, forget: str) -> dict[str, Any]:
    """Return what the template needs. `save` and `forget` are the names of the addresses. One query."""
    try:
        now = kept(request.GET.urlencode())
    except Unfit:
        now = ""
    mine = SavedSearch.objects.filter(owner=acting_user(request), page=page)
    return {
        "searches": list(mine),
        "search_now": now,
        "search_save": reverse(save),
        "search_forget": reverse(forget),
    }


def take(request: HttpRequest, page: str, check: Callable[[QueryDict], None], back: str) -> HttpResponse:
    """Save what the form sends, if the list has these filters. `check` raises `Unfit` if not."""
    name, text = request.POST.get("name", ""), request.POST.get("query", "")
    try:
        query = kept(text)
        check(QueryDict(query))
        found = save_search(by=acting_user(request), page=page, name=name, query=query)
    except Refused as refused:
        said = name.strip()[:100]
        messages.error(request, f"Not saved{f' as “{said}”' if said else ''}: {refused.reason}.")
        return HttpResponseRedirect(back)
    messages.success(request, f"Saved as “{found.name}”.")
    return HttpResponseRedirect(f"{back}?{query}")


def drop(request: HttpRequest, back: str) -> HttpResponse:
    """Delete the search of the user that the button names."""
    key = as_key(SavedSearch, request.POST.get("key", ""))
    if key is not None and forget_search(by=acting_user(request), key=key):
        messages.success(request, "The saved search is deleted.")
    else:
        messages.error(request, "This saved search is deleted already.")
    return HttpResponseRedirect(back)


class SavesSearches(ModelAdmin):
    """A list whose filters a person can save."""

    list_before_template: str | None = "admin/catalog/searches.html"

    def get_urls(self) -> list[Any]:
        """Add the addresses of the form and the buttons."""
        view = self.admin_site.admin_view
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        return [
            address("searches/save/", view(require_POST(self.save_view)), name=f"{name}_save_search"),
            address("searches/delete/", view(require_POST(self.forget_view)), name=f"{name}_forget_search"),
            *super().get_urls(),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the list below the saved searches of the user."""
        more = self._searches(request) if self.has_view_permission(request) else {}
        return super().changelist_view(request, {**(extra_context or {}), **more})

    def save_view(self, request: HttpRequest) -> HttpResponse:
        """Save the filters of the list."""
        self._require_sight(request)
        return take(request, self._search_page, lambda query: self._check(request, query), self._search_list)

    def forget_view(self, request: HttpRequest) -> HttpResponse:
        """Delete a search."""
        self._require_sight(request)
        return drop(request, self._search_list)

    @property
    def _search_page(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}"

    @property
    def _search_list(self) -> str:
        return reverse(f"admin:{self._search_page}_changelist")

    def _searches(self, request: HttpRequest) -> dict[str, Any]:
        name = f"admin:{self._search_page}"
        return shown(request, self._search_page, f"{name}_save_search", f"{name}_forget_search")

    def _require_sight(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied

    def _check(self, request: HttpRequest, query: QueryDict) -> None:
        """Make the list that a query asks for. Raises `Unfit` if it has no such filters."""
        asked: Any = copy.copy(request)
        asked.GET, asked.method = query, "GET"
        try:
            self.get_changelist_instance(asked)
        except (IncorrectLookupParameters, SuspiciousOperation):
            raise Unfit("the search", "this list has no such filter") from None
