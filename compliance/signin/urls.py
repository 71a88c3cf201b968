"""The addresses of signing in.

Those of the desk come before those of the admin, and the first replaces the admin's own. The pages of
partners have the same ones, without the final slash (`compliance.partner_pages.urls`).
"""

from django.urls import URLPattern, path

from compliance.signin import views
from compliance.signin.passkeys import views as passkeys

app_name = "signin"


def pages(ending: str) -> list[URLPattern]:
    """Return the pages of people who sign in, at addresses with this ending."""
    return [
        path(f"unlock{ending}", views.unlock, name="unlock"),
        path(f"sessions{ending}", views.sessions, name="sessions"),
        path(f"sessions/end{ending}", views.sign_out_everywhere, name="sign-out-everywhere"),
        path(f"second-factor{ending}", views.second_factor, name="second-factor"),
        path(f"second-factor/passkeys{ending}", passkeys.passkeys, name="passkeys"),
        path(f"second-factor/passkeys/add{ending}", passkeys.add, name="add-passkey"),
        path(f"second-factor/passkeys/remove{ending}", passkeys.remove, name="remove-passkey"),
        path(f"second-factor/passkey{ending}", passkeys.give, name="passkey"),
        path(f"second-factor/code{ending}", views.verify, name="verify"),
        path(f"second-factor/recovery{ending}", views.recover, name="recover"),
        path(f"second-factor/set-up{ending}", views.set_up, name="set-up"),
        path(f"second-factor/recovery-codes{ending}", views.renew, name="renew"),
    ]


urlpatterns = [
    path("login/", views.sign_in, name="sign-in"),
    path("password_change/", views.password, name="password_change"),
    path("sessions/stay/", views.stay, name="stay"),
    *pages("/"),
]
