"""How actions insert: many rows in one statement. A refusal names the row.

Used by the actions of `catalog`, `recalls` and `rules`, inside their transactions.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import DatabaseError, models, transaction
from psycopg.errors import UniqueViolation

from catalog import free_text
from catalog.errors import AlreadyRecorded, NotRecorded, Refused, Unfit
from catalog.tables.evidence import Evidence


def insert(rows: Sequence[models.Model], *, owner: str = "pk", copies: bool = False) -> None:
    """Insert rows of one model.

    `owner` is the attribute, perhaps of an attribute, that names the record of a row, for refusals. The texts
    of `copies` are those of rows that exist. Raises `AlreadyRecorded` or `Unfit` for the first row that the
    table refuses; nothing is written then.
    """
    if not rows:
        return
    for row in rows:
        check_fields(row, owner)
        if not copies:
            check_texts(row, owner, {field.attname for field in row._meta.concrete_fields})
    try:
        with transaction.atomic():
            _bulk_create(rows)
    except DatabaseError:
        # The statement as a whole does not name the refused row, so the rows are tried one by one.
        for row in rows:
            _insert_one(row, owner)
        raise


def insert_evidence(
    through: type[Evidence], link: str, sources_of: Mapping[Any, Sequence[str]], *, owner: str
) -> None:
    """Link records to their sources, in order. `link` leads to the record, the keys are its values."""
    insert(evidence(through, link, sources_of), owner=owner)


def evidence(through: type[Evidence], link: str, sources_of: Mapping[Any, Sequence[str]]) -> list[Evidence]:
    """Return the links between records and their sources, unsaved."""
    return [
        through(**{link: record}, source_id=source, position=position)
        for record, sources in sources_of.items()
        for position, source in enumerate(sources)
    ]


def require_recorded(model: type[models.Model], referred: Mapping[str, Collection[str]]) -> None:
    """Check that referenced records exist: the keys are the records, the values the ids in `model`.

    Raises `NotRecorded` for the first that does not.
    """
    wanted = {name for names in referred.values() for name in names}
    found = set(model._default_manager.filter(pk__in=wanted).values_list("pk", flat=True))
    for record_id, names in referred.items():
        for name in names:
            if name not in found:
                raise NotRecorded(
                    record_id, f"names the {model._meta.verbose_name} `{name}`, which is not recorded"
                )


def check_fields(row: models.Model, owner: str) -> None:
    """Check lengths, decimals, choices and addresses, which the database would cut, round or not check.

    Raises `Unfit`.
    """
    # Foreign keys would each cost a query; the database checks them anyway.
    relations = [field.name for field in row._meta.concrete_fields if field.is_relation]
    try:
        row.clean_fields(exclude=relations)
    except ValidationError as error:
        field, messages = next(iter(error.message_dict.items()))
        raise Unfit(_name(row, owner), f"`{field}`: {' '.join(messages).rstrip('.')}") from None


def check_texts(row: models.Model, owner: str, columns: Collection[str]) -> None:
    """Check the characters of texts: see `catalog.free_text`. Raises `Unfit`."""
    for field in row._meta.concrete_fields:
        if field.attname not in columns or field.is_relation:
            continue
        single = field.base_field if isinstance(field, ArrayField) else field
        fault = free_text.name_fault if isinstance(single, models.CharField) else free_text.fault
        for text in _texts(field.value_from_object(row)):
            if wrong := fault(text):
                raise Unfit(_name(row, owner), f"`{field.name}`: {wrong}")


def _texts(value: Any) -> Iterator[str]:
    """Return the texts in the value of a field: a text, a list, or JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(one)


def _name(row: models.Model, owner: str) -> str:
    return str(attrgetter(owner)(row))


def _bulk_create(rows: Sequence[models.Model]) -> None:
    if rows:
        type(rows[0])._default_manager.bulk_create(rows)


def _insert_one(row: models.Model, owner: str) -> None:
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except DatabaseError as error:
        raise refusal_of(row, owner, error) from error


def refusal_of(row: models.Model, owner: str, error: DatabaseError) -> Refused:
    """Return the refusal of the database as the constraint's own sentence; see `insert`."""
    record_id = _name(row, owner)
    diagnosis: Any = getattr(error.__cause__, "diag", None)
    name = getattr(diagnosis, "constraint_name", None)
    for constraint in row._meta.constraints:
        if constraint.name == name:
            return Unfit(record_id, str(constraint.get_violation_error_message()))
    if isinstance(error.__cause__, UniqueViolation):
        return AlreadyRecorded(record_id, "is already recorded")
    return Unfit(record_id, getattr(diagnosis, "message_primary", None) or str(error))
