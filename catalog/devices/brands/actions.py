"""Records, renames and deletes brands. The slug is always made from the name."""

import re
from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from catalog.devices.models import Brand, Device
from catalog.errors import AlreadyRecorded, NotRecorded, Refused, Unfit
from catalog.tables.actions.deleting import delete
from catalog.tables.actions.inserting import insert
from catalog.tables.actions.updating import update
from catalog.tables.constraints import SLUG


@transaction.atomic
def record_brand(*, by: User, name: str) -> str:
    """Record a brand that has no model yet, and return its slug. Raises `AlreadyRecorded` or `Unfit`."""
    slug = brand_slug(name, name)
    existing = Brand.objects.filter(pk=slug).first()
    if existing is not None:
        raise AlreadyRecorded(slug, f"the brand `{existing.name}` is recorded already")
    insert([Brand(slug=slug, name=name, created_at=timezone.now(), created_by=by)])
    return slug


@transaction.atomic
def rename_brand(*, by: User, slug: str, name: str) -> str:
    """Give a brand another name, and return its new slug; its models stay with it.

    Raises `NotRecorded`, `Unfit`, or `AlreadyRecorded` if another brand has that name: brands are not merged,
    their models are changed one by one.
    """
    brand = Brand.objects.select_for_update().filter(pk=slug).first()
    if brand is None:
        raise NotRecorded(slug, "there is no such brand")
    new_slug = brand_slug(name, slug)
    if name == brand.name:
        return slug
    now = timezone.now()
    if new_slug == slug:
        update(by, {brand: {"name": name}})
        # A model has the name of its brand, so it is changed too.
        Device.objects.filter(brand=brand).update(changed_at=now, changed_by=by)
        return slug
    existing = Brand.objects.filter(pk=new_slug).first()
    if existing is not None:
        raise AlreadyRecorded(new_slug, f"the brand `{existing.name}` is recorded already")
    renamed = Brand(
        slug=new_slug,
        name=name,
        created_at=brand.created_at,
        created_by=brand.created_by,
        changed_at=now,
        changed_by=by,
    )
    insert([renamed])
    Device.objects.filter(brand=brand).update(brand=renamed, changed_at=now, changed_by=by)
    brand.delete()
    return new_slug


def delete_brand(*, by: User, slug: str) -> None:
    """Delete a brand. Raises `NotRecorded`, or `StillReferred` if it has a model."""
    delete(Brand, by=by, record_id=slug)


def record_new_brands(*, by: User, names: Mapping[str, str]) -> None:
    """Record the brands that models name and that do not exist yet; the keys are the models.

    Raises `Unfit` for a brand without a name in Latin letters and digits, or in two spellings.
    """
    now = timezone.now()
    known = dict(Brand.objects.values_list("slug", "name"))
    new_brands = []
    first_model = {}
    for model_id, name in names.items():
        slug = brand_slug(name, model_id)
        if slug not in known:
            known[slug] = name
            first_model[slug] = model_id
            new_brands.append(Brand(slug=slug, name=name, created_at=now, created_by=by))
        elif known[slug] != name:
            raise Unfit(model_id, f"the brand `{name}` is already recorded as `{known[slug]}`")
    try:
        insert(new_brands)
    except Refused as refused:
        raise Unfit(
            first_model[refused.record_id], f"the brand cannot be recorded: {refused.reason}"
        ) from None


def brand_slug(name: str, record_id: str) -> str:
    """Return the slug of a brand by its name. Raises `Unfit` if there is none."""
    slug = slugify(name)
    if not re.fullmatch(SLUG, slug):
        raise Unfit(record_id, f"the brand `{name}` has no name in Latin letters and digits")
    return slug
