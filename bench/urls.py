"""Every address of the service, and those that it is compared with, just as near."""

from django.urls import path

from bench.requests import BARE_DJANGO, BARE_NOT_MODIFIED, BARE_PAGE, BARE_PAGE_NOT_MODIFIED, EMPTY_DRF
from bench.views import EmptyView, bare, empty_page
from compliance.urls import urlpatterns as service

urlpatterns = [
    path(EMPTY_DRF[1:], EmptyView.as_view()),
    *[
        path(address[1:], bare)
        for address in (BARE_DJANGO, BARE_NOT_MODIFIED, BARE_PAGE, BARE_PAGE_NOT_MODIFIED)
    ],
    path("bench/empty-page", empty_page),
    *service,
]
