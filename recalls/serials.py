"""Is this unit part of that recall? Serial in, evidence out; a serial is never stored here.

Pure: no Django, no clock, no I/O. Called by the engine, by the recall endpoints and by the recall form.

It guarantees:

- `affected` needs an identifier that the recall's own pattern matches in full, or a recall of all units;
- `not_affected` needs the recall to say so, by a pattern of units outside it or by being exhaustive;
- everything else is `unknown`, and unknown never clears a unit.

Patterns run on RE2, whose time is linear in the length of the serial, so no serial can stall the service.
"""

import functools
import itertools
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
import re2

RecallScope = Literal[
    "all_units", "serial_pattern", "batch", "date_code", "lookup_required", "manufacture_date", "sale_dates"
]
MatchStatus = Literal["affected", "not_affected", "unknown"]
MatchMethod = Literal["pattern", "external_list_required", "none"]
RecallStatus = Literal["not_affected", "affected", "serial_unknown", "external_check_required"]
RecallCheckMethod = Literal["model_match", "pattern", "external_list_required"]

MAX_PATTERN_CHARACTERS = 1024
MAX_CHARACTERS = 64
"""The longest identifier that a traveler can ask about."""
MAX_READINGS = 4096
"""How many readings of one serial are tried. A serial with more of them is `unknown`, never `not_affected`.
"""

LOOK_ALIKES = ("O0", "I1L", "Z2", "S5", "B8")
"""Characters that people confuse when they copy a serial from a worn label."""

READINGS = {character: group for group in LOOK_ALIKES for character in group}
"""The look-alikes of a character, itself included. Other characters have none."""


class Window(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}
):
    """A span of days or months (`2023-08`), both ends included."""

    from_: str
    to: str


class AffectedSerials(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which units of the model a recall covers.

    `identifier` names what the traveler must read off the unit (serial, production batch, date code, PO
    number …); the `serial` of a request is the value of that identifier. Windows, values and hints are for
    people to read; only `scope`, the two patterns, `exhaustive` and `explicit_list_url` decide.

    The samples are identifiers of units under the recall and of units outside it. They test the pattern. They
    come from a notice, a maker or its list, never from a traveler.
    """

    scope: RecallScope
    identifier: str
    pattern: str | None = None
    not_affected_pattern: str | None = None
    exhaustive: bool = False
    explicit_list_url: str | None = None
    form_url: str | None = None
    values: tuple[str, ...] = ()
    affected_samples: tuple[str, ...] = ()
    unaffected_samples: tuple[str, ...] = ()
    necessary_pattern: str | None = None
    absent_identifier_affected: bool = False
    format_hint: str | None = None
    colour_condition: str | None = None
    manufacture_window: Window | tuple[Window, ...] | None = None
    sale_window: Window | tuple[Window, ...] | None = None

    @property
    def manufacture_windows(self) -> tuple[Window, ...]:
        """All spans in which such units were made."""
        return _several(self.manufacture_window)

    @property
    def sale_windows(self) -> tuple[Window, ...]:
        """All spans in which such units were sold."""
        return _several(self.sale_window)


def _several(windows: Window | tuple[Window, ...] | None) -> tuple[Window, ...]:
    if windows is None:
        return ()
    return (windows,) if isinstance(windows, Window) else windows


class SerialEvaluation(msgspec.Struct, frozen=True):
    """What is known about one unit under one recall."""

    match_status: MatchStatus
    match_method: MatchMethod

    @property
    def verdict_if_used_for_flight(self) -> Literal["banned", "conditional"]:
        """The verdict that this recall alone would give; a unit outside it still needs a route."""
        return "banned" if self.match_status == "affected" else "conditional"


class PatternError(ValueError):
    """A recall pattern that cannot be used; the message says why."""


@functools.lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> "re2._Regexp":
    """Compile a recall pattern for RE2.

    Raises `PatternError` for a pattern that is too long or that RE2 refuses (back-references and look-around
    among them).
    """
    if len(pattern) > MAX_PATTERN_CHARACTERS:
        raise PatternError(
            f"the pattern has {len(pattern)} characters; at most {MAX_PATTERN_CHARACTERS} are accepted"
        )
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0]
        raise PatternError(reason.decode() if isinstance(reason, bytes) else str(reason)) from error


def normalize(identifier: str) -> str:
    """Return an identifier as recalls spell it: trimmed, upper case, without inner white space.

    Full-width forms, which Chinese and Japanese keyboards produce, become their ASCII twins.
    """
    return "".join(unicodedata.normalize("NFKC", identifier).upper().split())


def evaluate(
    affected: AffectedSerials, *, serial: str | None = None, serial_hash: str | None = None
) -> SerialEvaluation:
    """Say what one recall knows about one unit.

    `serial` is the identifier as the traveler typed it; `serial_hash` says that only a hash was given, which
    no pattern can match. With neither, a recall by pattern is simply unknown: the traveler may still give the
    serial.
    """
    if affected.scope == "all_units":
        return SerialEvaluation("affected", "pattern")
    if serial is not None and affected.pattern is not None:
        decided = _by_pattern(affected, normalize(serial))
        if decided is not None:
            return decided
    pattern_still_to_try = affected.pattern is not None and serial is None and serial_hash is None
    if affected.explicit_list_url is not None and not pattern_still_to_try:
        return SerialEvaluation("unknown", "external_list_required")
    return SerialEvaluation("unknown", "none")


def _by_pattern(affected: AffectedSerials, identifier: str) -> SerialEvaluation | None:
    pattern = compile_pattern(affected.pattern or "")
    if pattern.fullmatch(identifier):
        return SerialEvaluation("affected", "pattern")
    outside = affected.exhaustive or (
        affected.not_affected_pattern is not None
        and compile_pattern(affected.not_affected_pattern).fullmatch(identifier) is not None
    )
    # A letter from another alphabet can look like one of the pattern's own, so only ASCII is ever cleared.
    if outside and identifier.isascii() and not _might_match(pattern, identifier):
        return SerialEvaluation("not_affected", "pattern")
    return None


def _might_match(pattern: "re2._Regexp", identifier: str) -> bool:
    """Return whether a look-alike reading matches, or there are too many readings to be sure."""
    readings = _look_alike_readings(identifier)
    if any(pattern.fullmatch(reading) for reading in itertools.islice(readings, MAX_READINGS)):
        return True
    return next(readings, None) is not None


def _look_alike_readings(identifier: str) -> Iterator[str]:
    return map("".join, itertools.product(*(READINGS.get(character, character) for character in identifier)))


def overall(
    recalls: Sequence[AffectedSerials], evaluations: Iterable[SerialEvaluation], *, serial_given: bool
) -> tuple[RecallStatus, RecallCheckMethod]:
    """Fold all active recalls of one exact model into its status; the strictest notice wins.

    `recalls` and `evaluations` go together, one evaluation for each recall.
    """
    found = list(zip(recalls, evaluations, strict=True))
    by_pattern: RecallCheckMethod = (
        "pattern"
        if serial_given and any(r.pattern is not None and r.scope != "all_units" for r in recalls)
        else "model_match"
    )
    affected = [recall for recall, evaluation in found if evaluation.match_status == "affected"]
    if affected:
        return "affected", "model_match" if any(r.scope == "all_units" for r in affected) else by_pattern
    if any(evaluation.match_method == "external_list_required" for _, evaluation in found):
        return "external_check_required", "external_list_required"
    if any(evaluation.match_status == "unknown" for _, evaluation in found):
        return "serial_unknown", by_pattern
    return "not_affected", by_pattern
