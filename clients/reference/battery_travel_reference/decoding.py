"""Reads a release document: strictly, so that nothing in it is skipped by mistake.

A field, a word or a type that this program does not know makes the whole document unreadable. The fields that
decide nothing (names, summaries, notes …) are listed too (`Fields.for_readers`).
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from battery_travel_reference import vocabulary
from battery_travel_reference.patterns import UnknownSyntax, compiled
from battery_travel_reference.records import (
    Airline,
    Certificate,
    Device,
    Recall,
    Release,
    Rule,
    Source,
    When,
)

FORMAT = "release.v1"

GOOD_DAYS = {"daily": 30, "weekly": 90, "monthly": 180, "quarterly": 365}
"""How long a reading is fresh, by the cadence of its source."""

CADENCE_OF_KIND = {"regulator": "weekly", "airline": "weekly", "manufacturer": "monthly", "news": "monthly"}
"""The cadence of a source that names none."""

BASES = ("official_page_read", "official_copy_read", "secondary_read", "general_knowledge")
NEVER_READ = "general_knowledge"

SCOPES_OF_RECALLS = (
    "all_units",
    "serial_pattern",
    "batch",
    "date_code",
    "lookup_required",
    "manufacture_date",
    "sale_dates",
)

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?([Ee][+-]?[0-9]+)?")

Row = TypeVar("Row")


class UnreadableRelease(ValueError):
    """A document that is no release, or has something that this program does not know."""


def release_of(document: bytes) -> Release:
    """Read a release document as it was downloaded. Raises `UnreadableRelease`."""
    fields = Fields(json_of(document), "the document")
    fields.word("format", (FORMAT,))
    version = fields.text("ruleset_version")
    fields.text_or_none("predecessor")
    content = Fields(fields.take("content"), "its content")
    fields.end()

    countries = frozenset(content.rows("countries", _country))
    regions = _by_name(content.rows("jurisdictions", _jurisdiction), "jurisdiction")
    release = Release(
        ruleset_version=version,
        sha256=hashlib.sha256(document).hexdigest(),
        countries=countries,
        regions=regions,
        sources=_by_name(content.rows("sources", _source), "source"),
        airlines=_by_name(((row.code, row) for row in content.rows("airlines", _airline)), "airline"),
        devices=_by_name(((row.model_id, row) for row in content.rows("devices", _device)), "device"),
        rules=tuple(content.rows("rules", _rule)),
        recalls=tuple(content.rows("recalls", _recall)),
    )
    # Questions on which sources disagree: for readers, they decide nothing.
    content.for_readers("disagreements")
    content.end()
    _check_names(release)
    return release


def json_of(document: bytes) -> Any:
    """Read JSON without repeated names and without fractions. Raises `UnreadableRelease`."""
    try:
        return json.loads(
            document.decode(),
            object_pairs_hook=_each_name_once,
            parse_float=_refused,
            parse_constant=_refused,
        )
    except ValueError as error:
        raise UnreadableRelease(f"the document is not JSON as releases are written: {error}") from error


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has a name twice")
    return found


def _refused(number: str) -> None:
    raise ValueError(f"the number {number} is not whole; decimals are text")


class Fields:
    """The fields of one JSON object. Each is taken once; `end` refuses what is left."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise UnreadableRelease(f"{where} is not an object")
        self._left = dict(value)
        self.where = where

    def refuse(self, why: str) -> UnreadableRelease:
        """Return the error that names this object."""
        return UnreadableRelease(f"{self.where}: {why}")

    def take(self, name: str) -> Any:
        """Take a field that must be there."""
        try:
            return self._left.pop(name)
        except KeyError:
            raise self.refuse(f"`{name}` is missing") from None

    def end(self) -> None:
        """Refuse the fields that nothing took."""
        if self._left:
            raise self.refuse(f"`{sorted(self._left)[0]}` is not known")

    def for_readers(self, *names: str) -> None:
        """Drop fields that decide nothing."""
        for name in names:
            self._left.pop(name, None)

    def named(self, name: str) -> str:
        """Take the text that names this object, for errors."""
        self.where = f"{self.where} {self.text(name)}"
        return self.where.rpartition(" ")[2]

    def text(self, name: str) -> str:
        """Take a text that is not empty."""
        value = self.take(name)
        if not isinstance(value, str) or not value:
            raise self.refuse(f"`{name}` is not a text")
        return value

    def text_or_none(self, name: str) -> str | None:
        """Take a text that may be null."""
        return None if self._is_null(name) else self.text(name)

    def word(self, name: str, known: Iterable[str]) -> str:
        """Take one of some words."""
        return self._known(name, self.take(name), known)

    def word_or_none(self, name: str, known: Iterable[str]) -> str | None:
        """Take one of some words, or null."""
        return None if self._is_null(name) else self.word(name, known)

    def words_or_none(self, name: str, known: Iterable[str] | None = None) -> tuple[str, ...] | None:
        """Take a list of words, at least one, or null."""
        if self._is_null(name):
            return None
        found = self.texts(name)
        if not found:
            raise self.refuse(f"`{name}` is empty, so it could never hold")
        return tuple(self._known(name, one, found if known is None else known) for one in found)

    def texts(self, name: str) -> tuple[str, ...]:
        """Take a list of texts."""
        found = self.take(name)
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            raise self.refuse(f"`{name}` is not a list of texts")
        return tuple(found)

    def truth(self, name: str) -> bool:
        """Take true or false; false where it is missing."""
        value = self._left.pop(name, False)
        if not isinstance(value, bool):
            raise self.refuse(f"`{name}` is neither true nor false")
        return value

    def whole_or_none(self, name: str, most: int) -> int | None:
        """Take a whole number from 1, or null."""
        if self._is_null(name):
            return None
        value = self.take(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            raise self.refuse(f"`{name}` is not a whole number from 1 to {most}")
        return value

    def decimal_or_none(self, name: str) -> Decimal | None:
        """Take a positive decimal, which documents write as text, or null."""
        if self._is_null(name):
            return None
        value = self.text(name)
        if not _NUMBER.fullmatch(value) or Decimal(value) <= 0:
            raise self.refuse(f"`{name}` is not a positive number")
        return Decimal(value)

    def day(self, name: str) -> date:
        """Take a day of the calendar."""
        value = self.text(name)
        try:
            if _DATE.fullmatch(value):
                return date.fromisoformat(value)
        except ValueError:
            pass
        raise self.refuse(f"`{name}` is not a date")

    def day_or_none(self, name: str) -> date | None:
        """Take a day, or null."""
        return None if self._is_null(name) else self.day(name)

    def rows(self, name: str, read: Callable[["Fields"], Row], *, optional: bool = False) -> list[Row]:
        """Take a list of objects and read each of them to its end."""
        rows = self._left.pop(name, []) if optional else self.take(name)
        if not isinstance(rows, list):
            raise self.refuse(f"`{name}` is not a list")
        found = []
        for row in rows:
            fields = Fields(row, name)
            found.append(read(fields))
            fields.end()
        return found

    def _is_null(self, name: str) -> bool:
        if self._left.get(name) is None:
            self._left.pop(name, None)
            return True
        return False

    def _known(self, name: str, value: Any, known: Iterable[str]) -> str:
        if not isinstance(value, str) or value not in known:
            raise self.refuse(f"`{name}` is {value!r}, which is not known")
        return value


def _by_name(rows: Iterable[tuple[str, Row]], kind: str) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for name, row in rows:
        if name in found:
            raise UnreadableRelease(f"the {kind} {name} is there twice")
        found[name] = row
    return found


# --- One reader for each kind of record ---------------------------------------------------------------------


def _country(fields: Fields) -> str:
    fields.for_readers("name")
    return fields.named("code")


def _jurisdiction(fields: Fields) -> tuple[str, tuple[str, ...]]:
    fields.for_readers("name", "regulator", "regulator_url")
    return fields.named("code"), fields.texts("member_of")


def _source(fields: Fields) -> tuple[str, Source]:
    name = fields.named("id")
    fields.for_readers("title", "read_url", "page_date")
    kind = fields.word("kind", CADENCE_OF_KIND)
    cadence = fields.word_or_none("cadence", GOOD_DAYS) or CADENCE_OF_KIND[kind]
    return name, Source(
        kind=kind,
        authority=fields.text("authority"),
        jurisdiction=fields.text("jurisdiction"),
        url=fields.text("url"),
        was_read=fields.word("basis", BASES) != NEVER_READ,
        read_on=fields.day("read_on"),
        good_days=GOOD_DAYS[cadence],
    )


def _airline(fields: Fields) -> Airline:
    code = fields.named("airline")
    # The rules of an airline have sources of their own. Those of the airline are for its page.
    fields.for_readers(
        "icao", "name", "policy_url", "effective_from", "summary", "notes", "sources", "changes"
    )
    return Airline(
        code=code,
        country=fields.text("country"),
        confidence=fields.word("confidence", ("confirmed", "reported", "unverified")),
    )


def _device(fields: Fields) -> Device:
    model_id = fields.named("model_id")
    fields.for_readers(
        "brand", "model_name", "model_number", "aliases", "capacity_mah", "nominal_voltage", "certifications",
        "release_year", "notes",
    )  # fmt: skip
    device = Device(
        model_id=model_id,
        watt_hour=fields.decimal_or_none("watt_hour"),
        basis=fields.word("watt_hour_basis", ("rated", "computed", "unknown")),
        certificates=tuple(fields.rows("certificates", _certificate, optional=True)),
        sources=fields.texts("sources"),
    )
    if (device.watt_hour is None) != (device.basis == "unknown"):
        raise fields.refuse("watt-hours and their basis disagree")
    return device


def _certificate(fields: Fields) -> Certificate:
    fields.word("mark", ("CCC",))
    fields.for_readers("number")
    return Certificate(
        status=fields.word("status", ("valid", "suspended", "revoked")),
        source=fields.text("source"),
        lookup_url=fields.text_or_none("lookup_url"),
        first_day=fields.day_or_none("since"),
        last_day=fields.day_or_none("until"),
    )


def _rule(fields: Fields) -> Rule:
    rule_id = fields.named("rule_id")
    fields.for_readers("authority", "summary", "confidence", "quotes")
    params = Fields(fields.take("params"), f"params of {rule_id}")
    when = Fields(fields.take("when"), f"conditions of {rule_id}")
    issuer = fields.word("issuer", ("regulator", "airline"))
    rule = Rule(
        rule_id=rule_id,
        jurisdiction=fields.text("jurisdiction"),
        airline=fields.text_or_none("airline"),
        applies=fields.words_or_none("applies", vocabulary.SCOPES) or (),
        when=_when(when),
        effect=fields.word("effect", vocabulary.EFFECTS),
        code=fields.word_or_none("code", vocabulary.CODES),
        max_units=params.whole_or_none("max_units", vocabulary.MOST_UNITS),
        limit_watt_hour=params.decimal_or_none("limit_watt_hour"),
        first_day=fields.day_or_none("effective_from"),
        last_day=fields.day_or_none("effective_until"),
        sources=fields.texts("sources"),
    )
    params.end()
    if (issuer == "airline") != (rule.airline is not None):
        raise fields.refuse("its issuer and its airline disagree")
    _check_scopes(fields, rule)
    _check_code(fields, rule)
    return rule


def _when(fields: Fields) -> When:
    when = When(
        watt_hour_over=fields.decimal_or_none("watt_hour_over"),
        watt_hour_at_least=fields.decimal_or_none("watt_hour_at_least"),
        watt_hour_up_to=fields.decimal_or_none("watt_hour_up_to"),
        compartment=fields.words_or_none("compartment", vocabulary.COMPARTMENTS),
        recall_status=fields.words_or_none("recall_status", vocabulary.RECALL_STATUSES),
        condition=fields.words_or_none("condition", vocabulary.CONDITIONS),
        certification_missing=fields.word_or_none("certification_missing", ("CCC",)),
        quantity_over=fields.whole_or_none("quantity_over", vocabulary.MOST_UNITS),
        model=fields.words_or_none("model"),
    )
    fields.end()
    return when


def _check_scopes(fields: Fields, rule: Rule) -> None:
    """An airline's rule applies to the airline, the baseline globally, any other rule in other ways."""
    if rule.airline is not None and rule.applies != ("airline",):
        raise fields.refuse("an airline's rule applies to the airline alone")
    if rule.airline is None:
        if "airline" in rule.applies:
            raise fields.refuse("an authority's rule does not apply to an airline")
        if ("global" in rule.applies) != (rule.jurisdiction == vocabulary.BASELINE):
            raise fields.refuse("only the baseline applies globally, and it applies in no other way")


def _check_code(fields: Fields, rule: Rule) -> None:
    """A permit has no code. Any other rule has a code that fits its effect, with the parameter it takes."""
    parameters = [
        name
        for name, value in (("max_units", rule.max_units), ("limit_watt_hour", rule.limit_watt_hour))
        if value is not None
    ]
    if rule.effect == "permit":
        if rule.code is not None or parameters:
            raise fields.refuse("a permit has neither a code nor a parameter")
        return
    if rule.code is None:
        raise fields.refuse("it has no code")
    code = vocabulary.CODES[rule.code]
    if vocabulary.EFFECT_OF_NATURE[code.nature] != rule.effect:
        raise fields.refuse(f"the code `{rule.code}` does not go with the effect `{rule.effect}`")
    if parameters != ([code.parameter] if code.parameter else []):
        raise fields.refuse(f"the code `{rule.code}` takes other parameters than {parameters}")


def _recall(fields: Fields) -> Recall:
    recall_id = fields.named("recall_id")
    fields.for_readers(
        "authority", "jurisdiction", "announced_on", "announced_precision", "title", "hazard", "remedy",
        "units", "units_scope", "notice_url", "notes",
    )  # fmt: skip
    affected = Fields(fields.take("affected_serials"), f"serials of {recall_id}")
    affected.for_readers(
        "identifier", "form_url", "values", "affected_samples", "unaffected_samples", "necessary_pattern",
        "absent_identifier_affected", "format_hint", "colour_condition", "manufacture_window", "sale_window",
    )  # fmt: skip
    recall = Recall(
        recall_id=recall_id,
        model_id=fields.text("model_id"),
        all_units=affected.word("scope", SCOPES_OF_RECALLS) == "all_units",
        pattern=_pattern(affected, "pattern"),
        clearing_pattern=_pattern(affected, "not_affected_pattern"),
        exhaustive=affected.truth("exhaustive"),
        has_list=affected.text_or_none("explicit_list_url") is not None,
        sources=fields.texts("sources"),
    )
    affected.end()
    return recall


def _pattern(fields: Fields, name: str) -> re.Pattern[str] | None:
    pattern = fields.text_or_none(name)
    try:
        return None if pattern is None else compiled(pattern)
    except UnknownSyntax as error:
        raise fields.refuse(str(error)) from error


# --- Records that name each other ---------------------------------------------------------------------------


def _check_names(release: Release) -> None:
    """Refuse a name of a record that is not in the release, and an id that is there twice."""
    places = release.countries | set(release.regions)
    for kind, ids in (
        ("rule", [rule.rule_id for rule in release.rules]),
        ("recall", [recall.recall_id for recall in release.recalls]),
    ):
        _by_name(((name, None) for name in ids), kind)
    for airline in release.airlines.values():
        _check(f"airline {airline.code}", {airline.country}, release.countries)
    for rule in release.rules:
        where = f"rule {rule.rule_id}"
        _check(where, {rule.jurisdiction}, places)
        _check(where, set() if rule.airline is None else {rule.airline}, release.airlines)
        _check(where, set(rule.when.model or ()), release.devices)
        _check(where, set(rule.sources), release.sources)
        if not any(release.sources[name].was_read for name in rule.sources):
            raise UnreadableRelease(f"{where}: no source of it was read")
    for recall in release.recalls:
        _check(f"recall {recall.recall_id}", {recall.model_id}, release.devices)
        _check(f"recall {recall.recall_id}", set(recall.sources), release.sources)
    for device in release.devices.values():
        named = {*device.sources, *(one.source for one in device.certificates)}
        _check(f"device {device.model_id}", named, release.sources)


def _check(where: str, names: set[str], known: Iterable[str]) -> None:
    if missing := names.difference(known):
        raise UnreadableRelease(f"{where}: `{min(missing)}` is not in the release")
