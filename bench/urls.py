"""Every address of the service, just as deep as it has them, and the two that it is compared with."""

from django.urls import path

from bench.views import EmptyView, bare
from compliance.urls import urlpatterns as service

urlpatterns = [
    path("bench/bare-django", bare),
    path("bench/empty-drf", EmptyView.as_view()),
    *service,
]
