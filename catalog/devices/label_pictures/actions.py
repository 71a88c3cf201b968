"""Adds pictures of labels, and takes them away."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from catalog.devices.label_pictures.cleaning import cleaned
from catalog.devices.label_pictures.models import LabelPicture
from catalog.errors import NotRecorded, Unfit, WrongState
from catalog.tables.actions.inserting import insert

MOST_OF_A_MODEL = 12
"""How many pictures one model may have."""


@transaction.atomic
def add_picture(*, by: User, model_id: str, says: str, content: bytes) -> LabelPicture:
    """Keep a picture of a label. Raises `UnreadablePicture`, or `Unfit` if the model has enough of them."""
    kept = LabelPicture.objects.filter(model_id=model_id, content__isnull=False).count()
    if kept >= MOST_OF_A_MODEL:
        raise Unfit(model_id, f"has {kept} pictures already; take one away first")
    picture = LabelPicture(
        model_id=model_id,
        says=says.strip(),
        content=cleaned(content),
        created_at=timezone.now(),
        created_by=by,
    )
    insert([picture], owner="model_id")
    return picture


@transaction.atomic
def remove_picture(*, by: User, model_id: str, picture: int) -> None:
    """Take a picture away. Who added it, when and what it said stay; the picture itself is gone.

    Raises `NotRecorded` or `WrongState`.
    """
    found = LabelPicture.objects.select_for_update().filter(pk=picture, model_id=model_id).first()
    if found is None:
        raise NotRecorded(model_id, "there is no such picture of it")
    if found.content is None:
        raise WrongState(model_id, "this picture was taken away already")
    LabelPicture.objects.filter(pk=picture).update(content=None, removed_at=timezone.now(), removed_by=by)
