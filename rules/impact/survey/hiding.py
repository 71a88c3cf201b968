"""What makes answers less strict only later: facts of the catalog that something hides today.

A recall of all units, or a missing permit, can hide that a model or an airline is described more favorably.
When it is gone, these facts have not changed any more, so the survey would never ask about them. So each
changed record is also read by itself: does it now say something from which answers can only become milder?
"""

import datetime
from collections.abc import Mapping, Sequence

from rules.engine.corpus import CatalogEntry, Corpus
from rules.engine.facts import Airline
from rules.impact.survey.changes import Changed, Versions
from rules.impact.survey.models import entry_in, seen_by
from rules.impact.survey.signatures import Signatures

HIDDEN = (
    "says something from which answers can become less strict, as soon as nothing hides it any more, such as "
    "a recall or a missing permit"
)


def hidden_causes(
    corpora: tuple[Corpus, Corpus],
    changed: Mapping[Changed, Versions],
    signatures: Signatures,
    days: Sequence[datetime.date],
) -> dict[Changed, str]:
    """Return the models and airlines that are milder by themselves, each with what that means."""
    found = {}
    for key, versions in changed.items():
        if key.kind == "devices":
            before, after = (entry_in(corpus, key.record_id) for corpus in corpora)
            milder = after is not None and _is_milder_model(before, after, signatures, days)
        else:
            milder = key.kind == "airlines" and _is_trusted_now(*versions)
        if milder:
            found[key] = HIDDEN
    return found


def _is_milder_model(
    before: CatalogEntry | None,
    after: CatalogEntry,
    signatures: Signatures,
    days: Sequence[datetime.date],
) -> bool:
    """Return whether a model has, for any rule, less energy than before, or a mark less in doubt."""
    new = seen_by(after.device, signatures)
    if before is None:
        return not new.unknown
    old = seen_by(before.device, signatures)
    less = new.band < old.band or new.band_beyond < old.band_beyond
    return (not new.unknown and (old.unknown or less)) or any(
        before.certificates.doubts_on(day.toordinal()) and not after.certificates.doubts_on(day.toordinal())
        for day in days
    )


def _is_trusted_now(before: Airline | None, after: Airline | None) -> bool:
    """Return whether the policy of an airline counts as read, and did not before."""
    was_trusted = before is not None and before.confidence != "unverified"
    return after is not None and after.confidence != "unverified" and not was_trusted
