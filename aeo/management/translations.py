"""The files of translations: the texts they must contain, their problems, and updating them.

A page is published in a language only if it is complete in it. So every text has a translation into every
language, in each plural form, with the values of its English. No file contains a text that is no longer used.
Called by `manage.py translations` and by tests.
"""

import re
from collections.abc import Iterator

from babel.messages import Catalog, Message
from babel.messages.pofile import read_po, write_po
from django.conf import settings

from aeo.guides import load_guides
from aeo.texts import TEXTS
from rules.wording.saying import TEXTS as VERDICT_TEXTS
from rules.wording.translating import Plural, Text, locale, po_file

_VALUE = re.compile(r"%\((\w+)\)[sd]|(\{\w+\})")
_SENTENCE = re.compile(r"[^.。]{12,}[.。]")


def texts() -> dict[str, Text]:
    """Return every text for readers, by its key."""
    named: dict[str, Text] = {f"verdicts: {key}": text for key, text in VERDICT_TEXTS.items()}
    named |= {f"pages: {key}": text for key, text in TEXTS.items()}
    for guide in load_guides():
        named |= {f"guide {guide.slug}: {place}": text for place, text in guide.texts().items()}
    return named


def languages() -> list[str]:
    """Return the languages that need translations."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def problems(language: str) -> Iterator[str]:
    """Yield the problems of the translations into a language, a sentence each."""
    if not po_file(language).exists():
        yield f"{po_file(language)} is missing."
        return
    kept, wanted = _read(language), _wanted(language)
    for message in _messages(wanted):
        found = kept.get(message.id)
        if found is None:
            yield f"No translation of {_english(message)!r}, {_places(message)}."
        else:
            yield from _wrong(message, found, kept.num_plurals)
    for message in _messages(kept):
        if wanted.get(message.id) is None:
            yield f"Nobody says {_english(message)!r} any more."


def bring_in_line(language: str) -> int:
    """Write the file of a language with the current keys; return how many translations it lacks."""
    path, wanted = po_file(language), _wanted(language)
    if path.exists():
        kept = _read(language)
        for message in _messages(wanted):
            found = kept.get(message.id)
            if found is not None:
                message.string = found.string
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        # CLDR has what a header would say.
        write_po(file, wanted, width=110, omit_header=True)
    return sum(not _forms(message.string)[0] for message in _messages(wanted))


def _wanted(language: str) -> Catalog:
    catalog = Catalog(locale=str(locale(language)))
    for place, text in texts().items():
        key = (text.one, text.other) if isinstance(text, Plural) else text
        catalog.add(key, locations=[], auto_comments=[place])
    return catalog


def _messages(catalog: Catalog) -> Iterator[Message]:
    """Return the messages of a catalog, without the first one, which would be its header."""
    return (message for message in catalog if message.id)


def _read(language: str) -> Catalog:
    with po_file(language).open("rb") as file:
        return read_po(file, locale=str(locale(language)))


def _wrong(message: Message, found: Message, plurals: int) -> Iterator[str]:
    forms, english = _forms(found.string), _forms(message.id)
    if len(forms) != (plurals if len(english) > 1 else 1) or not all(form.strip() for form in forms):
        yield f"{_english(message)!r} is not translated in every form, {_places(message)}."
        return
    if found.fuzzy:
        yield f"The translation of {_english(message)!r} is marked fuzzy."
    allowed = [set(_VALUE.findall(form)) for form in english]
    for form in forms:
        if set(_VALUE.findall(form)) not in allowed:
            yield f"The translation of {_english(message)!r} names other values: {form!r}."
        sentences = [one.strip() for one in _SENTENCE.findall(form)]
        if len(sentences) > len(set(sentences)):
            yield f"The translation of {_english(message)!r} says a sentence twice: {form!r}."


def _forms(text: object) -> tuple[str, ...]:
    return text if isinstance(text, tuple) else (str(text or ""),)


def _english(message: Message) -> str:
    return _forms(message.id)[0]


def _places(message: Message) -> str:
    return "; ".join(message.auto_comments)
