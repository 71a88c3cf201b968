"""Rules and recalls have the same workflow: the actions of each under one name, for tests of both."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from catalog.editorial.models import Revision
from recalls.editing import actions as recall_actions
from recalls.models import Recall
from rules.editing import actions as rule_actions
from rules.models import Rule
from tests.support.factories import a_recall, a_rule

ACTIONS = ("revise", "withdraw", "discard", "submit", "give_back", "approve", "approve_again", "take_back")
"""Actions that take ids. `return` is a keyword of Python, so its name here is `give_back`."""


class Kind(SimpleNamespace):
    """One kind of record: its model, an unsaved record, and the actions."""

    model: type[Revision]
    new: Any
    text: str
    draft: Callable[..., None]
    change: Callable[..., None]

    def newest(self, name: str) -> Any:
        """Return the newest revision of a record."""
        return self.model._default_manager.filter(**{self.model.id_field: name}).order_by("-revision")[0]

    def states(self, name: str) -> list[str]:
        """Return the states of all revisions of a record, the first one first."""
        rows = self.model._default_manager.filter(**{self.model.id_field: name}).order_by("revision")
        return list(rows.values_list("state", flat=True))

    def rewrite(self, name: str, text: str, *, by: Any) -> None:
        """Give the open draft of a record another text."""
        self.change(by=by, record=replace(self.newest(name).to_record(), **{self.text: text}))


def _kind(model: type[Revision], module: Any, name: str, new: Any, text: str) -> Kind:
    def plural(action: str) -> Callable[..., None]:
        def do(*ids: str, by: Any, **reason: str) -> None:
            called = {"give_back": f"return_{name}s", "approve_again": f"approve_{name}s_again"}
            function = getattr(module, called.get(action, f"{action}_{name}s"))
            function(by=by, **{f"{name}_ids": ids}, **reason)

        return do

    def single(action: str) -> Callable[..., None]:
        return lambda *, by, record: getattr(module, f"{action}_{name}")(by=by, **{name: record})

    return Kind(
        model=model,
        new=new,
        name=name,
        text=text,
        draft=single("draft"),
        change=single("change"),
        **{action: plural(action) for action in ACTIONS},
    )


RULES = _kind(Rule, rule_actions, "rule", a_rule(rule_id="n1.new"), "summary")
RECALLS = _kind(Recall, recall_actions, "recall", a_recall(recall_id="new", model_id="lynx-27k"), "title")

both_kinds = pytest.mark.parametrize(
    ("kind", "name"), [(RULES, "n1.two-units"), (RECALLS, "xb-puma-30k-2026")], ids=["rule", "recall"]
)
"""Runs a test once for each kind, with a record that is approved in the test world."""
