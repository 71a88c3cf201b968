"""The page that compares any two releases: `?from=VERSION&to=VERSION`, by kind and page by page."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminTextInputWidget

from rules.publishing.admin.shown_changes import ORDER, shown_changes
from rules.publishing.record_words import RecordWords
from rules.publishing.release_notes import KINDS, WORDS
from rules.releases.comparison import RecordChange, Tally, compare, tally
from rules.releases.ledger import content_or_none
from rules.releases.models import Release

PER_PAGE = 50
"""How many records a page of the comparison shows."""

MOST_OFFERED = 200
"""How many versions the inputs offer, the newest first. Any other one can be typed."""

INPUT = {"list": "versions", "autocomplete": "off", "spellcheck": "false"}


class VersionsForm(forms.Form):
    """Which two releases."""

    earlier = forms.CharField(label="From", max_length=20, widget=UnfoldAdminTextInputWidget(INPUT))
    later = forms.CharField(label="To", max_length=20, widget=UnfoldAdminTextInputWidget(INPUT))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.releases: dict[str, Release] = {}

    def add_prefix(self, field_name: str) -> str:
        """Return the names in the address, one of which is a word of Python."""
        return {"earlier": "from", "later": "to"}.get(field_name, field_name)

    def clean(self) -> dict[str, Any]:
        """Find both releases."""
        cleaned = super().clean() or {}
        named = Release.objects.filter(ruleset_version__in=cleaned.values())
        self.releases = {release.ruleset_version: release for release in named}
        for field, version in list(cleaned.items()):
            if version not in self.releases:
                self.add_error(field, "There is no release with this version.")
        return cleaned


class ComparePage(ModelAdmin):
    """Screens of releases, with the page that compares two."""

    def get_urls(self) -> list[Any]:
        """Add the page."""
        view = self.admin_site.admin_view(self.compare_view)
        return [path("compare/", view, name="rules_release_compare"), *super().get_urls()]

    def compare_view(self, request: HttpRequest) -> HttpResponse:
        """Show what differs between two releases; by default, what the current one changed."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        asked = request.GET.dict()
        form = VersionsForm({**_default(asked), **asked})
        is_valid = form.is_valid()
        context: dict[str, Any] = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Compare two releases",
            "form": form,
            "versions": Release.objects.order_by("-sequence").values_list("ruleset_version", flat=True)[
                :MOST_OFFERED
            ],
        }
        if is_valid:
            earlier, later = (form.releases[form.cleaned_data[name]] for name in ("earlier", "later"))
            context |= {"earlier": earlier, "later": later} | _compared(earlier, later, asked)
        status = HTTPStatus.OK if is_valid or not asked else HTTPStatus.BAD_REQUEST
        return TemplateResponse(request, "admin/rules/compare.html", context, status=status)


def _default(asked: dict[str, str]) -> dict[str, str]:
    """Return the versions that an address leaves out: the current release, and the one before the other."""
    newest = Release.objects.order_by("-sequence").values_list("ruleset_version", flat=True)
    to = asked.get("to") or next(iter(newest[:1]), "")
    before = newest.filter(successor__ruleset_version=to)
    return {"from": next(iter(before[:1]), to), "to": to}


def _compared(earlier: Release, later: Release, asked: dict[str, str]) -> dict[str, Any]:
    before, after = content_or_none(earlier), content_or_none(later)
    if before is None or after is None:
        return {"unreadable": True}
    found = compare(before, after)
    versions = {"from": str(earlier), "to": str(later)}
    kind, change = asked.get("kind", ""), asked.get("change", "")
    kept = _in_order(one for one in found if kind in ("", one.kind) and change in ("", one.change))
    page = Paginator(kept, PER_PAGE).get_page(asked.get("p"))
    narrowed = {name: value for name, value in (("kind", kind), ("change", change)) if value}
    return {
        "total": len(found),
        "kinds": _counts(tally(found), versions),
        "narrowed": narrowed,
        "everything": f"?{urlencode(versions)}",
        "page": page,
        "around": f"?{urlencode(versions | narrowed)}",
        "shown": shown_changes(page.object_list, RecordWords(before, after)),
        "backwards": earlier.sequence > later.sequence,
    }


def _in_order(found: Iterable[RecordChange]) -> list[RecordChange]:
    """Return changes by kind, those that affect travelers first, in the order of the page."""
    return sorted(found, key=lambda one: (ORDER.index(one.kind), one.id))


def _counts(counts: Tally, versions: dict[str, str]) -> list[tuple[str, str, list[tuple[str, int, str]]]]:
    """Return each kind with its address, and its changes: word, number, address."""
    return [
        (
            KINDS.get(kind, kind),
            f"?{urlencode(versions | {'kind': kind})}",
            [
                (word, counts[kind][sign], f"?{urlencode(versions | {'kind': kind, 'change': sign})}")
                for sign, word in WORDS.items()
                if sign in counts[kind]
            ],
        )
        for kind in ORDER
        if kind in counts
    ]
