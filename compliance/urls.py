"""Every address of the service."""

from django.urls import include, path

urlpatterns = [
    path("", include("compliance.api.urls")),
]
