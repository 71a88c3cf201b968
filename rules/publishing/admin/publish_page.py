"""The page that publishes: what would be published now, what blocks it, and the one button.

Every user of the desk may view it. Each button calls an action and passes what its user was shown, so that no
one publishes what they have not seen.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_POST, require_safe

from catalog.editorial.models import Revision
from catalog.editorial.pending.models import ChangeSet
from catalog.editorial.permissions import may
from catalog.editorial.screens.verbs import ReasonForm
from catalog.editorial.workflow import EditorAction
from catalog.errors import NotRecorded, Refused
from catalog.screens.confirmation import Consent, Step, acting_user, ask_before
from catalog.screens.ids import as_key, row_or_404
from recalls.editing.models import Recall
from rules.cases import CaseError, outcome_digest
from rules.disagreements.models import Disagreement
from rules.editing.models import Rule
from rules.engine.document import Content
from rules.impact.actions.measuring import NotMeasurable, measure_proposal
from rules.impact.measurements import measured_changes, propose
from rules.impact.second_approvals import missing_second_approvals
from rules.impact.survey import Result
from rules.publishing.actions.alone import (
    approve_afterwards,
)
from rules.publishing.actions.case_acceptance import accept_case, accept_cases, reopen_case
from rules.publishing.actions.plans import cancel_plan, plan_release
from rules.publishing.actions.releases import Shown
from rules.publishing.actions.requests import request_publishing
from rules.publishing.actions.rolling_back import release_hold
from rules.publishing.actions.selections import keep_selection
from rules.publishing.actions.taking_back import take_back_change_set
from rules.publishing.admin.alone_page import AlonePage
from rules.publishing.admin.blocked import blocked_by
from rules.publishing.admin.choosing import (
    AGAIN,
    CHOICE,
    OF_REQUEST,
    TAKE,
    Selected,
    address_of,
    selected,
    shown_choice,
)
from rules.publishing.admin.forms import AcceptForm, AcceptManyForm, PlanForm, PublishForm
from rules.publishing.admin.progress import progress_of, renewing, said_of, wait_for
from rules.publishing.admin.shown_changes import address, differences, shown_problem, shown_radius
from rules.publishing.admin.waiting import may_approve, shown_waiting
from rules.publishing.authors import authors_of, authors_of_alone, evidence_changed_by
from rules.publishing.before_publishing import before_publishing, may_be_taken_back
from rules.publishing.candidate import Candidate, JudgedCase, candidate
from rules.publishing.gate import is_milder, refuse_broken, refuse_left_behind, refuse_overdue
from rules.publishing.models import (
    AcceptedCase,
    PlannedRelease,
    PublishRequest,
    RequestKind,
    RequestState,
)
from rules.publishing.refusals import NoChoice, ReleaseRefused
from rules.publishing.release_notes import release_note
from rules.publishing.selection import Key
from rules.releases.ledger import content_or_none
from rules.releases.models import HeldBack, Release

NOTHING = "nothing"
"""The button of the form with the ticks that takes all of them away."""

CHANGES: dict[str, type[Revision] | type[ChangeSet]] = {
    "rule": Rule,
    "recall": Recall,
    "disagreement": Disagreement,
    "changeset": ChangeSet,
}
"""What can wait to be published, by its name in an address."""


class ShownCase(NamedTuple):
    """A failing case: how it fails, what reviewers said about it, and the form for the next reviewer."""

    found: JudgedCase
    digest: str
    form: AcceptForm | None
    may_reopen: bool


class PublishPages(AlonePage):
    """The page that publishes, and the addresses of its buttons, next to those of every model."""

    def require_view(self, request: HttpRequest) -> None:
        """Admit users who may view releases. Raises `PermissionDenied`."""
        if not self.has_view_permission(request):
            raise PermissionDenied

    def get_urls(self) -> list[Any]:
        """Return the addresses: the page itself, and one for each of its buttons."""
        buttons: dict[str, Callable[..., HttpResponse]] = {
            "choose": self.choose_view,
            "plan": self.plan_view,
            "cancel": self.cancel_view,
            "accept-case": self.accept_case_view,
            "accept-cases": self.accept_cases_view,
            "reopen-case": self.reopen_case_view,
            "let-go": self.release_hold_view,
            "measure-chosen": self.measure_chosen_view,
            "measure-alone": self.measure_alone_view,
            "approve": self.approve_view,
        }
        view = self.admin_site.admin_view
        return [
            path("publish/", view(self.publish_view), name="rules_release_publish"),
            *(
                path(f"publish/{name}/", view(require_POST(button)), name=f"rules_release_{name}")
                for name, button in buttons.items()
            ),
            path("publish/alone/", view(self.alone_view), name="rules_release_alone"),
            path("publish/take-back/<int:pk>/", view(self.take_back_view), name="rules_release_take_back"),
            path("publish/before/", view(require_safe(self.before_view)), name="rules_release_before"),
            path(
                "publish/requests/<int:pk>/",
                view(require_safe(self.request_view)),
                name="rules_release_request",
            ),
            *super().get_urls(),
        ]

    # --- Buttons ---

    def publish_view(self, request: HttpRequest) -> HttpResponse:
        """Show what would be published, or ask the publisher to publish exactly what was shown."""
        self.require_view(request)
        if request.method != "POST":
            return self._page(request)
        self.require(request, EditorAction.PUBLISH)
        form = PublishForm(request.POST)
        if not form.is_valid():
            return self._page(request, form, HTTPStatus.BAD_REQUEST)
        try:
            asked = request_publishing(
                by=acting_user(request),
                note=form.cleaned_data["note"],
                now=timezone.now(),
                shown=_shown(form),
                only=_only(request),
            )
        except (Refused, ReleaseRefused) as refused:
            return self._refuse(request, form, f"Nothing was published: {refused}.")
        return wait_for(asked)

    def choose_view(self, request: HttpRequest) -> HttpResponse:
        """Keep what is ticked, and lead to the page that shows what exactly this changes."""
        self.require_view(request)
        waits = selected(Release.objects.current()).waits
        ticked = set() if NOTHING in request.POST else set(request.POST.getlist(TAKE))
        names = ticked.intersection(unit.name for unit in waits.units()) if waits else set()
        kept = keep_selection(names, now=timezone.now())
        address = address_of(kept.pk, again=request.POST.get(AGAIN, ""))
        return HttpResponseRedirect(f"{address}#choose")

    def request_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show how a request to publish goes on, and then its release, or why there is none."""
        self.require_view(request)
        asked = row_or_404(PublishRequest, str(pk))
        if asked.state == RequestState.WAITING:
            context = {**self.admin_site.each_context(request), "opts": self.opts} | progress_of(asked)
            return renewing(TemplateResponse(request, "admin/rules/request.html", context))
        if asked.state == RequestState.DONE:
            messages.success(request, said_of(asked))
            return HttpResponseRedirect(reverse("admin:rules_release_change", args=[asked.release_id]))
        if asked.kind != RequestKind.ALONE:
            messages.error(request, said_of(asked))
        return self.refused_view(request, asked)

    def before_view(self, request: HttpRequest) -> HttpResponse:
        """Show what one change lacks before it can be published, as a part of its page or alone."""
        self.require_view(request)
        for name, model in CHANGES.items():
            if (key := as_key(model, request.GET.get(name, ""))) is not None:
                change = row_or_404(model, str(key))
                break
        else:
            return HttpResponseRedirect(reverse("admin:rules_release_changelist"))
        if not request.user.has_perm(f"{model._meta.app_label}.view_{name}"):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Before this can be published",
            "change": change,
            "back": reverse(f"admin:{model._meta.app_label}_{name}_change", args=[change.pk]),
            "before": before_publishing(change, acting_user(request)),
            "take_back": _take_back(request, change),
        }
        part = "_before_publishing" if "HX-Request" in request.headers else "before_publishing"
        return TemplateResponse(request, f"admin/rules/{part}.html", context)

    def take_back_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask whether to take back an approved change set of the catalog, and do it."""
        self.require(request, EditorAction.TAKE_BACK, ChangeSet)
        found = row_or_404(ChangeSet, str(pk))
        step = Step(
            title=f"Take back: {found}",
            consequence="Its records are as they were before it was approved, and no release contains it. "
            "What it deleted comes back without the notes for editors. A new record that only a withdrawn "
            "rule or recall names stays in its table and is held back from releases. The log and the history "
            "keep what it said.",
            button="Take back",
            form_class=ReasonForm,
            dangerous=True,
        )

        def act(consent: Consent) -> HttpResponse:
            screens: Any = self.admin_site.get_model_admin(ChangeSet)
            held = take_back_change_set(
                by=consent.by, change_set=pk, reason=consent.answers["reason"], tables=screens.tables()
            )
            kept = f" Held back, because something withdrawn names it: {', '.join(held)}." if held else ""
            messages.success(request, f"{str(found).capitalize()} is taken back.{kept}")
            return HttpResponseRedirect(reverse("admin:catalog_changeset_change", args=[pk]))

        return ask_before(step, act, admin=self, request=request, subject=found)

    def refused_view(self, request: HttpRequest, asked: PublishRequest) -> HttpResponse:
        """Show the page where the request was made, with what was typed there."""
        if asked.kind == RequestKind.PUBLISH:
            typed = PublishForm(
                {"base": asked.base, "content_sha256": asked.content_sha256, "note": asked.note}
            )
            return self._page(request, typed, HTTPStatus.CONFLICT, reference=f"{OF_REQUEST}{asked.pk}")
        ticked = {*asked.rule_ids, *asked.recall_ids}
        return self.alone_page(
            request, ticked=ticked, reason=asked.note, refusal=said_of(asked), status=HTTPStatus.CONFLICT
        )

    def plan_view(self, request: HttpRequest) -> HttpResponse:
        """Plan to publish what was shown."""
        self.require(request, EditorAction.PLAN)
        form = PlanForm(request.POST)
        if not form.is_valid():
            return self._page(request, form, HTTPStatus.BAD_REQUEST)
        try:
            plan = plan_release(
                by=acting_user(request),
                note=form.cleaned_data["note"],
                due=form.cleaned_data["due"],
                shown=_shown(form),
                now=timezone.now(),
                only=_only(request),
                again=as_key(PlannedRelease, request.POST.get(AGAIN, "")),
            )
        except (ReleaseRefused, Refused, CaseError) as refused:
            return self._refuse(request, form, f"Nothing is planned: {refused}.")
        messages.success(request, f"Saved: {plan}.")
        return HttpResponseRedirect(reverse("admin:rules_release_publish"))

    def measure_chosen_view(self, request: HttpRequest) -> HttpResponse:
        """Measure what the chosen changes would change, and lead to the page of that measurement."""
        self.require_view(request)
        base = Release.objects.current()
        try:
            content = selected(base, request.POST.get(CHOICE, "")).content
            proposal = None if base is None else propose(base, content)
            found = measure_proposal(proposal, by=acting_user(request), now=timezone.now())
        except (NotMeasurable, NotRecorded) as refused:
            messages.error(request, f"Nothing was measured: {refused}")
            return HttpResponseRedirect(_back(request))
        messages.info(
            request,
            format_html(
                'When this is measured, <a href="{}">go back to the page “Publish”</a>. The same changes are '
                "ticked there.",
                _back(request),
            ),
        )
        return HttpResponseRedirect(reverse("admin:rules_impact", args=[found.pk]))

    def approve_view(self, request: HttpRequest) -> HttpResponse:
        """Give the second approval to a release of one person, and to those that wait before it."""
        if not may_approve(request.user):
            raise PermissionDenied
        version = request.POST.get("release", "")

        def approve() -> str:
            approve_afterwards(by=acting_user(request), release=version, now=timezone.now())
            return f"Release {version}, and all that waited before it, have their second approval."

        return self._attempt(request, approve)

    def cancel_view(self, request: HttpRequest) -> HttpResponse:
        """Cancel the plan."""
        self.require(request, EditorAction.CANCEL)
        plan = as_key(PlannedRelease, request.POST.get("plan", ""))

        def cancel() -> str:
            cancel_plan(by=acting_user(request), plan_id=plan or 0, now=timezone.now())
            return "The planned publishing is canceled."

        return self._attempt(request, cancel)

    def accept_case_view(self, request: HttpRequest) -> HttpResponse:
        """Accept a case as it fails."""
        self.require(request, EditorAction.ACCEPT, AcceptedCase)
        form = AcceptForm(request.POST)

        def accept() -> str:
            name = form.cleaned_data.get("name", "")
            accept_case(
                by=acting_user(request),
                name=name,
                reason=form.cleaned_data.get("reason", ""),
                now=timezone.now(),
                shown=form.cleaned_data.get("shown", ""),
                only=_only(request),
            )
            return f"“{name}” may fail in this way: accepted."

        # The action refuses missing fields, in words.
        refused_as = HTTPStatus.CONFLICT if form.is_valid() else HTTPStatus.BAD_REQUEST
        return self._attempt(request, accept, refused_as, about_case=form)

    def accept_cases_view(self, request: HttpRequest) -> HttpResponse:
        """Accept the ticked cases as they fail, with one reason."""
        self.require(request, EditorAction.ACCEPT, AcceptedCase)
        form = AcceptManyForm(request.POST)
        refused_as = HTTPStatus.CONFLICT if form.is_valid() else HTTPStatus.BAD_REQUEST

        def accept() -> str:
            accept_cases(
                by=acting_user(request),
                reason=form.cleaned_data.get("reason", ""),
                now=timezone.now(),
                shown=form.shown(),
                only=_only(request),
            )
            return f"{len(form.shown())} cases may fail in this way: accepted."

        return self._attempt(request, accept, refused_as, about_cases=form)

    def reopen_case_view(self, request: HttpRequest) -> HttpResponse:
        """Reopen a case."""
        self.require(request, EditorAction.REOPEN, AcceptedCase)
        name = request.POST.get("name", "")

        def reopen() -> str:
            reopen_case(by=acting_user(request), name=name, now=timezone.now())
            return f"“{name}” blocks publishing again while it fails."

        return self._attempt(request, reopen)

    def release_hold_view(self, request: HttpRequest) -> HttpResponse:
        """Release a record that is held back."""
        self.require(request, EditorAction.LET_GO)
        kind, record_id = request.POST.get("kind", ""), request.POST.get("record", "")

        def go() -> str:
            release_hold(by=acting_user(request), kind=kind, record_id=record_id, now=timezone.now())
            return f"{record_id} is released. The next release contains it."

        return self._attempt(request, go)

    def _attempt(
        self,
        request: HttpRequest,
        action: Callable[[], str],
        refused_as: HTTPStatus = HTTPStatus.CONFLICT,
        about_case: AcceptForm | None = None,
        about_cases: AcceptManyForm | None = None,
    ) -> HttpResponse:
        try:
            return self._done(request, action())
        except (Refused, ReleaseRefused, CaseError) as refused:
            messages.error(request, f"{refused}.")
            return self._page(request, status=refused_as, about_case=about_case, about_cases=about_cases)

    def _done(self, request: HttpRequest, said: str) -> HttpResponse:
        messages.success(request, said)
        return HttpResponseRedirect(_back(request))

    def _refuse(self, request: HttpRequest, form: PublishForm, said: str) -> HttpResponse:
        messages.error(request, said)
        return self._page(request, form, HTTPStatus.CONFLICT)

    # --- The page ---

    def _page(
        self,
        request: HttpRequest,
        typed: PublishForm | None = None,
        status: int = HTTPStatus.OK,
        about_case: AcceptForm | None = None,
        reference: str = "",
        about_cases: AcceptManyForm | None = None,
    ) -> HttpResponse:
        """Show the current state. What the user typed stays; what they were shown is replaced."""
        base = Release.objects.select_related("published_by").current()
        fields = request.POST if request.method == "POST" else request.GET
        try:
            choice = selected(base, reference or fields.get(CHOICE, ""))
        except NotRecorded as unknown:
            messages.error(request, f"{unknown}.")
            choice, status = selected(base), max(status, HTTPStatus.NOT_FOUND)
        found, unreadable = _candidate(choice)
        authors = authors_of(base, found.content, only=choice.keys) if found.failing else frozenset()
        alone = authors_of_alone() if any(one.already for one in found.failing) else frozenset()
        content = content_or_none(base)
        form = _form(base, found, content, typed)
        user, effects = request.user, _radius(base, found, choice, acting_user(request))
        waiting = list(PublishRequest.objects.filter(state=RequestState.WAITING).select_related("created_by"))
        may_publish = may(user, EditorAction.PUBLISH, Release)
        cases = [
            self._case(request, one, authors | (alone if one.already else frozenset()), about_case)
            for one in found.failing
        ]
        nothing_new = base is not None and base.content_sha256 == found.content_sha256
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Publish",
            "base": base,
            "found": found,
            "unreadable": unreadable,
            "nothing_new": nothing_new,
            **shown_choice(choice, timezone.now().date()),
            "again": fields.get(AGAIN, ""),
            "typed": typed.data.get("note", "") if typed and nothing_new else "",
            "changes": None if content is None else differences(content, found.content),
            "problems": [shown_problem(problem) for problem in found.problems],
            "cases": cases,
            "to_accept": [one for one in cases if one.form],
            "ticked_cases": set(about_cases.shown().values()) if about_cases else set(),
            "many_form": AcceptManyForm(
                initial={"reason": about_cases.data.get("reason", "")} if about_cases else None,
                auto_id="id_together_%s",
            ),
            "is_about_a_case": about_case is not None or about_cases is not None,
            "accepted": len(found.rests_on),
            "old": sum(one.already for one in found.failing),
            "blocked_by": list(
                blocked_by(
                    found,
                    unreadable=unreadable,
                    missing=effects.get("missing", ()),
                    measured="radius" not in effects or effects["radius"].measured,
                    milder=effects.get("milder", False),
                    own=effects.get("own", ()),
                    refused=_refused_if_milder(base) if effects.get("milder") else "",
                    left_behind=effects.get("left_behind", ""),
                    waits=bool(waiting),
                )
            ),
            "form": form,
            "errors": _errors(typed),
            "held_back": [(one, address(one.kind, one.record_id)) for one in _held_back(choice.everything)],
            "waiting_alone": shown_waiting(user),
            "may_approve": may_approve(user),
            "waiting": waiting,
            "may_publish": may_publish,
            **effects,
        }
        return TemplateResponse(request, "admin/rules/publish.html", context, status=status)

    def _case(
        self, request: HttpRequest, found: JudgedCase, authors: frozenset[int], typed: AcceptForm | None
    ) -> ShownCase:
        shown = outcome_digest(found.judged)
        accepted, user = found.accepted, request.user
        waits_for_me = (
            found.blocks_publishing
            and user.pk not in authors
            and (accepted is None or found.own_work or accepted.created_by != user)
        )
        form = None
        if waits_for_me and may(user, EditorAction.ACCEPT, AcceptedCase):
            case = found.judged.case
            kept = typed.data.get("reason", "") if typed and typed.data.get("name") == case.name else ""
            form = AcceptForm(
                initial={"name": case.name, "shown": shown, "reason": kept}, auto_id=f"id_{shown[:8]}_%s"
            )
        return ShownCase(
            found, shown, form, accepted is not None and may(user, EditorAction.REOPEN, AcceptedCase)
        )


def _shown(form: PublishForm) -> Shown:
    return Shown(form.cleaned_data["base"], form.cleaned_data["content_sha256"])


def _take_back(request: HttpRequest, change: Any) -> str:
    """Return the address of the button that takes back a change set; "" if there is none for the user."""
    if not isinstance(change, ChangeSet) or not may(request.user, EditorAction.TAKE_BACK, ChangeSet):
        return ""
    return reverse("admin:rules_release_take_back", args=[change.pk]) if may_be_taken_back(change) else ""


def _only(request: HttpRequest) -> frozenset[Key] | None:
    """Return the records that are to be published, None for all; empty if nothing of it waits any more.

    Raises `NotRecorded` for a choice that is not kept any more, and `NoChoice` if there can be none.
    """
    reference = request.POST.get(CHOICE, "")
    found = selected(Release.objects.current(), reference)
    if reference and found.waits is None:
        raise NoChoice
    return found.keys


def _back(request: HttpRequest) -> str:
    """Return the address of the page that publishes, with what was chosen on it."""
    return address_of(request.POST.get(CHOICE, ""), again=request.POST.get(AGAIN, ""))


def _candidate(choice: Selected) -> tuple[Candidate, str]:
    """Return what would be published, and why the cases cannot be run; empty if they can."""
    content = choice.content
    try:
        return candidate(None, content, only=choice.keys), ""
    except CaseError as error:
        return candidate((), content, only=choice.keys), str(error)


def _form(
    base: Release | None, found: Candidate, content: Content | None, typed: PublishForm | None
) -> PlanForm:
    """Return the form with what the user is shown now, and with what they typed before."""
    note = "" if content is None else release_note(content if base else None, found.content)
    kept = {name: typed.data[name] for name in ("note", "due") if name in typed.data} if typed else {}
    shown = {"base": str(base) if base else "", "content_sha256": found.content_sha256}
    return PlanForm(initial={"note": note} | kept | shown)


def _errors(form: PublishForm | None) -> list[str]:
    """Return the errors of a form, each with the name of its field."""
    found = form.errors.items() if form is not None and form.is_bound else ()
    return [
        f"{form.fields[name].label or name}: {error}" for name, errors in found for error in errors if form
    ]


def _held_back(content: Content) -> list[HeldBack]:
    """Return what is held back, without the evidence that goes with the records resting on it."""
    cited = {source.id for source in content.sources}
    held_back = HeldBack.objects.select_related("since").defer("since__document")
    return [one for one in held_back if one.kind != "sources" or one.record_id not in cited]


def _refused_if_milder(base: Release | None) -> str:
    """Return why nothing less strict can be published now, whatever it is; "" if it can."""
    try:
        refuse_overdue(timezone.now())
        if base is not None:
            refuse_broken(base)
    except ReleaseRefused as refused:
        return str(refused)
    return ""


def _left_behind(choice: Selected, result: Result | None) -> str:
    """Return why what is chosen cannot go without what stays behind; "" if it can."""
    if choice.keys is None or choice.waits is None or result is None:
        return ""
    try:
        refuse_left_behind(choice.waits.before, choice.content, choice.everything, result, timezone.now())
    except ReleaseRefused as refused:
        return str(refused)
    return ""


def _radius(base: Release | None, found: Candidate, choice: Selected, publisher: User) -> dict[str, Any]:
    """Return how answers would change, and what lacks a second approval; nothing if nothing changes."""
    if base is None or found.problems or base.content_sha256 == found.content_sha256:
        return {}
    proposal = propose(base, found.content)
    radius = measured_changes(proposal, day=timezone.now().date())
    if radius is None:
        return {}
    milder = radius.result is not None and is_milder(radius.result)
    permitted_publisher = publisher if may(publisher, EditorAction.PUBLISH, Release) else None
    before = proposal.base_content
    return {
        "milder": milder,
        "left_behind": _left_behind(choice, radius.result),
        "own": evidence_changed_by(publisher, base, before, found.content) if permitted_publisher else [],
        "radius": shown_radius(radius, before, found.content),
        "missing": missing_second_approvals(radius.result, proposal, publisher=permitted_publisher)
        if radius.result
        else [],
    }
