"""The addresses of conversations, and of what a person is told. They come before those of the admin."""

from django.urls import path

from compliance.teamwork.conversation import pages
from compliance.teamwork.news import feed
from compliance.teamwork.news import pages as news

app_name = "teamwork"
urlpatterns = [
    # A key can be a sentence, with slashes in it. So the longer addresses come first.
    path("conversation/<slug:kind>/<path:key>/go/", pages.go, name="go"),
    path("conversation/<slug:kind>/<path:key>/comment/", pages.comment, name="comment"),
    path("conversation/<slug:kind>/<path:key>/assign/", pages.assign, name="assign"),
    path("conversation/<slug:kind>/<path:key>/", pages.show, name="conversation"),
    path("comments/<int:pk>/remove/", pages.remove, name="remove-comment"),
    path("news/", news.show, name="news"),
    path("news/mails/", news.choose, name="choose-mails"),
    path("news/feed/", news.renew, name="renew-feed"),
    path("news/<str:secret>.atom", feed.show, name="feed"),
]
