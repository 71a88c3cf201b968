"""Every address of the service, just as deep as it has them, and those that it is compared with."""

from django.urls import path

from bench.views import EmptyView, bare, empty_page
from compliance.urls import urlpatterns as service

urlpatterns = [
    path("api/bench/bare-django", bare),
    path("api/bench/empty-drf", EmptyView.as_view()),
    path("bench/empty-page", empty_page),
    *service,
]
