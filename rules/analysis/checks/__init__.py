"""What is odd about a ruleset before anyone asks: gaps, contradictions, idle rules, thin or old evidence.

`findings` reads the content of a release, or of one that is being prepared, and decides nothing: a finding is
for an editor to look at, and either to mend or to accept with a reason. Pure: no Django, no clock, no I/O.
Called by `manage.py corpus check` and by the editors' desk.
"""

from rules.analysis.checks.all_checks import findings
from rules.analysis.checks.findings import KINDS, Acceptance, Finding, Kind, Weight

__all__ = ["KINDS", "Acceptance", "Finding", "Kind", "Weight", "findings"]
