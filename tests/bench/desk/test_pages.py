"""The measured pages of the desk are all that there are."""

from django.contrib import admin

from bench.desk.pages import LISTS


def test_each_list_of_the_admin_is_measured() -> None:
    registered = {f"{model._meta.app_label}/{model._meta.model_name}" for model in admin.site._registry}
    assert registered == set(LISTS)
