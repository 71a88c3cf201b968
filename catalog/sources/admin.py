"""Evidence: what was read, when, and what rests on it."""

from typing import Any

from django.contrib import admin, messages
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from unfold.decorators import action, display

from catalog import records
from catalog.cadence import PACES, STANDARD, cadence_of, freshness, good_until
from catalog.dates import day_words, moment_words
from catalog.records import POINTER
from catalog.screens.bulk import BulkAdmin
from catalog.screens.confirmation import Consent, Step, acting_user, ask_before
from catalog.screens.history import ShowsHistory
from catalog.screens.ids import row_or_404
from catalog.screens.record_forms import RecordAdmin, RecordForm
from catalog.sources import actions
from catalog.sources.bulk import SOURCES
from catalog.sources.evidence_columns import age
from catalog.sources.filters import CadenceFilter, FreshnessFilter, ReadingAgeFilter, UseFilter
from catalog.sources.models import Source
from catalog.tables.references import Reference, references, with_reference_count

_PACES = ", ".join(f"{pace.good_days} days ({cadence})" for cadence, pace in PACES.items())
_STANDARD = ", ".join(f"{kind} {cadence}" for kind, cadence in STANDARD.items())


class SourceForm(RecordForm):
    """The fields of a piece of evidence."""

    record_type = records.Source
    spoken_of_as = {"id": "id"}

    class Meta:
        model = Source
        # The address field comes with the screen, which sets the default scheme.
        fields = [
            "id",
            "kind",
            "authority",
            "jurisdiction",
            "title",
            "basis",
            "read_url",
            "page_date",
            "read_on",
            "cadence",
        ]
        labels = {
            "id": "Source id",
            "authority": "Issued by",
            "url": "Address",
            "basis": "How it was read",
            "read_url": "Read at another address",
            "page_date": "Date on the page",
            "read_on": "Read on",
            "cadence": "Checked",
        }
        help_texts = {
            "id": (
                "The name that rules and models use for it, such as ek-batteries-page. It cannot be "
                "changed later."
            ),
            "authority": "The regulator, airline, maker or newspaper that publishes the page.",
            "jurisdiction": "Its country or region, such as AE, EU or INTL.",
            "title": "The title of the page.",
            "url": "The link that travelers get. For a copy, give the official page.",
            "basis": (
                "Official page read: the authority's own words. Official copy read: a dated copy of "
                "them, word for word, kept by someone else. Secondary read: another author's words. "
                "General knowledge: nothing was read; it is never cited."
            ),
            "read_url": ("Only if an archive or a stored copy (urn:) was read instead of the address above."),
            "page_date": "The date on the page itself, if it has one.",
            "read_on": (
                "When it was last read. If nothing has changed on the page, use “Read again today” instead. "
                "A page that was never read has no such button: give it another basis and this day."
            ),
            "cadence": f"How fast the page can change. A reading is valid for {_PACES}. "
            f"If empty, it depends on the kind: {_STANDARD}.",
        }


@admin.register(Source)
class SourceAdmin(BulkAdmin, ShowsHistory, RecordAdmin):
    """Evidence."""

    table = SOURCES
    key = "id"
    form = SourceForm
    fieldsets = [
        ("What it is", {"fields": ["id", "kind", "authority", "jurisdiction", "title", "url"]}),
        (
            "What was read",
            {"fields": ["basis", "read_on", "last_read", "read_by", "cadence", "page_date", "read_url"]},
        ),
        ("What depends on it", {"fields": ["used_by", "seen"]}),
    ]
    readonly_fields = ["last_read", "read_by", "used_by"]
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
    list_display = ["source", "kind", "how", "last_read", "good_for", "used"]
    list_filter = ["kind", "basis", FreshnessFilter, CadenceFilter, ReadingAgeFilter, UseFilter]
    search_fields = ["id", "title", "authority", "url", "jurisdiction"]
    search_help_text = "An id, a title, an authority, a word of the address or a country."
    date_hierarchy = "read_on"
    actions_detail = ["read_again"]

    # --- Reading ---

    def get_queryset(self, request: HttpRequest) -> QuerySet[Source]:
        """Return the sources with the number of records that rest on each."""
        return with_reference_count(super().get_queryset(request))

    @display(description="Source", ordering="id", header=True)
    def source(self, source: Source) -> list[str]:
        """Return the publisher with the page's title, and its id."""
        return [f"{source.authority}: {source.title}", source.id]

    @display(
        description="Read",
        ordering="basis",
        label={
            "official page": "success",
            "official copy": "info",
            "secondary": "info",
            "not read": "danger",
        },
    )
    def how(self, source: Source) -> str:
        """Return how it was read."""
        words = {
            "official_page_read": "official page",
            "official_copy_read": "official copy",
            "secondary_read": "secondary",
            POINTER: "not read",
        }
        return words[source.basis]

    @admin.display(description="Used by")
    def used(self, source: Any) -> int:
        """Return how many records rest on it."""
        return source.reference_count

    @admin.display(description="Last read", ordering="read_on")
    def last_read(self, source: Source) -> str:
        """Return when it was read, in words."""
        if source._state.adding:
            return "not yet"
        return "never" if source.basis == POINTER else f"{day_words(source.read_on)}, {age(source.read_on)}"

    @admin.display(description="Recorded by")
    def read_by(self, source: Source) -> str:
        """Return who recorded the last reading, and when: less strict answers need another person for it."""
        return "" if source._state.adding else f"{source.recorded_by}, {moment_words(source.recorded_at)}"

    @display(
        description="Valid until", label={"fresh": "success", "stale": "warning", "very_stale": "danger"}
    )
    def good_for(self, source: Source) -> tuple[str, str] | None:
        """Return until when its reading is good, and its freshness today; nothing if it was never read."""
        if source.basis == POINTER:
            return None
        until = day_words(good_until(source))
        return freshness([source], timezone.localdate()), f"{until}, {cadence_of(source)}"

    @admin.display(description="Used by")
    def used_by(self, source: Any) -> str:
        """Return the records that rest on it, with links."""
        # The theme asks for each shown field more than once.
        if not hasattr(source, "shown_references"):
            source.shown_references = format_html_join(
                "", "<div>{}</div>", [(_shown(found),) for found in (references(source) if source.pk else ())]
            )
        return source.shown_references or "nothing yet"

    @admin.display(description="")
    def seen(self, source: Source) -> str:
        """Return nothing: a user who may only view overwrites nothing."""
        return ""

    # --- Writing ---

    def write(self, request: HttpRequest, obj: Source, form: Any, change: bool) -> None:
        """Record or change the source."""
        save = actions.change_source if change else actions.record_source
        save(by=acting_user(request), source=form.record())

    def remove(self, request: HttpRequest, obj: Source) -> None:
        """Delete the source."""
        actions.delete_source(by=acting_user(request), source_id=obj.pk)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        """Leave out the button of a source that was never read: it cannot be read again."""
        source = context.get("original")
        if source is not None and source.basis == POINTER:
            context["actions_detail"] = []
        return super().render_change_form(request, context, *args, **kwargs)

    def has_confirm_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return whether a user may note that a page was read again: who writes sources, and reviewers."""
        return self.has_change_permission(request) or request.user.has_perm("catalog.confirm_source")

    @action(
        description="Read again today, unchanged",
        url_path="read-again",
        permissions=["confirm"],
        icon="update",
    )
    def read_again(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then note that the page was read again today."""
        source = row_or_404(Source, object_id)

        def act(consent: Consent) -> HttpResponse:
            actions.reread_source(by=consent.by, source_id=source.pk, read_on=timezone.localdate(consent.now))
            self.log_change(
                request,
                source,
                f"Read again: read_on: {day_words(source.read_on)} → {day_words(consent.now)}",
            )
            messages.success(request, f"{source} was read today.")
            return HttpResponseRedirect(reverse("admin:catalog_source_change", args=[source.pk]))

        step = Step(
            title=f"{source.authority}: {source.title}",
            consequence=f"Confirm only if you have just read {source.read_url or source.url} and it still "
            f"says what it said on {day_words(source.read_on)}. Its reading date becomes today. "
            "If it says something else, change the rules first.",
            button="I have read it: it is unchanged",
        )
        return ask_before(step, act, admin=self, request=request, subject=source)


def _shown(found: Reference) -> str:
    """Return records of one kind, each with a link if it has a page."""
    links = format_html_join(", ", "{}", [(_link(found.model, pk),) for pk in found.ids])
    return format_html("{} {}: {}{}", found.count, found.name, links, found.more)


def _link(model: Any, pk: Any) -> str:
    try:
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[pk])
    except NoReverseMatch:
        return str(pk)
    return format_html('<a class="text-primary-600 dark:text-primary-500" href="{}">{}</a>', address, pk)
