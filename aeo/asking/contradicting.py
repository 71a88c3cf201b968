"""Where the words of a question contradict a field that was filled by hand: one of the two is wrong.

Called by `sentence`. Such words count as unused, so the visitor confirms or corrects the fields.
"""

from collections.abc import Iterator

from aeo.asking import meaning
from aeo.asking.asked import Typed
from aeo.asking.free_text.sentence import Choice
from aeo.asking.free_text.understood import Understood, Unused
from aeo.asking.names.folding import fold
from aeo.texts import say
from rules.corpus import Published
from rules.engine.matching import plain

ABOUT = "field"
"""The subject of these words: a field says something else."""


def contradicted(given: Typed, said: Understood, release: Published) -> tuple[Unused, ...]:
    """Return the words that a field contradicts, each once. An empty field contradicts nothing."""
    found = (*_names(given, said, release), *_facts(given, said))
    return tuple(Unused(words, ABOUT) for words in dict.fromkeys(found))


def _names(given: Typed, said: Understood, release: Published) -> Iterator[str]:
    """Yield the names of a model, an airline and places that differ from the fields."""
    if said.model and _is_other(given["model"], said.model):
        named = meaning.model(release, given["model"]).value
        yield from () if _may_be(said.model, named) else (said.model.words,)
    if said.airline and _is_other(given["airline"], said.airline):
        named = meaning.airline(release, given["airline"]).value
        yield from () if _may_be(said.airline, named) else (said.airline.words,)
    for field, choice in (("from", said.origin), ("to", said.destination)):
        if choice and _is_other(given[field], choice) and not _is_there(choice, given[field], release):
            yield choice.words
    if given.via and said.stops:
        pairs = zip(said.stops, given.via, strict=False)
        same = len(given.via) == len(said.stops) and all(_is_there(*pair, release) for pair in pairs)
        if not same:
            yield from (stop.words for stop in said.stops)


def _facts(given: Typed, said: Understood) -> Iterator[str]:
    """Yield what the words say about the unit and the day, if a field says something else."""
    label = said.label
    shown = {
        "wh": f"{plain(label.watt_hour)} Wh" if label and label.watt_hour else "",
        "mah": f"{label.capacity_mah} mAh" if label and label.capacity_mah else "",
        "v": f"{plain(label.nominal_voltage)} V" if label and label.nominal_voltage else "",
        "count": str(said.quantity or ""),
        "date": said.travel_date.isoformat() if said.travel_date else "",
    }
    for name, fact in shown.items():
        if given[name] and fact and given[name].replace(",", ".") != fact.partition(" ")[0]:
            yield fact
    for name, value in said.facts().items():
        if given[name] and given[name] != value:
            yield say(f"answer.{name}.{value}")


def _is_other(typed: str, choice: Choice) -> bool:
    """Tell whether a field has a value whose letters differ from the words."""
    return bool(typed) and fold(typed) != fold(choice.words)


def _may_be(choice: Choice, value: str) -> bool:
    """Tell whether a field chooses what the words name, or one of the things they may name."""
    return value == choice.value if choice.value else value in {one.value for one in choice.candidates}


def _is_there(choice: Choice, typed: str, release: Published) -> bool:
    """Tell whether a field is in the country that the words name, or in one that they may name."""
    return _may_be(choice, meaning.place(release, typed)[0].country)
