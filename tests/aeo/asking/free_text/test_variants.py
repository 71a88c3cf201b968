"""A word behind the name of a model that may make it another model is asked about."""

import datetime
import string

import pytest

from aeo.asking.free_text.model_index import VARIANTS, new_ones
from aeo.asking.free_text.sentence import understand
from aeo.asking.free_text.understood import Understood
from tests.support.starter import starter_release

MODELS = ("Anker 737", "Anker A1289", "Romoss Sense 6")
ROUTE = "on Emirates from Dubai to London"


def read(text: str) -> Understood:
    return understand(starter_release(), text, "en", datetime.date(2026, 11, 23))


@pytest.mark.parametrize("model", MODELS)
def test_a_word_that_distinguishes_models_is_never_ignored(model: str) -> None:
    words = {*VARIANTS, *new_ones(), *(set(string.ascii_lowercase) - {"a", "i"}), "gen 2", "II", "v2", "2024"}
    words |= {word.upper() for word in words}
    sure = [word for word in sorted(words) if not read(f"{model} {word} {ROUTE}").unused]
    named = {word: read(f"{model} {word} {ROUTE}").model for word in sure}
    plain = read(f"{model} {ROUTE}").model
    assert plain
    assert [word for word, choice in named.items() if choice and choice.value == plain.value] == []


@pytest.mark.parametrize(
    "text", ["{} (SE)", "{}, SE,", "{}-SE", "{} - SE -", "SE {}", "{} model C", "{} (neu)"]
)
def test_so_is_one_apart_from_the_name(text: str) -> None:
    assert read(f"{text.format('Anker 737')} {ROUTE}").unused


@pytest.mark.parametrize(
    "text",
    [
        "Le Anker 737 d'Emirates de Dubaï à Londres",
        "¿El Anker 737 se puede llevar con Emirates de Dubái a Londres?",
        "¿El Anker 737 se admite en Emirates de Dubái a Londres?",
        "may an Anker 737 go on Emirates from Dubai to London",
        "I have an anker 737 i fly Emirates from Dubai to London",
    ],
)
def test_plain_words_behind_a_name_are_not(text: str) -> None:
    found = read(text)
    assert found.model
    assert (found.model.value, found.unused) == ("anker-a1289", ())


def test_the_traveler_chooses_the_model_if_a_word_behind_it_is_unknown() -> None:
    found = read(f"Anker 737 SE {ROUTE}").model
    assert found
    assert (found.words, found.value) == ("Anker 737 SE", None)
    assert "anker-a1289" in {one.value for one in found.candidates}
