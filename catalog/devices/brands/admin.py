"""Brands: names that models are grouped by."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from catalog.devices.brands import actions
from catalog.devices.models import Brand, Device
from catalog.screens.confirmation import acting_user
from catalog.screens.record_forms import ActionAdmin, ActionForm


class BrandForm(ActionForm):
    """The name of a brand."""

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
class BrandAdmin(ActionAdmin):
    """Brands."""

    form = BrandForm
    fields = ["name"]
    list_display = ["name", "slug", "models"]
    search_fields = ["name", "slug"]

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
        """Record or rename the brand. The slug follows the name."""
        by, name = acting_user(request), form.cleaned_data["name"]
        if change:
            obj.slug = actions.rename_brand(by=by, slug=obj.slug, name=name)
        else:
            obj.slug = actions.record_brand(by=by, name=name)

    def remove(self, request: HttpRequest, obj: Brand) -> None:
        """Delete the brand."""
        actions.delete_brand(by=acting_user(request), slug=obj.slug)

    def what_changed(self, form: Any) -> str:
        """Return both names."""
        return f"name: {form.initial['name']} → {form.cleaned_data['name']}"
