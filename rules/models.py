"""The tables of the rules as editors keep them, of the releases, and of measured changes."""

from rules.analysis.models import AcceptedFinding
from rules.case_editing.models import VerdictCase
from rules.disagreements.models import Disagreement, DisagreementEvidence
from rules.editing.announcement.models import AnnouncedRule, Announcement
from rules.editing.models import Rule, RuleEvidence
from rules.impact.models import ImpactMeasurement, ImpactPart
from rules.policy_history.models import PolicyEntry, PolicyHistory
from rules.proof.models import ProofPart, ProvedSet, ReleaseProof
from rules.publishing.models import (
    AcceptedCase,
    PlannedRelease,
    PlanState,
    PublishRequest,
    RequestKind,
    RequestState,
    RollBackRequest,
    Selection,
    SoloRelease,
)
from rules.releases.models import HeldBack, Release, ReleaseSignature
from rules.watch.models import (
    ABOUT_TEXT,
    SignalKind,
    SignalOutcome,
    Snapshot,
    Visit,
    VisitOutcome,
    WatchedPage,
    WatchSignal,
)

__all__ = [
    "ABOUT_TEXT",
    "AcceptedCase",
    "AcceptedFinding",
    "AnnouncedRule",
    "Announcement",
    "Disagreement",
    "DisagreementEvidence",
    "HeldBack",
    "ImpactMeasurement",
    "ImpactPart",
    "PlanState",
    "PlannedRelease",
    "PolicyEntry",
    "PolicyHistory",
    "ProofPart",
    "ProvedSet",
    "PublishRequest",
    "Release",
    "ReleaseProof",
    "ReleaseSignature",
    "RequestKind",
    "RequestState",
    "RollBackRequest",
    "Rule",
    "RuleEvidence",
    "Selection",
    "SignalKind",
    "SignalOutcome",
    "Snapshot",
    "SoloRelease",
    "VerdictCase",
    "Visit",
    "VisitOutcome",
    "WatchSignal",
    "WatchedPage",
]
