"""What work on a full desk takes that no page waits for, or that begins with a file."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.contrib.auth.models import User

IMPORTED_ROWS = (1_000, 10_000)


def measure(by: "User") -> Iterator[tuple[str, float]]:
    """Yield each piece of work with its seconds."""
    from msgspec.structs import replace

    from catalog.bulk import files, importing
    from catalog.devices.bulk import DEVICES
    from catalog.models import Device

    yield "the report on all rows, which the first page and the findings show", _seconds(read_all_rows)
    for count in IMPORTED_ROWS:
        recorded = list(Device.objects.order_by("pk")[:count].records())
        for what, rows in (
            ("unchanged", recorded),
            ("changed", [replace(row, notes="New.") for row in recorded]),
            ("new", [replace(row, model_id=f"new-{row.model_id}"[:80]) for row in recorded]),
        ):
            file = files.write("csv", rows, DEVICES.record_type)
            seconds = _seconds(partial(importing.preview, DEVICES, "models.csv", file, by=by))
            yield f"the preview of a file of {count:,} models that are {what}", seconds


def read_all_rows() -> None:
    """Make the report on all rows, as the job does after a change."""
    from django.utils import timezone

    from rules.analysis import report

    report.refresh(timezone.now())


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
