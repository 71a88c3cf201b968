"""The kinds of findings of the analysis, and their weight."""

from typing import Literal

import msgspec

from catalog.records import Record

Kind = Literal[
    "gap",
    "contradiction",
    "never_matches",
    "spares_the_worse",
    "shadowed",
    "expired",
    "expiring",
    "starting",
    "evidence_old",
    "evidence_unread",
    "evidence_overstated",
    "airline_unverified",
    "airline_not_covered",
]

Weight = Literal["problem", "notice"]
"""A `problem` stays until it is fixed or accepted with a reason; a `notice` comes and goes with the date."""

SubjectKind = Literal["rule", "airline", "jurisdiction"]


class KindOfFinding(msgspec.Struct, frozen=True):
    """What a kind of finding means, in the words of the desk."""

    weight: Weight
    title: str
    meaning: str


KINDS: dict[Kind, KindOfFinding] = {
    "gap": KindOfFinding(
        "problem",
        "Gap",
        "No rule permits or prohibits this here, so the verdict is `insufficient`.",
    ),
    "contradiction": KindOfFinding(
        "problem", "Contradiction", "Two rules of one issuer disagree about the same unit at the same time."
    ),
    "never_matches": KindOfFinding(
        "problem", "Never matches", "No possible question meets the conditions of this rule."
    ),
    "spares_the_worse": KindOfFinding(
        "problem",
        "Milder in the worse case",
        "The rule is stricter for a unit in an unknown state than for a unit in a worse state; "
        "or a permit allows the worse state.",
    ),
    "shadowed": KindOfFinding(
        "problem", "Shadowed", "Another rule of the same issuer always says the same, or is stricter."
    ),
    "expired": KindOfFinding(
        "notice", "Expired", "The rule has ended and no longer applies to any travel date."
    ),
    "expiring": KindOfFinding("notice", "Expires soon", "The rule ends within 30 days."),
    "starting": KindOfFinding("notice", "Starts soon", "The rule starts within 30 days."),
    "evidence_old": KindOfFinding(
        "problem", "Old evidence", "All its sources were last read longer ago than their cadence allows."
    ),
    "evidence_unread": KindOfFinding(
        "problem", "Unconfirmed", "The rule is approved, but no page that says this was read."
    ),
    "evidence_overstated": KindOfFinding(
        "problem",
        "Overstated",
        "It is confirmed, but no official page was read. A copy or a report is not enough for “confirmed”.",
    ),
    "airline_unverified": KindOfFinding(
        "problem",
        "Unverified airline",
        "Every rule of this airline is unverified, so no verdict for it is better than conditional.",
    ),
    "airline_not_covered": KindOfFinding(
        "problem", "Not covered", "The airline has no rule in force, so it has no verdicts."
    ),
}
"""Every kind of finding, in the order in which lists show them."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to review.

    `key` names it as long as nothing about it changes, so that an accepted finding stays accepted and comes
    back when it changes. `subject` is the id of the record to fix; `says` is one sentence; `rule_ids` are the
    rules that it is about. `proposes_disagreement`: a disagreement between these rules would explain it to
    readers, and there is none yet.
    """

    kind: Kind
    key: str
    subject_kind: SubjectKind
    subject: str
    says: str
    rule_ids: tuple[str, ...] = ()
    proposes_disagreement: bool = False

    @property
    def weight(self) -> Weight:
        """Return its weight."""
        return KINDS[self.kind].weight


def finding_of(kind: Kind, says: str, *rule_ids: str, distinguished_by: str = "") -> Finding:
    """Return a finding about rules, to be fixed at the first of them.

    Its key names the rules, and what distinguishes it from others of its kind about the same rules.
    """
    apart = [distinguished_by] if distinguished_by else []
    return Finding(
        kind=kind,
        key=":".join([kind, *rule_ids, *apart]),
        subject_kind="rule",
        subject=rule_ids[0],
        says=says,
        rule_ids=rule_ids,
    )


def finding_of_airline(kind: Kind, says: str, airline: str, rule_ids: tuple[str, ...] = ()) -> Finding:
    """Return a finding about an airline, and the rules that it is about as well."""
    return Finding(
        kind=kind,
        key=f"{kind}:{airline}",
        subject_kind="airline",
        subject=airline,
        says=says,
        rule_ids=rule_ids,
    )


class Acceptance(Record, frozen=True, kw_only=True):
    """The acceptance of a finding, by its key, with the reason."""

    key: str
    reason: str
