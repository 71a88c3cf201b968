"""The Django app: its tables, and what happens when a user signs in."""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class SignInConfig(AppConfig):
    """Signing in to the admin."""

    name = "compliance.signin"
    label = "signin"
    verbose_name = "Signing in"

    def ready(self) -> None:
        """Make every session begin in the same way, whichever code signs the user in."""
        user_logged_in.connect(_begin)
        # Models can only be imported once all apps are loaded.
        from compliance.signin import changes

        changes.connect()


def _begin(*, request: Any, user: Any, **_: Any) -> None:
    from compliance.signin import session_state

    session_state.begin(request.session, user, request)
