"""The page on which an editor translates one guide into one language."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from aeo.guides.editing.actions import translate_guide
from aeo.guides.editing.records import guide_of
from aeo.guides.reading import Guide
from catalog.editorial.screens.workflow import WorkflowAdmin
from catalog.errors import Refused
from catalog.screens.confirmation import acting_user

MOST_CHARACTERS = 4_000
"""The longest translation of one text."""


def missing(guide: Guide) -> Iterator[tuple[str, str, int]]:
    """Yield each language but English: its code, its name, and how many texts it lacks."""
    for code, name in settings.LANGUAGES:
        if code != settings.LANGUAGE_CODE:
            yield code, str(name), sum(guide.said(text, code) is None for text in guide.texts().values())


class LanguagePages(WorkflowAdmin):
    """Screens of guides, with a page for each language."""

    def get_urls(self) -> list[Any]:
        """Add the page."""
        view = self.admin_site.admin_view(self.language_view)
        return [
            path("<path:object_id>/language/<str:code>/", view, name="aeo_guidetext_language"),
            *super().get_urls(),
        ]

    def language_view(self, request: HttpRequest, object_id: str, code: str) -> HttpResponse:
        """Show each text with its translation, and take the translations of a draft."""
        row, names = self._row(object_id), dict(settings.LANGUAGES)
        if row is None or code not in names or code == settings.LANGUAGE_CODE:
            raise Http404
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        may_write = self.has_change_permission(request, row)
        guide, refused = guide_of(row.to_record()), ""
        typed = {
            english: request.POST.get(f"text-{place}", "").strip() for place, english in _numbered(guide)
        }
        if request.method == "POST":
            if not may_write:
                raise PermissionDenied
            refused = self._translated(request, row.slug, code, typed)
            if not refused:
                return HttpResponseRedirect(reverse("admin:aeo_guidetext_change", args=[row.pk]))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{row.title} in {names[code]}",
            "original": row,
            "language": code,
            "texts": [
                (place, what, english, typed[english] if refused else guide.said(english, code) or "")
                for place, (what, english) in enumerate(guide.texts().items())
            ],
            "may_write": may_write,
            "refused": refused,
            "most_characters": MOST_CHARACTERS,
        }
        status = HTTPStatus.BAD_REQUEST if refused else HTTPStatus.OK
        return TemplateResponse(request, "admin/aeo/guide_language.html", context, status=status)

    def _translated(self, request: HttpRequest, slug: str, code: str, typed: dict[str, str]) -> str:
        """Write what was typed. Return why it was refused, "" if it was written."""
        if any(len(text) > MOST_CHARACTERS for text in typed.values()):
            return f"A text is longer than {MOST_CHARACTERS:,} characters."
        try:
            translate_guide(by=acting_user(request), slug=slug, language=code, texts=typed)
        except Refused as refusal:
            return f"{refusal}."
        messages.success(request, f"The {dict(settings.LANGUAGES)[code]} texts are saved in the draft.")
        return ""


def _numbered(guide: Guide) -> Iterator[tuple[int, str]]:
    return enumerate(guide.texts().values())
