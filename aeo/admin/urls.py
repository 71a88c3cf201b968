"""The addresses of the desk's pages about guides. They stand before those of the admin."""

from django.contrib import admin
from django.urls import path

from aeo.admin import guides

app_name = "pages"
urlpatterns = [path("guides/", admin.site.admin_view(guides.show), name="guides")]
