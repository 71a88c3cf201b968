"""The addresses of the API. Unknown ones are answered by `compliance.middleware`."""

from django.urls import path

from compliance.api.trips import TripsVerifyView
from compliance.api.verify import VerifyView

urlpatterns = [
    path("api/verify", VerifyView.as_view()),
    path("api/trips/verify", TripsVerifyView.as_view()),
]
