"""The screens of rules and releases: the form with its live sentence, what would change, publishing."""

from rules.admin.impact import ImpactMeasurementAdmin
from rules.admin.releases import ReleaseAdmin
from rules.admin.rules import RuleAdmin

__all__ = ["ImpactMeasurementAdmin", "ReleaseAdmin", "RuleAdmin"]
