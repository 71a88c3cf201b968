"""Text as words that can be compared, the same for the names of devices and for the searched text.

Pure: no Django, no clock, no I/O. Called by `catalog.search.index`.

- Letter case, accents and compatibility forms (full-width letters, half-width kana) make no difference.
- A word is a run of letters and digits: `a1263`, `powercore`. A trailing `+` is the word `plus`.
- A figure keeps its unit and gets one form: `10K` is `10000`, `20,000 mAh`, `20Ah` and `2万毫安` are
  `20000mah`, `74 Wh` is `74wh`, `22.50W` is `22.5w`.
- A run of Chinese, Japanese or Korean characters is one word. These scripts use few spaces, so such runs are
  compared by their pairs of neighbors (`pairs`).
- Words that only mean "power bank" (`GENERIC`) are left out.
"""

import functools
import re
import unicodedata
from collections.abc import Iterator

from catalog.search import local_names

GENERIC = frozenset(
    (
        "power",
        "bank",
        "banks",
        "powerbank",
        "powerbanks",
        "battery",
        "batteries",
        "pack",
        "packs",
        "charger",
        "chargers",
        "portable",
        "external",
        "mobile",
        "mah",
        "wh",
        "and",
        "by",
        "for",
        "of",
        "the",
        "with",
    )
)
"""Words without weight: every device is a power bank, and small words are in every text."""

# Han with its radicals and marks, kana with the long vowel mark but not the middle dot, and Hangul.
_CJK = (
    r"\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_NUMBER = r"[0-9]+(?:\.[0-9]+)?"
_TOKEN = re.compile(
    rf"((?<![a-z0-9.])({_NUMBER})[ -]?(mah|ma|ah|wh|w|k)(?![a-z0-9])"
    rf"|[{_CJK}]+"
    rf"|[^\W_{_CJK}]+(?:(?<=[0-9])\.[0-9]+)*)"
)
_FIGURE = re.compile(rf"{_NUMBER}(?:mah|wh|w)?")
_PIECE = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:-[^\W_{_CJK}]+)*")
_DIGITS = re.compile(r"[0-9]{3,}")
_IS_CJK = re.compile(rf"[{_CJK}]")
# The accents of Latin, Greek and Cyrillic. The voicing marks of kana are different: they make another letter.
_ACCENTS = re.compile(r"[\u0300-\u036f]")
_PLUS = re.compile(r"(?<=[^\W_])\+")
# 20,000 anywhere; 20.000, 20 000 and 20-000 only if the zeros or the unit make it clear.
_THOUSANDS = re.compile(
    r"(?<![a-z0-9.,])([0-9]{1,3})(?:,([0-9]{3})|[ .'-](000|[0-9]{3}(?=[ -]?mah)))(?![0-9])"
)
_MYRIADS = re.compile(rf"({_NUMBER})[万萬]")
_CAMEL_CASE = re.compile(r"(?<![^\W_])(?:[A-Z][a-z]+){2,}(?![^\W_])")
_HUMP = re.compile(r"[A-Z][a-z]+")
_COMPOUND = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
_PART = re.compile(rf"(([0-9]+)(mah|ah|wh|w|k)(?![a-z0-9])|[0-9]+|[^\W\d_{_CJK}]+)")


def normalized(text: str) -> str:
    """Return text without differences of case, accent and compatibility form."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", decomposed))


_LOCAL_NAMES = {
    normalized(name): replacement
    for names in (
        {brand.lower(): names for brand, names in local_names.BRANDS.items()},
        {"": local_names.GENERIC},
        local_names.UNITS,
    )
    for replacement, spellings in names.items()
    for name in spellings
}
_LOCAL_NAME = re.compile("|".join(sorted(_LOCAL_NAMES, key=len, reverse=True)))


def words(text: str) -> list[str]:
    """Return the words of a text in their order, with repetitions, without generic ones."""
    text = normalized(text)
    if not text.isascii():
        text = _LOCAL_NAME.sub(lambda found: f" {_LOCAL_NAMES[found[0]]} ", text)
        text = _MYRIADS.sub(lambda found: _shifted(found[1], 4), text)
    if "+" in text:
        text = _PLUS.sub(" plus ", text)
    text = _THOUSANDS.sub(r"\1\2\3", text)
    return _read(_TOKEN, text)


def pieces(text: str) -> list[str]:
    """Return the runs of letters and digits of a text, generic or not; hyphens join a run and are dropped."""
    return [piece.replace("-", "") for piece in _PIECE.findall(normalized(text))]


def joined(text: str) -> str:
    """Return the letters and digits of a text in one piece, to compare ids, numbers and aliases."""
    return "".join(pieces(text))


@functools.lru_cache(maxsize=20_000)
def spellings(word: str) -> frozenset[str]:
    """Return the words that find a word of a device, including itself.

    `pb2030mi` is also 2030; `20000` also means 20,000 mAh; a run of Chinese, Japanese or Korean is its pairs.
    Catalogs repeat their words, so the latest answers are kept.
    """
    if is_cjk(word):
        return frozenset(pairs(word))
    if is_figure(word):
        return frozenset((word, word.removesuffix("mah")))
    return frozenset((word, *_DIGITS.findall(word)))


def compounds(text: str) -> Iterator[str]:
    """Yield the compound words in the spelling of a name: `PowerCore` is power and core, `USB-C` is usbc."""
    for name in _CAMEL_CASE.findall(text):
        yield from words(_HUMP.sub(r"\g<0> ", name))
    if "-" in text:
        for compound in _COMPOUND.findall(normalized(text)):
            yield compound.replace("-", "")


def parts(word: str) -> list[str]:
    """Return the runs of letters and of digits of a word: `powercore10k` is powercore and 10000."""
    return _read(_PART, word)


def pairs(run: str) -> list[str]:
    """Return the pairs of neighbors in a run of Chinese, Japanese or Korean; a single character is itself."""
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def is_cjk(word: str) -> bool:
    """Return whether a word is a run of Chinese, Japanese or Korean characters."""
    return _IS_CJK.match(word) is not None


def is_figure(word: str) -> bool:
    """Return whether a word is a number, with or without a unit: 10000, 20000mah, 74wh, 22.5w."""
    return _FIGURE.fullmatch(word) is not None


def distinguishes_models(word: str) -> bool:
    """Return whether a word has a digit, as numbers of models and capacities do.

    The watts of a charger do not count: they are in many names and in more advertisements.
    """
    return any(map(str.isdigit, word)) and not (is_figure(word) and word.endswith("w"))


def _read(pattern: re.Pattern[str], text: str) -> list[str]:
    """Return the match of a pattern: a figure with a unit in its one form, any other word as it is."""
    found = [_figure(number, unit) if unit else word for word, number, unit in pattern.findall(text)]
    return [word for word in found if word not in GENERIC]


def _figure(number: str, unit: str) -> str:
    match unit:
        case "k":
            return _shifted(number, 3)
        case "ah":
            return _shifted(number, 3) + "mah"
        case "ma" | "mah":
            return _tidy(number) + "mah"
    return _tidy(number) + unit


def _tidy(number: str) -> str:
    """Return a number without unnecessary zeros."""
    return number.rstrip("0").rstrip(".") if "." in number else number


def _shifted(number: str, places: int) -> str:
    """Return a number with its decimal point moved to the right."""
    whole, _, fraction = number.partition(".")
    fraction = fraction.ljust(places, "0")
    return _tidy(((whole + fraction[:places]).lstrip("0") or "0") + "." + fraction[places:])
