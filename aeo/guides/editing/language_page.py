"""The pages on which editors translate a guide: into one language, or all that any language lacks."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse

from aeo.guides.editing.actions import translate_guide
from aeo.guides.editing.languages import missing, other_languages
from aeo.guides.editing.models import GuideText
from aeo.guides.editing.records import Translation, guide_of
from aeo.guides.reading import Guide
from catalog.editorial.screens.workflow import WorkflowAdmin
from catalog.errors import Refused
from catalog.screens.confirmation import acting_user

MOST_CHARACTERS = 4_000
"""The longest translation of one text."""


class Field(NamedTuple):
    """A text of a guide in one language, to be typed."""

    place: int
    what: str
    english: str
    code: str
    language: str
    text: str

    @property
    def name(self) -> str:
        """Its name in the form."""
        return f"{self.code}-{self.place}"


class LanguagePages(WorkflowAdmin):
    """Screens of guides, with pages for their translations."""

    def get_urls(self) -> list[Any]:
        """Add the pages."""
        one, all_missing = map(self.admin_site.admin_view, (self.language_view, self.missing_view))
        return [
            path("<path:object_id>/language/<str:code>/", one, name="aeo_guidetext_language"),
            path("<path:object_id>/missing/", all_missing, name="aeo_guidetext_missing"),
            *super().get_urls(),
        ]

    def language_view(self, request: HttpRequest, object_id: str, code: str) -> HttpResponse:
        """Show each text with its translation into one language, and take the translations of a draft."""
        row, names = self._seen(request, object_id), other_languages()
        if code not in names:
            raise Http404
        fields = list(_of_language(guide_of(row.to_record()), code, names[code]))
        return self._page(request, row, fields, f"{row.title} in {names[code]}")

    def missing_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show each text that a language lacks, for all languages together, and take them likewise."""
        row = self._seen(request, object_id)
        fields = sorted(_of_missing(guide_of(row.to_record())), key=lambda one: one.place)
        return self._page(request, row, fields, f"{row.title}: what is not translated")

    def _seen(self, request: HttpRequest, object_id: str) -> GuideText:
        row: GuideText | None = self._row(object_id)
        if row is None:
            raise Http404
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        return row

    def _page(
        self, request: HttpRequest, row: GuideText, fields: Sequence[Field], title: str
    ) -> HttpResponse:
        may_write, refused = self.has_change_permission(request, row), ""
        if request.method == "POST":
            if not may_write:
                raise PermissionDenied
            fields = [one._replace(text=request.POST.get(one.name, "").strip()) for one in fields]
            refused = self._translated(request, row.slug, fields)
            if not refused:
                return HttpResponseRedirect(reverse("admin:aeo_guidetext_change", args=[row.pk]))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title,
            "original": row,
            "fields": fields,
            "several": len({one.code for one in fields}) > 1,
            "may_write": may_write,
            "refused": refused,
            "most_characters": MOST_CHARACTERS,
        }
        status = HTTPStatus.BAD_REQUEST if refused else HTTPStatus.OK
        return TemplateResponse(request, "admin/aeo/guide_language.html", context, status=status)

    def _translated(self, request: HttpRequest, slug: str, fields: Sequence[Field]) -> str:
        """Write what was typed. Return why it was refused, "" if it was written."""
        if any(len(one.text) > MOST_CHARACTERS for one in fields):
            return f"A text is longer than {MOST_CHARACTERS:,} characters."
        try:
            typed = [Translation(one.code, one.english, one.text) for one in fields]
            translate_guide(by=acting_user(request), slug=slug, translations=typed)
        except Refused as refusal:
            return f"{refusal}."
        languages = ", ".join(dict.fromkeys(one.language for one in fields if one.text))
        messages.success(request, f"Saved in the draft: texts in {languages or 'no language'}.")
        return ""


def _of_language(guide: Guide, code: str, language: str) -> Iterator[Field]:
    for place, (what, english) in enumerate(guide.texts().items()):
        yield Field(place, what, english, code, language, guide.said(english, code) or "")


def _of_missing(guide: Guide) -> Iterator[Field]:
    for one in missing(guide):
        for text in one.texts:
            yield Field(text.place, text.what, text.english, one.code, one.name, "")
