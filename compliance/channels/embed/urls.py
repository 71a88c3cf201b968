"""The addresses of the check inside other pages."""

from django.urls import path

from compliance.channels.embed import how_to_page, itineraries, views

urlpatterns = [
    path("embed.js", views.script),
    path("embed", how_to_page.how),
    path("embed/", how_to_page.how),
    path("embed/theme.css", views.theme),
    path("embed/<str:key>", views.start),
    path("embed/<str:key>/check", views.check),
    path("embed/<str:key>/itinerary", itineraries.itinerary),
]
