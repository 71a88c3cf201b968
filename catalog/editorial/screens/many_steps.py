"""The pages of a step for many rows: the preview with its boxes, the button, and the result.

The preview has tried the step and rolled it back, so it shows which rows would be refused and why: it tries
all rows together and, if that is refused, each one alone. Each of the others has a box: without its tick the
row stays as it is. The button takes the step with each row alone, and acts only on what the user saw: a row
that has changed since, or whose effect on answers is not the shown one, is refused. If all are refused, the
preview comes back with everything that was typed.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import msgspec
from django import forms
from django.contrib.admin.options import IS_POPUP_VAR
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest, PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from unfold.admin import ModelAdmin

from catalog.editorial.effects import NOT_MEASURED, Measuring, effects_of, measure
from catalog.editorial.permissions import may
from catalog.editorial.screens.many_rows import Line, Seen, from_text, to_text
from catalog.editorial.screens.verbs import ReasonForm
from catalog.editorial.screens.workflow import ActionButton
from catalog.editorial.workflow import EditorAction
from catalog.errors import ChangedSinceSeen
from catalog.screens.confirmation import acting_user
from catalog.tables.actions.best_effort import try_each

MOST = 500
"""How many rows go one step at once: as many as a person can check and a request can wait for."""

REVIEWS = (EditorAction.APPROVE, EditorAction.APPROVE_AGAIN)
"""The steps before which a reviewer reads what a row does to answers."""

Lines = Mapping[int, Line]

BACK, SEEN, TAKE, AGAIN, MEASURE = "back", "seen", "take", "again", "measure"
"""The names of the fields, and of the buttons that only show the page again."""


class ManyStepsAdmin(ModelAdmin):
    """A list that offers steps for many rows."""

    many: ClassVar[Mapping[EditorAction, ActionButton]]
    """The steps, in the order in which they are offered."""

    has_effects: ClassVar = True
    """Whether answers can depend on such rows."""

    # --- What a kind of rows says ---

    def offers_step(self, user: User, action: EditorAction) -> bool:
        """Return whether a user may take a step with rows of this kind."""
        return action in self.many and may(user, action, self.model)

    def lines(self, action: EditorAction, keys: Collection[int]) -> list[Line]:
        """Return rows with what they say, in an order of their own."""
        raise NotImplementedError

    def present_lines(self, action: EditorAction, keys: Collection[int]) -> Lines:
        """Return what rows say now, by key, if steps compare it with what was seen; read once for all."""
        return {}

    def take_step(self, action: EditorAction, one: Seen, *, by: User, reason: str, present: Lines) -> None:
        """Do a step to one row, inside a transaction. Raises `Refused`, also if it is not as it was seen.

        `present` are its `present_lines`, perhaps with those of other rows.
        """
        raise NotImplementedError

    def take_steps(
        self, action: EditorAction, seen: Sequence[Seen], *, by: User, reason: str, present: Lines
    ) -> None:
        """Do a step to some rows, all or none of them, inside a transaction. Raises `Refused`."""
        for one in seen:
            self.take_step(action, one, by=by, reason=reason, present=present)

    # --- The list ---

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return what a user may do to many rows."""
        if IS_POPUP_VAR in request.GET:
            return {}
        user = acting_user(request)
        steps = {
            f"{action}_many": (partial(_ask, action=action), f"{action}_many", button.label)
            for action, button in self.many.items()
            if self.offers_step(user, action)
        }
        return steps | super().get_actions(request)

    def get_urls(self) -> list[URLPattern]:
        """Add the address of the button."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_do_many"
        view = self.admin_site.admin_view(self.do_many_view)
        return [path("do/<slug:action>/", view, name=name), *super().get_urls()]

    # --- Before ---

    def ask_about_many(
        self, request: HttpRequest, action: EditorAction, chosen: QuerySet[Any]
    ) -> HttpResponse | None:
        """Show the effect of a step on each of the rows that were chosen on the list."""
        keys = list(chosen.order_by("pk").values_list("pk", flat=True)[: MOST + 1])
        if len(keys) > MOST:
            self.message_user(
                request,
                f"Nothing was done. You can choose up to {MOST} at once: filter the list first.",
                "error",
            )
            return None
        return self._show_preview(request, action, keys, back=request.GET.urlencode())

    def _show_preview(
        self,
        request: HttpRequest,
        action: EditorAction,
        keys: Sequence[int],
        *,
        back: str,
        form: Any = None,
        left_out: Collection[int] = (),
        problems: Mapping[int, str] | None = None,
        measuring: Measuring | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """Show the preview. `problems` are what was refused when the button was pressed, by key."""
        lines = self._tried(request, action, keys, left_out)
        possible = [line for line in lines if not line.refusal]
        context = {
            "form": form or (ReasonForm() if self.many[action].needs_reason else forms.Form()),
            "seen": to_text(lines),
            "lines": sorted(lines, key=lambda line: not line.refusal),
            "problems": [(line.name, said) for line in lines if (said := (problems or {}).get(line.pk))],
            "possible": len(possible),
            "ticked": sum(line.taken for line in possible),
            "button": self.many[action].label,
            "shows_effects": action in REVIEWS and self.has_effects,
            "measured": any(line.effect != NOT_MEASURED for line in possible),
            "measuring": measuring,
        }
        return self._answer(request, action, "admin/catalog/move_many.html", context, back, status)

    def _tried(
        self, request: HttpRequest, action: EditorAction, keys: Sequence[int], left_out: Collection[int]
    ) -> list[Line]:
        """Return rows with why each would be refused, and with their effects together."""
        found = self.lines(action, keys)
        refusals = self._refusals(action, found, by=acting_user(request))
        lines = [
            replace(line, refusal=refusals.get(line.pk, ""), taken=line.pk not in left_out) for line in found
        ]
        if action not in REVIEWS or not self.has_effects:
            return lines
        effects = self._effects([line.seen for line in lines])
        return [replace(line, effect=effects.get(line.pk, NOT_MEASURED)) for line in lines]

    def _refusals(self, action: EditorAction, lines: Sequence[Line], *, by: User) -> dict[int, str]:
        """Return why rows would be refused, by key. Nothing is kept."""
        if not lines:
            return {}
        seen = [line.seen for line in lines]
        present = {line.pk: line for line in lines}
        step = partial(self.take_steps, action, by=by, reason="Only tried.", present=present)
        ((_, refusal),) = try_each([seen], step, keep=False)
        if not refusal:
            return {}
        return {one.pk: why for one, why in try_each(seen, lambda one: step([one]), keep=False) if why}

    def _effects(self, seen: Sequence[Seen]) -> dict[int, Any]:
        """Return the effects of those rows that were, or would be, measured together."""
        return effects_of(self._rows([one.pk for one in seen if one.together]))

    def _rows(self, keys: Collection[int]) -> list[Any]:
        return list(self.model._default_manager.filter(pk__in=keys).order_by("pk"))

    # --- The button and the result ---

    def do_many_view(self, request: HttpRequest, action: str) -> HttpResponse:
        """Do to each chosen row what was shown, and report the outcome of each."""
        button = self.many.get(action)  # type: ignore[call-overload]
        if button is None:
            raise Http404
        if not self.offers_step(acting_user(request), button.action):
            raise PermissionDenied
        back = request.POST.get(BACK, "")
        if request.method != "POST":
            return HttpResponseRedirect(self._list(back))
        seen, taken = _sent(request)
        form = ReasonForm(request.POST) if button.needs_reason else forms.Form(request.POST)
        again = partial(
            self._show_preview,
            request,
            button.action,
            [one.pk for one in seen],
            back=back,
            left_out={one.pk for one in seen if one.pk not in taken},
        )
        if AGAIN in request.POST or MEASURE in request.POST:
            return again(form=_as_typed(form), measuring=self._measure(request, taken))
        valid = form.is_valid()
        if seen and not taken:
            form.add_error(None, "Nothing was done: tick the rows that you mean.")
        if not valid or (seen and not taken):
            return again(form=form)
        chosen = [one for one in seen if one.pk in taken]
        done = self._do_each(request, button.action, chosen, form.cleaned_data.get("reason", ""))
        if chosen and all(refusal for _, refusal in done):
            form.add_error(None, "Nothing was done: all of them were refused. Read them again below.")
            return again(form=form, problems={one.pk: refusal for one, refusal in done}, status=409)
        return self._report(request, button.action, done, len(seen) - len(chosen), back)

    def _measure(self, request: HttpRequest, taken: Collection[int]) -> Measuring | None:
        if MEASURE not in request.POST or not self.has_effects:
            return None
        return measure(self._rows(taken), by=acting_user(request))

    def _do_each(
        self, request: HttpRequest, action: EditorAction, chosen: Sequence[Seen], reason: str
    ) -> list[tuple[Seen, str]]:
        """Do a step to each row whose effect is still the shown one."""
        other: set[int] = set()
        if action in REVIEWS and self.has_effects:
            seen, _ = _sent(request)
            effects = self._effects(seen)
            other = {one.pk for one in chosen if effects.get(one.pk, NOT_MEASURED).says != one.effect}
        by, present = acting_user(request), self.present_lines(action, [one.pk for one in chosen])

        def act(one: Seen) -> None:
            self.take_step(action, one, by=by, reason=reason, present=present)
            if one.pk in other:
                raise ChangedSinceSeen(one.record_id, "its effect on answers is no longer the shown one")

        return try_each(chosen, act)

    def _report(
        self,
        request: HttpRequest,
        action: EditorAction,
        done: Sequence[tuple[Seen, str]],
        left_out: int,
        back: str,
    ) -> HttpResponse:
        key_of = self.keys_now([one for one, _ in done])
        outcomes = [(one.record_id, key_of.get(one.record_id), refusal) for one, refusal in done]
        refused = [one for one, refusal in done if refusal]
        context = {
            # Refused first.
            "outcomes": sorted(outcomes, key=lambda outcome: not outcome[2]),
            "done": len(done) - len(refused),
            "refused": len(refused),
            "left_out": left_out,
            "seen": msgspec.json.encode(refused).decode(),
            "refused_keys": [one.pk for one in refused],
            "reason": request.POST.get("reason", ""),
        }
        return self._answer(request, action, "admin/catalog/moved_many.html", context, back)

    def keys_now(self, done: Sequence[Seen]) -> dict[str, int]:
        """Return the key of the row to open for each record, by its id; a record that is gone is missing."""
        there = set(self.model._default_manager.filter(pk__in=[one.pk for one in done]).values_list("pk"))
        return {one.record_id: one.pk for one in done if (one.pk,) in there}

    def _answer(
        self,
        request: HttpRequest,
        action: EditorAction,
        template: str,
        context: dict[str, Any],
        back: str,
        status: int = 200,
    ) -> HttpResponse:
        frame = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{self.many[action].label}: {self.opts.verbose_name_plural}",
            "offered": self.many[action],
            "back": back,
            "list": self._list(back),
        }
        return TemplateResponse(request, template, frame | context, status=status)

    def _list(self, query: str) -> str:
        address = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        return f"{address}?{query}" if query else address


def _ask(admin: ManyStepsAdmin, request: HttpRequest, chosen: QuerySet[Any], *, action: EditorAction) -> Any:
    return admin.ask_about_many(request, action, chosen)


def _sent(request: HttpRequest) -> tuple[list[Seen], set[int]]:
    """Return what the page says that the user saw, and the keys of the ticked rows.

    No one types either of them, so a broken value is a bad request.
    """
    try:
        seen = from_text(request.POST.get(SEEN, ""))
    except msgspec.MsgspecError:
        raise BadRequest("`seen` is not what the page said.") from None
    if len(seen) > MOST:
        raise BadRequest(f"The page shows up to {MOST} rows.")
    ticked = set(request.POST.getlist(TAKE))
    return seen, {one.pk for one in seen if str(one.pk) in ticked}


def _as_typed(form: Any) -> Any:
    """Return a form with what was typed, without complaints: the button only shows the page again."""
    values = {name: form.data.get(name, "") for name in form.fields}
    return type(form)(initial=values)
