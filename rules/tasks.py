"""All jobs of the rules, in the place where Celery looks for them. Each is written in its own slice."""

from rules.analysis.tasks import analyze_rows, note_owed_approvals
from rules.impact.actions.workers import measure_impact
from rules.impact.tasks import forget_measurements, take_up_measurements
from rules.proof.actions.workers import prove_release
from rules.proof.tasks import take_up_proofs
from rules.publishing.tasks import verify_ledger
from rules.watch.tasks import forget_visits, watch_sources

__all__ = [
    "analyze_rows",
    "forget_measurements",
    "forget_visits",
    "measure_impact",
    "note_owed_approvals",
    "prove_release",
    "take_up_measurements",
    "take_up_proofs",
    "verify_ledger",
    "watch_sources",
]
