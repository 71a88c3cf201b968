"""The address of the page for developers."""

from django.urls import path

from compliance.developers import views

urlpatterns = [path("developers", views.developers)]
