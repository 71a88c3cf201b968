"""The search over the catalog's models: a text, and all models that it finds, best first.

Pure: no Django, no clock, no I/O. A process builds one `DeviceIndex` for each release that it answers from.

**What is searched.** Model ids, brands, model names, model numbers, aliases, and the figures mAh and Wh, in
the spellings of `catalog.search.words`.

**What finds a model.** The model must meet every word of the text:

- *whole*: the word is one of its words, its model number or an alias, or three or more digits in a row in one
  of these. A run of Chinese, Japanese or Korean is met whole where all of its pairs of neighbors are among
  the model's.
- *begun*: the word is the beginning of one of its words (`powerc`, `pb2030`), at least two characters; or its
  letters and its digits are words of the model (`powercore10000`). A number begins model numbers, but never a
  larger capacity: 5000 is not the beginning of 50000. 96wh is the beginning of 96.48wh.
- *slipped*: the word is nowhere in the catalog, and the model has one of the words with the fewest slips, one
  or two (`catalog.search.slips`). Only letters slip: a digit never does, for A1263 and A1268 are different
  models. A run of Chinese, Japanese or Korean may lose half of its pairs, if two are left.

A word that could only be a generic one with a slip (`powerbnk`) is ignored if there are other words.

**The order.**

1. models whose id, number or alias is the whole text; case, spaces and hyphens do not matter;
2. models whose id, number or alias is a part of the text with a digit, and that meet every word
   (a part ends between words or scripts, not at a hyphen: RP-PB205 is not PB205);
3. models that meet every word whole;
4. models that meet every word, some only begun, and those whose id, number or alias the text begins;
5. models that meet every word, some only with slips.

Within each, the model whose name has the fewest words comes first (it has the fewest words that the text does
not have), then by model id. No model is listed twice.

**If no model meets every word**, the answer is a model that a part of the text identifies (as in 2).
Otherwise it is those that meet most of the words, most first: at least half of the words, whole or with
slips; two words or a word of a brand; and every word with a digit but the watts of a charger, because `anker
a9999` must not find the neighbors of a model that the catalog does not have.

**A text that says nothing** (empty, or only generic words such as `power bank` or 充电宝) finds every model,
in the order of model ids. A text without any word (`?!`) finds nothing.

Of a very long text the first `MOST_CHARACTERS` count, and of those the first `MOST_WORDS` words.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from catalog.records import Device
from catalog.search.device_words import identities, words_of
from catalog.search.postings import Numbers, Postings, no_numbers
from catalog.search.slips import SimilarWords
from catalog.search.words import (
    GENERIC,
    distinguishes_models,
    is_cjk,
    is_figure,
    joined,
    pairs,
    parts,
    pieces,
    words,
)

MOST_CHARACTERS = 200
MOST_WORDS = 16


class _Met(NamedTuple):
    """The devices that meet one word. A device may be in several rows, and more than once in a row."""

    whole: Numbers
    begun: Numbers
    slipped: Numbers


class DeviceIndex:
    """The models of a release, ready to be searched.

    Devices are numbered by how many words their names have, then by model id: so a set of devices in the
    order of their numbers is ranked.
    """

    def __init__(self, devices: Sequence[Device]) -> None:
        """Index devices; `search` returns positions in this sequence."""
        by_brand = {brand: words(brand) for brand in {device.brand for device in devices}}
        names = [words(device.model_name) for device in devices]
        by_model_id = sorted(range(len(devices)), key=lambda at: (devices[at].model_id, at))
        ranked = sorted(by_model_id, key=lambda at: len(set(names[at])))
        bearers: defaultdict[str, list[int]] = defaultdict(list)
        bearers_alone: defaultdict[str, list[int]] = defaultdict(list)
        for number, at in enumerate(ranked):
            device = devices[at]
            for identity in identities(device):
                bearers_alone[identity].append(number)
            for word in words_of(device, [*by_brand[device.brand], *names[at]]):
                bearers[word].append(number)
        self._positions = array("I", ranked)
        self._by_model_id = array("I", by_model_id)
        self._words = Postings(bearers)
        self._identities = Postings(bearers_alone)
        self._similar = SimilarWords(chain(GENERIC, bearers))
        self._brands = frozenset(chain.from_iterable(by_brand.values()))

    def search(self, text: str) -> list[int]:
        """Return the positions of all devices that a text finds, in the given sequence, best first."""
        text = text[:MOST_CHARACTERS]
        asked = list(dict.fromkeys(words(text)))[:MOST_WORDS]
        if not asked and (pieces(text) or not text.strip()):
            return list(self._by_model_id)
        ranked = dict.fromkeys(chain.from_iterable(map(sorted, self._found(text, asked))))
        return [self._positions[number] for number in ranked]

    def _found(self, text: str, asked: list[str]) -> list[set[int]]:
        """Return the sets of found devices, the best first; the sets may overlap."""
        met = {word: rows for word in asked if (rows := self._met(word))}
        whole = _in_all([rows.whole for rows in met.values()])
        begun = _in_all([rows.whole + rows.begun for rows in met.values()])
        slipped = _in_all([rows.whole + rows.begun + rows.slipped for rows in met.values()])
        in_one_piece = joined(text)
        identified = set(self._identities.of(in_one_piece))
        if len(in_one_piece) > 1:
            begun.update(self._identities.beginning_with(in_one_piece))
        by_part = self._identified_by_part(text)
        if identified or begun or slipped:
            return [identified, by_part & slipped, whole, begun - whole, slipped - begun]
        return [by_part] if by_part else self._meeting_most(met)

    def _met(self, word: str) -> _Met | None:
        """Return the devices that meet a word, or None if it is a generic word with a slip."""
        if is_cjk(word):
            return self._met_by_pairs(word)
        whole = self._words.of(word)
        begun = slipped = no_numbers()
        if word.isdecimal():
            begun = self._identities.beginning_with(word)
        elif word.endswith("wh") or (len(word) > 1 and not is_figure(word)):
            begun = self._words.beginning_with(word)
        if not (whole or begun or is_figure(word)):
            begun = array("I", _in_all([self._words.of(part) for part in parts(word)]))
        if not whole:
            similar = self._similar.to(word)
            if similar and not begun and GENERIC.issuperset(similar):
                return None
            slipped = _one_after_another(map(self._words.of, similar))
        return _Met(whole, begun, slipped)

    def _met_by_pairs(self, run: str) -> _Met:
        rows = [self._words.of(pair) for pair in pairs(run)]
        begun = self._words.beginning_with(run) if len(run) == 1 else no_numbers()
        enough = max(2, len(rows) / 2)
        pairs_met = Counter(chain.from_iterable(rows)) if len(rows) > enough else Counter()
        slipped = array("I", (number for number, met in pairs_met.items() if met >= enough))
        return _Met(array("I", _in_all(rows)), begun, slipped)

    def _identified_by_part(self, text: str) -> set[int]:
        """Return the devices whose id, number or alias is a run of neighboring pieces with a digit.

        A shorter run within such a run is not looked up: `nb10000 gen 2` is not NB10000.
        """
        found = pieces(text)[:MOST_WORDS]
        explained: list[range] = []
        numbers: set[int] = set()
        for length in range(len(found), 0, -1):
            for first in range(len(found) - length + 1):
                part = "".join(found[first : first + length])
                if not any(map(str.isdigit, part)) or any(
                    first in longer and first + length - 1 in longer for longer in explained
                ):
                    continue
                if identified := self._identities.of(part):
                    explained.append(range(first, first + length))
                    numbers.update(identified)
        return numbers

    def _meeting_most(self, met: dict[str, _Met]) -> list[set[int]]:
        """Return the devices that meet at least half of the words, those that meet most of them first."""
        firmly = {word: {*rows.whole, *rows.slipped} for word, rows in met.items()}
        words_met = Counter(chain.from_iterable(firmly.values()))
        of_brand = set[int]().union(*(firmly[word] for word in self._brands.intersection(firmly)))
        needed = [firmly[word] for word in firmly if distinguishes_models(word)]
        by_count: defaultdict[int, set[int]] = defaultdict(set)
        for number, count in words_met.items():
            if 2 * count >= len(met) and (count > 1 or number in of_brand):
                by_count[count].add(number)
        return [by_count[count].intersection(*needed) for count in sorted(by_count, reverse=True)]


def _in_all(rows: list[Numbers]) -> set[int]:
    """Return the devices that are in every row; none if there is no row."""
    if not rows:
        return set()
    shortest, *others = sorted(rows, key=len)
    return set(shortest).intersection(*others)


def _one_after_another(rows: Iterable[Numbers]) -> Numbers:
    together = no_numbers()
    for row in rows:
        together.extend(row)
    return together
