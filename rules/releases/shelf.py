"""The records of one release, ready to be listed: each found by its id and by what it belongs to.

The counterpart of `rules.engine.corpus.Corpus`, which is ready to decide. Built once per release and never
changed. Lists are in the order of their ids.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TypeVar

from django.utils.text import slugify

from catalog.search import DeviceIndex
from rules.engine.disagreements import Disagreement
from rules.engine.document import Content
from rules.engine.facts import Device, Recall, Rule

Row = TypeVar("Row")


class Shelf:
    """The records of a release by their ids, and those that belong to another one."""

    def __init__(self, content: Content) -> None:
        self.jurisdictions = _by(content.jurisdictions, lambda row: row.code)
        self.sources = _by(content.sources, lambda row: row.id)
        self.airlines = _by(content.airlines, lambda row: row.airline)
        self.devices = _by(content.devices, lambda row: row.model_id)
        self.rules = _by(content.rules, lambda row: row.rule_id)
        self.recalls = _by(content.recalls, lambda row: row.recall_id)
        self.disagreements = _by(content.disagreements, lambda row: row.id)
        self.all_devices = tuple(self.devices.values())
        self.brands = _grouped({device.brand for device in self.all_devices}, slugify)
        """The spellings of each brand, by its name as lower-case words joined by hyphens."""
        self._device_index = DeviceIndex(self.all_devices)
        self._rules_of_airline = _grouped(self.rules.values(), lambda rule: rule.airline)
        self._recalls_of_model = _grouped(self.recalls.values(), lambda recall: recall.model_id)
        self._disagreements_on = _grouped(self.disagreements.values(), lambda one: one.applied)

    def devices_of_brand(self, brand_id: str) -> list[Device]:
        """Return the models of a brand, in all its spellings, by its name as in `brands`."""
        return self._devices_of_brand.get(brand_id, [])

    @cached_property
    def _devices_of_brand(self) -> dict[str | None, list[Device]]:
        # Each spelling is read once: a brand has many models.
        brand_ids = {spelling: brand_id for brand_id, found in self.brands.items() for spelling in found}
        return _grouped(self.all_devices, lambda device: brand_ids[device.brand])

    def search_devices(self, text: str) -> list[Device]:
        """Return the models that match a text, best first, as `catalog.search` ranks them."""
        return [self.all_devices[position] for position in self._device_index.search(text)]

    def rules_of(self, airline: str) -> list[Rule]:
        """Return an airline's own rules, in force or not."""
        return self._rules_of_airline.get(airline, [])

    def recalls_of(self, model_id: str) -> list[Recall]:
        """Return the recalls of exactly one model."""
        return self._recalls_of_model.get(model_id, [])

    def disagreements_on(self, rule_id: str) -> list[Disagreement]:
        """Return the disagreements in which a rule is applied."""
        return self._disagreements_on.get(rule_id, [])


def _by(rows: Iterable[Row], key: Callable[[Row], str]) -> dict[str, Row]:
    return {key(row): row for row in sorted(rows, key=key)}


def _grouped(rows: Iterable[Row], key: Callable[[Row], str | None]) -> dict[str | None, list[Row]]:
    groups: dict[str | None, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)
