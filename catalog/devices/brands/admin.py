"""Brands: names that models are grouped by."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from catalog import records
from catalog.devices.brands import actions
from catalog.devices.brands.bulk import BRANDS
from catalog.devices.brands.similar import similar_brands
from catalog.devices.models import Brand, Device
from catalog.editorial.pending.screens.records import PendingAdmin, PendingForm
from catalog.screens.confirmation import acting_user


class BrandForm(PendingForm):
    """The name of a brand."""

    table = BRANDS
    record_type = records.Brand
    spoken_of_as = {"brand": "name"}

    is_new = forms.BooleanField(
        label="Another brand",
        required=False,
        help_text="Tick it if the name is like a recorded brand, but means another maker.",
    )

    class Meta:
        model = Brand
        fields = ["name"]
        help_texts = {
            "name": (
                "As the maker writes it. If you rename a brand, its models keep it. Brands are never merged."
            )
        }

    def clean(self) -> dict[str, Any]:
        """Ask about a new name that is like that of a recorded brand."""
        cleaned = super().clean()
        name = cleaned.get("name")
        if name and not self.instance.pk and not cleaned.get("is_new"):
            similar = similar_brands(name, Brand.objects.values_list("name", flat=True))
            if similar:
                self.add_error("is_new", f"It is like {' and '.join(similar)}. Is it another brand?")
        return cleaned


@admin.register(Brand)
class BrandAdmin(PendingAdmin):
    """Brands. Another name waits for approval, because questions name models by it."""

    table = BRANDS
    key = "slug"
    form = BrandForm
    fields = ["name", "is_new", "reason", "replaces", "seen"]
    list_display = ["name", "slug", "models"]
    search_fields = ["name", "slug"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Return the fields: a new brand waits for no one, so it takes no reason, and only it can be new."""
        without = "reason" if obj is None else "is_new"
        return [name for name in self.fields if name != without]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Brand]:
        """Return the brands with the number of their models."""
        models = Device.objects.filter(brand=OuterRef("pk")).order_by().values("brand")
        count = Subquery(models.annotate(models=Count("pk")).values("models"))
        return super().get_queryset(request).annotate(model_count=Coalesce(count, 0))

    @admin.display(description="Models", ordering="model_count")
    def models(self, brand: Any) -> str:
        """Return the number of models, with a link to them."""
        address = reverse("admin:catalog_device_changelist")
        return format_html(
            '<a class="text-primary-600 dark:text-primary-500" href="{}?brand__slug__exact={}">{}</a>',
            address,
            brand.pk,
            brand.model_count,
        )

    def write(self, request: HttpRequest, obj: Brand, form: Any, change: bool) -> None:
        """Record the brand, or let its other name wait. The slug follows the name."""
        if change:
            super().write(request, obj, form, change)
        else:
            obj.slug = actions.record_brand(by=acting_user(request), name=form.cleaned_data["name"])

    def remove(self, request: HttpRequest, obj: Brand) -> None:
        """Delete the brand."""
        actions.delete_brand(by=acting_user(request), slug=obj.slug)

    @admin.display(description="")
    def seen(self, brand: Brand) -> str:
        """Return nothing: a user who may only view overwrites nothing."""
        return ""
