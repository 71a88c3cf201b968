"""A grid over chosen rows of a list: one table, one row for each record, the same few fields.

It writes as an import does: the preview is the import itself, rolled back, and the button does exactly that,
all rows or none. Records that wait for approval become one change set, rules one draft each. Until then
nothing is written: *Undo* puts a row, or all, back to what is recorded. It needs no script.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, get_args, get_origin
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from catalog.bulk import importing
from catalog.bulk.cells import Column, columns_of, to_cells
from catalog.bulk.files import Row, Sheet
from catalog.bulk.tables import Existing
from catalog.errors import Refused
from catalog.free_text import MOST_OF_A_REASON
from catalog.screens.bulk import BulkAdmin
from catalog.screens.confirmation import acting_user
from catalog.screens.ids import as_key
from catalog.screens.record_forms import digest

MOST_ROWS = 100
"""How many records one grid shows: as many as a person can read, and a form can send."""

ROW, UNDO, SHOW, SAVE, ALL = "row", "undo", "show", "save", "all"
"""The names of fields and buttons, and the value that undoes every row."""


class Input(NamedTuple):
    """The input of one cell: its name, what is typed, its label, and what kind it is.

    `choices` are those of a select. `recorded` is what is recorded; a cell that differs is marked.
    """

    name: str
    text: str
    recorded: str
    label: str
    kind: str
    choices: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether something else is typed than is recorded."""
        return self.text != self.recorded


@dataclass(frozen=True)
class GridRow:
    """One record: its id, what it says now, why it cannot be changed, and its cells with their labels.

    A cell is None where the field does not belong to this record.
    """

    key: str
    record_id: str
    seen: str
    refusal: str
    note: str
    cells: tuple[Input | None, ...]
    labels: tuple[str, ...]

    @property
    def labeled(self) -> list[tuple[str, Input | None]]:
        """Its cells, each with the label of its column: a phone shows no head of the table."""
        return list(zip(self.labels, self.cells, strict=True))

    @property
    def is_changed(self) -> bool:
        """Whether a cell differs from what is recorded."""
        return any(cell is not None and cell.is_changed for cell in self.cells)


class GridAdmin(BulkAdmin):
    """A list whose rows can be edited in a grid."""

    grid: ClassVar[tuple[str, ...]]
    """The columns of the grid, as files name them."""

    def belongs(self, record: Any, column: str) -> bool:
        """Return whether a column is a field of this record."""
        return True

    def column_label(self, column: str) -> str:
        """Return what the form calls a column."""
        name = column.rpartition(".")[2]
        form: Any = self.form
        field = form.base_fields.get(form.names.get(name, name))
        return str(field.label) if field and field.label else name.replace("_", " ").capitalize()

    def after_grid(self, request: HttpRequest, plan: importing.Plan) -> HttpResponse:
        """Say what was made of the rows, and lead to it."""
        self.log_import(request, f"a grid of {len(plan.outcomes)} rows", plan)
        return HttpResponseRedirect(self.address_of("changelist"))

    def address_of(self, page: str) -> str:
        """Return the address of a page of these records."""
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_{page}")

    # --- The list ---

    def get_urls(self) -> list[Any]:
        """Add the address of the grid."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_grid"
        return [path("grid/", self.admin_site.admin_view(self.grid_view), name=name), *super().get_urls()]

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Offer the grid to those who may import."""
        actions = super().get_actions(request)
        if not self.has_import_permission(request) or "_popup" in request.GET:
            return actions
        return {**actions, "edit_in_grid": (_open, "edit_in_grid", "Edit in a grid")}

    def open_grid(self, request: HttpRequest, chosen: QuerySet[Any]) -> HttpResponse | None:
        """Redirect to the grid of the chosen rows."""
        keys = list(chosen.order_by("pk").values_list("pk", flat=True)[: MOST_ROWS + 1])
        if len(keys) > MOST_ROWS:
            self.message_user(
                request, f"A grid has up to {MOST_ROWS} rows: filter the list first, or use a file.", "error"
            )
            return None
        return HttpResponseRedirect(f"{self.address_of('grid')}?{urlencode([(ROW, key) for key in keys])}")

    def grid_view(self, request: HttpRequest) -> HttpResponse:
        """Show the grid, what it would change, or do that."""
        if not self.has_import_permission(request):
            raise PermissionDenied
        return _Grid(self, request).respond()


class _Grid:
    """One request of the grid of a list."""

    def __init__(self, screen: GridAdmin, request: HttpRequest) -> None:
        self.screen, self.request = screen, request
        self.table, self.by = screen.table, acting_user(request)

    def respond(self) -> HttpResponse:
        """Show the grid as recorded, as typed, or with what changes; or write what was agreed to."""
        request = self.request
        keys = (request.POST if request.method == "POST" else request.GET).getlist(ROW)
        if len(keys) > MOST_ROWS:
            raise BadRequest(f"A grid has up to {MOST_ROWS} rows.")
        chosen = self._chosen(keys)
        if not chosen:
            messages.error(request, "Choose on the list which rows to edit.")
            return HttpResponseRedirect(self.screen.address_of("changelist"))
        undone = set(request.POST.getlist(UNDO))
        rows = self._rows(chosen, undone)
        if request.method != "POST" or undone:
            return self._shown(rows)
        return self._process(rows)

    def _process(self, rows: Sequence[GridRow]) -> HttpResponse:
        """Show what the rows would change; if that was agreed to, do it."""
        reason = self.request.POST.get("reason", "").strip()
        if self.table.needs_reason and not reason:
            return self._shown(rows, problem="Say why: the log keeps one reason for all rows.")
        if len(reason) > MOST_OF_A_REASON:
            return self._shown(rows, problem=f"The reason has more than {MOST_OF_A_REASON:,} characters.")
        sheet = self._sheet(rows)
        name = f"{len(rows)} {self.screen.opts.verbose_name_plural}"
        writer = self.screen.writer(self.table, by=self.by, name=name, reason=reason)
        try:
            if SAVE not in self.request.POST:
                return self._shown(rows, plan=importing.preview_sheet(sheet, writer))
            done, plan = importing.apply_sheet(sheet, writer, agreed=self.request.POST[SAVE])
        except Refused as refusal:
            return self._shown(rows, problem=f"Nothing was written. {refusal}.")
        if done:
            return self.screen.after_grid(self.request, plan)
        problem = "Nothing was written: this is not what was shown. Read again what would change."
        return self._shown(rows, plan=plan, problem=problem)

    def _chosen(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the ids of the chosen records with the key of a row of each. What is no row is left out."""
        known = [key for text in keys if (key := as_key(self.screen.model, text)) is not None]
        found = self.screen.model._default_manager.filter(pk__in=known).order_by("pk")
        return {str(getattr(row, self.table.key)): str(row.pk) for row in found}

    def _rows(self, chosen: dict[str, str], undone: set[str] | None = None) -> list[GridRow]:
        """Return the records with what was typed, or what is recorded where it is undone or not typed."""
        with transaction.atomic():
            there = self.table.existing(list(chosen), by=self.by)
        reset = undone or set()
        return [
            self._row(chosen[name], name, there[name], keep=not reset & {ALL, chosen[name]})
            for name in sorted(chosen)
            if name in there
        ]

    def _row(self, key: str, name: str, found: Existing, *, keep: bool) -> GridRow:
        record, now = found.record, to_cells(found.record)
        typed = self.request.POST if keep else {}
        columns = {column.name: column for column in columns_of(self.table.record_type)}
        cells = tuple(
            self._input(columns[column], key, name, now[column], typed)
            if self.screen.belongs(record, column)
            else None
            for column in self.screen.grid
        )
        seen = str(typed.get(f"seen-{key}", "") or digest(record))
        labels = tuple(map(self.screen.column_label, self.screen.grid))
        return GridRow(key, name, seen, found.refusal({}), found.note, cells, labels)

    def _input(self, column: Column, key: str, name: str, now: str, typed: Any) -> Input:
        field = f"cell-{key}-{column.name}"
        text = str(typed.get(field, now)).replace("\r\n", "\n")
        kind, choices = _kind(column.type)
        return Input(field, text, now, f"{self.screen.column_label(column.name)}, {name}", kind, choices)

    def _sheet(self, rows: Sequence[GridRow]) -> Sheet:
        """Return the changed rows as an import reads them. One that is not as it was seen has a problem."""
        with transaction.atomic():
            there = self.table.existing([row.record_id for row in rows], by=self.by)
        return Sheet(
            [
                Row(number, self._values(row), _problem(row, there.get(row.record_id)))
                for number, row in enumerate(rows, start=1)
                if row.is_changed
            ]
        )

    def _values(self, row: GridRow) -> dict[str, str]:
        """Return the cells that differ. All others stay as they are."""
        typed = zip(self.screen.grid, row.cells, strict=True)
        changed = {column: cell.text for column, cell in typed if cell is not None and cell.is_changed}
        return {self.table.key: row.record_id, **changed}

    def _shown(
        self,
        rows: Sequence[GridRow],
        *,
        plan: importing.Plan | None = None,
        problem: str = "",
    ) -> HttpResponse:
        context = {
            **self.screen.admin_site.each_context(self.request),
            "opts": self.screen.opts,
            "title": f"Edit {self.screen.opts.verbose_name_plural} in a grid",
            "columns": [self.screen.column_label(column) for column in self.screen.grid],
            "rows": rows,
            "reason": self.request.POST.get("reason", ""),
            "needs_reason": self.table.needs_reason,
            "most": MOST_OF_A_REASON,
            "plan": plan,
            "outcomes": [
                (one, [(self.screen.column_label(name), *texts) for name, *texts in one.changes])
                for one in (plan.outcomes if plan else ())
            ],
            "problem": problem,
            "list": self.screen.address_of("changelist"),
        }
        return TemplateResponse(
            self.request, "admin/catalog/grid.html", context, status=409 if problem else 200
        )


def _open(admin: GridAdmin, request: HttpRequest, chosen: QuerySet[Any]) -> HttpResponse | None:
    return admin.open_grid(request, chosen)


def _problem(row: GridRow, found: Existing | None) -> str:
    """Return why a row cannot be read: its record is not what the person saw."""
    if found is None or digest(found.record) != row.seen:
        return "It has changed since you opened the grid. Undo this row, and edit what it says now."
    return ""


def _kind(of_type: Any) -> tuple[str, tuple[str, ...]]:
    """Return the kind of input for a type, and the choices of a select."""
    parts = [part for part in (get_args(of_type) or (of_type,)) if part is not type(None)]
    if get_origin(of_type) is tuple:
        return "lines", ()
    if get_origin(of_type) is Literal:
        return "select", ("", *map(str, get_args(of_type)))
    literal = next((part for part in parts if get_origin(part) is Literal), None)
    if literal is not None:
        return "select", ("", *map(str, get_args(literal)))
    return ("date" if datetime.date in parts else "text"), ()
