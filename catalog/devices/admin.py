"""Screens of power bank models: the list and the form."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import display

from catalog import records
from catalog.bulk.cells import to_cells
from catalog.devices.bulk import DEVICES
from catalog.devices.certificate_field import as_rows, certificate, certificates_field
from catalog.devices.duplicate_pages import DuplicatePages
from catalog.devices.filters import RecallFilter, WattHourFilter
from catalog.devices.label_pictures.models import LabelPicture
from catalog.devices.label_pictures.pages import LabelPicturePages
from catalog.devices.models import Brand, Certificate, Certification, Device, DeviceEvidence
from catalog.editorial.pending.screens.records import PendingForm
from catalog.energy import computed_watt_hour
from catalog.screens.filters import EvidenceFilter
from catalog.screens.grid import GridAdmin
from catalog.screens.history import Part
from catalog.screens.list_field import RowsField, first_cells, source_field, text_rows
from catalog.sources.evidence_columns import ShowsEvidence, captions


class DeviceForm(PendingForm):
    """The fields of a model."""

    table = DEVICES
    record_type = records.Device
    names = {"sources": "evidence"}
    spoken_of_as = {
        "source": "evidence",
        "certification": "certifications",
        "mark": "certifications",
        "certificate": "certificates",
        "basis": "watt_hour_basis",
        "mAh": "capacity_mah",
    }

    aliases = text_rows(
        "Alias",
        max_length=200,
        add="Add an alias",
        help_text="Other names and numbers under which exactly this model is sold.",
    )
    certifications = text_rows(
        "Mark",
        max_length=Certification._meta.get_field("mark").max_length,
        add="Add a mark",
        help_text="Marks that the model is known to have, such as CCC. An empty list means “not known”, "
        "never “not certified”.",
    )
    certificates = certificates_field()
    evidence = RowsField(
        {"source": source_field(DeviceEvidence._meta.get_field("source"))},
        add="Add a source",
        help_text="The pages that state these facts, the most important first. Answers cite them in this "
        "order.",
    )

    class Meta:
        model = Device
        fields = [
            "model_id",
            "brand",
            "model_name",
            "model_number",
            "release_year",
            "capacity_mah",
            "nominal_voltage",
            "watt_hour",
            "watt_hour_basis",
            "notes",
        ]
        labels = {
            "model_id": "Model id",
            "capacity_mah": "Capacity, mAh",
            "nominal_voltage": "Nominal voltage, V",
            "watt_hour": "Energy, Wh",
            "watt_hour_basis": "Basis",
        }
        help_texts = {
            "model_id": (
                "The name of the model in rules, recalls and answers: brand and number, such as "
                "anker-a1263. It cannot be changed later."
            ),
            "model_name": "The name under which it is sold, usually without the brand.",
            "model_number": (
                "As printed on the unit, such as A1263. It is the surest way to distinguish models."
            ),
            "watt_hour": "With the basis “computed”, leave it empty: it is computed from mAh and volts.",
            "watt_hour_basis": (
                "Rated: printed on the unit or stated by the maker. Computed: mAh times volts. A "
                "computed figure just under a limit does not prove that the model is under it."
            ),
            "notes": "For editors only. Travelers never see it.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "evidence" in self.fields:
            self.fields["evidence"].widget.captions = captions(first_cells(self["evidence"].value()))

    def from_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields without the brand, which the row itself knows by its key."""
        shown = {**fields, "certificates": as_rows(fields["certificates"])}
        return {name: value for name, value in shown.items() if name != "brand"}

    def from_new_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the brand, which a new record has no row to take it from."""
        return {"brand": Brand.objects.filter(name=fields["brand"]).first()}

    def to_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields with the brand by its name, and each certificate by its fields."""
        brand, certificates = fields["brand"], fields["certificates"]
        return {
            **fields,
            "brand": brand.name if isinstance(brand, Brand) else brand,
            "certificates": [
                one if isinstance(one, records.Certificate) else certificate(one) for one in certificates
            ],
        }

    def clean(self) -> dict[str, Any]:
        """Compute the energy if the editor asks for it."""
        cleaned = super().clean()
        wanted = cleaned.get("watt_hour_basis") == "computed" and cleaned.get("watt_hour") is None
        capacity_mah, volts = cleaned.get("capacity_mah"), cleaned.get("nominal_voltage")
        if wanted and capacity_mah and volts:
            cleaned["watt_hour"] = computed_watt_hour(capacity_mah, volts)
        return cleaned


@admin.register(Device)
class DeviceAdmin(ShowsEvidence, GridAdmin, DuplicatePages, LabelPicturePages):
    """Models of power banks."""

    table = DEVICES
    grid = (
        "model_name",
        "model_number",
        "release_year",
        "capacity_mah",
        "nominal_voltage",
        "watt_hour",
        "watt_hour_basis",
        "sources",
    )
    evidence_link, evidence_owner = DeviceEvidence, "device"
    key = "model_id"
    parts = (
        Part(DeviceEvidence, "device_id", "sources", ("source_id",)),
        Part(Certification, "device_id", "certifications", ("mark",)),
        Part(
            Certificate,
            "device_id",
            "certificates",
            ("mark", "status", "source_id", "number", "lookup_url", "since", "until"),
        ),
    )
    form = DeviceForm
    change_form_outer_before_template = "admin/catalog/before_device.html"
    autocomplete_fields = ["brand"]
    fieldsets = [
        (
            "Which model it is",
            {"fields": ["brand", "model_name", "model_number", "model_id", "aliases", "release_year"]},
        ),
        (
            "Capacity and energy",
            {"fields": ["capacity_mah", "nominal_voltage", "watt_hour", "watt_hour_basis"]},
        ),
        ("Marks", {"fields": ["certifications", "certificates"]}),
        ("Evidence", {"fields": ["evidence", "notes", "reason", "replaces", "seen"]}),
    ]
    list_display = ["named", "model_number", "capacity", "energy", "recalls", "evidence_age"]
    list_filter = [
        ("brand", AutocompleteSelectFilter),
        WattHourFilter,
        RecallFilter,
        EvidenceFilter,
        "watt_hour_basis",
    ]
    list_select_related = ["brand"]
    search_fields = ["model_id", "brand__name", "model_name", "model_number", "aliases"]
    search_help_text = "A brand, a name, a model number, an alias or a model id."

    # --- Reading ---

    def get_queryset(self, request: HttpRequest) -> QuerySet[Device]:
        """Return the models with the evidence and recalls that the list shows."""
        recalls = _recalls().filter(device=OuterRef("pk")).order_by().values("device")
        rows = super().get_queryset(request)
        return self.with_evidence(rows).annotate(
            has_recall=Exists(recalls),
            recall_count=Coalesce(Subquery(recalls.annotate(recalls=Count("pk")).values("recalls")), 0),
        )

    @display(description="Model", ordering="model_id", header=True)
    def named(self, device: Device) -> list[str]:
        """Return its name and its id."""
        return [f"{device.brand.name} {device.model_name}", device.model_id]

    @admin.display(description="Capacity", ordering="capacity_mah")
    def capacity(self, device: Device) -> str:
        """Return the capacity."""
        return "not known" if device.capacity_mah is None else f"{device.capacity_mah:,} mAh"

    @admin.display(description="Energy", ordering="watt_hour")
    def energy(self, device: Device) -> str:
        """Return the watt-hours, and how they are known."""
        return "not known" if device.watt_hour is None else f"{device.watt_hour} Wh {device.watt_hour_basis}"

    @display(description="Recalls", label={"some": "danger"})
    def recalls(self, device: Any) -> tuple[str, int] | None:
        """Return how many recalls are in force, as a visible mark."""
        return ("some", device.recall_count) if device.recall_count else None

    @admin.display(description="Certifications")
    def certifications(self, device: Device) -> str:
        """Return the marks, for users who may only view."""
        return ", ".join(mark.mark for mark in device.certifications.all()) or "not known"

    @admin.display(description="Certificates")
    def certificates(self, device: Device) -> str:
        """Return the certificates, for users who may only view."""
        return to_cells(device.to_record())["certificates"] or "not known"

    @admin.display(description="Evidence")
    def evidence(self, device: Device) -> str:
        """Return the sources, for users who may only view."""
        return ", ".join(link.source_id for link in device.evidence.all()) or "none"

    @admin.display(description="")
    def seen(self, device: Device) -> str:
        """Return nothing: a user who may only view overwrites nothing."""
        return ""

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the form, and say how many pictures of its label there are."""
        # Counted by the template: a form that is saved shows no page.
        count = LabelPicture.objects.filter(model_id=object_id, content__isnull=False).count
        return super().change_view(
            request, object_id, form_url, {**(extra_context or {}), "label_pictures": count}
        )

    # --- Writing ---

    def write(self, request: HttpRequest, obj: Device, form: Any, change: bool) -> None:
        """Save the model, and name others that may be the same."""
        super().write(request, obj, form, change)
        self.warn_of_duplicates(request, form.record())


def _recalls() -> QuerySet[Any]:
    """Return the recalls in force."""
    # Their room may import this one, not the reverse, so Django is asked.
    rows: Any = Device._meta.get_field("recalls").related_model._default_manager
    return rows.to_publish()
