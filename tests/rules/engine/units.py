"""The unit that a question is about: the values that its facts can take, and a strategy that draws them.

`MARKS`, `LABELS`, `CONDITIONS` and `LIST_ANSWERS` stand in the order favorable, unknown, unfavorable.
"""

from typing import Any

from hypothesis import strategies as st

from recalls.serials import RecallStatus
from rules.engine.facts import Unit
from rules.engine.vocabulary import (
    Compartment,
    LabelIndication,
    ListAnswer,
    MarkIndication,
    UnitCondition,
)

COMPARTMENTS: tuple[Compartment, ...] = ("carry_on", "checked", "on_person")
MARKS: tuple[MarkIndication, ...] = ("present", "unknown", "absent")
LABELS: tuple[LabelIndication, ...] = ("legible", "unknown", "missing")
CONDITIONS: tuple[UnitCondition, ...] = ("intact", "unknown", "damaged")
LIST_ANSWERS: tuple[ListAnswer, ...] = ("not_affected", "not_checked", "affected")
RECALL_STATUSES: tuple[RecallStatus, ...] = (
    "not_affected",
    "serial_unknown",
    "external_check_required",
    "affected",
)

COMPARTMENTS_DRAWN = st.sampled_from(("carry_on", "carry_on", *COMPARTMENTS))


def units(model_ids: tuple[str, ...], identifiers: tuple[str, ...]) -> st.SearchStrategy[Unit]:
    """Units of some models, each told with a serial, with a hash or with neither."""
    return st.builds(
        _unit,
        model_id=st.sampled_from(model_ids),
        quantity=st.sampled_from((1, 1, 1, 2, 3, 6, 20)),
        ccc_mark=st.sampled_from(("present", *MARKS)),
        capacity_label=st.sampled_from(("legible", *LABELS)),
        condition=st.sampled_from(("intact", *CONDITIONS)),
        recall_check=st.sampled_from(("not_checked",) * 6 + LIST_ANSWERS),
        identifier=st.sampled_from((None, "hash", *identifiers)),
    )


def _unit(identifier: str | None, **unit_facts: Any) -> Unit:
    if identifier == "hash":
        return Unit(serial_hash="0" * 64, **unit_facts)
    return Unit(serial=identifier, **unit_facts)
