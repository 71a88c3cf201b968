"""What refers to a record: an action that deletes asks this first, and editors of evidence read it.

It follows every foreign key that protects the record, from any app, so a later table counts without a change
here. A reference names the record that a link belongs to, not the link: a rule, not the row that links it to
its source. Reads only.
"""

from collections.abc import Collection, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
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
    """Return what refers to a row, by kind; nothing if it can go. Two queries for all kinds."""
    relations = _protecting(type(row))
    firsts = _of_each(row, [ArraySubquery(_ids(relation)[: SHOWN + 1]) for relation in relations])
    found = [(relation, first) for relation, first in zip(relations, firsts, strict=False) if first]
    many = [relation for relation, first in found if len(first) > SHOWN]
    counts = dict(
        zip(many, _of_each(row, [_count(relation, _owner(relation)[1]) for relation in many]), strict=False)
    )
    return [
        Reference(_owner(relation)[0], counts.get(relation, len(first)), tuple(first[:SHOWN]))
        for relation, first in found
    ]


def going_with(row: Model) -> list[str]:
    """Return what a deletion of a row takes with it, by kind, such as `3 saved searches`. One query."""
    relations = [
        relation
        for relation in _links(type(row))
        if relation.on_delete is CASCADE and not relation.related_model._meta.auto_created
    ]
    counts = _of_each(row, [_count(relation, "pk") for relation in relations])
    return [
        f"{count} {meta.verbose_name if count == 1 else meta.verbose_name_plural}"
        for count, meta in zip(counts, (relation.related_model._meta for relation in relations), strict=False)
        if count
    ]


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
    counts = [_count(relation, _owner(relation)[1]) for relation in _protecting(rows.model)]
    return rows.annotate(reference_count=sum(counts[1:], counts[0]))


def is_referred_to(model: type[Model]) -> Q:
    """Return the condition that something refers to a row of a model."""
    links = [
        Exists(relation.related_model._default_manager.filter(**{relation.field.name: OuterRef("pk")}))
        for relation in _protecting(model)
    ]
    return reduce(or_, map(Q, links), Q())


def _of_each(row: Model, expressions: Sequence[Any]) -> Sequence[Any]:
    """Return the values of expressions about a row, all with one query."""
    if not expressions:
        return ()
    return type(row)._default_manager.filter(pk=row.pk).values_list(*expressions).first() or ()


def _ids(relation: ForeignObjectRel) -> QuerySet[Any]:
    """Return the ids of the records that refer to a row by a link, in their order."""
    path = _owner(relation)[1]
    rows = relation.related_model._default_manager.filter(**{relation.field.name: OuterRef("pk")})
    return rows.order_by(path).values_list(path, flat=True).distinct()


def _count(relation: ForeignObjectRel, path: str) -> Coalesce:
    """Return how many records refer to a row by a link; `path` leads from the link to their ids."""
    counted = (
        relation.related_model._default_manager.filter(**{relation.field.name: OuterRef("pk")})
        .order_by()
        .values(relation.field.name)
        .annotate(records=Count(path, distinct=True))
    )
    return Coalesce(Subquery(counted.values("records"), output_field=IntegerField()), 0)


def _protecting(model: type[Model]) -> list[ForeignObjectRel]:
    """Return the links from other tables that keep rows of a model from being deleted."""
    return [relation for relation in _links(model) if relation.on_delete is PROTECT]


def _links(model: type[Model]) -> list[Any]:
    """Return the links from other tables to rows of a model."""
    return [
        relation
        for relation in model._meta.get_fields(include_hidden=True)
        if isinstance(relation, ForeignObjectRel) and not relation.many_to_many
    ]


def _owner(relation: ForeignObjectRel) -> tuple[type[Model], str]:
    """Return which model a link belongs to, and the path from the link to the id of its owner."""
    model: Any = relation.related_model
    path: list[str] = []
    # What goes with rows of two kinds, such as a membership of a person, is a record of its own.
    while len(parents := [field for field in model._meta.concrete_fields if _goes_with(field)]) == 1:
        path.append(parents[0].name)
        model = parents[0].related_model
    # Every revision of a rule is a row; the rule is named by the id that they share.
    return model, "__".join([*path, getattr(model, "id_field", "pk")])


def _goes_with(field: Any) -> bool:
    return field.is_relation and field.remote_field.on_delete is CASCADE
