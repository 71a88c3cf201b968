"""The history page of a record: each saving with who, when, and every field before and after.

It is made from the events that the database keeps of every change (`catalog.tables.history`), so it includes
imports, commands and raw SQL. A record of several tables is shown as one.
"""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django.contrib.admin.utils import unquote
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from unfold.admin import ModelAdmin

from catalog.dates import recorded_words
from catalog.screens.ids import as_key
from catalog.tables.history import FieldChange, events_of, field_changes

BOOKKEEPING = {"id", "created_at", "created_by", "changed_at", "changed_by", "recorded_by"}
"""Columns for who and when. The page shows that for each saving, also for a reading that changed nothing."""

MOST_SHOWN = 200
"""How many savings are shown, the newest."""


@dataclass(frozen=True)
class Part:
    """A table whose rows belong to a record: one row, or a list of items in an order.

    `link` is the column that leads to the record's key. `says` are the columns of an item that people read;
    without them the row is shown field by field.
    """

    model: type[Model]
    link: str
    title: str = ""
    says: tuple[str, ...] = ()


@dataclass
class Saving:
    """What was changed in one go."""

    at: datetime.datetime
    context: Any
    what: str = "update"
    user: int | None = None
    by: str = ""
    approver: int | None = None
    approved_by: str = ""
    events: list[tuple[Part, Any]] = field(default_factory=list)
    changes: list[FieldChange] = field(default_factory=list)


def savings(part: Part, key: Any, parts: Sequence[Part] = ()) -> list[Saving]:
    """Return the changes of a record, from its beginning; empty if there never was one.

    One query for each of its tables.
    """
    found: dict[Any, Saving] = {}
    for of in (part, *parts):
        events = events_of(of.model).filter(**{of.link: key}).select_related("pgh_context").order_by("pgh_id")
        for event in events:
            together = event.pgh_context_id or event.pgh_created_at
            context = event.pgh_context.metadata if event.pgh_context else {}
            saving = found.setdefault(together, Saving(event.pgh_created_at, context))
            saving.events.append((of, event))
    in_order = sorted(found.values(), key=lambda saving: saving.at)
    _describe(in_order, part)
    return [saving for saving in in_order if saving.changes or saving.what != "update"]


def _describe(in_order: Sequence[Saving], main: Part) -> None:
    """Fill in the changes of each saving: the rows before are those of the saving before."""
    rows: dict[Part, dict[Any, Any]] = {}
    for saving in in_order:
        before = {part: dict(rows.setdefault(part, {})) for part, _ in saving.events}
        for part, event in saving.events:
            if event.pgh_label == "delete":
                rows[part].pop(event.pgh_obj_id, None)
            else:
                rows[part][event.pgh_obj_id] = event
            if part is main:
                saving.what = event.pgh_label
        saving.user = _writer(saving, before) or _user(saving)
        saving.approver = _approver(saving)
        for part, old in before.items():
            saving.changes += _differences(part, old, rows[part])


def _differences(part: Part, old: Mapping[Any, Any], new: Mapping[Any, Any]) -> Iterator[FieldChange]:
    if part.says:
        before, after = _items(part, old), _items(part, new)
        if before != after:
            yield FieldChange(part.title, "\n".join(before), "\n".join(after))
        return
    for key in {**old, **new}:
        for change in field_changes(old.get(key), new.get(key)):
            if change.field not in BOOKKEEPING and change.field != part.link.removesuffix("_id"):
                yield in_lines(change._replace(field=_spoken(part, change.field)))


def _items(part: Part, rows: Mapping[Any, Any]) -> list[str]:
    ordered = sorted(rows.values(), key=lambda event: getattr(event, "position", 0))
    return [
        " · ".join(filter(None, [_text(getattr(event, column)) for column in part.says])) for event in ordered
    ]


def _spoken(part: Part, name: str) -> str:
    return str(part.model._meta.get_field(name).verbose_name)  # type: ignore[union-attr]


def in_lines(change: FieldChange) -> FieldChange:
    """Return a change for people: each item of a list on a line, its parts one after the other."""
    return change._replace(before=_text(change.before), after=_text(change.after))


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    if isinstance(value, dict):
        return " · ".join(said for said in map(_text, value.values()) if said)
    return "" if value is None else recorded_words(str(value))


def _writer(saving: Saving, before: Mapping[Part, Mapping[Any, Any]]) -> int | None:
    """Return the author that a row names since this saving: the user of the request may have approved it."""
    for part, event in saving.events:
        old = before[part].get(event.pgh_obj_id)
        label, changed_at = event.pgh_label, getattr(event, "changed_at", None)
        if label == "insert" and hasattr(event, "created_by_id"):
            return int(event.created_by_id)
        if label == "update" and changed_at and changed_at != getattr(old, "changed_at", None):
            return int(event.changed_by_id)
    return None


def _approver(saving: Saving) -> int | None:
    """Return the user of the request, if it wrote what another person is the author of."""
    user = saving.context.get("user")
    return None if user is None or int(user) == saving.user else int(user)


def _user(saving: Saving) -> int | None:
    """Return who saved: the user of the request, or else the one in the row."""
    if "user" in saving.context:
        return int(saving.context["user"])
    for _, event in reversed(saving.events):
        for column in ("changed_by_id", "created_by_id"):
            if getattr(event, column, None) is not None:
                return int(getattr(event, column))
    return None


class ShowsHistory(ModelAdmin):
    """A screen whose history page is made from the events of the record's tables."""

    object_history_template = "admin/catalog/history.html"
    parts: ClassVar[tuple[Part, ...]] = ()

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the changes of a record, the newest first; also of a deleted one."""
        object_id = unquote(object_id)
        row = self.get_object(request, object_id)
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        key = as_key(self.model, object_id) if row is None else row.pk
        if key is None:
            raise Http404
        all_savings = savings(Part(self.model, "pgh_obj_id"), key, self.parts)
        if row is None and not all_savings:
            raise Http404
        shown = all_savings[::-1][:MOST_SHOWN]
        people = {one for saving in shown for one in (saving.user, saving.approver) if one is not None}
        names = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
        for saving in shown:
            saving.by = names.get(saving.user or 0, "")
            saving.approved_by = names.get(saving.approver or 0, "")
            saving.changes = [one._replace(field=self._labeled(one.field)) for one in saving.changes]
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": row,
            "title": f"History of {object_id if row is None else row}",
            "savings": shown,
            "more": len(all_savings) - len(shown),
            **(extra_context or {}),
        }
        return TemplateResponse(request, self.object_history_template, context)

    def _labeled(self, spoken: str) -> str:
        """Return the label of a column in the form: `capacity mah` is “Capacity, mAh”."""
        fields = getattr(self.form, "base_fields", {})
        field = fields.get(spoken.replace(" ", "_"))
        return str(field.label) if field and field.label else f"{spoken[:1].upper()}{spoken[1:]}"
