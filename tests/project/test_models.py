"""Habits of all models: documented, ordered, paired, and read in words."""

import inspect
import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import models
from pghistory.models import Event

from catalog.editorial.models import Revision
from catalog.tables.constraints import both_or_neither

APPS = ("aeo", "catalog", "compliance", "recalls", "rules", "signin")
# Tables of history are copies of the others.
MODELS = [
    model
    for label in APPS
    for model in apps.get_app_config(label).get_models()
    if not issubclass(model, Event)
]


def pairs() -> Iterator[tuple[type[models.Model], str, str]]:
    """Return each pair `x_at`, `x_by` of each model, for every field that is one half of it."""
    for model in MODELS:
        names = {field.name for field in model._meta.concrete_fields}
        for stem in sorted({match[1] for name in names if (match := re.fullmatch(r"(\w+)_(?:at|by)", name))}):
            yield model, f"{stem}_at", f"{stem}_by"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_a_model_says_what_it_is_how_it_is_ordered_and_how_a_row_reads(model: type[models.Model]) -> None:
    # Django makes up a docstring out of the fields' names.
    assert inspect.cleandoc(model.__doc__ or "").partition("(")[0] != model.__name__
    assert model._meta.ordering
    assert model.__str__ is not models.Model.__str__


@pytest.mark.parametrize(
    ("model", "at", "by"), list(pairs()), ids=lambda part: getattr(part, "__name__", part)
)
def test_who_and_when_are_both_there(model: type[models.Model], at: str, by: str) -> None:
    when, who = model._meta.get_field(at), model._meta.get_field(by)
    assert isinstance(when, models.DateTimeField)
    assert who.related_model is apps.get_model("auth", "User")
    assert when.null == who.null


OPTIONAL_PAIRS = [(model, at, by) for model, at, by in pairs() if model._meta.get_field(at).null]


@pytest.mark.parametrize(
    ("model", "at", "by"), OPTIONAL_PAIRS, ids=lambda part: getattr(part, "__name__", part)
)
def test_a_constraint_holds_an_optional_pair_together(model: type[models.Model], at: str, by: str) -> None:
    # That the database then refuses a half is shown beside the other constraints of each app.
    together = both_or_neither("any_name", at, by).condition
    checks = [rule for rule in model._meta.constraints if isinstance(rule, models.CheckConstraint)]
    assert together in [rule.condition for rule in checks]


def test_rules_recalls_disagreements_verdict_cases_and_guides_are_what_is_reviewed() -> None:
    reviewed = {model.__name__ for model in MODELS if issubclass(model, Revision)}
    assert reviewed == {"Rule", "Recall", "Disagreement", "VerdictCase", "GuideText"}
