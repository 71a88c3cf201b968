"""Which identifiers the desk knows for a model and its brand, and how many of them a pattern matches.

Known are those that notices list and that editors gave as samples, in the newest revision of each recall, if
they are identifiers of the same kind. None comes from travelers: their questions are stored nowhere. Reads
only, with one query. Called by the recall form.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from django.db.models import QuerySet

from catalog.models import Device
from recalls.editing.models import Recall
from recalls.serials import AffectedSerials, compile_pattern, normalize

MAX_KNOWN = 2_000
"""The largest number of identifiers in a preview."""

KINDS = ("values", "affected_samples", "unaffected_samples")

THIS_RECALL, THIS_MODEL, OTHER_MODELS = (
    "this recall",
    "other recalls of this model",
    "other models of the brand",
)


class Known(NamedTuple):
    """An identifier as recalls spell it, the recall that has it, and the relation of that to this recall."""

    identifier: str
    recall_id: str
    where: str


class Share(NamedTuple):
    """How many of the identifiers known in one place match, and which recalls know those."""

    where: str
    matched: int
    known: int
    recall_ids: tuple[str, ...]


def known_identifiers(affected: AffectedSerials, *, recall_id: str, model_id: str | None) -> list[Known]:
    """Return what is known for a recall being written, then for its model, then for the brand."""
    found = [Known(text, recall_id, THIS_RECALL) for kind in KINDS for text in getattr(affected, kind)]
    if model_id is not None:
        rows = list(_others(recall_id, model_id, affected.identifier))
        rows.sort(key=lambda row: row.device_id != model_id)
        for row in rows:
            where = THIS_MODEL if row.device_id == model_id else OTHER_MODELS
            found += [
                Known(text, row.recall_id, where) for kind in KINDS for text in row.details.get(kind, ())
            ]
    return list(islice(_once(found), MAX_KNOWN))


def shares(pattern: str, known: Iterable[Known]) -> list[Share]:
    """Return how many known identifiers a pattern matches, place by place. It must compile."""
    matches = compile_pattern(pattern).fullmatch
    places: dict[str, list[Known]] = {}
    for one in known:
        places.setdefault(one.where, []).append(one)
    return [
        _share(where, of_place, [one for one in of_place if matches(one.identifier)])
        for where, of_place in places.items()
    ]


def _share(where: str, known: list[Known], matched: list[Known]) -> Share:
    return Share(where, len(matched), len(known), tuple(dict.fromkeys(one.recall_id for one in matched)))


def _others(recall_id: str, model_id: str, identifier: str) -> QuerySet[Recall]:
    """Return the newest revisions of the other recalls of a brand with the same kind of identifier."""
    brand = Device.objects.filter(pk=model_id).values("brand")
    newest = Recall.objects.filter(device__brand__in=brand).exclude(recall_id=recall_id).newest()
    rows = newest.filter(identifier=identifier).exclude(scope="all_units")
    return rows.order_by("recall_id").only("recall_id", "device_id", "details")


def _once(known: Iterable[Known]) -> Iterator[Known]:
    """Return identifiers as recalls spell them, each at the first place where it is known."""
    seen = set()
    for one in known:
        identifier = normalize(one.identifier)
        if identifier and identifier not in seen:
            seen.add(identifier)
            yield one._replace(identifier=identifier)
