"""The addresses of conversations, and of what a person is told. They come before those of the admin."""

from django.urls import path

from compliance.teamwork.conversation import pages
from compliance.teamwork.news import feed
from compliance.teamwork.news import pages as news

app_name = "teamwork"
urlpatterns = [
    path("conversation/<slug:kind>/<str:key>/", pages.show, name="conversation"),
    path("conversation/<slug:kind>/<str:key>/go/", pages.go, name="go"),
    path("conversation/<slug:kind>/<str:key>/comment/", pages.comment, name="comment"),
    path("conversation/<slug:kind>/<str:key>/assign/", pages.assign, name="assign"),
    path("comments/<int:pk>/remove/", pages.remove, name="remove-comment"),
    path("news/", news.show, name="news"),
    path("news/mails/", news.choose, name="choose-mails"),
    path("news/feed/", news.renew, name="renew-feed"),
    path("news/<str:secret>.atom", feed.show, name="feed"),
]
