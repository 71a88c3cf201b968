"""Verdict cases: real routes and the answers that editors expect, as sentences in YAML.

The YAML files in this folder are the cases that come with the program; `docs/writing-cases.md` is their
manual. pytest runs them against the starter corpus. An installation begins with them, and keeps its own in
`rules.case_editing`; publishing asks those.

It guarantees: a case that cannot be read is an error that names file and case, never a case that is not run;
an expectation that names a code or a rule which does not exist is a failure, never a silent pass.

Pure: reads the files of one directory; no Django and no clock, each case has its own dates.
"""

from rules.cases.accepting import Outcome, case_digest, digest_of_cases, outcome, outcome_digest, said
from rules.cases.comparing import misnamed
from rules.cases.given import Given
from rules.cases.reading import Case, CaseError, Expect, case_of, cases_in, load_cases
from rules.cases.running import Answered, Failure, Judged, answered, failures, judge, silent_rules
from rules.cases.writing import as_files

__all__ = [
    "Answered",
    "Case",
    "CaseError",
    "Expect",
    "Failure",
    "Given",
    "Judged",
    "Outcome",
    "answered",
    "as_files",
    "case_digest",
    "case_of",
    "cases_in",
    "digest_of_cases",
    "failures",
    "judge",
    "load_cases",
    "misnamed",
    "outcome",
    "outcome_digest",
    "said",
    "silent_rules",
]
