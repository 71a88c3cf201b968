"""The address of the desk's page about the use of the service. It comes before those of the admin."""

from django.contrib import admin
from django.urls import path

from compliance.records.use.admin import show

app_name = "use"
urlpatterns = [path("use/", admin.site.admin_view(show), name="use")]
