"""When a passenger of an itinerary may pack: `judging` asks this about each bag.

The answer has to name every item, passenger and flight of the question and no others (`answers`), must not
contradict itself (`agrees`), and nothing in it may be against the bag (`is_sound`).
"""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Final

from battery_travel.devices import is_about, is_settled
from battery_travel.questions import Flight, Item, ItineraryQuestion
from battery_travel.records import Bag, Json, Packing, Record

STRICTNESS: Final = ("allowed", "conditional", "insufficient", "banned")
"""The verdicts, the mildest first."""

MAX_UNITS: Final = re.compile(r"max_units_(?:over_100wh_)?([0-9]{1,9})")
"""The constraint that limits how many units one passenger carries."""


def answers(record: Record, packing: Packing, question: ItineraryQuestion) -> bool:
    """Return whether an answer is about exactly the items, passengers and flights of a question."""
    items, segments, refs = record.body["items"], record.body["segments"], question.refs()
    return (
        len(items) == len(refs) > 0
        and len(segments) == len(question.flights) > 0
        and all(map(_is_item, items, refs, question.items))
        and all(map(_is_flight, segments, range(1, len(segments) + 1), question.flights))
        and all(one.get("error") or [item["ref"] for item in one["items"]] == [*refs] for one in segments)
        and _are_packed(packing, question)
    )


def agrees(record: Record, packing: Packing) -> bool:
    """Return whether the verdict is the strictest of its items, of its flights and of its passengers.

    A part of `packing` that this client does not know may be about units that must not be packed.
    """
    body, verdict = record.body, record.stamps.verdict
    return (
        not packing.other
        and all(
            _strictest(verdicts) == verdict
            for verdicts in (
                [one["verdict"] for one in body["items"]],
                [one["verdict"] for one in body["segments"]],
                [bag.verdict for bag in packing.bags],
            )
        )
        and all(
            one.get("error") or _strictest(item["verdict"] for item in one["items"]) == one["verdict"]
            for one in body["segments"]
        )
        and (verdict in STRICTNESS[2:] or not (packing.stays or packing.not_cleared))
    )


def is_sound(record: Record, packing: Packing, question: ItineraryQuestion, passenger: int) -> bool:
    """Return whether nothing in an answer is against what a passenger carries, who is `allowed` to."""
    bags = [bag for bag in packing.bags if bag.passenger == passenger]
    held = {share.ref for bag in bags for share in bag.shares}
    items = dict(zip(question.refs(), question.items, strict=True))
    return (
        all(segment.error is None for segment in record.segments)
        and not held & packing.not_cleared
        and all(_leaves_what_stays(packing, ref, items[ref]) for ref in held)
        and all(
            _is_settled(one, items[one["ref"]]) and _is_never_refused(record, packing, one)
            for one in record.body["items"]
            if one["ref"] in held
        )
        and all(
            _meets(bag, constraint, items)
            for bag in bags
            for segment in record.body["segments"]
            for constraint in segment["constraints"]
        )
    )


def _strictest(verdicts: Iterable[str]) -> str:
    """Return the strictest verdict; an unknown word is stricter than all."""
    return max(verdicts, key=lambda word: STRICTNESS.index(word) if word in STRICTNESS else 9, default="")


def _is_item(one: Json, ref: str, item: Item) -> bool:
    if (one["ref"], one["quantity"]) != (ref, item.quantity):
        return False
    if item.label is not None:
        label, asked = one.get("label", {}), item.label.body()
        # The service rounds up to a hundredth.
        return label.keys() == asked.keys() and all(
            math.isclose(label[name] or 0, asked[name], abs_tol=0.01) for name in asked
        )
    device = one.get("device_resolved")
    return (
        device is not None
        and "label" not in one
        and device["model_id"] == item.model_id
        and is_about(device, item.serial)
    )


def _is_flight(one: Json, index: int, flight: Flight) -> bool:
    return (
        one["index"] == index
        and (one.get("origin_airport") or one["origin"]) == flight.origin
        and (one.get("destination_airport") or one["destination"]) == flight.destination
        and one.get("operating_airline") == flight.operating_airline
        and one.get("marketing_airline") == flight.marketing_airline
        and (one.get("date_assumed") is True if flight.date is None else one["date"] == str(flight.date))
    )


def _are_packed(packing: Packing, question: ItineraryQuestion) -> bool:
    """Return whether every unit is in one bag, that of the passenger who was named."""
    passengers = [bag.passenger for bag in packing.bags]
    packed = [(bag.passenger, share.ref) for bag in packing.bags for share in bag.shares]
    asked = dict(zip(question.refs(), question.items, strict=True))
    return (
        len(asked) == len(question.items)
        and len({*passengers}) == len(passengers)
        and all(1 <= passenger <= question.passengers for passenger in passengers)
        and all(ref in asked and asked[ref].carried_by in {None, passenger} for passenger, ref in packed)
        and all(_held(packing.bags, ref) == item.quantity for ref, item in asked.items())
        and asked.keys() >= {*packing.not_cleared, *(share.ref for share in packing.stays)}
    )


def _held(bags: Iterable[Bag], ref: str) -> int:
    return sum(share.quantity for bag in bags for share in bag.shares if share.ref == ref)


def _leaves_what_stays(packing: Packing, ref: str, item: Item) -> bool:
    """Return whether the units that are cleared leave those of the item that must stay."""
    staying = sum(share.quantity for share in packing.stays if share.ref == ref)
    return _held(_cleared(packing), ref) + staying <= item.quantity


def _cleared(packing: Packing) -> list[Bag]:
    return [bag for bag in packing.bags if bag.verdict == "allowed"]


def _is_settled(one: Json, item: Item) -> bool:
    return "device_resolved" in one and is_settled(one["device_resolved"], item.serial)


def _is_never_refused(record: Record, packing: Packing, one: Json) -> bool:
    """Return whether no flight refuses an item; if others carry some of it, that may concern theirs."""
    if _held(_cleared(packing), one["ref"]) < one["quantity"]:
        return True
    flown = [
        item for segment in record.body["segments"] for item in segment["items"] if item["ref"] == one["ref"]
    ]
    return one["verdict"] == "allowed" and all(
        item["verdict"] == "allowed" and item["decided_by"] == [] for item in flown
    )


def _meets(bag: Bag, constraint: Json, items: Mapping[str, Item]) -> bool:
    """Return whether a bag meets a constraint, as far as the question tells."""
    concerned = [share for share in bag.shares if share.ref in constraint["refs"]]
    if constraint["code"] == "carry_on_only":
        return all(items[share.ref].compartment_intent != "checked" for share in concerned)
    at_most = MAX_UNITS.fullmatch(constraint["code"])
    return at_most is None or sum(share.quantity for share in concerned) <= int(at_most[1])
