"""What is odd about a ruleset, found before anyone asks: gaps, contradictions, idle rules, weak evidence.

`findings` reads the content of a release, or of one in preparation, and decides nothing: an editor reviews
each finding and fixes it or accepts it with a reason. Pure: no Django, no clock, no I/O. Called by `manage.py
corpus check` and by the editors' desk.
"""

from rules.analysis.checks.all_checks import findings
from rules.analysis.checks.findings import KINDS, Acceptance, Finding, Kind, Weight

__all__ = ["KINDS", "Acceptance", "Finding", "Kind", "Weight", "findings"]
