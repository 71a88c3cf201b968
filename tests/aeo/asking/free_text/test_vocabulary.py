"""Every word of the eight languages means what its list says, and no word that may matter is a filler."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from aeo.asking.free_text.sentence import understand
from aeo.asking.free_text.understood import Understood
from aeo.asking.free_text.vocabulary import languages, phrases, vocabulary
from aeo.asking.names.folding import fold
from aeo.asking.names.scripts import script_of
from tests.support.starter import starter_release

TODAY = datetime.date(2026, 11, 23)

NEVER_FILLERS = yaml.load(
    (Path(__file__).parent / "never_fillers.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)

PLAIN = "Anker 737, Emirates, Dubai - London"


def read(text: str) -> Understood:
    return understand(starter_release(), text, "en", TODAY)


def is_inside_words(phrase: str) -> bool:
    """Tell whether a phrase is of scripts in which it is read inside a longer run: Han and hiragana."""
    return all(script_of(letter) in "ch" for letter in phrase)


def listed(key: str, value: object = None) -> Iterator[tuple[str, str]]:
    for name, file in languages().items():
        lists = file.get(key, {})
        for text in [lists] if isinstance(lists, str) else [lists.get(value, "")]:
            for phrase in phrases(text):
                yield name, phrase


@pytest.mark.parametrize("language", NEVER_FILLERS)
def test_words_that_may_matter_are_no_fillers(language: str) -> None:
    assert not vocabulary().fillers & set(phrases(NEVER_FILLERS[language]))


def test_no_filler_means_anything() -> None:
    known = vocabulary()
    assert not known.fillers & known.meanings.keys()
    assert not known.fillers & known.numbers.keys()


def test_short_fillers_of_scripts_without_spaces_are_parts_of_no_word_that_means_something() -> None:
    """Else a word that the lists do not have could be made of nothing but fillers."""
    fillers = {one for one in vocabulary().fillers if is_inside_words(one) and len(one) <= 2}
    for _, phrase in [*listed("condition", "damaged"), *listed("signals", "negation")]:
        if is_inside_words(phrase):
            rest = phrase
            for filler in sorted(fillers, key=len, reverse=True):
                rest = rest.replace(filler, "")
            assert rest, phrase


@pytest.mark.parametrize(
    ("key", "value", "field"),
    [
        ("condition", "damaged", "condition"),
        ("label", "missing", "capacity_label"),
        ("mark", "absent", "ccc_mark"),
        ("bags", "checked", "compartment"),
    ],
)
def test_every_phrase_of_a_strict_fact_says_it(key: str, value: str, field: str) -> None:
    wrong = [
        (name, phrase)
        for name, phrase in listed(key, value)
        if getattr(read(f"{PLAIN}, {phrase}"), field) != value
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("key", "value", "field"),
    [
        ("condition", "intact", "condition"),
        ("label", "legible", "capacity_label"),
        ("mark", "present", "ccc_mark"),
        ("bags", "carry_on", "compartment"),
        ("bags", "on_person", "compartment"),
    ],
)
def test_every_phrase_of_a_mild_fact_says_it_or_is_asked_about(key: str, value: str, field: str) -> None:
    for name, phrase in listed(key, value):
        understood = read(f"{PLAIN}, {phrase}")
        assert getattr(understood, field) == value or understood.unused, (name, phrase)


def test_every_signal_and_every_other_device_is_asked_about() -> None:
    for name, file in languages().items():
        lists = {**file.get("signals", {}), "device": file.get("devices", "")}
        for about, text in lists.items():
            for phrase in phrases(text):
                understood = read(f"{PLAIN}, {phrase}")
                strict = understood.condition == "damaged" or understood.compartment == "checked"
                assert understood.unused or strict, (name, about, phrase)


def test_every_filler_says_nothing() -> None:
    plain = read(PLAIN)
    for name, phrase in listed("fillers"):
        understood = read(f"{phrase}. {PLAIN}")
        assert not understood.unused, (name, phrase)
        assert understood.said == plain.said, (name, phrase)


def test_every_number_in_words_counts_power_banks() -> None:
    for name, file in languages().items():
        for number, text in file.get("numbers", {}).items():
            for phrase in phrases(text):
                understood = read(f"{phrase} power banks, {PLAIN}")
                assert understood.quantity == number or understood.unused, (name, phrase)


def test_days_in_words_are_that_many_days_away() -> None:
    for name, file in languages().items():
        for days, text in file.get("days", {}).items():
            for phrase in phrases(text):
                understood = read(f"{PLAIN}, {phrase}")
                expected = TODAY + datetime.timedelta(days=int(days))
                assert understood.travel_date == expected or understood.unused, (name, phrase)


def test_words_that_are_written_differently_are_folded_alike() -> None:
    assert fold("Aufgebläht") == fold("aufgebla\u0308ht") == "aufgeblaht"
