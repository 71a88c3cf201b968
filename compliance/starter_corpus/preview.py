"""The content of a release if all proposals of the corpus were accepted and published. Reads only.

The desk measures it before a decision: one rule alone seldom shows the effect of an update on answers.
"""

import msgspec

from catalog.editorial.workflow import OPEN
from compliance.starter_corpus.kinds import KINDS, Kind
from compliance.starter_corpus.models import CorpusProposal, ProposalState
from compliance.starter_corpus.recorded import drafted
from rules.engine.document import Content
from rules.impact.measurements import Proposal, propose
from rules.models import Release
from rules.next_release import compile_content, content_with


def all_of_it() -> Proposal | None:
    """Return the content that would follow the current release; None if nothing is published."""
    base = Release.objects.current()
    if base is None:
        return None
    content = compile_content()
    for kind in KINDS:
        if kind.name in Content.__struct_fields__:
            content = _with_open_proposals(content, kind)
    drafts = [
        row
        for kind in KINDS
        if kind.has_revisions and kind.name in Content.__struct_fields__
        for row in drafted(kind).filter(state__in=OPEN).order_by("pk")
    ]
    return propose(base, content_with(content, drafts))


def _with_open_proposals(content: Content, kind: Kind) -> Content:
    """Return content as if one kind's waiting proposals were accepted. A conflict is not counted."""
    found = CorpusProposal.objects.filter(kind=kind.name, state=ProposalState.OPEN)
    if not found:
        return content
    records = {kind.id_of(one): one for one in getattr(content, kind.name)}
    for one in found:
        proposed = one.proposed(kind.table.record_type)
        if proposed is None:
            records.pop(one.record_id, None)
        else:
            records[one.record_id] = proposed
    return msgspec.structs.replace(content, **{kind.name: tuple(records[name] for name in sorted(records))})
