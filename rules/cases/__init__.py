"""Verdict cases: real routes and the answers that editors expect, as sentences in YAML.

The YAML files in this folder are data; `docs/writing-cases.md` is their manual. pytest runs them against the
starter corpus, and publishing a release runs the same files against the candidate content.

It guarantees: a case that cannot be read is an error that names file and case, never a case that is not run;
an expectation that names a code or a rule which does not exist is a failure, never a silent pass.

Pure: reads the files of one directory; no Django and no clock, each case has its own dates.
"""

from rules.cases.accepting import Outcome, case_digest, outcome, outcome_digest
from rules.cases.given import Given
from rules.cases.reading import Case, CaseError, Expect, load_cases
from rules.cases.running import Failure, Judged, failures, judge, silent_rules

__all__ = [
    "Case",
    "CaseError",
    "Expect",
    "Failure",
    "Given",
    "Judged",
    "Outcome",
    "case_digest",
    "failures",
    "judge",
    "load_cases",
    "outcome",
    "outcome_digest",
    "silent_rules",
]
