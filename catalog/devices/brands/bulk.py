"""Brands as a table whose names change by approval. Called by their screen and by change sets."""

from collections.abc import Sequence

from django.contrib.auth.models import User

from catalog import records
from catalog.bulk.tables import Table
from catalog.devices.brands.actions import record_brand, rename_brand
from catalog.devices.models import Brand


def _record(by: User, brands: Sequence[records.Brand]) -> None:
    for brand in brands:
        record_brand(by=by, name=brand.name)


def _rename(by: User, brands: Sequence[records.Brand]) -> None:
    for brand in brands:
        rename_brand(by=by, slug=brand.slug, name=brand.name)


BRANDS = Table(
    model=Brand,
    record_type=records.Brand,
    key="slug",
    record=_record,
    change=_rename,
    deciding=("name",),
)
