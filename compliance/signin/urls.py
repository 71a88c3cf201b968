"""The addresses of signing in.

They come before those of the admin, and the first replaces the admin's own.
"""

from django.urls import path

from compliance.signin import views
from compliance.signin.passkeys import views as passkeys

app_name = "signin"
urlpatterns = [
    path("login/", views.sign_in, name="sign-in"),
    path("unlock/", views.unlock, name="unlock"),
    path("sessions/", views.sessions, name="sessions"),
    path("sessions/end/", views.sign_out_everywhere, name="sign-out-everywhere"),
    path("second-factor/", views.second_factor, name="second-factor"),
    path("second-factor/passkeys/", passkeys.passkeys, name="passkeys"),
    path("second-factor/passkeys/add/", passkeys.add, name="add-passkey"),
    path("second-factor/passkeys/remove/", passkeys.remove, name="remove-passkey"),
    path("second-factor/passkey/", passkeys.give, name="passkey"),
    path("second-factor/code/", views.verify, name="verify"),
    path("second-factor/recovery/", views.recover, name="recover"),
    path("second-factor/set-up/", views.set_up, name="set-up"),
    path("second-factor/recovery-codes/", views.renew, name="renew"),
]
