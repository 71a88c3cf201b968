"""The page that searches the whole desk: the first records of each kind, each with a link to its whole list.

Each kind is searched as its list searches it. Models are many, so those of the current release are found in
memory, as the site finds them. Those recorded since are found in their table, and if that finds nothing, all.
"""

import datetime
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django import forms
from django.contrib import admin
from django.db.models import Case, IntegerField, Model, Q, Value, When
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path, reverse

from aeo.guides.editing.models import GuideText
from catalog.editorial.models import Revision
from catalog.models import Airline, ChangeSet, Device, Source
from compliance.desk.shapes import FEW, Row, address
from compliance.partners.models import Partner
from recalls.models import FeedNotice, Recall
from rules.corpus import CorpusUnavailable, current
from rules.models import Disagreement, Release, Rule, VerdictCase

MOST_CHARACTERS = 100
MOST_WORDS = 8
"""Of a longer text the first words count. Each word is looked for in every column of a list's search."""

LONGEST_WRITING = datetime.timedelta(days=1)
"""By how much a model that a release does not contain may be written before it. No import takes longer."""


class Kind(NamedTuple):
    """A kind of records: its table, what identifies a row of it, and what a row says of itself."""

    model: type[Model]
    key: str
    says: Callable[[Any], str]


KINDS = (
    Kind(Rule, "rule_id", lambda row: row.summary),
    Kind(Recall, "recall_id", lambda row: row.title),
    Kind(Device, "model_id", lambda row: f"{row.brand.name} {row.model_name}"),
    Kind(Airline, "code", lambda row: row.icao or ""),
    Kind(Source, "id", lambda row: row.title),
    Kind(Disagreement, "disagreement_id", lambda row: row.question),
    Kind(VerdictCase, "name", lambda row: ""),
    Kind(GuideText, "slug", lambda row: row.title),
    Kind(FeedNotice, "number", lambda row: row.title),
    Kind(ChangeSet, "subject", lambda row: f"{row.get_state_display()}: {row.reason}"),
    Kind(Release, "ruleset_version", lambda row: row.note),
    Kind(Partner, "slug", lambda row: row.name),
)
"""What is searched, in the order of the page."""


class Found(NamedTuple):
    """The first records of one kind, and the list that has all of them."""

    title: str
    rows: list[Row]
    link: str
    has_more: bool


class SearchForm(forms.Form):
    """The words to look for."""

    q = forms.CharField(required=False, max_length=MOST_CHARACTERS, label="Search the desk")


def search(request: HttpRequest) -> HttpResponse:
    """Show the first records of each kind that the user may see and that a text finds."""
    form = SearchForm(request.GET)
    text = " ".join(form.cleaned_data["q"].split()[:MOST_WORDS]) if form.is_valid() else ""
    frame = admin.site.each_context(request)
    context = frame | {
        "title": "Search",
        "form": form,
        "typed": request.GET.get("q", "").replace("\0", ""),
        "asked": text,
        "most": FEW,
        "pages": _pages(frame["sidebar_navigation"], text) if text else [],
        "kinds": list(_found(request, text)) if text else [],
        "searched": [str(kind.model._meta.verbose_name_plural) for kind in KINDS if _screen(request, kind)],
    }
    return TemplateResponse(request, "admin/search.html", context)


def _pages(navigation: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    """Return the pages of the navigation that have a text in their title."""
    items = (item for group in navigation for item in group["items"])
    return [
        item for item in items if item["has_permission"] and text.casefold() in str(item["title"]).casefold()
    ]


def _found(request: HttpRequest, text: str) -> Iterator[Found]:
    for kind in KINDS:
        screen = _screen(request, kind)
        rows = [] if screen is None else _rows(request, screen, kind, text)
        if not rows:
            continue
        options = kind.model._meta
        name = f"admin:{options.app_label}_{options.model_name}"
        yield Found(
            title=str(options.verbose_name_plural),
            rows=[
                Row(
                    name=str(row),
                    says=f"{row.get_state_display()}: {kind.says(row)}".removesuffix(": ")
                    if isinstance(row, Revision)
                    else kind.says(row),
                    link=address(f"{name}_change", row.pk),
                )
                for row in rows[:FEW]
            ],
            link=f"{reverse(f'{name}_changelist')}?{urlencode({'q': text})}",
            has_more=len(rows) > FEW,
        )


def _screen(request: HttpRequest, kind: Kind) -> Any:
    """Return the screens of a kind; None if the user may not see its rows."""
    screen: Any = admin.site.get_model_admin(kind.model)
    return screen if screen.has_view_permission(request) else None


def _rows(request: HttpRequest, screen: Any, kind: Kind, text: str) -> list[Any]:
    """Return a row more than is shown."""
    model: Any = kind.model
    if model is Device and (models := _models(request, screen, kind, text)):
        return models
    rows = model.objects.newest() if issubclass(model, Revision) else model.objects.all()
    return _searched(request, screen, kind, text, rows)


def _models(request: HttpRequest, screen: Any, kind: Kind, text: str) -> list[Device]:
    """Return the model with this id, those recorded since the current release, and those of the release."""
    try:
        release = current()
    except CorpusUnavailable:
        return []
    ids = [text.casefold(), *(device.model_id for device in release.shelf.search_devices(text)[: FEW + 1])]
    known = Device.objects.select_related("brand").in_bulk(ids)
    recorded_since = Device.objects.filter(created_at__gt=release.published_at - LONGEST_WRITING)
    exact, *others = [known.get(key) for key in ids]
    found = [exact, *_searched(request, screen, kind, text, recorded_since), *others]
    return list({row.pk: row for row in found if row is not None}.values())[: FEW + 1]


def _searched(request: HttpRequest, screen: Any, kind: Kind, text: str, rows: Any) -> list[Any]:
    """Return what a list finds among rows: first the one with this id, then those whose id begins so."""
    model: Any = kind.model
    rows, has_duplicates = screen.get_search_results(request, rows, text)
    if has_duplicates:
        rows = model.objects.filter(pk__in=rows.order_by().values("pk"))
    how_close = Case(
        When(Q(**{f"{kind.key}__iexact": text}), then=Value(0)),
        When(Q(**{f"{kind.key}__istartswith": text}), then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    related = ["brand"] if model is Device else []
    return list(rows.select_related(*related).order_by(how_close, kind.key, "pk")[: FEW + 1])


urlpatterns = [path("search/", admin.site.admin_view(search), name="search")]
app_name = "desk_search"
