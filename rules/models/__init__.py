"""The tables of the rules, as editors keep them, of the releases made from them, and of what would change."""

from rules.models.accepted import AcceptedFinding
from rules.models.accepted_case import AcceptedCase
from rules.models.held_back import HeldBack
from rules.models.impact import ImpactMeasurement, ImpactPart
from rules.models.plan import PlannedRelease, PlanState
from rules.models.release import Release
from rules.models.rule import Rule, RuleEvidence

__all__ = [
    "AcceptedCase",
    "AcceptedFinding",
    "HeldBack",
    "ImpactMeasurement",
    "ImpactPart",
    "PlanState",
    "PlannedRelease",
    "Release",
    "Rule",
    "RuleEvidence",
]
