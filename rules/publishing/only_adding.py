"""What a release takes away: all that one person alone does not publish, although no verdict shows it.

A verdict does not show everything. It can hide a requirement that another rule repeats, a recall of a model
that is banned anyway, or a citation. So in an emergency one person only adds: requirements, recalls, sources,
wider conditions of what is required, narrower permits. A permit that another rule hides would count later,
when that rule goes. Compares two contents, and reads nothing else. Called by
the gate.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from rules.engine.document import ID_FIELD, Content
from rules.engine.facts import Params, Rule, Source, When
from rules.impact.second_approvals import NAMES
from rules.impact.survey.recalls import as_strict


class Loss(NamedTuple):
    """A record that a release takes away, loosens or only rewords. `words`: it does no more than reword."""

    name: str
    words: bool


SINGULAR: dict[str, str] = {"sources": "source", "disagreements": "disagreement"}
SINGULAR |= {str(kind): name for kind, name in NAMES.items()}


def losses(before: Content, after: Content) -> list[Loss]:
    """Return the records that `after` takes away, loosens or only rewords, by kind and id."""
    cited = cited_sources(before) & cited_sources(after)
    found = []
    for kind, id_field in ID_FIELD.items():
        new = {getattr(one, id_field): one for one in getattr(after, kind)}
        for old in getattr(before, kind):
            name = getattr(old, id_field)
            loses = _loses(kind, old, new.get(name), cited)
            if loses is not None:
                found.append(Loss(f"{SINGULAR[kind]} {name}", words=loses == "words"))
    return [*found, *_new_without_demand(before, after)]


def _new_without_demand(before: Content, after: Content) -> list[Loss]:
    """Return the rules that are new and demand nothing.

    No one permits alone, also not what another rule prohibits. No one gives advice alone: it is words.
    """
    known = {rule.rule_id for rule in before.rules}
    new = [rule for rule in after.rules if rule.effect in ("permit", "advise") and rule.rule_id not in known]
    return [Loss(f"rule {rule.rule_id}", words=False) for rule in new]


def cited_sources(content: Content) -> set[str]:
    """Return the sources that any record of a content names."""
    citing: tuple[Any, ...] = (
        *content.airlines,
        *content.devices,
        *content.rules,
        *content.recalls,
        *content.disagreements,
    )
    found = {source for record in citing for source in record.sources}
    found |= {change.source for airline in content.airlines for change in airline.changes}
    return found | {one.source for device in content.devices for one in device.certificates}


def _loses(kind: str, old: Any, new: Any, cited: set[str]) -> str | None:
    """Say what a record loses: its "words", or "more"; None if it loses nothing."""
    if old == new:
        return None
    match kind:
        case "sources":
            # One that is cited no longer is a loss of the record that cited it.
            return None if old.id not in cited or is_later_reading(old, new) else "words"
        case "disagreements":
            return "words"
        case "rules":
            return _rule_loses(old, new)
    if new is None:
        # What is in no release has no answers at all.
        return None if kind in ("countries", "airlines", "devices") else "more"
    gains = {name for name in ("sources",) if _keeps(getattr(old, name, ()), getattr(new, name, ()))}
    changed = _changed(old, new) - gains - {"notes" if kind == "devices" else ""}
    if kind == "recalls" and as_strict(old.affected_serials, new.affected_serials):
        changed -= {"affected_serials"}
    return "more" if changed else None


def _changed(old: Any, new: Any) -> set[str]:
    return {name for name in old.__struct_fields__ if getattr(old, name) != getattr(new, name)}


def _keeps(old: tuple[Any, ...] | None, new: tuple[Any, ...] | None) -> bool:
    """Return whether everything in a list is still in it; None is everything."""
    return new is None or (old is not None and set(old) <= set(new))


def is_later_reading(old: Source | None, new: Source | None) -> bool:
    """Return whether a source was only read again."""
    if old is None or new is None:
        return False
    return _changed(old, new) == {"read_on"} and new.read_on >= old.read_on


# --- Rules ---


def _rule_loses(old: Rule, new: Rule | None) -> str | None:
    if new is None:
        # Without a permit there is less that is permitted, and the survey proves that no answer is milder.
        return None if old.effect == "permit" else "more"
    changed = {name for name in _changed(old, new) if not _adds(name, old, new)}
    if not changed:
        return None
    return "words" if changed <= {"summary", "authority", "quotes"} else "more"


def _adds(name: str, old: Rule, new: Rule) -> bool:
    """Return whether the change of a field takes nothing away."""
    before, after = getattr(old, name), getattr(new, name)
    if name in ("sources", "quotes"):
        return _keeps(before, after)
    if name not in ("applies", "when", "params", "effective_from", "effective_until"):
        return False
    if old.effect == "permit" and name != "params":
        # Less is permitted where the rule applies to less.
        before, after = after, before
    match name:
        case "applies":
            return _keeps(before, after)
        case "when":
            return _is_wider(before, after)
        case "params":
            return _is_tighter(before, after)
        case "effective_from":
            return _lower(before, after)
        case _:
            return _higher(before, after)


def _lower(old: Any, new: Any) -> bool:
    return new is None or (old is not None and new <= old)


def _higher(old: Any, new: Any) -> bool:
    return new is None or (old is not None and new >= old)


def _same(old: Any, new: Any) -> bool:
    return new is None or new == old


_WIDER: dict[str, Callable[[Any, Any], bool]] = {
    "watt_hour_over": _lower,
    "watt_hour_at_least": _lower,
    "watt_hour_up_to": _higher,
    "quantity_over": _lower,
    "certification_missing": _same,
    "compartment": _keeps,
    "recall_status": _keeps,
    "condition": _keeps,
    "model": _keeps,
}
"""For each condition, whether another value holds wherever the old one does. None always holds."""


def _is_wider(old: When, new: When) -> bool:
    """Return whether a rule applies at least wherever it did."""
    return all(_WIDER[name](getattr(old, name), getattr(new, name)) for name in When.__struct_fields__)


def _is_tighter(old: Params, new: Params) -> bool:
    """Return whether the limits of a rule are at most what they were."""
    pairs = [(getattr(old, name), getattr(new, name)) for name in Params.__struct_fields__]
    return all(a == b or (a is not None and b is not None and b <= a) for a, b in pairs)
