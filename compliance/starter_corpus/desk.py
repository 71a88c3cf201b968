"""What the editor desk says of an update of the corpus: what there is to decide. Few queries."""

from django.db.models import Count, Q

from catalog.models.workflow import State
from compliance.admin.desk.shapes import Line, Section, address
from compliance.models import CorpusProposal, ProposalState
from compliance.starter_corpus.kinds import KINDS
from compliance.starter_corpus.recorded import drafted


def corpus_update() -> Section:
    """Return the section."""
    counts = CorpusProposal.objects.aggregate(
        open=Count("pk", filter=Q(state=ProposalState.OPEN)),
        conflict=Count("pk", filter=Q(state=ProposalState.CONFLICT)),
    )
    listed = "admin:compliance_corpusproposal_changelist"
    return Section(
        title="Update of the starter corpus",
        calm="No update of the starter corpus waits.",
        lines=(
            Line(
                count=counts["conflict"],
                what="Conflicts with what was edited here",
                link=address(listed, state="conflict"),
                tone="warning",
            ),
            Line(
                count=counts["open"],
                what="Changes in place to accept or decline",
                link=address(listed, state="open"),
                tone="info",
            ),
            *_drafts(),
        ),
    )


def _drafts() -> list[Line]:
    """Count the drafts that are not submitted yet, by kind."""
    counted = [
        (kind.table.model, drafted(kind).filter(state=State.DRAFT).count())
        for kind in KINDS
        if kind.has_revisions
    ]
    return [
        Line(
            count=count,
            what=f"Drafts of {model._meta.verbose_name_plural}",
            link=address(
                f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist", desk="programs"
            ),
            tone="info",
        )
        for model, count in counted
    ]
