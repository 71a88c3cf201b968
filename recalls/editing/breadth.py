"""Is the pattern of a recall broader than its samples suggest? What else it matches, in words.

Pure, and bounded: some thousands of tries, whatever the pattern. Called by the recall form.

If a pattern is too broad, it bans units that are not under recall; if a pattern of unaffected units is too
broad, it clears units that are. Samples cannot prove a pattern wrong, but they show how identifiers look:
their length, and whether a digit or a letter is at a place. So each sample is changed a little, one place at
a time, and what still matches is compared with what the samples show. A sentence is returned if the pattern

- matches most digits at a place where no sample has one, or most letters where none has one;
- matches most of either at a place where all samples, three or more, have the same character;
- matches identifiers that are longer or shorter than every sample;
- matches at least half of made-up identifiers that look like the samples.

Characters that a pattern lists, as in `[0-9D]` or `(2313|2316)`, are intended, and give no sentence. The
punctuation marks that `.` would match give none either: no maker prints them there. If a sentence is wrong,
one more sample removes it, and shows the reviewer why.
"""

import random
import string
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from recalls.patterns import MAX_SAMPLE_CHARACTERS, PATTERNS, affected_identifiers, decides
from recalls.serials import AffectedSerials, compile_pattern, normalize

MAX_TRIED = 8
"""How many samples are changed and tried: the shortest, the longest, and some between."""

MADE_UP = 200
"""How many identifiers are made up."""

ENOUGH_TO_AGREE = 3
"""The number of samples from which on it matters that all have the same character at a place."""

EXTRA = (1, 2, 4, 8, 16, 32)
"""How many characters are added or left out to find other lengths that match."""

KINDS = {"digits": string.digits, "letters": string.ascii_uppercase}

_Matches = Callable[[str], object]


def warnings(affected: AffectedSerials) -> list[str]:
    """Return how the patterns of a recall are broader than its samples. The patterns must compile.

    A pattern is compared with the samples that it matches; if it matches none, nothing can be said about it.
    """
    if not decides(affected):
        return []
    identifiers = affected_identifiers(affected)
    found = _of_pattern("pattern", affected.pattern, identifiers)
    if affected.not_affected_pattern is not None:
        found += _of_pattern(
            "not_affected_pattern", affected.not_affected_pattern, affected.unaffected_samples
        )
        found += _of_clearing(affected.not_affected_pattern, identifiers, affected.unaffected_samples)
    return found


def _of_pattern(field: str, pattern: str | None, samples: Iterable[str]) -> list[str]:
    matches: _Matches = compile_pattern(pattern or "").fullmatch
    matched = _matched(matches, samples)
    if not matched:
        return []
    tried = _tried(matched)
    found = [
        *_other_lengths(matches, matched, tried),
        *_wide_places(matches, matched, tried),
        *_made_up(matches, matched, tried),
    ]
    return [f"{PATTERNS[field]} also matches {what}" for what in found]


def _of_clearing(pattern: str, affected: Iterable[str], unaffected: Iterable[str]) -> Iterator[str]:
    matches: _Matches = compile_pattern(pattern).fullmatch
    name = PATTERNS["not_affected_pattern"]
    if not _matched(matches, unaffected):
        yield f"{name} matches no sample, so it is not tested which units it clears"
    if both := len(_matched(matches, affected)):
        yield f"{name} also matches {both} of the affected samples; such a unit counts as affected"


def _matched(matches: _Matches, samples: Iterable[str]) -> list[str]:
    """Return the different samples that match, as recalls spell them, the shortest first."""
    spelled = {normalize(sample) for sample in samples}
    return sorted(filter(matches, spelled), key=lambda text: (len(text), text))


def _tried(matched: Sequence[str]) -> list[str]:
    if len(matched) <= MAX_TRIED:
        return list(matched)
    return [matched[number * (len(matched) - 1) // (MAX_TRIED - 1)] for number in range(MAX_TRIED)]


# --- Lengths ---


def _other_lengths(matches: _Matches, matched: Sequence[str], tried: Sequence[str]) -> Iterator[str]:
    shortest, longest = len(matched[0]), len(matched[-1])
    lengths = {len(text) for sample in tried for text in _resized(sample) if matches(text)}
    if lengths and max(lengths) > longest:
        yield f"identifiers of {max(lengths)} characters, but no sample has more than {longest}"
    if lengths and min(lengths) < shortest:
        yield f"identifiers of {min(lengths)} characters, but no sample has fewer than {shortest}"


def _resized(sample: str) -> Iterator[str]:
    """Return a sample with a character repeated, and with some left out, at each place."""
    room = MAX_SAMPLE_CHARACTERS - len(sample)
    for place, character in enumerate(sample):
        for extra in {*EXTRA, room}:
            if extra <= room:
                yield sample[:place] + character * extra + sample[place:]
            if place + extra <= len(sample):
                yield sample[:place] + sample[place + extra :]


# --- Places ---


def _wide_places(matches: _Matches, matched: Sequence[str], tried: Sequence[str]) -> Iterator[str]:
    several_lengths = len(matched[0]) < len(matched[-1])
    for length, group in groupby(matched, len):
        of_length = list(group)
        changed = [sample for sample in tried if len(sample) == length]
        places: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for place in range(length):
            for said in _wide_place(matches, of_length, changed, place):
                places[said].append(place + 1)
        where = f" of {length} characters" if several_lengths else ""
        for (taken, shown), numbers in places.items():
            yield f"{taken} at {_spoken(numbers)}{where}, but {shown}"


def _wide_place(
    matches: _Matches, of_length: Sequence[str], changed: Sequence[str], place: int
) -> Iterator[tuple[str, str]]:
    """Return which kinds of characters a place accepts without need, and what the samples show there."""
    seen = {sample[place] for sample in of_length}
    all_alike = len(seen) == 1 and len(of_length) >= ENOUGH_TO_AGREE
    for kind, characters in KINDS.items():
        if seen.isdisjoint(characters):
            shown = "no sample has one"
        elif all_alike:
            shown = f"all {len(of_length)} samples have the same"
        else:
            continue
        taken = sum(
            any(matches(sample[:place] + character + sample[place + 1 :]) for sample in changed)
            for character in characters
        )
        if 2 * taken > len(characters):
            yield f"{taken} of {len(characters)} {kind}", shown


def _spoken(numbers: Sequence[int]) -> str:
    """Return places in words: 2, 4, 5 and 6 are `places 2 and 4 to 6`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    listed = f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
    return f"{'places' if len(numbers) > 1 else 'place'} {listed}"


# --- Made-up identifiers ---


def _made_up(matches: _Matches, matched: Sequence[str], tried: Sequence[str]) -> Iterator[str]:
    chance = random.Random(0)  # The same seed each time, so that the same form always says the same.
    others = {_like(tried[number % len(tried)], chance) for number in range(MADE_UP)}.difference(matched)
    taken = sum(1 for text in others if matches(text))
    if others and 2 * taken >= len(others):
        yield f"{taken} of {len(others)} made-up identifiers that look like the samples, so it is very broad"


def _like(sample: str, chance: random.Random) -> str:
    return "".join(
        next((chance.choice(kind) for kind in KINDS.values() if character in kind), character)
        for character in sample
    )
