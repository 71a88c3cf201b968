"""The form of an announcement: the page, who is bound and when, and the checklist.

Nothing is guessed: a line that is left open makes no rule, and what the rules share is typed once.
"""

import datetime
import hashlib
import uuid
from typing import Any

import msgspec
from django import forms
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldAdminURLInputWidget,
)

from catalog import records
from catalog.errors import Refused
from catalog.models import Airline, Source
from catalog.screens.list_field import date_field
from rules.editing.admin.fields import amount_field, choice_field, choices_field, count_field
from rules.editing.admin.forms import CONFIDENCE_LABELS, SCOPE_LABELS
from rules.editing.admin.panels import names_of
from rules.editing.admin.quotes import WordsField
from rules.editing.announcement.lines import Said, candidates, demands
from rules.editing.announcement.proposals import Notice
from rules.editing.announcement.selectors import Meant, meant, prefix_of
from rules.editing.problems import NOT_CONFIRMED, problems_of
from rules.editing.rule_sentence import PROHIBITED, REQUIRED
from rules.engine.document import JURISDICTION_CODE, SLUG
from rules.engine.facts import INTERNATIONAL, Rule
from rules.engine.quotes import MAX_WHERE_CHARACTERS, MAX_WORDS_CHARACTERS, MIN_WORDS_CHARACTERS

LATEST_SOURCES = 50
"""How many sources the form offers while an editor types: those that were read last."""

NEW_SOURCE = ("url", "source_title", "kind", "basis", "read_on", "read_url", "published_by", "published_in")
NOT_YET = "not-yet"
"""The source and the beginning of ids in a preview, where they are not typed yet."""


def _text(label: str, *, most: int, required: bool = False, **options: Any) -> forms.CharField:
    widget = UnfoldAdminTextInputWidget(options.pop("attributes", {}))
    return forms.CharField(label=label, max_length=most, required=required, widget=widget, **options)


class AnnouncementForm(forms.Form):
    """One notice. `meant` is what it means for the rules that are there, once that is clear."""

    key = forms.UUIDField(widget=forms.HiddenInput)

    source = _text(
        "Source id",
        most=80,
        required=True,
        attributes={"list": "latest-sources", "autocomplete": "off", "spellcheck": "false"},
        help_text="The page of the notice. For a page that is not recorded yet, choose a new id, such as "
        "qr-notice-2027, and fill in “A new page”.",
    )
    url = forms.URLField(
        label="Address",
        max_length=2000,
        required=False,
        assume_scheme="https",
        widget=UnfoldAdminURLInputWidget,
    )
    source_title = _text("Title of the page", most=500)
    kind = choice_field(
        {"": "Choose", "regulator": "regulator", "airline": "airline", "news": "news"},
        label="Kind",
        required=False,
    )
    basis = choice_field(
        {
            "": "Choose",
            "official_page_read": "official page read",
            "official_copy_read": "official copy read",
            "secondary_read": "secondary read",
        },
        label="How it was read",
        required=False,
    )
    read_on = date_field("Read on", required=False)
    read_url = _text("Read at another address", most=2000, help_text="Only if a copy was read.")
    published_by = _text("Published by", most=200, help_text="If empty: who issued the notice.")
    published_in = _text("Country or region of the page", most=4, help_text="If empty: that of the issuer.")
    words = WordsField(
        label="Quote",
        required=False,
        min_length=MIN_WORDS_CHARACTERS,
        max_length=MAX_WORDS_CHARACTERS,
        widget=UnfoldAdminTextareaWidget({"rows": 3}),
        help_text="The shortest words of the page that state this, exactly, in its language. All rules get "
        f"it: {MAX_WORDS_CHARACTERS} characters at most.",
    )
    where = _text("Place on the page", most=MAX_WHERE_CHARACTERS)
    confidence = choice_field({"": "Choose", **CONFIDENCE_LABELS}, label="Confidence")

    airline = forms.ModelChoiceField(
        label="Airline",
        queryset=Airline.objects.order_by("name"),
        required=False,
        empty_label="none: a notice of an authority",
        widget=UnfoldAdminSelectWidget,
    )
    authority = _text("Authority", most=200, help_text="The full name, as its rules have it.")
    jurisdiction = _text("Country or region", most=4, help_text="A code such as CN, EU or INTL.")
    applies = choices_field(SCOPE_LABELS, label="Flights", help_text="Whom the authority binds.")
    id_prefix = _text(
        "New ids begin with",
        most=60,
        help_text="Such as cn.caac. If empty: the code of the airline, or what all rules of the authority "
        "begin with.",
    )
    effective_from = date_field("From", required=False)
    effective_until = date_field("Until, including that day", required=False)

    up_to = amount_field("Up to … Wh")
    approval_to = amount_field("With the airline's approval up to … Wh")
    refused = amount_field("Refused: … Wh")
    refused_from = choice_field(
        {"": "more than this", "from": "this and more"}, label="Refused is", required=False
    )
    units = count_field("Units per passenger")
    band_units = count_field("Of the larger ones: units per passenger")
    band_over = amount_field("Larger means more than … Wh")
    band_up_to = amount_field("and up to … Wh")
    demands = forms.MultipleChoiceField(
        label="It demands or refuses",
        required=False,
        choices=lambda: [(code, demand_label(code)) for code in demands()],
        widget=choices_field({}).widget.__class__,
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    meant: Meant | None = None
    new_source: records.Source | None = None

    # --- Cleaning ---

    def clean_jurisdiction(self) -> str:
        """Return the code in capitals."""
        return self._code("jurisdiction")

    def clean_published_in(self) -> str:
        """Return the code in capitals."""
        return self._code("published_in")

    def clean_source(self) -> str:
        """Return the id of the source, spelled as ids are."""
        name = str(self.cleaned_data["source"]).strip()
        if not SLUG.fullmatch(name):
            raise forms.ValidationError("An id is lower-case words joined by hyphens.")
        return name

    def clean(self) -> dict[str, Any]:
        """Check the lines against each other, then what they mean for the rules that are there."""
        self._check_lines()
        self._check_issuer()
        recorded = self._check_source()
        notice = self._notice()
        if notice is not None and not self._checklist_errors():
            self._mean(notice, recorded)
        return self.cleaned_data

    def _code(self, name: str) -> str:
        code = str(self.cleaned_data[name]).strip().upper()
        if code and not JURISDICTION_CODE.fullmatch(code):
            raise forms.ValidationError("This is a code of two to four letters, such as AE, EU or INTL.")
        return code

    def _check_lines(self) -> None:
        said = self.cleaned_data
        first, last = said.get("effective_from"), said.get("effective_until")
        if first and last and last < first:
            self.add_error("effective_until", "This is before “From”.")
        up_to, approval = said.get("up_to"), said.get("approval_to")
        if approval is not None and up_to is None and "up_to" not in self.errors:
            self.add_error("up_to", "Up to how many Wh is no approval needed?")
        if approval is not None and up_to is not None and approval <= up_to:
            self.add_error("approval_to", "This is not more than “Up to … Wh”.")
        refused = said.get("refused")
        allowed = max((figure for figure in (up_to, approval) if figure is not None), default=None)
        if refused is not None and allowed is not None and refused < allowed:
            self.add_error("refused", "The notice would permit and refuse the same units.")
        if said.get("refused_from") and refused is None:
            self.add_error("refused", "This figure is missing.")
        self._check_band(said)

    def _check_band(self, said: dict[str, Any]) -> None:
        units, over, up_to = (said.get(name) for name in ("band_units", "band_over", "band_up_to"))
        if units is not None and over is None and "band_over" not in self.errors:
            self.add_error("band_over", "More than how many Wh does this limit count?")
        if units is None and (over is not None or up_to is not None) and "band_units" not in self.errors:
            self.add_error("band_units", "How many units of these?")
        if over is not None and up_to is not None and up_to <= over:
            self.add_error("band_up_to", "This is not more than the figure before.")

    def _check_issuer(self) -> None:
        said = self.cleaned_data
        airline = said.get("airline")
        if "airline" in self.errors:
            return
        if airline:
            for name in ("authority", "jurisdiction", "applies"):
                if said.get(name):
                    self.add_error(name, "Leave this open for a notice of an airline, or choose no airline.")
            return
        missing = {
            "authority": "Name the authority, or choose an airline.",
            "jurisdiction": "Give the country or region, or choose an airline.",
            "applies": "Choose at least one kind of flight.",
        }
        for name, sentence in missing.items():
            if not said.get(name) and name not in self.errors:
                self.add_error(name, sentence)
        if said.get("applies") and (said.get("jurisdiction") == INTERNATIONAL) != (
            said["applies"] == ["global"]
        ):
            self.add_error("applies", f"Rules of {INTERNATIONAL}, and no others, are for every flight.")

    def _check_source(self) -> records.Source | None:
        """Check the page, and return it if it is recorded: then nothing about it is typed again."""
        said = self.cleaned_data
        typed = [name for name in NEW_SOURCE if said.get(name)]
        found = Source.objects.filter(pk=said.get("source", "")).first()
        if found is not None:
            for name in typed:
                self.add_error(
                    name, f"{found.pk} is recorded already: leave this open, or choose another id."
                )
            self._check_confidence(found.basis)
            return found.to_record()
        if not typed and said.get("source"):
            self.add_error(
                "source", "This page is not recorded. Choose one that is, or fill in “A new page”."
            )
            return None
        for name in ("url", "source_title", "kind", "basis", "read_on"):
            if typed and not said.get(name) and name not in self.errors:
                self.add_error(name, "A new page needs this.")
        if said.get("read_on") and said["read_on"] > datetime.datetime.now(datetime.UTC).date():
            self.add_error("read_on", "This is in the future.")
        self._check_confidence(said.get("basis"))
        return None

    def _check_confidence(self, basis: str | None) -> None:
        if self.cleaned_data.get("confidence") == "confirmed" and basis and basis != "official_page_read":
            self.add_error("confidence", f"{NOT_CONFIRMED}.")

    # --- What it means ---

    def said(self) -> Said:
        """Return the lines of the checklist."""
        typed: dict[str, Any] = {name: self.cleaned_data.get(name) for name in Said._fields}
        return Said(
            **typed | {"refused_from": bool(typed["refused_from"]), "demands": tuple(typed["demands"] or ())}
        )

    def _notice(self) -> Notice | None:
        """Return what the rules share; None until it is clear who is bound."""
        said = self.cleaned_data
        if {"airline", "authority", "jurisdiction", "applies", "effective_from", "effective_until"} & set(
            self.errors
        ):
            return None
        airline = said.get("airline")
        authority = airline.name if airline else said["authority"]
        place = airline.country_id if airline else said["jurisdiction"]
        usual = airline.pk.lower() if airline else prefix_of(authority, place)
        prefix = said.get("id_prefix", "").strip(" .") or usual
        if not prefix and "id_prefix" not in self.errors:
            self.add_error(
                "id_prefix", "This authority has no rules yet, or they begin in several ways: choose."
            )
        words = said.get("words", "")
        return Notice(
            issuer="airline" if airline else "regulator",
            authority=authority,
            jurisdiction=place,
            airline=airline.pk if airline else None,
            applies=("airline",) if airline else tuple(said["applies"]),
            prefix=prefix or NOT_YET.replace("-", "."),
            effective_from=said.get("effective_from"),
            effective_until=said.get("effective_until"),
            confidence=said.get("confidence") or "unverified",
            source=said.get("source") or NOT_YET,
            quote=(words.strip(), said.get("where", "").strip()) if words.strip() else None,
        )

    def _checklist_errors(self) -> set[str]:
        return {*Said._fields} & set(self.errors)

    def _mean(self, notice: Notice, recorded: records.Source | None) -> None:
        names = names_of({notice.airline} if notice.airline else set(), {notice.jurisdiction})
        today = datetime.datetime.now(datetime.UTC).date()
        self.meant = meant(notice, candidates(self.said()), names=names, today=today)
        for refusal in self.meant.refusals:
            self.add_error(refusal.line, f"{refusal.refused}.")
        if not self.drafts and not self.meant.refusals:
            nothing = (
                "Every line says what is published already." if self.meant.proposals else "Fill in a line."
            )
            self.add_error(None, f"Nothing is to be announced. {nothing}")
        if self.errors:
            return
        self.new_source = None if recorded else self._source(notice)
        for problem in problems_of(self.drafts, new=[self.new_source] if self.new_source else []):
            self.add_error(None, f"{problem.where}: {problem.reason}.")

    @property
    def drafts(self) -> list[Rule]:
        """The rules that would be drafted or revised."""
        proposals = self.meant.proposals if self.meant else ()
        return [rule for one in proposals for rule in (*one.drafted, *one.revised)]

    def _source(self, notice: Notice) -> records.Source | None:
        said = self.cleaned_data
        try:
            return msgspec.convert(
                {
                    "id": said["source"],
                    "kind": said["kind"],
                    "authority": said["published_by"] or notice.authority,
                    "jurisdiction": said["published_in"] or notice.jurisdiction,
                    "url": said["url"],
                    "title": said["source_title"],
                    "basis": said["basis"],
                    "read_url": said["read_url"] or None,
                    "read_on": said["read_on"],
                },
                records.Source,
            )
        except msgspec.ValidationError as error:
            self.add_error("source", str(error))
            return None

    def title(self) -> str:
        """Return how the announcement is called: who announces, and the title of the page."""
        source = self.new_source or Source.objects.get(pk=self.cleaned_data["source"])
        return f"{source.authority}: {source.title}"[:700]

    def refuse(self, refused: Refused) -> None:
        """Show why the action refused: at the line or the page that it is about."""
        proposals = self.meant.proposals if self.meant else ()
        lines = {rule.rule_id: one.line for one in proposals for rule in (*one.drafted, *one.revised)}
        named = "source" if refused.record_id == self.cleaned_data.get("source") else None
        self.add_error(lines.get(refused.record_id, named), f"{refused}.")

    def digest(self) -> str:
        """Return the digest of all that would be written, so that nothing is written that was not shown."""
        written = [(one.outcome, one.rule, one.ended) for one in (self.meant.proposals if self.meant else ())]
        return hashlib.sha256(msgspec.json.encode([written, self.new_source])).hexdigest()

    def missing(self) -> list[tuple[str, str]]:
        """Return what is missing or wrong: the label of each field, empty for the whole, and the sentence."""
        return [
            (str(self.fields[name].label) if name in self.fields else "", str(sentence))
            for name, sentences in self.errors.items()
            for sentence in sentences
        ]


def demand_label(code: str) -> str:
    """Return a demand as a line of the checklist: “Not to be used on board”."""
    words = REQUIRED.get(code) or PROHIBITED[code]
    return words[0].upper() + words[1:]


def first_typed() -> dict[str, Any]:
    """Return what a new form begins with."""
    return {"key": uuid.uuid4()}
