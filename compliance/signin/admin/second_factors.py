"""How managers see and change others' sign-in: who has a second factor, who is locked out."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from catalog.screens.confirmation import Consent, Step, acting_user, ask_before
from catalog.screens.ids import row_or_404, row_or_none
from compliance.signin import actions
from compliance.signin.lockout import locked_names
from compliance.signin.models import SecondFactor
from compliance.signin.rights import may_change

# Its pages would show the secrets of all apps.
admin.site.unregister(TOTPDevice)


class SignInButtons(admin.ModelAdmin):
    """Columns and buttons of users: reset a second factor, unlock a name."""

    actions_detail = ["reset_second_factor", "unlock"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Return users with their second factors."""
        return super().get_queryset(request).select_related("second_factor")

    @display(description="Second factor", label={"set up": "success", "none": "warning"})
    def second_factor_state(self, user: User) -> str | None:
        """Return whether a user who may sign in has a second factor."""
        if not (user.is_active and user.is_staff):
            return None
        return "set up" if hasattr(user, "second_factor") else "none"

    def has_reset_second_factor_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Say whether a person may reset a second factor, and there is one."""
        # People replace their own on their page, which asks for a code. Otherwise an open session would be
        # enough.
        user = self._whom(request, object_id)
        return user is not None and user != request.user and SecondFactor.objects.filter(user=user).exists()

    def has_unlock_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Say whether a person may unlock a name, and it is locked."""
        user = self._whom(request, object_id)
        return user is not None and user.username in locked_names()

    @action(
        description="Reset second factor",
        url_path="reset-second-factor",
        permissions=["reset_second_factor"],
        icon="phonelink_erase",
        variant=ActionVariant.DANGER,
    )
    def reset_second_factor(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then remove a user's second factor."""
        user = row_or_404(User, object_id)

        def act(consent: Consent) -> HttpResponse:
            actions.reset_second_factor(by=consent.by, user=user)
            return self._done(request, user, "Second factor reset.")

        step = Step(
            title=f"Reset the second factor of {user}",
            consequence="Make sure that the request really comes from this person. The person is signed out "
            "everywhere, and must set up a new app at the next sign-in with the password.",
            button="Reset",
            dangerous=True,
        )
        return ask_before(step, act, admin=self, request=request, subject=user)

    @action(description="Unlock", url_path="unlock", permissions=["unlock"], icon="lock_open")
    def unlock(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then let a name that is locked sign in again."""
        user = row_or_404(User, object_id)

        def act(consent: Consent) -> HttpResponse:
            actions.unlock(by=consent.by, username=user.username)
            return self._done(request, user, "Unlocked.")

        step = Step(
            title=f"Unlock {user}",
            consequence="The failed attempts are deleted. The next failed attempt counts as the first.",
            button="Unlock",
        )
        return ask_before(step, act, admin=self, request=request, subject=user)

    def _whom(self, request: HttpRequest, object_id: Any) -> User | None:
        """Return the user of a page, if the person who opened it may change how that user signs in."""
        user = row_or_none(User, object_id)
        allowed = (
            user is not None
            and request.user.has_perm("auth.change_user")
            and may_change(acting_user(request), user)
        )
        return user if allowed else None

    def _done(self, request: HttpRequest, user: User, what: str) -> HttpResponse:
        self.log_change(request, user, what)
        messages.success(request, f"{user}: {what}")
        return HttpResponseRedirect(reverse("admin:auth_user_change", args=[user.pk]))
