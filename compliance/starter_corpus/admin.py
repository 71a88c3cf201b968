"""The corpus's proposals at the desk: the list, each proposal with both values, and the decision.

Rules and recalls are decided with all other drafts. Here are the records that editors change in place, and
the conflicts. Many can be accepted at once. A conflict is decided alone, so that no local edit is overlooked.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.http import urlencode
from unfold.decorators import display

from catalog.dates import day_words
from catalog.editorial.pending.actions import open_change_set
from catalog.editorial.screens.verbs import ReasonForm
from catalog.errors import WrongState
from catalog.models import PendingChange
from catalog.screens.confirmation import acting_user, page_context
from catalog.screens.filters import ConditionFilter
from catalog.screens.ids import as_key, row_or_none
from catalog.screens.read_only import ReadOnlyAdmin
from catalog.tables.actions.best_effort import try_each
from compliance.starter_corpus import preview
from compliance.starter_corpus.actions import accept, decline
from compliance.starter_corpus.comparing import Difference
from compliance.starter_corpus.kinds import KIND_OF
from compliance.starter_corpus.models import UNDECIDED, CorpusProposal, ProposalState
from compliance.starter_corpus.recorded import fingerprint, recorded_now
from rules.impact.actions.measuring import NotMeasurable, measure_proposal

MOST = 200
"""How many proposals are decided at once: as many as a person can review."""

COLORS = {
    ProposalState.OPEN.label: "info",
    ProposalState.CONFLICT.label: "danger",
    ProposalState.DRAFTED.label: "primary",
    ProposalState.ACCEPTED.label: "success",
}
"""The color of each state's pill; all others are gray."""


class Decision(NamedTuple):
    """A kind of decision: the button, its function, and its form."""

    label: str
    consequence: str
    form_class: type[forms.Form]


DECISIONS = {
    "accept": Decision(
        "Accept",
        "What the corpus says is written in place and goes out with the next release. Facts that decide "
        "answers wait in one change set for another person's approval. Of a rule or a recall a draft is "
        "opened, which is reviewed like any other.",
        forms.Form,
    ),
    "decline": Decision(
        "Decline",
        "What is recorded here stays. It is proposed again only when the corpus says something else.",
        ReasonForm,
    ),
}


class WaitingFilter(ConditionFilter):
    """The state of proposals; by default those that wait on these pages."""

    title = "decision"
    parameter_name = "state"
    conditions = {
        "open": ("Open", Q(state=ProposalState.OPEN)),
        "conflict": ("Conflict with an edit here", Q(state=ProposalState.CONFLICT)),
        "drafted": ("Became a draft", Q(state=ProposalState.DRAFTED)),
        "recorded": ("Evidence, recorded", Q(state=ProposalState.RECORDED)),
        "accepted": ("Accepted", Q(state=ProposalState.ACCEPTED)),
        "declined": ("Declined", Q(state=ProposalState.DECLINED)),
        "replaced": ("Replaced by a newer one", Q(state=ProposalState.REPLACED)),
        "every": ("All", Q()),
    }

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the chosen proposals, or else the waiting ones."""
        return super().queryset(request, queryset) if self.value() else queryset.filter(state__in=UNDECIDED)

    def choices(self, changelist: Any) -> Any:
        """Return the choices; the first gets a clear name."""
        first, *others = super().choices(changelist)
        yield {**first, "display": "To decide"}
        yield from others


@admin.register(CorpusProposal)
class CorpusProposalAdmin(ReadOnlyAdmin):
    """Proposals, to read and to decide."""

    list_display = ["record_and_reason", "change_of", "state_pill", "of_day"]
    list_filter = [WaitingFilter, "kind", "change"]
    list_per_page = 100
    search_fields = ["record_id", "reason"]
    search_help_text = "The id of a record, such as KE or ke.max-units, or a word of the reason."
    actions = ["accept_many", "decline_many"]
    list_before_template = "admin/compliance/proposal_tools.html"

    # --- The list ---

    def has_decide_permission(self, request: HttpRequest) -> bool:
        """Say whether a person may decide proposals at all; each kind needs its own permission as well."""
        return request.user.has_perm("compliance.change_corpusproposal")

    @display(description="Record", ordering="record_id", header=True)
    def record_and_reason(self, row: CorpusProposal) -> list[str]:
        """Return the record, and the reason of the proposal."""
        return [str(row), row.reason]

    @admin.display(description="Change", ordering="change")
    def change_of(self, row: CorpusProposal) -> str:
        """Return the change of the record."""
        return row.change

    @display(description="State", ordering="state", label=COLORS)
    def state_pill(self, row: CorpusProposal) -> str:
        """Return the state of the proposal."""
        return ProposalState(row.state).label

    @admin.display(description="Corpus of", ordering="corpus")
    def of_day(self, row: CorpusProposal) -> str:
        """Return the day of the corpus."""
        return day_words(row.corpus)

    @admin.action(description="Accept", permissions=["decide"])
    def accept_many(self, request: HttpRequest, chosen: QuerySet[CorpusProposal]) -> HttpResponse:
        """Open the page on which the chosen ones are accepted."""
        return self._lead(request, "accept", chosen)

    @admin.action(description="Decline", permissions=["decide"])
    def decline_many(self, request: HttpRequest, chosen: QuerySet[CorpusProposal]) -> HttpResponse:
        """Open the page on which the chosen ones are declined."""
        return self._lead(request, "decline", chosen)

    def _lead(self, request: HttpRequest, way: str, chosen: QuerySet[CorpusProposal]) -> HttpResponse:
        keys = list(chosen.values_list("pk", flat=True)[: MOST + 1])
        if len(keys) > MOST:
            messages.error(request, f"Nothing was done: up to {MOST} go at once. Filter the list first.")
            return HttpResponseRedirect(request.get_full_path())
        return HttpResponseRedirect(_address_of(way, keys))

    # --- The pages ---

    def get_urls(self) -> list[URLPattern]:
        """Add the decision, and the measurement of all proposals together."""
        wrap = self.admin_site.admin_view
        return [
            *(
                path(f"{way}/", wrap(self.decide_view), {"way": way}, name=f"compliance_corpusproposal_{way}")
                for way in DECISIONS
            ),
            path("measure/", wrap(self.measure_view), name="compliance_corpusproposal_measure"),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *other: Any, **more: Any) -> HttpResponse:
        """Show one proposal with both values, and offer the decision."""
        row = row_or_none(CorpusProposal, object_id)
        if row is None:
            raise Http404
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        may_decide = row.state in UNDECIDED and self.has_decide_permission(request)
        needed = _needed(row)
        ways = [(one.label, _address_of(way, [row.pk])) for way, one in DECISIONS.items()]
        context = page_context(self, request, row, f"Proposal: {row}") | {
            "state": ProposalState(row.state).label,
            "color": COLORS.get(ProposalState(row.state).label, "default"),
            "differences": _shown(row).cells,
            "is_conflict": row.state == ProposalState.CONFLICT,
            "ways": ways if may_decide and acting_user(request).has_perm(needed) else [],
            "why_not": f"You cannot decide this. {_who_decides(needed)}"
            if may_decide and not acting_user(request).has_perm(needed)
            else "",
            "record_link": _record_link(row),
        }
        return TemplateResponse(request, "admin/compliance/proposal.html", context)

    def decide_view(self, request: HttpRequest, way: str) -> HttpResponse:
        """Show the effect of a decision on the chosen proposals, and carry it out."""
        decision = DECISIONS[way]
        if not self.has_decide_permission(request):
            raise PermissionDenied
        keys = [as_key(CorpusProposal, text) for text in request.GET.getlist("p")[:MOST]]
        rows = list(CorpusProposal.objects.filter(pk__in=[key for key in keys if key is not None]))
        pressed = request.method == "POST"
        form = decision.form_class(request.POST if pressed else None)
        if pressed and form.is_valid():
            return self._decide(request, way, rows, form.cleaned_data.get("reason", ""))
        tried = self._try(request, way, rows, "Only tried.", keep=False)
        lines = [
            {"row": row, "refusal": refusal, "changes": _shown(row).cells, "seen": fingerprint(row)}
            for row, refusal in tried
        ]
        possible = sum(not line["refusal"] for line in lines)
        context = {
            "decision": decision,
            "form": form,
            "lines": sorted(lines, key=lambda line: not line["refusal"]),
            "possible": possible,
            "button": f"{decision.label} ({possible})",
        }
        return self._answer(request, decision, "admin/compliance/decide_proposals.html", context)

    def _decide(
        self, request: HttpRequest, way: str, rows: Sequence[CorpusProposal], reason: str
    ) -> HttpResponse:
        with transaction.atomic():
            together: list[PendingChange] = []
            done = self._try(request, way, rows, reason, keep=True, together=together)
            waiting = open_change_set(
                together,
                by=acting_user(request),
                subject=f"{len(together)} proposal{'' if len(together) == 1 else 's'} of the corpus",
                reason="Accepted proposals of the starter corpus.",
            )
        if waiting is not None:
            messages.warning(request, f"The changes wait for another person, in {waiting}.")
        context = {
            "outcomes": sorted(done, key=lambda outcome: not outcome[1]),
            "done": sum(not refusal for _, refusal in done),
            "refused": sum(bool(refusal) for _, refusal in done),
        }
        return self._answer(request, DECISIONS[way], "admin/compliance/decided_proposals.html", context)

    def _try(
        self,
        request: HttpRequest,
        way: str,
        rows: Sequence[CorpusProposal],
        reason: str,
        *,
        keep: bool,
        together: list[PendingChange] | None = None,
    ) -> list[tuple[CorpusProposal, str]]:
        by, now = acting_user(request), timezone.now()

        def act(row: CorpusProposal) -> None:
            _refuse_without_permission(by, row)
            if row.state == ProposalState.CONFLICT and len(rows) > 1:
                raise WrongState(str(row), "was edited here, so it is decided by itself")
            if way == "decline":
                decline(by=by, proposal_id=row.pk, reason=reason, now=now)
            else:
                seen = request.POST.get(f"seen-{row.pk}") or ("" if keep else fingerprint(row))
                accept(by=by, proposal_id=row.pk, seen=seen, now=now, together=together)

        return try_each(rows, act, keep=keep)

    def measure_view(self, request: HttpRequest) -> HttpResponse:
        """Measure the changes by all proposals together, and open the page of that measurement."""
        if not request.user.has_perm("rules.view_rule"):
            raise PermissionDenied
        back = HttpResponseRedirect(reverse("admin:compliance_corpusproposal_changelist"))
        if request.method != "POST":
            return back
        try:
            found = measure_proposal(preview.all_of_it(), by=acting_user(request), now=timezone.now())
        except NotMeasurable as error:
            messages.error(request, str(error))
            return back
        return HttpResponseRedirect(reverse("admin:rules_impact", args=[found.pk]))

    def _answer(
        self, request: HttpRequest, decision: Decision, template: str, context: dict[str, Any]
    ) -> HttpResponse:
        frame = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{decision.label}: {self.opts.verbose_name_plural}",
            "list": reverse("admin:compliance_corpusproposal_changelist"),
        }
        return TemplateResponse(request, template, frame | context)


def _refuse_without_permission(by: User, row: CorpusProposal) -> None:
    needed = _needed(row)
    if not by.has_perm(needed):
        raise WrongState(str(row), f"is not yours to decide. {_who_decides(needed)}")


def _needed(row: CorpusProposal) -> str:
    """Return the permission that deciding a proposal needs."""
    return KIND_OF[row.kind].permission(row.change)  # type: ignore[arg-type]


def _who_decides(needed: str) -> str:
    """Return which groups have a permission, as a sentence."""
    app, _, codename = needed.partition(".")
    groups = Group.objects.filter(permissions__content_type__app_label=app, permissions__codename=codename)
    names = " or ".join(groups.order_by("name").values_list("name", flat=True))
    return f"A person in the group {names} can." if names else "No group can."


def _shown(row: CorpusProposal) -> Difference:
    """Return the differences of corpus and record: now while it waits, else when it was proposed."""
    kind = KIND_OF[row.kind]
    if row.state in UNDECIDED:
        return _difference(row, recorded_now(kind, row.record_id))
    return _difference(row, row.found(kind.table.record_type))


def _difference(row: CorpusProposal, here: Any) -> Difference:
    kind = KIND_OF[row.kind]
    change: Any = row.change
    return Difference(kind, row.record_id, change, here, row.proposed(kind.table.record_type), row.reason)


def _record_link(row: CorpusProposal) -> str:
    """Return a link to the list with the record."""
    opts = KIND_OF[row.kind].table.model._meta
    if row.kind == "findings":
        return reverse("desk:findings")
    listed = reverse(f"admin:{opts.app_label}_{opts.model_name}_changelist")
    return f"{listed}?{urlencode({'q': row.record_id})}"


def _address_of(way: str, keys: Sequence[int]) -> str:
    address = reverse(f"admin:compliance_corpusproposal_{way}")
    return f"{address}?{urlencode([('p', key) for key in keys])}"
