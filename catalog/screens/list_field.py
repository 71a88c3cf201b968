"""A form field that is a list in an order: sources, marks, aliases, dated changes.

On the page each item is a row of inputs, with buttons to add, remove and move one up or down
(`catalog/rows.js`). The form sends the rows in the order on the page, so the editor numbers nothing.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import zip_longest
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import ForeignKey
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict
from django.utils.safestring import SafeString
from unfold.widgets import BASE_INPUT_CLASSES, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

Row = tuple[Any, ...]


class RowsWidget(forms.Widget):
    """The rows, one input for each column."""

    def __init__(
        self, columns: Mapping[str, forms.Field], add: str, spare: int = 0, *, labeled: bool = False
    ) -> None:
        super().__init__()
        self.labeled = labeled
        self.columns = columns
        self.add = add
        self.spare = spare
        # The text below an item, by its first cell.
        self.captions: Mapping[str, str] = {}

    @property
    def media(self) -> forms.Media:
        """Return the script of the rows, and the media of their inputs."""
        own = forms.Media(js=["catalog/rows.js"], css={"all": ["catalog/desk.css"]})
        return sum((field.widget.media for field in self.columns.values()), forms.Media()) + own

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[Row]:
        """Return the rows that were sent, as texts, without empty rows."""
        lists: Any = data if isinstance(data, MultiValueDict) else MultiValueDict(data)
        columns = [lists.getlist(f"{name}-{column}") for column in self.columns]
        rows = zip_longest(*columns, fillvalue="")
        return [row for row in rows if any(cell.strip() for cell in row)]

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        """Return False: nothing is ever omitted, and a list without rows is empty."""
        return False

    def id_for_label(self, id_: str) -> str:
        """Return nothing: a label cannot belong to many inputs."""
        return ""

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        """Render the rows and the empty one that is copied for each new row."""
        empty = ("",) * len(self.columns)
        rows = [*as_rows(value), *[empty] * self.spare]
        return render_to_string(
            "admin/catalog/rows.html",
            {
                "id": (attrs or {}).get("id", ""),
                "name": name,
                "rows": [self._row(name, row, number) for number, row in enumerate(rows)],
                "empty": self._row(name, empty, "new"),
                "add": self.add,
            },
        )

    def _row(self, name: str, row: Row, number: int | str) -> dict[str, Any]:
        inputs = [
            field.widget.render(
                f"{name}-{column}",
                field.prepare_value(cell),
                {"id": f"id_{name}-{column}-{number}", "aria-label": field.label},
            )
            for (column, field), cell in zip(self.columns.items(), row, strict=True)
        ]
        labels = [field.label if self.labeled else "" for field in self.columns.values()]
        return {
            "inputs": list(zip(labels, inputs, strict=True)),
            "caption": self.captions.get(str(row[0]), ""),
        }


class RowsField(forms.Field):
    """A list of items; of one column, a list of values, otherwise a list of tuples.

    `spare` is how many empty rows follow the items, for browsers without the script; `item` is what an error
    calls a row. In a `labeled` list each input shows its label.
    """

    widget: RowsWidget

    def __init__(
        self,
        columns: Mapping[str, forms.Field],
        *,
        add: str,
        item: str = "Row",
        spare: int = 0,
        labeled: bool = False,
        **kwargs: Any,
    ) -> None:
        self.columns = columns
        self.item = item
        super().__init__(widget=RowsWidget(columns, add, spare, labeled=labeled), required=False, **kwargs)

    def __deepcopy__(self, memo: Any) -> "RowsField":
        """Return a copy for one form, whose inputs may have other choices than those of other forms."""
        copy = super().__deepcopy__(memo)
        copy.columns = copy.widget.columns = deepcopy(self.columns, memo)
        return copy

    def clean(self, value: Sequence[Row]) -> list[Any]:
        """Return the items. Raises `ValidationError`, which names the rows that are wrong."""
        items, errors = [], []
        for number, row in enumerate(as_rows(value), start=1):
            cells = []
            for field, cell in zip(self.columns.values(), row, strict=True):
                try:
                    cells.append(field.clean(cell))
                except forms.ValidationError as error:
                    errors += [
                        f"{self.item} {number}, {field.label}: {message}" for message in error.messages
                    ]
            items.append(tuple(cells) if len(self.columns) > 1 else cells[0] if cells else None)
        if errors:
            raise forms.ValidationError(errors)
        return items

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Return whether the items or their order have changed."""
        texts = [tuple(str(cell) for cell in row) for row in as_rows(initial)]
        return texts != [tuple(row) for row in data]


class RecordedAutocomplete(AutocompleteSelect):
    """A foreign key with a search while the editor types, shown by its key.

    So a form with a hundred sources queries none of them.
    """

    def optgroups(self, name: str, value: Sequence[str], attrs: dict[str, Any] | None = None) -> list[Any]:
        """Return what is chosen as the only option."""
        chosen = [self.create_option(name, key, key, selected=True, index=0) for key in value if key]
        return [(None, [{**self.create_option(name, "", "", selected=False, index=0)}, *chosen], 0)]


def text_rows(
    label: str, *, max_length: int | None = None, add: str, long: bool = False, **kw: Any
) -> RowsField:
    """Return the field of a list of texts."""
    widget = UnfoldAdminTextareaWidget({"rows": 2}) if long else UnfoldAdminTextInputWidget()
    return RowsField(
        {"text": forms.CharField(label=label, max_length=max_length, widget=widget)}, add=add, **kw
    )


def source_field(link: ForeignKey[Any, Any]) -> forms.CharField:
    """Return the input of one source, which the actions look up; `link` is any foreign key to sources."""
    return forms.CharField(label="Source", widget=RecordedAutocomplete(link, admin.site))


def date_field(label: str, *, required: bool = True) -> forms.DateField:
    """Return the input of a date, with the browser's own calendar."""
    return forms.DateField(
        label=label,
        required=required,
        widget=forms.DateInput({"type": "date", "class": " ".join(BASE_INPUT_CLASSES)}, format="%Y-%m-%d"),
    )


def as_rows(value: Any) -> list[Row]:
    """Return the content of a field as rows. Its items are values or tuples."""
    return [item if isinstance(item, tuple) else (item,) for item in value or ()]


def first_cells(value: Any) -> list[str]:
    """Return the first cell of each row, such as the id of a source."""
    return [str(row[0]) for row in as_rows(value)]
