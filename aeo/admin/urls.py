"""The addresses of the desk's pages about guides and readings. They come before the admin's own addresses."""

from django.contrib import admin
from django.urls import path

from aeo.coverage import admin as reading
from aeo.guides import admin as guides

app_name = "pages"
urlpatterns = [
    path("guides/", admin.site.admin_view(guides.show), name="guides"),
    path("read-next/", admin.site.admin_view(reading.show), name="read_next"),
]
