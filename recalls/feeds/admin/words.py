"""What the screens of the feeds show: states in words, recalls with their links, original rows.

Reads only. The number of queries does not depend on the amount of data.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.urls import reverse

from catalog.editorial.workflow import State
from recalls.editing.models import Recall
from recalls.feeds.models import FeedNotice, NoticeState

STATES = {
    NoticeState.NEW: "New",
    NoticeState.NEEDS_REVIEW: "To decide",
    NoticeState.DRAFTED: "Drafted",
    NoticeState.RECORDED: "Already recorded",
    NoticeState.IRRELEVANT: "Set aside",
}
STATE_COLORS = {
    "New": "info",
    "To decide": "warning",
    "Drafted": "success",
    "Already recorded": "default",
    "Set aside": "default",
}
"""The color of each state's pill, which contains its word."""

LONGEST_RAW = 20_000


class ShownRecall(NamedTuple):
    """A recall of a notice: its id, model and state in words, and its address, empty if it is gone."""

    recall_id: str
    model_id: str
    said: str
    address: str


def shown_recalls(row: FeedNotice) -> list[ShownRecall]:
    """Return the recalls of a notice. Two queries."""
    links = list(row.recalls.order_by("recall_id"))
    newest = {
        recall.recall_id: recall for recall in Recall.objects.identified([link.recall_id for link in links])
    }
    return [_shown(link.recall_id, link.model_id, link.drafted, newest.get(link.recall_id)) for link in links]


def _shown(recall_id: str, model_id: str, drafted: bool, recall: Recall | None) -> ShownRecall:
    if recall is None:
        return ShownRecall(recall_id, model_id, "drafted from this notice, then discarded", "")
    came = "drafted from this notice" if drafted else "recorded before the notice"
    state = State(recall.state).label.lower()
    address = reverse("admin:recalls_recall_change", args=[recall.pk])
    return ShownRecall(recall_id, model_id, f"{came}, {state}", address)


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the fields of two rows that differ, as texts before and after."""
    return [
        (name, _said(before.get(name)), _said(after.get(name)))
        for name in {**before, **after}
        if before.get(name) != after.get(name)
    ]


def wording(raw: Mapping[str, Any]) -> str:
    """Return an original row, as readable text."""
    said = json.dumps(raw, ensure_ascii=False, indent=2)
    return said if len(said) <= LONGEST_RAW else f"{said[:LONGEST_RAW]}\n…"


def _said(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
