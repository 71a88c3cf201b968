"""The quotes of a rule on its screen: a block for each in the form, and how they read.

A block offers the sources that the form names at that moment; the script of the page updates the choice when
sources are added or removed. Called by the form and by the screen of rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.html import format_html_join
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from catalog.editorial.screens.live_panels import LINK
from catalog.models import Source
from catalog.screens.list_field import Row, RowsField, first_cells
from rules.engine.facts import Quote
from rules.engine.quotes import (
    MAX_QUOTES,
    MAX_WHERE_CHARACTERS,
    MAX_WORDS_CHARACTERS,
    MIN_WORDS_CHARACTERS,
)


class WordsField(forms.CharField):
    """Words in several lines. Browsers use line ends of their own."""

    def to_python(self, value: Any) -> str:
        """Return the words with standard line ends."""
        return str(super().to_python(value)).replace("\r\n", "\n")


def quotes_field() -> RowsField:
    """Return the field of a rule's quotes: a block for each, and an empty one."""
    return RowsField(
        {
            "source": forms.CharField(
                label="Source", required=False, widget=UnfoldAdminSelectWidget({"data-offers": "evidence"})
            ),
            "where": forms.CharField(
                label="Place on the page",
                max_length=MAX_WHERE_CHARACTERS,
                required=False,
                widget=UnfoldAdminTextInputWidget({"placeholder": "Place on the page"}),
            ),
            "words": WordsField(
                label="Words",
                min_length=MIN_WORDS_CHARACTERS,
                max_length=MAX_WORDS_CHARACTERS,
                widget=UnfoldAdminTextareaWidget({"rows": 3, "placeholder": "The words of the page"}),
            ),
        },
        add="Add a quote",
        item="Quote",
        spare=1,
        help_text="The shortest words of a page that state the rule, exactly as on the page, in the "
        f"language of the page. {MAX_QUOTES} quotes at most, each of up to {MAX_WORDS_CHARACTERS} "
        "characters. Place on the page: such as “section Power banks, second bullet”.",
    )


def offer_sources(field: Any, rests_on: Sequence[str], rows: Any) -> None:
    """Make the blocks of a form offer the sources that it names, and those that already have quotes."""
    offered = dict.fromkeys(name for name in (*rests_on, *first_cells(rows)) if name)
    blank = "Source" if len(rests_on) != 1 else f"Source: {rests_on[0]}"
    field.columns["source"].widget.choices = [("", blank), *((name, name) for name in offered)]


def problems_of_rows(rows: Sequence[Row], rests_on: Sequence[str]) -> list[str]:
    """Say which blocks name no source of the rule, by their numbers."""
    wrong = []
    for number, (source, _, _) in enumerate(rows, start=1):
        if source and source not in rests_on:
            wrong.append(f"Quote {number}, Source: {source} is not a source of this rule.")
        elif not source and len(rests_on) != 1:
            wrong.append(f"Quote {number}, Source: choose the source of these words.")
    return wrong


def as_rows(quotes: Iterable[Quote]) -> list[Row]:
    """Return quotes as blocks of the form."""
    return [(quote.source, quote.where, quote.words) for quote in quotes]


def as_quotes(rows: Iterable[Row], rests_on: Sequence[str]) -> list[dict[str, str]]:
    """Return blocks of the form as plain quotes. If a rule has one source, its quotes are from that."""
    only = rests_on[0] if len(rests_on) == 1 else ""
    return [{"source": source or only, "words": words, "where": where} for source, where, words in rows]


def shown_quotes(quotes: Iterable[Quote], sources: Mapping[str, Source]) -> str:
    """Return quotes to read, each with a link to its page."""
    return (
        format_html_join(
            "",
            '<figure class="rule-quote"><blockquote cite="{1}">{0}</blockquote><figcaption>'
            '<a class="{2}" href="{1}" rel="noreferrer" target="_blank">{3}</a>{4}</figcaption></figure>',
            [
                (
                    quote.words,
                    sources[quote.source].url,
                    LINK,
                    quote.source,
                    f" · {quote.where}" if quote.where else "",
                )
                for quote in quotes
            ],
        )
        or "none"
    )
