"""A release as plain JSON: which rules say the same for a verdict, and which facts each of them tells apart.

The proof decides from this which questions are alike, so it reads the text of the release itself, and neither
what the engine reads nor what the reference program reads. A condition that it does not know is refused.
"""

import datetime
import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

BASELINE = "INTL"

CONDITIONS = frozenset(
    {
        "watt_hour_over",
        "watt_hour_at_least",
        "watt_hour_up_to",
        "compartment",
        "recall_status",
        "condition",
        "certification_missing",
        "quantity_over",
        "model",
    }
)
"""The conditions that a rule can have."""

TOLD_APART = {
    "carry_on_only": "compartment",
    "max_units": "quantity",
    "ccc_mark_required": "mark",
    "label_required": "label",
    "airline_approval_required": "",
}
"""The codes of requirements that can ban or be unproven, and the fact by which each of them does."""

Json = dict[str, Any]


class UnknownCondition(ValueError):
    """A rule has a condition that this program does not know, so it cannot say which questions are alike."""


class Said(NamedTuple):
    """A rule as the release writes it. `low` and `high` are the hundredths of a watt-hour that it is about.

    Both are None for a rule without a condition on watt-hours: it holds for unknown watt-hours too.
    """

    rule_id: str
    airline: str | None
    jurisdiction: str
    effect: str
    code: str | None
    max_units: int | None
    when: Json
    span: tuple[int, int] | None

    @property
    def permit_of(self) -> str | None:
        """Return whose permit it is: `airline`, `baseline` or `authority`; None for any other effect."""
        if self.effect != "permit":
            return None
        if self.airline is not None:
            return "airline"
        return "baseline" if self.jurisdiction == BASELINE else "authority"

    @property
    def statement(self) -> str | None:
        """Return what it says for a verdict, as canonical JSON; None if it decides nothing."""
        if self.effect not in ("permit", "prohibit") and self.code not in TOLD_APART:
            return None
        code = self.code if self.effect == "require" else None
        said = [self.permit_of, self.effect, code, self.max_units if code == "max_units" else None, self.when]
        return json.dumps(said, sort_keys=True, separators=(",", ":"))

    def tells_apart(self, fact: str) -> bool:
        """Return whether it bans, or is unproven, by a fact."""
        return self.effect == "require" and TOLD_APART.get(self.code or "") == fact


class Records:
    """The records of a release."""

    def __init__(self, document: bytes) -> None:
        self.document: Json = json.loads(document)
        content = self.document["content"]
        self.rules = {row["rule_id"]: _said(row) for row in content["rules"]}
        self.countries: list[str] = sorted(row["code"] for row in content["countries"])
        self.airlines: dict[str, Json] = {row["airline"]: row for row in content["airlines"]}
        self.devices: dict[str, Json] = {row["model_id"]: row for row in content["devices"]}
        self.spans = [(row.get("effective_from"), row.get("effective_until")) for row in content["rules"]] + [
            (one.get("since"), one.get("until"))
            for row in content["devices"]
            for one in row.get("certificates", ())
            if one["status"] != "valid"
        ]
        self.named = sorted({name for one in self.rules.values() for name in one.when.get("model") or ()})

    def days(self, since: datetime.date) -> list[datetime.date]:
        """Return the first day of each period in which the same rules and certificates are in force.

        The first period starts on `since`, and the last one never ends.
        """
        days = {since}
        for first, last in self.spans:
            if first is not None:
                days.add(datetime.date.fromisoformat(first))
            if last is not None and (ends := datetime.date.fromisoformat(last)) < datetime.date.max:
                days.add(ends + datetime.timedelta(days=1))
        return sorted(day for day in days if day >= since)

    def edges(self, rules: Iterable[Said]) -> list[int]:
        """Return the hundredths of a watt-hour at which some rules start or cease to be about a unit."""
        spans = [one.span for one in rules if one.span is not None]
        return sorted({low for low, _ in spans} | {high + 1 for _, high in spans if high < MOST_HUNDREDTHS})


MOST_HUNDREDTHS = 1_000_000 * 100
"""The highest figure that a release can have, in hundredths of a watt-hour."""


def hundredths(figure: str) -> int:
    """Return a figure of a release, which has at most two decimals, in hundredths."""
    return int(Decimal(figure) * 100)


def _said(row: Mapping[str, Any]) -> Said:
    when = {name: value for name, value in row["when"].items() if value is not None}
    if unknown := when.keys() - CONDITIONS:
        raise UnknownCondition(f"rule {row['rule_id']} has the condition `{min(unknown)}`")
    return Said(
        rule_id=row["rule_id"],
        airline=row.get("airline"),
        jurisdiction=row["jurisdiction"],
        effect=row["effect"],
        code=row.get("code"),
        max_units=row["params"].get("max_units"),
        when=when,
        span=_span(when),
    )


def _span(when: Json) -> tuple[int, int] | None:
    if not any(name.startswith("watt_hour") for name in when):
        return None
    low, high = 0, MOST_HUNDREDTHS
    if "watt_hour_over" in when:
        low = hundredths(when["watt_hour_over"]) + 1
    if "watt_hour_at_least" in when:
        low = max(low, hundredths(when["watt_hour_at_least"]))
    if "watt_hour_up_to" in when:
        high = hundredths(when["watt_hour_up_to"])
    return low, high
