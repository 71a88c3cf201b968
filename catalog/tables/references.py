"""What refers to a record: an action that deletes asks this first, and editors of evidence read it.

It follows every foreign key that protects the record, from any app, so a later table counts without a change
here. A reference names the record that a link belongs to, not the link: a rule, not the row that links it to
its source. Reads only.
"""

from collections.abc import Collection
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.db.models import (
    CASCADE,
    PROTECT,
    Count,
    Exists,
    ForeignObjectRel,
    IntegerField,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce

SHOWN = 5
"""How many records of each kind are named."""


class Reference(NamedTuple):
    """Records of one kind that refer to another one: how many, and the first of them."""

    model: type[Model]
    count: int  # type: ignore[assignment]
    ids: tuple[Any, ...]

    @property
    def name(self) -> str:
        """What the records are called."""
        return str(self.model._meta.verbose_name if self.count == 1 else self.model._meta.verbose_name_plural)

    @property
    def more(self) -> str:
        """How many more there are than the named ones."""
        unnamed = self.count - len(self.ids)
        return f" and {unnamed} more" if unnamed else ""

    def __str__(self) -> str:
        return f"{self.count} {self.name} ({', '.join(map(str, self.ids))}{self.more})"


def references(row: Model) -> list[Reference]:
    """Return what refers to a row, by kind; nothing if it can go. Two queries for each kind of link."""
    found = []
    for relation in _protecting(type(row)):
        owner, path = _owner(relation)
        ids = (
            relation.related_model._default_manager.filter(**{relation.field.name: row})
            .order_by(path)
            .values_list(path, flat=True)
            .distinct()
        )
        first = tuple(ids[: SHOWN + 1])
        if first:
            count = len(first) if len(first) <= SHOWN else ids.count()
            found.append(Reference(owner, count, first[:SHOWN]))
    return found


def only_in_states(row: Model, states: Collection[str]) -> bool:
    """Return whether all that refers to a row are revisions in some states. One query for each link."""
    for relation in _protecting(type(row)):
        owner, path = _owner(relation)
        links = relation.related_model._default_manager.filter(**{relation.field.name: row})
        if hasattr(owner, "id_field"):
            state = "__".join([*path.split("__")[:-1], "state"])
            links = links.exclude(**{f"{state}__in": states})
        if links.exists():
            return False
    return True


def with_reference_count(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Add `reference_count` to a query: how many records lead to each row."""
    counts = [
        Coalesce(
            Subquery(
                relation.related_model._default_manager.filter(**{relation.field.name: OuterRef("pk")})
                .order_by()
                .values(relation.field.name)
                .annotate(records=Count(_owner(relation)[1], distinct=True))
                .values("records"),
                output_field=IntegerField(),
            ),
            0,
        )
        for relation in _protecting(rows.model)
    ]
    return rows.annotate(reference_count=sum(counts[1:], counts[0]))


def is_referred_to(model: type[Model]) -> Q:
    """Return the condition that something refers to a row of a model."""
    links = [
        Exists(relation.related_model._default_manager.filter(**{relation.field.name: OuterRef("pk")}))
        for relation in _protecting(model)
    ]
    return reduce(or_, map(Q, links), Q())


def _protecting(model: type[Model]) -> list[ForeignObjectRel]:
    """Return the links from other tables that keep rows of a model from being deleted."""
    return [
        relation
        for relation in model._meta.get_fields(include_hidden=True)
        if isinstance(relation, ForeignObjectRel) and relation.on_delete is PROTECT
    ]


def _owner(relation: ForeignObjectRel) -> tuple[type[Model], str]:
    """Return which model a link belongs to, and the path from the link to the id of its owner."""
    model: Any = relation.related_model
    path: list[str] = []
    while parents := [field for field in model._meta.concrete_fields if _goes_with(field)]:
        (parent,) = parents
        path.append(parent.name)
        model = parent.related_model
    # Every revision of a rule is a row; the rule is named by the id that they share.
    return model, "__".join([*path, getattr(model, "id_field", "pk")])


def _goes_with(field: Any) -> bool:
    return field.is_relation and field.remote_field.on_delete is CASCADE
