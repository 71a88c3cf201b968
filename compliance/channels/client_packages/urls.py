"""The addresses below `/developers/clients`."""

from django.urls import path

from compliance.channels.client_packages import views

urlpatterns = [
    path("developers/clients", views.index),
    path("developers/clients/", views.index),
    path("developers/clients/SHA256SUMS", views.hashes),
    path("developers/clients/<str:name>", views.file),
]
