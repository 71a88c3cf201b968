"""What templates of the desk ask about the measured changes of an announcement that is not written yet."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils import timezone

from catalog.records import Source
from rules.engine.facts import Rule
from rules.impact.measurements import measured_changes as measured
from rules.impact.measurements import propose
from rules.next_release import content_with_records
from rules.releases.models import Release

register = template.Library()


@register.simple_tag
def measured_changes(rules: Sequence[Rule], source: Source | None) -> dict[str, Any] | None:
    """Return which answers rules would change; None if there is nothing to compare.

    `source` is recorded together with them, if it is not yet. `too_many` is how many there are to compare, if
    they are too many for a page.
    """
    base = Release.objects.current()
    if base is None:
        return None
    new = [source] if source else []
    content = content_with_records(base.read().content, rules=rules, sources=new)
    found = measured(propose(base, content), day=timezone.now().date())
    if found is None or found.result is None:
        return None if found is None else {"too_many": found.size}
    result = found.result
    return {
        "flipped": sum(way.count for way in result.ways),
        "lenient": result.lenient,
        "ways": result.ways,
        "causes": [cause.record.record_id for cause in result.causes],
    }
