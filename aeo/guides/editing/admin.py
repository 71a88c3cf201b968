"""Guides at the desk: the list, the form, the buttons of the workflow, and the page of each language."""

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec
from django.contrib import admin, messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from unfold.decorators import display

from aeo.guides.editing import actions
from aeo.guides.editing.forms import GuideForm
from aeo.guides.editing.language_page import LanguagePages
from aeo.guides.editing.languages import missing, other_languages, shown_until
from aeo.guides.editing.models import GuideText
from aeo.guides.editing.records import WrittenGuide, guide_of, of_the_program
from catalog.editorial.screens.bulk_actions import MANY, BulkMovesAdmin
from catalog.editorial.screens.filters import DeskFilter, StateFilter
from catalog.editorial.screens.live_panels import LINK, PreviewAdmin
from catalog.editorial.screens.workflow import ACTIONS, with_consequences
from catalog.editorial.workflow import EditorAction
from catalog.screens.confirmation import acting_user

SHOWN = "Shown"

CONSEQUENCES = {
    EditorAction.APPROVE: "You confirm that its sources say this. Readers see it within seconds, if the "
    "release answers its questions as it says.",
    EditorAction.REVISE: "The next revision begins as a copy. Readers see the present one until another "
    "person has approved the new one.",
    EditorAction.WITHDRAW: "This opens a revision that takes the guide off the site, once another person "
    "has approved it.",
}

BEGINS_WITH = "slug"
"""The field of an address that names the guide of the program with which a new one begins."""


@admin.register(GuideText)
class GuideTextAdmin(LanguagePages, BulkMovesAdmin, PreviewAdmin):
    """Guides that editors changed, revision by revision."""

    action_functions = {
        EditorAction.SUBMIT: actions.submit_guides,
        EditorAction.APPROVE: actions.approve_guides,
        EditorAction.RETURN: actions.return_guides,
        EditorAction.REVISE: actions.revise_guides,
        EditorAction.WITHDRAW: actions.withdraw_guides,
        EditorAction.DISCARD: actions.discard_guides,
    }
    ids_argument = "slugs"
    buttons: ClassVar = with_consequences(ACTIONS, CONSEQUENCES)
    many: ClassVar = with_consequences(MANY, CONSEQUENCES)
    published_is_called = SHOWN
    before_all_is = "the guide of the program"
    has_effects: ClassVar = False
    actions = []
    key = "slug"
    form = GuideForm
    preview_buttons = frozenset()
    written = [
        ("The guide", {"fields": ["slug", "title", "description", "short_answer"]}),
        ("Questions and answers", {"fields": ["answers"]}),
        ("Evidence", {"fields": ["sources", "reports", "cases", "seen"]}),
    ]
    read = [
        (
            "The guide",
            {"fields": ["slug", "title", "description", "short_answer", "written_by", "languages"]},
        ),
        ("Questions and answers", {"fields": ["answers_read"]}),
        ("Evidence", {"fields": ["sources", "reports", "cases"]}),
    ]
    list_display = ["guide", "state_pill", "untranslated"]
    list_filter = [StateFilter, DeskFilter]
    search_fields = ["slug", "title", "short_answer"]
    search_help_text = "Words of the title or the short answer, or a slug."

    def sentences(self, records: Sequence[WrittenGuide]) -> list[str]:
        """Return how guides read: all that is said in English, and the languages that lack some of it."""
        return list(map(_said, records))

    @display(description="Guide", ordering="slug", header=True)
    def guide(self, row: GuideText) -> list[str]:
        """Return the title, and the slug."""
        return [row.title, str(row)]

    @admin.display(description="Languages")
    def untranslated(self, row: GuideText) -> str:
        """Return how many languages lack a text."""
        lacking = len(missing(guide_of(row.to_record())))
        return f"{lacking} not complete" if lacking else "complete"

    @admin.display(description="Languages")
    def languages(self, row: GuideText) -> str:
        """Return each language with the number of texts that it lacks, and a link to its page."""
        lacking = {one.code: len(one.texts) for one in missing(guide_of(row.to_record()))}
        return format_html_join(
            "",
            '<p><a class="{}" href="{}">{}</a>: {}</p>',
            [
                (
                    LINK,
                    reverse("admin:aeo_guidetext_language", args=[row.pk, code]),
                    name,
                    f"{lacking[code]} not translated" if code in lacking else "complete",
                )
                for code, name in other_languages().items()
            ],
        )

    @admin.display(description="Questions and answers")
    def answers_read(self, row: GuideText) -> str:
        """Return each question with its answer and its list."""
        return format_html_join(
            "",
            "<p><strong>{}</strong> {}{}</p>",
            [
                (one.question, one.answer, format_html(" <em>List: {}</em>", one.who) if one.who else "")
                for one in row.to_record().answers
            ],
        )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fieldsets; those of a draft lead to its languages, too."""
        shown = super().get_fieldsets(request, obj)
        return [*shown, ("Languages", {"fields": ["languages"]})] if shown is self.written and obj else shown

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Show the languages of a guide that exists."""
        more = super().get_readonly_fields(request, obj)
        return [*more, "languages"] if obj else more

    def workflow_status(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return the state, the buttons, and what is not translated. No release contains a guide."""
        more = {
            "unpublished": False,
            "more": "admin/aeo/_not_translated.html",
            "missing": [] if row.withdraws else missing(guide_of(row.to_record()), shown_until(row)),
            "may_translate": self.has_change_permission(request, row),
        }
        return super().workflow_status(request, row) | more

    def before_all(self, row: GuideText) -> WrittenGuide | None:
        """Return the guide of the program: readers have it before the first revision."""
        return of_the_program(row.slug)

    def submit_saved(self, request: HttpRequest, row: GuideText) -> None:
        """Submit a draft that was just saved, unless its author has yet to see what it does to languages."""
        found = missing(guide_of(row.to_record()), shown_until(row))
        if any(text.since is None for one in found for text in one.texts):
            messages.warning(
                request,
                "Saved as a draft, and not submitted yet: readers of some languages would get the English "
                "page. See below what is missing. Translate it, or submit the draft as it is.",
            )
        else:
            super().submit_saved(request, row)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Begin with the guide of the program that the address names, if there is one."""
        found = of_the_program(request.GET.get(BEGINS_WITH, ""))
        if found is None:
            return super().get_changeform_initial_data(request)
        fields = msgspec.structs.asdict(found)
        return {**fields, "answers": [(one.question, one.answer, one.who or "") for one in fields["answers"]]}

    def write(self, request: HttpRequest, obj: GuideText, form: Any, change: bool) -> None:
        """Draft the guide, or rewrite its draft."""
        save = actions.change_guide if change else actions.draft_guide
        save(by=acting_user(request), guide=form.record())


def _said(written: WrittenGuide) -> str:
    passages = [f"{one.question} {one.answer}" for one in written.answers]
    lacking = [f"{one.name} ({len(one.texts)})" for one in missing(guide_of(written))]
    languages = [f"Not translated: {', '.join(lacking)}."] if lacking else []
    return " ".join([written.title, written.short_answer, *passages, *languages])
