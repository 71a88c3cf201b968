"""How actions change rows: locked in one order, and written only if something differs.

Used by the actions of `catalog`, inside their transactions.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import DatabaseError, models, transaction
from django.utils import timezone

from catalog.errors import NotRecorded, Unfit
from catalog.tables.actions.inserting import (
    check_fields,
    check_texts,
    insert,
    insert_evidence,
    refusal_of,
)
from catalog.tables.evidence import Evidence
from catalog.tables.recorded import Recorded


def locked(model: type[Recorded], ids: Sequence[str]) -> dict[str, Any]:
    """Return rows by key, with all that their records need, locked until the transaction ends.

    Rows are locked in the order of the keys, so two actions never wait for each other. Raises `NotRecorded`
    for the first that does not exist, `Unfit` for one that is named twice.
    """
    require_distinct(ids)
    rows = (
        model._default_manager.select_for_update(of=("self",))
        .filter(pk__in=ids)
        .order_by("pk")
        .prefetch_related(*model.record_parts)
    )
    found = {row.pk: row for row in rows}
    for record_id in ids:
        if record_id not in found:
            raise NotRecorded(record_id, f"there is no such {model._meta.verbose_name}")
    return found


def require_distinct(ids: Iterable[str]) -> None:
    """Check that no record is named twice. Raises `Unfit` for the first that is."""
    for record_id, times in Counter(ids).items():
        if times > 1:
            raise Unfit(record_id, "is there twice in one change")


def update(by: User, changes: Mapping[models.Model, Mapping[str, Any]], *, owner: str = "pk") -> None:
    """Write new values into rows of one model, and who changed them.

    `owner` is the attribute that names the record of a row, for refusals. Raises `Unfit` for the first row
    that the table refuses; nothing is written then.
    """
    now = timezone.now()
    for row, values in changes.items():
        for column, value in {**values, "changed_at": now, "changed_by_id": by.pk}.items():
            setattr(row, column, value)
    write(list(changes), {"changed_at", "changed_by_id"}.union(*changes.values()), owner=owner)


def write(rows: Sequence[models.Model], columns: Iterable[str], *, owner: str = "pk") -> None:
    """Write columns of rows of one model whose values are set, in one statement; see `update`."""
    columns = set(columns)
    for row in rows:
        check_fields(row, owner)
        check_texts(row, owner, columns)
    try:
        with transaction.atomic():
            _bulk_update(rows, columns)
    except DatabaseError:
        # The statement as a whole does not name the refused row, so the rows are tried one by one.
        for row in rows:
            _update_one(row, columns, owner)
        raise


def replace_parts(
    part: type[models.Model], owner: str, owners: Iterable[str], rows: Sequence[models.Model]
) -> None:
    """Replace all parts of some records with new rows. `owner` is the foreign key's column.

    Positions are unique at every moment, so a list is never shifted in place.
    """
    part._default_manager.filter(**{f"{owner}__in": list(owners)}).delete()
    insert(rows, owner=owner)


def replace_evidence(
    through: type[Evidence], link: str, sources_of: Mapping[Any, Sequence[str]], *, owner: str
) -> None:
    """Link existing records to other sources, if they differ; see `writing.insert_evidence`.

    A link that stays the same leaves no trace in the history.
    """
    linked: dict[Any, list[str]] = defaultdict(list)
    links = through._default_manager.filter(**{f"{link}__in": list(sources_of)})
    for key, source in links.order_by("position").values_list(link, "source_id"):
        linked[key].append(source)
    changed = {record: names for record, names in sources_of.items() if linked[record.pk] != list(names)}
    links.filter(**{f"{link}__in": list(changed)}).delete()
    insert_evidence(through, link, changed, owner=owner)


def _bulk_update(rows: Sequence[models.Model], columns: Iterable[str]) -> None:
    if rows:
        # All rows exist and are locked, so this insert finds and changes each of them. Django's own
        # `bulk_update` takes ten times as long.
        type(rows[0])._default_manager.bulk_create(
            rows, update_conflicts=True, unique_fields=["pk"], update_fields=_names(rows[0], columns)
        )


def _update_one(row: models.Model, columns: Iterable[str], owner: str) -> None:
    try:
        with transaction.atomic():
            row.save(force_update=True, update_fields=_names(row, columns))
    except DatabaseError as error:
        raise refusal_of(row, owner, error) from error


def _names(row: models.Model, columns: Iterable[str]) -> list[str]:
    """Return the fields of columns: `brand` for `brand_id`."""
    wanted = set(columns)
    return [field.name for field in row._meta.concrete_fields if field.attname in wanted]
