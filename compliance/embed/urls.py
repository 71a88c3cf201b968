"""The addresses of the check inside other pages."""

from django.urls import path

from compliance.embed import showing, views

urlpatterns = [
    path("embed.js", views.script),
    path("embed", showing.how),
    path("embed/", showing.how),
    path("embed/theme.css", views.theme),
    path("embed/<str:key>", views.start),
    path("embed/<str:key>/check", views.check),
]
