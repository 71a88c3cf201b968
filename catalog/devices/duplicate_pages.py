"""Pages about models that are recorded twice: the list of pairs, and the merge of two."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html, format_html_join

from catalog import records
from catalog.bulk.cells import differences
from catalog.devices.duplicates import Likeness, Named, like, likenesses
from catalog.devices.merging import both, merged, propose_merge
from catalog.devices.models import Device, DeviceEvidence
from catalog.editorial.pending.display import labelled
from catalog.editorial.pending.screens.records import PendingBulkAdmin
from catalog.editorial.screens.verbs import ReasonForm
from catalog.errors import Refused
from catalog.screens.confirmation import Consent, Step, ask_before
from catalog.screens.list_field import RecordedAutocomplete

MOST_SHOWN = 500
"""How many pairs of possible duplicates one page shows."""


class MergeForm(forms.Form):
    """Two models, each found while a person types its name, number or id."""

    keep = forms.CharField(label="Model that stays")
    gone = forms.CharField(label="Model that goes")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget = RecordedAutocomplete(DeviceEvidence._meta.get_field("device"), admin.site)


class DuplicatePages(PendingBulkAdmin):
    """The screens of models, with the pages about duplicates."""

    def get_urls(self) -> list[Any]:
        """Return the addresses, with these pages before those of models."""
        wrap = self.admin_site.admin_view
        return [
            path("duplicates/", wrap(self.duplicates), name="catalog_device_duplicates"),
            path("merge/", wrap(self.merge), name="catalog_device_merge"),
            *super().get_urls(),
        ]

    def tools(self, request: HttpRequest) -> list[tuple[str, str, str]]:
        """Return the links above the list."""
        page = reverse("admin:catalog_device_duplicates")
        return [*super().tools(request), ("Possible duplicates", "difference", page)]

    def duplicates(self, request: HttpRequest) -> HttpResponse:
        """Show the pairs of models that may be recorded twice."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        models = {model.model_id: model for model in _named(Device.objects.all())}
        found = likenesses(models.values())
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Possible duplicates",
            "pairs": [(models[pair.first], models[pair.second], pair.reason) for pair in found[:MOST_SHOWN]],
            "count": len(found),
            "searched": len(models),
            "may_merge": self.has_change_permission(request),
            "merge_form": MergeForm(),
        }
        return TemplateResponse(request, "admin/catalog/duplicates.html", context)

    def merge(self, request: HttpRequest) -> HttpResponse:
        """Show what a merge does, ask for the reason, and keep it in a change set."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        keep_id, gone_id = request.GET.get("keep", "").strip(), request.GET.get("gone", "").strip()
        try:
            keep, gone = both(keep_id, gone_id)
        except Refused as refusal:
            messages.error(request, f"{refusal}.")
            return HttpResponseRedirect(reverse("admin:catalog_device_duplicates"))
        step = Step(
            title=f"Merge {gone_id} into {keep_id}",
            consequence=f"{keep_id} stays, with the changes below. {gone_id} is deleted: a question that "
            "names it by its id is then answered as one about an unknown model. Nothing is written before "
            "another person approves.",
            button="Propose the merge",
            form_class=ReasonForm,
            differences=tuple(labelled(differences(keep, merged(keep, gone)), self.form)),
        )

        def act(consent: Consent) -> HttpResponse:
            found = propose_merge(keep_id, gone_id, by=consent.by, reason=consent.answers["reason"])
            return self.lead_to(request, found)

        subject = Device.objects.get(pk=keep_id)
        return ask_before(step, act, admin=self, request=request, subject=subject)

    def warn_of_duplicates(self, request: HttpRequest, record: records.Device) -> None:
        """Name the models that may be the same as one that was saved."""
        named = Named(*(getattr(record, name) for name in Named._fields))
        found = like(named, _named(Device.objects.filter(brand__name=record.brand)))
        if found:
            messages.warning(
                request, format_html("Saved, but it may be recorded twice: {}", _links(found, record))
            )


def _named(devices: QuerySet[Device]) -> list[Named]:
    """Return the names of models, in one query."""
    columns = [f"{name}__name" if name == "brand" else name for name in Named._fields]
    rows = devices.order_by().values_list(*columns)
    return [Named._make(tuple(cell) if isinstance(cell, list) else cell for cell in row) for row in rows]


def _links(found: list[Likeness], record: records.Device) -> str:
    """Return the other models of the pairs, each with what it shares and a link to it."""
    others = [(pair.second if pair.first == record.model_id else pair.first, pair.reason) for pair in found]
    return format_html_join(
        "; ",
        '<a class="underline" href="{}">{}</a> has {}',
        [(reverse("admin:catalog_device_change", args=[other]), other, reason) for other, reason in others],
    )
