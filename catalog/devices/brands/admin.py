"""Brands: names that models are grouped by."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from catalog import records
from catalog.devices.brands import actions
from catalog.devices.brands.bulk import BRANDS
from catalog.devices.models import Brand, Device
from catalog.editorial.pending.screens.records import PendingAdmin, PendingForm
from catalog.screens.confirmation import acting_user


class BrandForm(PendingForm):
    """The name of a brand."""

    table = BRANDS
    record_type = records.Brand
    spoken_of_as = {"brand": "name"}

    class Meta:
        model = Brand
        fields = ["name"]
        help_texts = {
            "name": (
                "As the maker writes it. If you rename a brand, its models keep it. Brands are never merged."
            )
        }


@admin.register(Brand)
class BrandAdmin(PendingAdmin):
    """Brands. Another name waits for approval, because questions name models by it."""

    table = BRANDS
    key = "slug"
    form = BrandForm
    fields = ["name", "reason", "replaces", "seen"]
    list_display = ["name", "slug", "models"]
    search_fields = ["name", "slug"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Return the fields: a new brand waits for no one, so it takes no reason."""
        return [name for name in self.fields if obj is not None or name != "reason"]

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
