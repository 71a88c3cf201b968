"""Merges two records of one model: one stays, the other is deleted, in one change set.

Called by the page of the merge. Nothing is written before another person approves, and then both or neither.
"""

from typing import Any, cast

import msgspec
from django.contrib.auth.models import User
from django.db import transaction

from catalog import records
from catalog.devices.bulk import DEVICES
from catalog.devices.models import Device
from catalog.editorial.pending import actions
from catalog.editorial.pending.models import ChangeSet
from catalog.errors import NotRecorded, ReasonMissing, Unfit
from catalog.search.words import joined

ENERGY = ("watt_hour", "watt_hour_basis", "capacity_mah", "nominal_voltage")
"""Facts that belong together: they are taken from one record, never mixed."""


def merged(keep: records.Device, gone: records.Device) -> records.Device:
    """Return the model that stays. It keeps each fact that it has, and takes what only the other one has.

    The names and the number of the other one become its aliases. A figure in both stays as it is, so a merge
    decides nothing between two figures: correct the record that stays, where it is wrong.
    """
    takes: dict[str, Any] = {
        "aliases": _with(keep.aliases, [*_names(gone)], but=_names(keep)),
        "sources": _with(keep.sources, gone.sources),
        "certifications": _with(keep.certifications, gone.certifications),
        "certificates": _with(keep.certificates, gone.certificates),
    }
    if all(getattr(keep, name) in (None, "unknown") for name in ENERGY):
        takes |= {name: getattr(gone, name) for name in ENERGY}
    for name in ("model_number", "release_year"):
        if getattr(keep, name) is None:
            takes[name] = getattr(gone, name)
    return msgspec.structs.replace(keep, **takes)


@transaction.atomic
def propose_merge(keep_id: str, gone_id: str, *, by: User, reason: str) -> ChangeSet:
    """Keep the merge in a change set, which another person approves.

    Raises `ReasonMissing`, `Unfit`, `NotRecorded`, `WrongState` if a change of one of them waits already, and
    `StillReferred` if the one that goes has a recall: a recall names exactly one model.
    """
    if not reason.strip():
        raise ReasonMissing(keep_id, "say why the two are one model")
    DEVICES.existing([keep_id, gone_id], by=by)  # Locks them.
    keep, gone = both(keep_id, gone_id)
    held = actions.hold_deletions(DEVICES, [gone_id], by=by)
    held += actions.hold(DEVICES, [merged(keep, gone)], by=by, reason=reason)
    found = actions.open_change_set(held, by=by, subject=f"merge {gone_id} into {keep_id}", reason=reason)
    return cast(ChangeSet, found)  # A deletion always waits.


def both(keep_id: str, gone_id: str) -> tuple[records.Device, records.Device]:
    """Return the two models.

    Raises `NotRecorded`, or `Unfit` for a model and itself, and for two of other brands or watt-hours: what
    asks for the one that goes would be answered with the figure of the other one.
    """
    if keep_id == gone_id:
        raise Unfit(keep_id, "a model is not merged with itself")
    there = {one.model_id: one for one in Device.objects.filter(pk__in=[keep_id, gone_id]).records()}
    for model_id in (keep_id, gone_id):
        if model_id not in there:
            raise NotRecorded(model_id, "there is no such model")
    keep, gone = there[keep_id], there[gone_id]
    for name, unit in (("brand", ""), ("watt_hour", " Wh")):
        kept, other = getattr(keep, name), getattr(gone, name)
        if None not in (kept, other) and kept != other:
            raise Unfit(
                keep_id,
                f"has {kept}{unit}, and {gone_id} has {other}{unit}: these are two models, or one of them is "
                "wrong. Correct it first",
            )
    return keep, gone


def _names(device: records.Device) -> list[str]:
    return [name for name in (device.model_name, device.model_number, *device.aliases) if name]


def _with(kept: Any, others: Any, *, but: list[str] | None = None) -> Any:
    """Return a list with the items of another one that it lacks; names are compared as the search does."""
    form = joined if but is not None else lambda item: item
    there = {form(item) for item in (*kept, *(but or ()))}
    added = []
    for item in others:
        if form(item) not in there:
            there.add(form(item))
            added.append(item)
    return type(kept)([*kept, *added])
