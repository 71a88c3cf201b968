"""The pages of the analysis: its findings, by kind and place, with links to where each is fixed.

Reviewers accept a finding with a reason, or reopen it. Addresses use a short name of a finding, the beginning
of the digest of its key. So a finding that has changed is not accepted by mistake.
"""

import datetime
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from catalog.editorial.models import Revision
from catalog.editorial.permissions import may
from catalog.editorial.workflow import AGREED, EditorAction
from catalog.errors import Refused, Unfit
from catalog.models import Airline, Jurisdiction
from catalog.saved_searches import screens as searches
from catalog.screens.confirmation import acting_user
from catalog.screens.filters import MOST_DAYS
from rules.analysis.actions import accept_findings, reopen_finding
from rules.analysis.checks import KINDS, Acceptance, Finding
from rules.analysis.models import AcceptedFinding
from rules.analysis.report import DraftReport, Place
from rules.analysis.selectors import seen
from rules.editing.admin.filters import PERMIT
from rules.editing.models import CODES_OF_RULES, Rule

PER_PAGE = 50

PAGE = "findings"
"""The name of this list in saved searches."""

STATES = {
    "": "Open",
    "accepted": "Accepted",
    "notices": "For information",
    "all": "All",
}
"""Which findings the list shows."""


@dataclass(frozen=True)
class Shown:
    """A finding as the list shows it, its acceptance if there is one, and where it is fixed."""

    finding: Finding
    place: Place
    acceptance: AcceptedFinding | None

    @property
    def name(self) -> str:
        """Its name in addresses."""
        return name_of(self.finding.key)

    @property
    def kind(self) -> Any:
        """What its kind means."""
        return KINDS[self.finding.kind]

    @property
    def state(self) -> str:
        """Which of the lists it is in."""
        if self.finding.weight == "notice":
            return "notices"
        return "accepted" if self.acceptance else ""


TEXTS = ("state", "kind", "airline", "jurisdiction", "code", "author")
"""The filters that are one of some texts."""


class FilterForm(forms.Form):
    """The filters of the list."""

    state = forms.ChoiceField(required=False, choices=list(STATES.items()), widget=UnfoldAdminSelectWidget)
    kind = forms.ChoiceField(required=False, widget=UnfoldAdminSelectWidget)
    airline = forms.ChoiceField(required=False, widget=UnfoldAdminSelectWidget)
    jurisdiction = forms.ChoiceField(
        required=False, label="Country or region", widget=UnfoldAdminSelectWidget
    )
    code = forms.ChoiceField(
        required=False,
        label="Kind of rule",
        choices=[
            ("", "Any"),
            (PERMIT, "permit"),
            *sorted((code.name, code.name.replace("_", " ")) for code in CODES_OF_RULES),
        ],
        widget=UnfoldAdminSelectWidget,
    )
    author = forms.ChoiceField(required=False, label="Accepted by", widget=UnfoldAdminSelectWidget)
    days = forms.IntegerField(
        required=False,
        label="Accepted for at least (days)",
        min_value=0,
        max_value=MOST_DAYS,
        widget=UnfoldAdminIntegerFieldWidget,
    )

    def __init__(self, data: Any, shown: Iterable[Shown]) -> None:
        super().__init__(data)
        found = list(shown)
        kinds = {one.finding.kind for one in found}
        airlines = {one.place.airline for one in found if one.place.airline}
        places = {one.place.jurisdiction for one in found if one.place.jurisdiction}
        named = dict(Airline.objects.filter(pk__in=airlines).values_list("code", "name"))
        people = {str(one.acceptance.created_by) for one in found if one.acceptance}
        regions = dict(Jurisdiction.objects.filter(pk__in=places).values_list("code", "name"))
        for field, choices in (
            ("kind", [(kind, about.title) for kind, about in KINDS.items() if kind in kinds]),
            ("airline", [(code, f"{named.get(code, code)} ({code})") for code in sorted(airlines)]),
            ("jurisdiction", [(code, f"{regions.get(code, code)} ({code})") for code in sorted(places)]),
            ("author", [(name, name) for name in sorted(people)]),
        ):
            # The value in the address stays a choice, even if no finding has it any more.
            asked = self.data.get(field)
            if asked and asked not in dict(choices):
                choices.append((asked, asked))
            self.fields[field].choices = [("", "Any"), *choices]  # type: ignore[attr-defined]

    def kept(self, found: Iterable[Shown]) -> list[Shown]:
        """Return the findings that the list shows."""
        state, kind, airline, jurisdiction, code, author = (self.data.get(name, "") for name in TEXTS)
        rules = _rules_of(code) if code else set()
        since = timezone.now() - datetime.timedelta(days=self.days_asked())
        return [
            one
            for one in found
            if state in (one.state, "all")
            and kind in ("", one.finding.kind)
            and airline in ("", one.place.airline)
            and jurisdiction in ("", one.place.jurisdiction)
            and (not code or not rules.isdisjoint(one.finding.rule_ids))
            and (not author or (one.acceptance and str(one.acceptance.created_by) == author))
            and (not self.data.get("days") or (one.acceptance and one.acceptance.created_at <= since))
        ]

    def days_asked(self) -> int:
        """Return the typed number of days; one that cannot be read excludes everything, not nothing."""
        try:
            return int(self.fields["days"].clean(self.data.get("days")) or 0)
        except forms.ValidationError:
            return MOST_DAYS


class ReasonForm(forms.Form):
    """Why findings stay as they are."""

    reason = forms.CharField(
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
        help_text="What you checked, and why this is correct as it is. The log keeps this text.",
    )


def name_of(key: str) -> str:
    """Return the name of a finding in addresses."""
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def show(request: HttpRequest) -> HttpResponse:
    """Show the findings, filtered and page by page."""
    _require_sight(request)
    now = timezone.now()
    present = seen(now)
    accepted = _accepted()
    found = _shown(present.report, accepted)
    form = FilterForm(request.GET, found)
    page = Paginator(form.kept(found), PER_PAGE).get_page(request.GET.get("page"))
    keys = {one.finding.key for one in found}
    context = {
        **admin.site.each_context(request),
        "title": "Findings",
        "form": form,
        "as_of": present.as_sentence(now),
        "problems": present.report.problems if present.report else (),
        "page": page,
        "groups": list(_by_kind(page.object_list, _addresses(page.object_list))),
        "choosable": any(one.state == "" for one in page.object_list),
        "outlived": [(name_of(key), row) for key, row in accepted.items() if key not in keys]
        if present.report and not present.report.problems
        else (),
        "may_accept": may(acting_user(request), EditorAction.ACCEPT, AcceptedFinding),
        "may_reopen": may(acting_user(request), EditorAction.REOPEN, AcceptedFinding),
        "narrowed": _without_page(request),
        **searches.shown(request, PAGE, "desk:save_search", "desk:forget_search"),
    }
    return TemplateResponse(request, "admin/rules/findings.html", context)


def accept(request: HttpRequest) -> HttpResponse:
    """Ask for the reason why some findings stay, then accept them."""
    _require(request, EditorAction.ACCEPT)
    asked = set(request.GET.getlist("finding"))
    found = _shown(seen(timezone.now()).report, _accepted())
    chosen = [one for one in found if one.name in asked and one.state == ""]
    form = ReasonForm(request.POST if request.method == "POST" else None)
    status = HTTPStatus.OK
    if not chosen or (len(chosen) < len(asked) and request.method != "POST"):
        messages.error(request, "Some of these findings are no longer open. Choose again.")
        if typed := str(form.data.get("reason", "")):
            messages.error(request, f"Your reason was: {typed}")
        return HttpResponseRedirect(reverse("desk:findings"))
    if len(chosen) < len(asked):
        form.add_error(None, "Some of these findings are no longer open. Only those below would be accepted.")
        status = HTTPStatus.CONFLICT
    elif request.method == "POST":
        status = HTTPStatus.BAD_REQUEST
        if form.is_valid():
            try:
                _accept(request, chosen, form.cleaned_data["reason"])
                return HttpResponseRedirect(reverse("desk:findings"))
            except Refused as refusal:
                form.add_error(None, f"{refusal.reason}.")
                status = HTTPStatus.CONFLICT
    context = {
        **admin.site.each_context(request),
        "title": "Accept a finding" if len(chosen) == 1 else f"Accept {len(chosen)} findings",
        "chosen": chosen,
        "form": form,
    }
    return TemplateResponse(request, "admin/rules/accept.html", context, status=status)


def reopen(request: HttpRequest) -> HttpResponse:
    """Reopen a finding, at the press of a button."""
    _require(request, EditorAction.REOPEN)
    if request.method != "POST":
        raise PermissionDenied
    accepted = {name_of(key): key for key in AcceptedFinding.objects.values_list("key", flat=True)}
    key = accepted.get(request.POST.get("finding", ""))
    if key is None:
        messages.error(request, "This finding is no longer accepted.")
    else:
        reopen_finding(by=acting_user(request), key=key)
        messages.success(
            request, "The acceptance is removed. The finding is open again if the analysis still finds it."
        )
    return HttpResponseRedirect(reverse("desk:findings"))


def _rules_of(code: str) -> set[str]:
    """Return the ids of the approved rules with a code, or of the permits. One query."""
    kind = {"code__isnull": True} if code == PERMIT else {"code": code}
    return set(Rule.objects.filter(state__in=AGREED, **kind).values_list("rule_id", flat=True))


def save_view(request: HttpRequest) -> HttpResponse:
    """Save the filters of the list under a name."""
    _require_sight(request)
    return searches.take(request, PAGE, _check, reverse("desk:findings"))


def forget_view(request: HttpRequest) -> HttpResponse:
    """Delete a saved search."""
    _require_sight(request)
    return searches.drop(request, reverse("desk:findings"))


def _check(query: QueryDict) -> None:
    """Raise `Unfit` for a query with other filters than those of the list, or a number that is none."""
    try:
        FilterForm.base_fields["days"].clean(query.get("days"))
        known = not set(query) - set(FilterForm.base_fields)
    except forms.ValidationError:
        known = False
    if not known:
        raise Unfit("the search", "this list has no such filter")


def _accept(request: HttpRequest, chosen: list[Shown], reason: str) -> None:
    acceptances = [Acceptance(key=one.finding.key, reason=reason) for one in chosen]
    accept_findings(by=acting_user(request), acceptances=acceptances)
    messages.success(
        request, f"{len(chosen)} {'finding is' if len(chosen) == 1 else 'findings are'} accepted."
    )


def _accepted() -> dict[str, AcceptedFinding]:
    """Return the acceptances by the keys of their findings. One query."""
    return {row.key: row for row in AcceptedFinding.objects.select_related("created_by")}


def _shown(report: DraftReport | None, accepted: Mapping[str, AcceptedFinding]) -> list[Shown]:
    if report is None:
        return []
    return [
        Shown(finding, place, accepted.get(finding.key) if finding.weight == "problem" else None)
        for finding, place in zip(report.findings, report.places, strict=True)
    ]


def _by_kind(shown: Iterable[Shown], addresses: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Return the findings of a page by kind, each with its links."""
    groups: dict[str, list[Any]] = {}
    for one in shown:
        links = [(name, addresses.get(name)) for name in _mended_at(one.finding)]
        groups.setdefault(one.finding.kind, []).append(
            {"one": one, "links": links, "disagreement": _disagreement(one.finding)}
        )
    for kind, ones in groups.items():
        yield {"about": KINDS[kind], "ones": ones}  # type: ignore[index]


def _disagreement(finding: Finding) -> str:
    """Return the form of the disagreement that a finding proposes; empty if it proposes none."""
    if not finding.proposes_disagreement:
        return ""
    between = urlencode([("rule", rule_id) for rule_id in finding.rule_ids])
    return f"{reverse('admin:rules_disagreement_add')}?{between}"


def _mended_at(finding: Finding) -> tuple[str, ...]:
    """Return the ids of the records where a finding is fixed, its subject first."""
    return tuple(dict.fromkeys((finding.subject, *finding.rule_ids[:3])))


def _addresses(shown: Iterable[Shown]) -> dict[str, str]:
    """Return the address of each record where a finding of a page is fixed. One query."""
    found = [one.finding for one in shown]
    ids = {rule_id for finding in found for rule_id in _mended_at(finding)}
    rules = Rule.objects.identified(ids).values_list("rule_id", "pk")
    addresses = {rule_id: _change(Rule, pk) for rule_id, pk in rules}
    for finding in found:
        if finding.subject_kind == "airline":
            addresses[finding.subject] = reverse("admin:catalog_airline_change", args=[finding.subject])
        elif finding.subject_kind == "jurisdiction":
            listed = reverse("admin:rules_rule_changelist")
            addresses[finding.subject] = f"{listed}?jurisdiction={finding.subject}"
    return addresses


def _change(model: type[Revision], pk: int) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[pk])


def _without_page(request: HttpRequest) -> str:
    asked = request.GET.copy()
    asked.pop("page", None)
    return asked.urlencode()


def _require_sight(request: HttpRequest) -> None:
    if not request.user.has_perm("rules.view_acceptedfinding"):
        raise PermissionDenied


def _require(request: HttpRequest, action: EditorAction) -> None:
    _require_sight(request)
    if not may(acting_user(request), action, AcceptedFinding):
        raise PermissionDenied
