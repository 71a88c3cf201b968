"""The addresses of signing in.

They come before those of the admin, and the first replaces the admin's own.
"""

from django.urls import path

from compliance.signin import views

app_name = "signin"
urlpatterns = [
    path("login/", views.sign_in, name="sign-in"),
    path("second-factor/", views.second_factor, name="second-factor"),
    path("second-factor/code/", views.verify, name="verify"),
    path("second-factor/recovery/", views.recover, name="recover"),
    path("second-factor/set-up/", views.set_up, name="set-up"),
    path("second-factor/recovery-codes/", views.renew, name="renew"),
]
