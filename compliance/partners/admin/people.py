"""The people of a partner at the desk: who they are, a button that invites one, and one that removes one."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminEmailInputWidget, UnfoldAdminSelectWidget

from catalog.screens.confirmation import Consent, Step, ask_before
from catalog.screens.ids import row_or_404
from compliance.partners.admin.keys import shown
from compliance.partners.models import Partner
from compliance.partners.people import actions
from compliance.partners.people.actions import LONGEST_ADDRESS
from compliance.partners.people.models import Invitation, PartnerPerson

INVITED = "invited:"
"""Marks an invitation in the list of those who can be removed."""


class _ReadOnly(TabularInline):
    extra = 0
    can_delete = False
    hide_title = True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Show them to everyone who may see the partner."""
        return request.user.has_perm("compliance.view_partner")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: people are invited, in a separate step."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: people are removed, not edited."""
        return False


class PeopleOfPartner(_ReadOnly):
    """The people of one partner who may sign in."""

    model = PartnerPerson
    fk_name = "partner"
    fields = readonly_fields = ["person", "since", "last_sign_in"]
    verbose_name_plural = "people"

    def get_queryset(self, request: HttpRequest) -> QuerySet[PartnerPerson]:
        """Return those who were not removed, with their accounts."""
        return super().get_queryset(request).filter(removed_at=None).select_related("user")

    @admin.display(description="Person")
    def person(self, person: PartnerPerson) -> str:
        """Return the mail address, which is the name of the account."""
        return str(person)

    @admin.display(description="Since")
    def since(self, person: PartnerPerson) -> str:
        """Return when the invitation was accepted."""
        return shown(person.created_at)

    @admin.display(description="Last sign-in")
    def last_sign_in(self, person: PartnerPerson) -> str:
        """Return when the person signed in last."""
        return shown(person.user.last_login, otherwise="never")


class InvitationsOfPartner(_ReadOnly):
    """The open invitations of one partner."""

    model = Invitation
    fk_name = "partner"
    fields = readonly_fields = ["invited", "sent", "valid_until"]
    verbose_name_plural = "invitations"

    @admin.display(description="Invited")
    def invited(self, invitation: Invitation) -> str:
        """Return the mail address."""
        return str(invitation)

    @admin.display(description="Sent")
    def sent(self, invitation: Invitation) -> str:
        """Return when the mail was written."""
        return shown(invitation.created_at)

    @admin.display(description="Link valid until")
    def valid_until(self, invitation: Invitation) -> str:
        """Return when the link ends."""
        return shown(invitation.ends)


class InviteForm(forms.Form):
    """The address of a new person."""

    email = forms.EmailField(
        label="Mail address",
        max_length=LONGEST_ADDRESS,
        widget=UnfoldAdminEmailInputWidget,
        help_text="Of one person, not of a team: it becomes the name to sign in with.",
    )


class PeopleButtons(ModelAdmin):
    """The buttons of a partner's page."""

    def has_people_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether a person may invite and remove people of partners."""
        return request.user.has_perm("compliance.change_partner")

    @action(description="Invite a person", url_path="invite", permissions=["people"], icon="person_add")
    def invite(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the address, then send a link."""
        partner = row_or_404(Partner, object_id)

        def act(consent: Consent) -> HttpResponse:
            email = consent.answers["email"]
            invitation = actions.invite(by=consent.by, now=consent.now, partner=partner.slug, email=email)
            return self._done(request, partner, f"Invited {invitation}.")

        second_factor = " and set up a second factor" if settings.DESK_SECOND_FACTOR else ""
        step = Step(
            title=f"Invite a person of {partner.name}",
            consequence="The person gets a mail with a link that works once and for three days. With it they "
            f"choose a password{second_factor}. Then they see and change keys, origins, webhooks "
            f"and watches of {partner.name} at {reverse('partners:home')}, and nothing else. "
            "Invite only people whose address you know from the partner.",
            button="Send the invitation",
            form_class=InviteForm,
        )
        return ask_before(step, act, admin=self, request=request, subject=partner)

    @action(
        description="Remove a person",
        url_path="remove-person",
        permissions=["people"],
        icon="person_remove",
        variant=ActionVariant.DANGER,
    )
    def remove_person(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask whom, then take the access of a person, or an invitation back."""
        partner = row_or_404(Partner, object_id)

        def act(consent: Consent) -> HttpResponse:
            whom: str = consent.answers["person"]
            if whom.startswith(INVITED):
                actions.take_back(partner=partner.slug, email=whom.removeprefix(INVITED))
                return self._done(request, partner, f"Took the invitation of {whom[len(INVITED) :]} back.")
            actions.remove_person(by=consent.by, now=consent.now, partner=partner.slug, username=whom)
            return self._done(request, partner, f"Removed {whom}.")

        step = Step(
            title=f"Remove a person of {partner.name}",
            consequence="The person is signed out within one request and cannot sign in again. Keys and "
            "webhooks that they made stay: revoke those that they may know. Who lost the password or the "
            "app is removed here, and invited again.",
            button="Remove",
            form_class=_whom_form(partner),
            dangerous=True,
        )
        return ask_before(step, act, admin=self, request=request, subject=partner)

    def _done(self, request: HttpRequest, partner: Partner, what: str) -> HttpResponse:
        self.log_change(request, partner, what)
        messages.success(request, what)
        return HttpResponseRedirect(reverse("admin:compliance_partner_change", args=[partner.pk]))


def _whom_form(partner: Partner) -> type[forms.Form]:
    """Return the form that offers the people of a partner, and those who are invited."""
    people = partner.people.filter(removed_at=None).select_related("user")
    choices = [(str(person), str(person)) for person in people]
    choices += [(f"{INVITED}{one}", f"{one} (invited)") for one in partner.invitations.all()]

    class Whom(forms.Form):
        person = forms.ChoiceField(
            label="Person", choices=[("", "Choose"), *choices], widget=UnfoldAdminSelectWidget
        )

    return Whom
