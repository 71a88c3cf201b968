"""Reads the bytes of a body as a record, or finds that they are not one.

An answer may grow, so unknown fields are ignored. What the contract promises must be present, with the right
type: a body that breaks one promise may break others.
"""

import datetime
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from itertools import chain
from typing import Any, NoReturn, TypeGuard, TypeVar, cast

from battery_travel.lookups import ListedCode, Model, Recall, Result
from battery_travel.records import (
    Advice,
    Bag,
    Citation,
    Constraint,
    Device,
    NextStep,
    Packing,
    Problem,
    Record,
    Segment,
    Share,
    Stamps,
)

T = TypeVar("T")
Claim = TypeVar("Claim", Constraint, Advice)

LABEL = ("watt_hour", "capacity_mah", "voltage")
"""The figures that may be printed on a unit."""

_INSTANT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.[0-9]{1,9})?Z")


class Malformed(ValueError):
    """A body that breaks the contract. The error names the field, and quotes nothing."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class Fields:
    """An object of a body, read field by field. Every method raises `Malformed`."""

    def __init__(self, value: Any, name: str = "") -> None:
        if not isinstance(value, dict):
            raise Malformed(f"{f'`{name}`' if name else 'The body'} is not an object.", name or None)
        self.value = cast("dict[str, Any]", value)
        self._prefix = f"{name}." if name else ""

    def text(self, name: str) -> str:
        """Return a text that is not empty."""
        value = self.value.get(name)
        return value if isinstance(value, str) and value else self._wrong(name)

    def optional_text(self, name: str) -> str | None:
        """Return a text, or None if there is none."""
        return None if self.value.get(name) is None else self.text(name)

    def instant(self, name: str) -> datetime.datetime:
        """Return a time in UTC, without its fraction of a second."""
        found = _INSTANT.fullmatch(self.text(name))
        try:
            return datetime.datetime.fromisoformat(f"{found[1]}+00:00") if found else self._wrong(name)
        except ValueError:
            self._wrong(name)

    def whole_number(self, name: str) -> int:
        """Return a whole number."""
        value = self.value.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else self._wrong(name)

    def count(self, name: str) -> int:
        """Return a whole number above zero."""
        value = self.whole_number(name)
        return value if value > 0 else self._wrong(name)

    def optional_number(self, name: str) -> Decimal | None:
        """Return a number above zero, or None for null. A missing number is an error."""
        value = self.value.get(name, "")
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            self._wrong(name)
        number = Decimal(value)
        # Compare as a float, as other readers do: a number that is zero or infinite there is refused.
        return number if 0 < float(number) < math.inf else self._wrong(name)

    def object(self, name: str) -> "Fields":
        """Return an object."""
        return Fields(self.value.get(name), f"{self._prefix}{name}")

    def items(self, name: str, read: "Callable[[Fields], T]") -> tuple[T, ...]:
        """Return a list of objects, after reading each of them."""
        return tuple(read(Fields(item, f"{self._prefix}{name}[]")) for item in self.list(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        values = self.list(name)
        return tuple(value if isinstance(value, str) else self._wrong(name) for value in values)

    def list(self, name: str) -> list[Any]:
        """Return a list of any values."""
        value = self.value.get(name)
        return value if _is_list(value) else self._wrong(name)

    def _wrong(self, name: str) -> NoReturn:
        path = f"{self._prefix}{name}"
        raise Malformed(f"`{path}` is missing or has a wrong type.", path)


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def parsed(content: bytes) -> Any:
    """Return the JSON of a body, with exact decimals and without repeated names. Raises `Malformed`."""
    try:
        return json.loads(
            content.decode("utf-8"),
            parse_float=Decimal,
            parse_constant=_no_number,
            object_pairs_hook=_said_once,
        )
    # A body of many nested brackets exhausts the stack.
    except (ValueError, ArithmeticError, RecursionError):
        raise Malformed("The body is not JSON.") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _said_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object. A repeated name has two meanings, and readers differ in which one they take."""
    value = dict(members)
    if len(value) < len(members):
        raise ValueError("a name is repeated")
    return value


def verify_record(body: Any) -> Record:
    """Return the answer of POST /api/verify. Raises `Malformed`."""
    fields = Fields(body)
    fields.texts("verdict_path")
    return Record(
        stamps=_stamps(fields, "verdict_id", "vdt_"),
        device=_device(fields.object("device_resolved")),
        constraints=fields.items("constraints", _constraint),
        warnings=fields.items("warnings", _advice),
        citations=fields.items("citations", _citation),
        segments=(),
        next_step=next_step(fields.value),
        body=fields.value,
    )


def trip_record(body: Any) -> Record:
    """Return the answer of POST /api/trips/verify. Raises `Malformed`."""
    fields = Fields(body)
    device = fields.object("device_resolved")
    said = [Fields(segment) for segment in fields.list("segments")]
    return Record(
        stamps=_stamps(fields, "trip_verdict_id", "trip_"),
        device=Device(device.text("model_id"), device.optional_number("watt_hour")),
        # The segments of earlier versions of the service say nothing of them.
        constraints=_each_once(
            one.items("constraints", _constraint) for one in said if "constraints" in one.value
        ),
        warnings=_each_once(one.items("warnings", _advice) for one in said if "warnings" in one.value),
        citations=(),
        segments=fields.items("segments", _segment),
        next_step=next_step(fields.value),
        body=fields.value,
    )


def itinerary_record(body: Any) -> Record:
    """Return the answer of POST /api/itineraries/verify. Raises `Malformed`."""
    fields = Fields(body)
    fields.items("items", _item)
    segments = fields.items("segments", _flight)
    said = [Fields(segment) for segment in fields.list("segments")]
    steps = [step for segment in said if (step := next_step(segment.value)) is not None]
    return Record(
        stamps=_stamps(fields, "itinerary_verdict_id", "itn_"),
        device=None,
        constraints=_each_once(segment.items("constraints", _constraint) for segment in said),
        warnings=_each_once(segment.items("warnings", _advice) for segment in said),
        citations=fields.items("citations", _citation),
        segments=segments,
        next_step=steps[0] if steps else None,
        body=fields.value,
        packing=_packing(fields.object("packing")),
    )


def models_found(body: Any) -> Result[Model]:
    """Return the answer of GET /api/devices. Raises `Malformed`."""
    fields = Fields(body)
    return Result(fields.items("devices", _model), *_counted(fields))


def codes_found(body: Any, language: str) -> Result[ListedCode]:
    """Return the answer of GET /api/codes, with its texts in a language. Raises `Malformed`."""
    fields = Fields(body)
    result = Result(fields.items("codes", lambda item: _code(item, language)), fields.count("total"), None)
    if len(result.found) != result.total:
        raise Malformed("`codes` is not the whole list.", "codes")
    return result


def recalls_found(body: Any, model_id: str) -> Result[Recall]:
    """Return the answer of GET /api/devices/{model_id}/recalls. Raises `Malformed`.

    An answer about another model says nothing about this one, and neither does a list that is not whole.
    """
    if Fields(body).object("device").text("model_id") != model_id:
        raise Malformed("`device.model_id` is another model.", "device.model_id")
    return _recalls_of(body, model_id)


def recalls_checked(body: Any, model_id: str, serial: str | None) -> Result[Recall]:
    """Return the answer of POST /api/recalls/check; without a serial, its hash was sent. Raises `Malformed`.

    Each recall has to say something about this very unit.
    """
    result = _recalls_of(body, model_id)
    for recall in Fields(body).items("recalls", lambda item: item.object("serial_evaluation")):
        if serial is not None and recall.text("provided_serial") != serial:
            raise Malformed(
                "`recalls[].serial_evaluation` is about another unit.", "recalls[].serial_evaluation"
            )
    return result


def _recalls_of(body: Any, model_id: str) -> Result[Recall]:
    fields = Fields(body)
    result = Result(fields.items("recalls", _recall), *_counted(fields))
    if any(recall.model_id != model_id for recall in result.found):
        raise Malformed("`recalls[].model_id` is another model.", "recalls[].model_id")
    if len(result.found) != result.total:
        raise Malformed("`recalls` is not the whole list.", "recalls")
    return result


def _counted(fields: Fields) -> tuple[int, str]:
    return fields.whole_number("total"), fields.text("ruleset_version")


def _model(item: Fields) -> Model:
    return Model(
        model_id=item.text("model_id"),
        brand=item.text("brand"),
        model_name=item.text("model_name"),
        model_number=item.optional_text("model_number"),
        watt_hour=item.optional_number("watt_hour"),
        capacity_mah=None if item.value.get("capacity_mah") is None else item.count("capacity_mah"),
        recall_count=item.whole_number("recall_count"),
    )


def _code(item: Fields, language: str) -> ListedCode:
    def said(sentence: Fields) -> str:
        texts = sentence.object("text")
        return texts.text(language if language in texts.value else "en")

    return ListedCode(
        code=item.text("code"),
        kind=item.text("kind"),
        since=item.text("since"),
        sentences=item.items("sentences", said),
        nature=item.optional_text("nature"),
        severity=item.optional_text("severity"),
        status=None if item.value.get("status") is None else item.count("status"),
        title=item.optional_text("title"),
        written_as=item.optional_text("written_as"),
    )


def _recall(item: Fields) -> Recall:
    affected = item.object("affected_serials")
    return Recall(
        recall_id=item.text("recall_id"),
        model_id=item.text("model_id"),
        title=item.text("title"),
        hazard=item.text("hazard"),
        remedy=item.text("remedy"),
        authority=item.text("authority"),
        announced_on=item.text("announced_on"),
        notice_url=item.text("notice_url"),
        identifier=affected.text("identifier"),
        pattern=affected.optional_text("pattern"),
        list_url=affected.optional_text("explicit_list_url"),
        match_status=item.object("serial_evaluation").text("match_status")
        if "serial_evaluation" in item.value
        else None,
    )


def problem(status: int, body: Any) -> Problem | None:
    """Return an error as the service describes it; None if the body does not describe one."""
    try:
        fields = Fields(body)
        return Problem(
            status=status,
            code=fields.text("code"),
            title=fields.text("title"),
            detail=fields.text("detail"),
            request_id=fields.text("request_id"),
            errors=fields.items("errors", _field_error) if "errors" in fields.value else (),
            next_step=next_step(fields.value),
        )
    except Malformed:
        return None


def next_step(body: Mapping[str, Any]) -> NextStep | None:
    """Return the suggested next step. It is for people, so one that cannot be read is left out."""
    try:
        step = Fields(body.get("suggested_next_step"))
        return NextStep(step.text("code"), step.text("message"), step.optional_text("url"))
    except Malformed:
        return None


def _stamps(fields: Fields, id_name: str, id_prefix: str) -> Stamps:
    verdict_id = fields.text(id_name)
    if not verdict_id.startswith(id_prefix):
        raise Malformed(f"`{id_name}` is not the id of a verdict.", id_name)
    return Stamps(
        verdict=fields.text("verdict"),
        verdict_id=verdict_id,
        ruleset_version=fields.text("ruleset_version"),
        generated_at=fields.instant("generated_at"),
        expires_at=fields.instant("expires_at"),
        summary=fields.text("summary"),
    )


def _constraint(item: Fields) -> Constraint:
    return Constraint(item.text("code"), item.text("message"), _rule_ids(item))


def _advice(item: Fields) -> Advice:
    return Advice(item.text("code"), item.text("severity"), item.text("message"), _rule_ids(item))


def _rule_ids(item: Fields) -> tuple[str, ...]:
    """Return the rules behind a claim. Earlier versions of the service do not name them."""
    return item.texts("rule_ids") if "rule_ids" in item.value else ()


def _citation(item: Fields) -> Citation:
    return Citation(
        kind=item.text("kind"),
        authority=item.text("authority"),
        jurisdiction=item.optional_text("jurisdiction"),
        url=item.text("url"),
        pulled_at=item.optional_text("pulled_at"),
    )


def _each_once(parts: Iterable[tuple[Claim, ...]]) -> tuple[Claim, ...]:
    """Return what the flights say, each claim once, with the rules of all flights that make it."""
    found: dict[Claim, dict[str, None]] = {}
    for claim in chain.from_iterable(parts):
        found.setdefault(replace(claim, rule_ids=()), {}).update(dict.fromkeys(claim.rule_ids))
    return tuple(replace(claim, rule_ids=tuple(rule_ids)) for claim, rule_ids in found.items())


def _device(device: Fields) -> Device:
    # Fields that only have to be present here are judged later.
    device.text("recall_status")
    device.text("recall_check_method")
    device.items("recalls", lambda recall: recall.text("recall_id"))
    return Device(
        model_id=device.text("model_id"),
        watt_hour=device.optional_number("watt_hour"),
        brand=device.text("brand"),
        model_name=device.text("model_name"),
    )


def _item(item: Fields) -> None:
    """Read an item of an itinerary. Its fields are judged later."""
    item.text("verdict")
    _share(item)
    if "label" in item.value:
        label = item.object("label")
        for name in LABEL:
            if name in label.value:
                label.optional_number(name)
    else:
        _device(item.object("device_resolved"))


def _packing(packing: Fields) -> Packing:
    stays, move_to_cabin, undecided = "stays", "move_to_cabin", "undecided"
    if "may_travel" in packing.value:
        packing.object("may_travel").text("verdict")
    return Packing(
        bags=packing.items("passengers", _bag),
        stays=packing.items(stays, _share) if stays in packing.value else (),
        not_cleared=frozenset(
            ref for name in (move_to_cabin, undecided) if name in packing.value for ref in packing.texts(name)
        ),
        other=frozenset(packing.value) - {"passengers", stays, move_to_cabin, undecided, "may_travel"},
    )


def _bag(item: Fields) -> Bag:
    return Bag(item.whole_number("passenger"), item.items("items", _share), item.text("verdict"))


def _share(item: Fields) -> Share:
    return Share(item.text("ref"), item.count("quantity"))


def _flight(item: Fields) -> Segment:
    """Read a flight of an itinerary. What it says of each item is judged later."""
    stated = item.text("verdict")
    item.text("date")
    item.items("constraints", lambda constraint: constraint.texts("refs"))
    item.items("items", lambda one: (one.text("ref"), one.text("verdict"), one.texts("decided_by")))
    operating, marketing = item.optional_text("operating_airline"), item.optional_text("marketing_airline")
    return Segment(
        index=item.whole_number("index"),
        origin=item.optional_text("origin_airport") or item.text("origin"),
        destination=item.optional_text("destination_airport") or item.text("destination"),
        airline=operating or marketing or item.text("operating_airline"),
        verdict_id=None,
        obstacle=None if stated == "allowed" else stated,
        error=_error(item),
    )


def _segment(item: Fields) -> Segment:
    verdict = item.object("verdict")
    stated = verdict.text("verdict")
    # Fields that only have to be present here are judged later.
    verdict.text("ruleset_version")
    return Segment(
        index=item.whole_number("index"),
        origin=item.text("origin"),
        destination=item.text("destination"),
        airline=item.text("airline"),
        verdict_id=verdict.text("verdict_id"),
        obstacle=None if stated == "allowed" else stated,
        error=_error(item),
    )


def _error(item: Fields) -> str | None:
    return None if item.value.get("error") is None else item.object("error").text("code")


def _field_error(item: Fields) -> Mapping[str, str]:
    return {name: item.text(name) for name in ("field", "code", "message")}
