"""The tables of the rules, as editors keep them, and of the releases made from them."""

from rules.models.accepted import AcceptedFinding
from rules.models.release import Release
from rules.models.rule import Rule, RuleEvidence

__all__ = ["AcceptedFinding", "Release", "Rule", "RuleEvidence"]
