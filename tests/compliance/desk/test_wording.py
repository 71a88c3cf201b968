"""What the screens of the desk say, with a row of every kind and with the starter corpus."""

from typing import Any

import pytest
from django.contrib import admin
from django.urls import reverse

from catalog.models import Source
from compliance.models import VerdictRecord
from rules.models import Release
from tests.compliance.desk.test_roles import QUERY, addresses, rows
from tests.support.desk.visiting import Visitor
from tests.support.desk.wording import oddities, other_dates

pytestmark = pytest.mark.usefixtures("fresh_desk")

__all__ = ["rows"]


def odd_words(visitor: Visitor, paths: list[str]) -> list[str]:
    """Return what the pages of these addresses say oddly; what shows no page says nothing."""
    # Releases are named by their day, and pages by their authors.
    names = [
        *Release.objects.values_list("ruleset_version", flat=True),
        *VerdictRecord.objects.values_list("ruleset_version", flat=True),
        *Source.objects.values_list("title", flat=True),
    ]
    found: dict[str, str] = {}
    for path in paths:
        response = visitor.get(path)
        if response.status_code == 200 and "html" in response.get("Content-Type", ""):
            html = response.content.decode()
            for odd in (*oddities(html), *other_dates(html, names)):
                found.setdefault(odd, path)
    return [f"{path}: {odd}" for odd, path in found.items()]


def test_no_screen_says_a_value_of_python_a_dot_or_a_name_twice_one_of_many_or_a_date_in_a_form_of_its_own(
    rows: dict[str, Any],
) -> None:
    paths = [path for _, path in addresses(rows) if path not in QUERY]
    found = odd_words(Visitor(superuser=True), paths)
    assert not found, "\n".join(found)


def test_no_screen_of_the_starter_corpus_does(starter_rows: str, db: None) -> None:
    paths = [reverse("admin:index"), reverse("desk:findings"), reverse("desk:changes")]
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        paths.append(reverse(f"{name}_changelist") + "?all=")
        keys = model._default_manager.values_list("pk", flat=True)
        paths += [reverse(f"{name}_{page}", args=[key]) for key in keys[:4] for page in ("change", "history")]
    found = odd_words(Visitor(superuser=True), paths)
    assert not found, "\n".join(found)
