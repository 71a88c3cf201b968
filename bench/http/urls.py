"""Every address of the service, and the views for comparison at the same level."""

from django.urls import include, path

from bench.http.requests import BARE_DJANGO, BARE_NOT_MODIFIED, BARE_PAGE, BARE_PAGE_NOT_MODIFIED, EMPTY_DRF
from bench.http.views import EmptyView, bare, empty_page
from compliance.api.urls import operations
from compliance.urls import urlpatterns as service

urlpatterns = [
    # Near the addresses of verdicts.
    service[0],
    path(EMPTY_DRF[1:], EmptyView.as_view()),
    path(BARE_DJANGO[1:], bare),
    path("api/", include([path(BARE_NOT_MODIFIED.removeprefix("/api/"), bare), *operations[1:]])),
    path(BARE_PAGE[1:], bare),
    path(BARE_PAGE_NOT_MODIFIED[1:], bare),
    path("bench/empty-page", empty_page),
    *service,
]
