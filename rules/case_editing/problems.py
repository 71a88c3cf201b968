"""What no answer can ever contain: a case that expects it fails, so the form says so before it is saved.

Reads only.
"""

from collections.abc import Iterator

from rules.cases import Case, misnamed
from rules.editing.models import Rule


def problems_of(case: Case) -> Iterator[str]:
    """Yield each code and each rule that does not exist. One query.

    A rule of any state counts, so that a rule and its case can be drafted together.
    """
    named = {*case.expect.path, *case.expect.no_path}
    known = set(Rule.objects.filter(rule_id__in=named).values_list("rule_id", flat=True))
    for what, why in misnamed(case.expect, known):
        yield f"{what}: {why.removesuffix(' in this content')}"
