"""The tables of the rules, as editors keep them, of the releases made from them, and of what would change."""

from rules.disagreements.models import Disagreement, DisagreementEvidence
from rules.models.accepted import AcceptedFinding
from rules.models.accepted_case import AcceptedCase
from rules.models.held_back import HeldBack
from rules.models.impact import ImpactMeasurement, ImpactPart
from rules.models.plan import PlannedRelease, PlanState
from rules.models.policy_history import PolicyEntry, PolicyHistory
from rules.models.release import Release
from rules.models.rule import Rule, RuleEvidence
from rules.models.watch_signal import ABOUT_TEXT, SignalKind, SignalOutcome, WatchSignal
from rules.models.watched_page import Snapshot, Visit, VisitOutcome, WatchedPage

__all__ = [
    "ABOUT_TEXT",
    "AcceptedCase",
    "AcceptedFinding",
    "Disagreement",
    "DisagreementEvidence",
    "HeldBack",
    "ImpactMeasurement",
    "ImpactPart",
    "PlanState",
    "PlannedRelease",
    "PolicyEntry",
    "PolicyHistory",
    "Release",
    "Rule",
    "RuleEvidence",
    "SignalKind",
    "SignalOutcome",
    "Snapshot",
    "Visit",
    "VisitOutcome",
    "WatchSignal",
    "WatchedPage",
]
