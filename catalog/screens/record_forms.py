"""How a screen changes records: a form gives one whole record, and an action takes it.

`ActionForm` and `ActionAdmin` are the bases of every screen that writes by actions, `RecordForm` and
`RecordAdmin` of those over recorded rows. What an action or a constraint refuses is shown at its field, and
nothing typed is lost. A form is refused if another user has saved since it was opened, so no change is
overwritten unseen.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec
from django import forms
from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import BaseConstraint, Model, Q, UniqueConstraint
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from unfold.admin import ModelAdmin

from catalog.bulk.cells import differences
from catalog.errors import Refused
from catalog.records import Record
from catalog.screens.ids import as_key
from catalog.screens.lost_text import RESTORE, KeepsLostText
from catalog.tables.recorded import Recorded
from catalog.tables.references import references

KEEP = "keep-"
"""The names of the choices between a person's own value of a field and another person's."""


class Both(NamedTuple):
    """A field that two people filled in differently: both values as texts, and which one is to be kept."""

    name: str
    label: str
    mine: str
    theirs: str
    keep: str


def digest(record: Record) -> str:
    """Return the digest of a record, which differs after any change."""
    return hashlib.sha256(msgspec.json.encode(record)).hexdigest()


class ActionForm(forms.ModelForm):
    """A form that shows errors at the fields that they are about."""

    spoken_of_as: ClassVar[dict[str, str]] = {}
    """Words in sentences for fields that have another name."""

    refusal: ClassVar[Refused | None] = None
    """Why the action refused the form, when it is shown again."""

    restored: ClassVar[bool] = False
    """Whether this shows text that a browser kept, which is not to be written yet."""

    def is_valid(self) -> bool:
        """Return whether this can be written."""
        return super().is_valid() and not self.restored

    def clean(self) -> dict[str, Any]:
        """Show the refusal of the action."""
        cleaned = super().clean() or {}
        if self.refusal is not None:
            self.add_error(self.field_of(self.refusal.reason), f"{self.refusal.reason}.")
        return cleaned

    def _post_clean(self) -> None:
        """Move the refusal of a constraint from the top of the form to its field."""
        super()._post_clean()  # type: ignore[misc]
        self.check_more()
        on_top = self._errors.pop(NON_FIELD_ERRORS, None)  # type: ignore[attr-defined]
        field_of = self._fields_by_sentence()
        for error in on_top.as_data() if on_top else ():
            self.add_error(field_of.get(error.message), error)

    def check_more(self) -> None:
        """Check what the form fills in outside its own row; for subclasses that do."""

    def _fields_by_sentence(self) -> dict[str, str]:
        """Return the field for the sentence of each constraint: the last field that it is about."""
        fields = {}
        for constraint in self.constraints():
            if isinstance(constraint, UniqueConstraint):
                names = set(constraint.fields)
            else:
                names = set(Q(constraint.condition).referenced_base_fields)  # type: ignore[attr-defined]
            field = next((name for name in reversed(self.fields) if name in names), None)
            if field is not None:
                fields[str(constraint.get_violation_error_message())] = field
        return fields

    def constraints(self) -> list[BaseConstraint]:
        """Return the constraints that the form may break."""
        return list(self._meta.model._meta.constraints)

    def field_of(self, sentence: str) -> str | None:
        """Return the field that a sentence is about; None if it is about none, or about several."""
        words = set(re.findall(r"[a-z_]+", sentence.partition(":")[0]))
        named = {self.spoken_of_as.get(word, word) for word in words} & set(self.fields)
        return named.pop() if len(named) == 1 else None


class RecordForm(ActionForm):
    """A form whose fields have the names of a record's fields."""

    record_type: ClassVar[type[Record]]
    names: ClassVar[dict[str, str]] = {}
    """Fields of the record that have another name in the form."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    both: Sequence[Both] = ()
    """What this person and another one filled in differently meanwhile."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        instance: Recorded | None = kwargs.get("instance")
        self.before: Any = instance.to_record() if instance is not None else None
        if self.before is not None:
            recorded = self.from_record(msgspec.structs.asdict(self.before))
            kwargs["initial"] = {
                **{self.names.get(name, name): value for name, value in recorded.items()},
                "seen": digest(self.before),
                **(kwargs.get("initial") or {}),
            }
        super().__init__(*args, **kwargs)

        # Of two values, the recorded one is kept by ignoring what was typed.
        for name, field in self.fields.items():
            if self.data.get(f"{KEEP}{name}") == "theirs":
                field.disabled = True

    def from_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a record as this form shows them."""
        return fields

    def to_record(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the filled-in form as the fields of a record."""
        return fields

    def record(self) -> Any:
        """Return the filled-in form as a record."""
        known = {} if self.before is None else msgspec.structs.asdict(self.before)
        called = {name: self.names.get(name, name) for name in self.record_type.__struct_fields__}
        filled_in = {
            # An empty text says nothing, so it counts as nothing.
            name: None if self.cleaned_data[field] == "" else self.cleaned_data[field]
            for name, field in called.items()
            if field in self.cleaned_data
        }
        return msgspec.convert(self.to_record({**known, **filled_in}), self.record_type, from_attributes=True)

    def clean(self) -> dict[str, Any]:
        """Refuse a record that another user has changed meanwhile."""
        cleaned = super().clean()
        if self.before is None:
            return cleaned
        chosen = {name for name in self.fields if self.data.get(f"{KEEP}{name}") in ("mine", "theirs")}
        if self.restored and "seen" not in self.data:
            # Text for a row that no one else has written in.
            self._see()
            return cleaned
        shown = set(str(self.data.get("both", "")).split()) & set(self.fields)
        changed_since = cleaned.get("seen") != digest(self.before)
        if not changed_since and shown <= chosen:
            return cleaned
        self.both = self._both(shown if not changed_since else None)
        self._see()
        raise ValidationError(
            "Another person changed this after you opened it. "
            "Choose for each field what to keep, and save again."
        )

    def _see(self) -> None:
        """Note that the next time it is what is shown now that was seen."""
        data: Any = self.data
        self.data = data.copy()
        self.data["seen"] = digest(self.before)  # type: ignore[index]

    def _takes(self, name: str, value: Any) -> bool:
        """Tell whether a person could fill in a recorded value: some are filled in by the record itself."""
        try:
            self.fields[name].clean(value)
        except ValidationError:
            return False
        return True

    def _both(self, names: set[str] | None) -> list[Both]:
        """Return the fields that differ from what is recorded, or those that were shown to differ."""
        differing = self.changed_data if names is None else sorted(names)
        found = [
            Both(
                name,
                str(self[name].label),
                _as_text(self[name].data),
                _as_text(self[name].initial),
                "" if names is None else str(self.data.get(f"{KEEP}{name}", "")),
            )
            for name in differing
            if name != "seen" and self._takes(name, self[name].initial)
        ]
        return [one for one in found if one.mine != one.theirs]


def _say_saved(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Name the page of a saved form, for a minute, to the script that keeps unsaved text."""
    response.set_cookie("desk-saved", request.path, max_age=60, secure=request.is_secure(), samesite="Strict")
    return response


def _as_text(value: Any) -> str:
    """Return a value of a form as people read it: an item of a list on each line."""
    if value is None:
        return ""
    if isinstance(value, list | tuple | set):
        return "\n".join(map(_as_line, value))
    return str(value)


def _as_line(item: Any) -> str:
    return " · ".join(filter(None, map(_as_text, item))) if isinstance(item, list | tuple) else _as_text(item)


class PagesByKey(Paginator):
    """Pages of a query with costly columns, computed for one page and not for all pages before it."""

    def page(self, number: int | str) -> Any:
        """Return one page. The keys of its rows are looked up first."""
        page = super().page(number)
        every_row: Any = self.object_list
        of_page: Any = page.object_list
        page.object_list = every_row.filter(pk__in=list(of_page.values_list("pk", flat=True)))
        return page


class ActionAdmin(ModelAdmin):
    """A list and a form that write by actions: subclasses name them, in `write` and `remove`."""

    actions: Any = None
    list_per_page = 50
    paginator = PagesByKey
    show_full_result_count = False
    warn_unsaved_form = True
    change_form_before_template = "admin/catalog/_typed.html"

    def write(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Record or change the filled-in record. Raises `Refused`."""
        raise NotImplementedError

    def remove(self, request: HttpRequest, obj: Any) -> None:
        """Delete a row. Raises `Refused`."""
        raise NotImplementedError

    def what_changed(self, form: Any) -> str:
        """Return what the log says of a change."""
        raise NotImplementedError

    # --- Writing ---

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the class of the form, which knows the action's latest refusal."""
        form_class = super().get_form(request, obj, change=change, **kwargs)
        form_class.refusal = getattr(request, "refusal", None)
        form_class.restored = request.method == "POST" and RESTORE in request.POST
        return form_class

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show and take the form; a refusal of the action is shown in it."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except Refused as refusal:
            request.refusal = refusal  # type: ignore[attr-defined]
            return super().changeform_view(request, object_id, form_url, extra_context)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Pass the form to the action."""
        self.write(request, obj, form, change)

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> HttpResponse:
        """Tell the browser that it need not keep the text of this form any longer."""
        return _say_saved(request, super().response_add(request, obj, post_url_continue))

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        """Tell the browser likewise."""
        return _say_saved(request, super().response_change(request, obj))

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Do nothing: the action has written everything."""

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        """Return the text of the log."""
        if add:
            return super().construct_change_message(request, form, formsets, add)
        return self.what_changed(form)

    # --- Deleting ---

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Return what would be deleted, and what prevents it.

        A row can be deleted only if nothing refers to it.
        """
        protected = [str(reference) for row in objs for reference in references(row)]
        names = self.opts.verbose_name if len(objs) == 1 else self.opts.verbose_name_plural
        return [str(row) for row in objs], {str(names): len(objs)}, set(), protected

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        """Pass the row to the action."""
        self.remove(request, obj)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask, then delete. A refusal, because another user was faster, is shown on the list."""
        try:
            return super().delete_view(request, object_id, extra_context)
        except Refused as refusal:
            messages.error(request, f"Not deleted. {refusal}.")
            return HttpResponseRedirect(
                reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
            )


class RecordAdmin(KeepsLostText, ActionAdmin):
    """A list and a form over recorded rows."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Keep the key as it is once the row is recorded."""
        more = list(super().get_readonly_fields(request, obj))
        return [self.key, *more] if obj else more

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return a row, locked until the end of the transaction if it will be written.

        A page that only reads, such as the history, opens no transaction.
        """
        is_written = request.method == "POST" and transaction.get_connection().in_atomic_block
        if is_written and (key := as_key(self.model, object_id)) is not None:
            self.model._default_manager.select_for_update().filter(pk=key).first()
        return super().get_object(request, object_id, from_field)

    def what_changed(self, form: Any) -> str:
        """Return each field, before and after."""
        changed = differences(form.before, form.record())
        return (
            "; ".join(f"{field}: {old or 'nothing'} → {new or 'nothing'}" for field, old, new in changed)
            or "Nothing."
        )
