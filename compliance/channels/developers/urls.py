"""The address of the page for developers."""

from django.urls import path

from compliance.channels.developers import views

urlpatterns = [path("developers", views.developers)]
