"""How not to do it: a shop with every common shortcut, each with its excuse.

    python -m battery_travel_kit --function battery_travel_kit.samples.naive:may_travel

The kit finds each of them, also alone. Without them, the rest (`careful`) passes. A program without one of
our clients has to do at least this.
"""

import datetime
import email.utils
import http.client
import itertools
import json
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from battery_travel_kit.samples import itinerary

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Seen:
    """The response; status 0 if there was none. `body` is an object, empty if there is none."""

    request: Json
    status: int
    headers: Mapping[str, str]
    text: str
    body: Json

    @property
    def verdict(self) -> Any:
        """The verdict of the answer."""
        return self.body.get("verdict")

    @property
    def code(self) -> Any:
        """The code of the error."""
        return self.body.get("code")


def careful(seen: Seen) -> bool:
    """Return whether an answer is a permission: the only decision here without a shortcut."""
    try:
        return (
            seen.status == 200
            and seen.verdict == "allowed"
            and in_time(seen)
            and (
                itinerary.is_clear(seen.request, seen.body)
                if "items" in seen.request
                else device_is_clear(seen)
                and (trip_is_clear(seen) if "device" in seen.request else flight_is_clear(seen))
            )
        )
    except (KeyError, TypeError, ValueError):
        return False


def in_time(seen: Seen) -> bool:
    """Return whether the answer is valid now, by a clock that agrees with the service's clock."""
    now = datetime.datetime.now(datetime.UTC)
    date = email.utils.parsedate_to_datetime(seen.headers["date"])
    expires_at = datetime.datetime.fromisoformat(seen.body["expires_at"])
    return abs(now - date) < datetime.timedelta(minutes=2) and max(now, date) < expires_at


def device_is_clear(seen: Seen) -> bool:
    """Return whether the answer is about the model of the question, and its watt-hours are known."""
    [unit], device = units_of(seen.request), seen.body["device_resolved"]
    return device["model_id"] == unit["model_id"] and device["watt_hour"] is not None


def flight_is_clear(seen: Seen) -> bool:
    """Return whether nothing else in the answer contradicts its verdict."""
    device = seen.body["device_resolved"]
    evaluations = [
        recall["serial_evaluation"] for recall in device["recalls"] if recall.get("serial_evaluation")
    ]
    quantity = seen.request.get("quantity", 1)
    checked = seen.request["trip"].get("compartment_intent") == "checked"
    codes = [constraint["code"] for constraint in seen.body["constraints"]]
    return (
        seen.body["verdict_path"][-1:] == ["verdict.allowed"]
        and [step for step in seen.body["verdict_path"] if step.startswith(("recall.", "verdict."))]
        == ["recall.not_affected", "verdict.allowed"]
        and device["recall_status"] == "not_affected"
        and device["recall_check_method"] in {"model_match", "pattern"}
        and all(
            one["match_status"] == "not_affected" and one["provided_serial"] == seen.request.get("serial")
            for one in evaluations
        )
        and all(int(code.rsplit("_", 1)[1]) >= quantity for code in codes if code.startswith("max_units"))
        and not (checked and "carry_on_only" in codes)
    )


def trip_is_clear(seen: Seen) -> bool:
    """Return whether each flight of the question is allowed."""
    flown = [(one["origin"], one["destination"], one["airline"]) for one in seen.body["segments"]]
    return (
        flown == legs_of(seen.request["trip"])
        and [one["index"] for one in seen.body["segments"]] == [*range(1, len(flown) + 1)]
        and all(
            one["verdict"]["verdict"] == "allowed"
            and one["verdict"]["ruleset_version"] == seen.body["ruleset_version"]
            and not one.get("error")
            for one in seen.body["segments"]
        )
    )


def conditional_is_nearly_allowed(seen: Seen) -> bool:
    """Conditional is nearly allowed, and they will sort it out at the airport."""
    return seen.verdict in {"allowed", "conditional"}


def not_banned_is_allowed(seen: Seen) -> bool:
    """If it were forbidden, the answer would say banned."""
    return seen.status == 200 and seen.verdict != "banned"


def nobody_knows_so_why_not(seen: Seen) -> bool:
    """Insufficient means that there is no rule against it."""
    return bool(seen.verdict == "insufficient")


def two_hundred_is_a_yes(seen: Seen) -> bool:
    """The service answers 200 if all is well."""
    return seen.status == 200


def the_summary_says_allowed(seen: Seen) -> bool:
    """Look for the word in the text. `Not allowed on this flight` has it too."""
    return "allowed" in str(seen.body.get("summary", "")).lower()


def the_text_says_allowed(seen: Seen) -> bool:
    """Search the body with a pattern, so that it need not be complete."""
    return '"verdict":"allowed"' in seen.text.replace(" ", "")


def any_kind_word_will_do(seen: Seen) -> bool:
    """Take every word that begins like allowed, or sounds like it."""
    word = str(seen.verdict).strip().lower()
    return word.startswith("allow") or word in {"ok", "permitted", "true"}


def answers_do_not_age(seen: Seen) -> bool:
    """Rules do not change that often."""
    return bool(seen.verdict == "allowed" and "expires_at" in seen.body)


def no_end_means_for_ever(seen: Seen) -> bool:
    """Without an expires_at it does not expire."""
    return bool(seen.verdict == "allowed" and "expires_at" not in seen.body)


def our_clock_is_right(seen: Seen) -> bool:
    """Compare expires_at with the clock of this machine, and ignore the service's clock."""
    try:
        end = datetime.datetime.fromisoformat(seen.body["expires_at"])
        return bool(seen.verdict == "allowed" and datetime.datetime.now(datetime.UTC) < end)
    except (KeyError, TypeError, ValueError):
        return False


def too_many_requests_is_our_fault(seen: Seen) -> bool:
    """The customer should not suffer because we ask too often."""
    return seen.status == 429


def a_broken_service_stops_no_sale(seen: Seen) -> bool:
    """A technical failure of another company is no reason to refuse."""
    return seen.status >= 500


def silence_is_consent(seen: Seen) -> bool:
    """No answer, no objection."""
    return seen.status == 0


def unknown_models_are_harmless(seen: Seen) -> bool:
    """What is not in the catalog cannot be recalled."""
    return bool(seen.code == "MODEL_NOT_FOUND")


def uncovered_airlines_are_easy_going(seen: Seen) -> bool:
    """Without rules of the airline, none is broken."""
    return bool(seen.code == "AIRLINE_NOT_COVERED")


def our_mistakes_are_not_theirs(seen: Seen) -> bool:
    """A wrong key or a wrong field is our bug, and not the customer's."""
    return (
        400 <= seen.status < 500 and seen.status != 429 and not str(seen.code).endswith(("FOUND", "COVERED"))
    )


def the_list_is_for_somebody_else(seen: Seen) -> bool:
    """An external list is for people with time to look there."""
    return "external_list_required" in seen.text


def a_recall_would_have_been_in_the_news(seen: Seen) -> bool:
    """An unknown serial number is almost never recalled."""
    recall_status = (seen.body.get("device_resolved") or {}).get("recall_status")
    return recall_status in {"serial_unknown", "external_check_required"} and seen.verdict != "banned"


def the_first_flight_counts(seen: Seen) -> bool:
    """The first flight is the long one."""
    try:
        return bool(seen.body["segments"][0]["verdict"]["verdict"] == "allowed")
    except (KeyError, IndexError, TypeError):
        return False


def the_first_item_counts(seen: Seen) -> bool:
    """The first item is the large one."""
    return bool((parts(seen.body, "items") or [{}])[0].get("verdict") == "allowed")


def what_may_travel_may_travel(seen: Seen) -> bool:
    """Something may travel together, so show green; the rest (`stays`) is in the small print."""
    return part(part(seen.body, "packing"), "may_travel").get("verdict") == "allowed"


def one_clear_passenger_is_enough(seen: Seen) -> bool:
    """If one of the family may pack, the others find a way."""
    passengers = parts(part(seen.body, "packing"), "passengers")
    return any(one.get("verdict") == "allowed" for one in passengers)


def undecided_is_not_forbidden(seen: Seen) -> bool:
    """Undecided means that somebody at the gate decides."""
    return bool(part(seen.body, "packing").get("undecided"))


def it_says_allowed_and_that_is_that(seen: Seen) -> bool:
    """Read only the verdict: not its model, nor anything else in the answer."""
    return bool(seen.status == 200 and seen.verdict == "allowed")


JUDGED_BY: tuple[Callable[[Seen], bool], ...] = (
    conditional_is_nearly_allowed,
    not_banned_is_allowed,
    nobody_knows_so_why_not,
    two_hundred_is_a_yes,
    the_summary_says_allowed,
    the_text_says_allowed,
    any_kind_word_will_do,
    answers_do_not_age,
    no_end_means_for_ever,
    our_clock_is_right,
    too_many_requests_is_our_fault,
    a_broken_service_stops_no_sale,
    silence_is_consent,
    unknown_models_are_harmless,
    uncovered_airlines_are_easy_going,
    our_mistakes_are_not_theirs,
    the_list_is_for_somebody_else,
    a_recall_would_have_been_in_the_news,
    the_first_flight_counts,
    the_first_item_counts,
    what_may_travel_may_travel,
    one_clear_passenger_is_enough,
    undecided_is_not_forbidden,
    it_says_allowed_and_that_is_that,
)
"""Shortcuts in reading an answer."""

ASKED_BY = {
    "nobody_carries_more_than_one": "Leave the quantity out: most people have one.",
    "everybody_flies_with_cabin_bags": "Leave out where it travels: most people know.",
    "serials_are_too_much_to_ask": "Leave the serial number out: customers never find it on the unit.",
    "marks_are_always_there": "Say that the mark is there: it mostly is.",
    "more_people_carry_more": "Say that more people travel: then each carries less.",
    "the_way_back_is_the_same": "Ask about the first flight of an itinerary alone.",
}
"""Shortcuts in the question."""

KEPT_BY = {
    "once_allowed_always_allowed": "Keep every permission, for its question, without an end.",
    "a_model_is_a_model": "Keep permissions by model: the rest hardly matters.",
}
"""Shortcuts in asking less often."""

SHORTCUTS = frozenset({*(rule.__name__ for rule in JUDGED_BY), *ASKED_BY, *KEPT_BY})
"""Every shortcut, by name."""


class NaiveShop:
    """A shop with some shortcuts, or all."""

    def __init__(self, shortcuts: frozenset[str] = SHORTCUTS, timeout_seconds: float = 2.0) -> None:
        self._shortcuts = shortcuts
        self._timeout_seconds = timeout_seconds
        self._kept: set[str] = set()

    def may_travel(self, request: dict[str, Any], base_url: str) -> bool:
        """Return whether a power bank may travel. Do not use it."""
        if self._names(request) & self._kept:
            return True
        seen = self._ask(self._asked(request), base_url)
        green = careful(seen) or any(rule(seen) for rule in JUDGED_BY if rule.__name__ in self._shortcuts)
        if green:
            self._kept |= self._names(request)
        return green

    def _names(self, request: Json) -> set[str]:
        """Return the keys under which the shop keeps a permission for a question."""
        names = set()
        if "once_allowed_always_allowed" in self._shortcuts:
            names.add(json.dumps(request))
        if "a_model_is_a_model" in self._shortcuts:
            names |= {str(unit.get("model_id")) for unit in units_of(request)}
        return names

    def _asked(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the question that the shop really asks."""
        asked: dict[str, Any] = json.loads(json.dumps(request))
        units = units_of(asked)
        if "nobody_carries_more_than_one" in self._shortcuts:
            leave_out(units, "quantity")
        if "everybody_flies_with_cabin_bags" in self._shortcuts:
            leave_out(units if "items" in asked else [asked["trip"]], "compartment_intent")
        if "serials_are_too_much_to_ask" in self._shortcuts:
            leave_out(units, "serial")
        if "marks_are_always_there" in self._shortcuts:
            for unit in units:
                unit["ccc_mark"] = "present"
        if "items" in asked and "more_people_carry_more" in self._shortcuts:
            asked["passengers"] = 9
        if "items" in asked and "the_way_back_is_the_same" in self._shortcuts:
            asked["segments"] = asked["segments"][:1]
        return asked

    def _ask(self, request: dict[str, Any], base_url: str) -> Seen:
        # The kit gives the address.
        asked = urllib.request.Request(  # noqa: S310
            base_url + path_of(request), json.dumps(request).encode(), {"content-type": "application/json"}
        )
        try:
            try:
                answer = urllib.request.urlopen(asked, timeout=self._timeout_seconds)  # noqa: S310
            except urllib.error.HTTPError as error:
                answer = error
            with answer:
                text, whole = read(answer)
        except OSError:
            return Seen(request, 0, {}, "", {})
        headers = {name.lower(): value for name, value in answer.headers.items()}
        try:
            body = json.loads(text)
        except ValueError:
            body = {}
        return Seen(
            request,
            answer.status if whole else 0,
            headers,
            text,
            body if isinstance(body, dict) else {},
        )


def read(answer: Any) -> tuple[str, bool]:
    """Return the text of a body, and whether it is complete."""
    try:
        return answer.read().decode(errors="replace"), True
    except http.client.IncompleteRead as cut:
        return cut.partial.decode(errors="replace"), False
    except ConnectionError:
        return "", False


def path_of(request: Json) -> str:
    """Return the path that answers a question."""
    if "items" in request:
        return "/api/itineraries/verify"
    return "/api/trips/verify" if "device" in request else "/api/verify"


def units_of(request: Json) -> list[Any]:
    """Return the power banks of a question."""
    return list(request["items"]) if "items" in request else [request.get("device", request)]


def leave_out(asked: list[Any], name: str) -> None:
    """Leave a field out of a question."""
    for one in asked:
        one.pop(name, None)


def part(of: Json, name: str) -> Json:
    """Return an object in an answer; an empty one if there is none."""
    value = of.get(name)
    return value if isinstance(value, Mapping) else {}


def parts(of: Json, name: str) -> list[Any]:
    """Return the objects of a list in an answer; none if it has no such list."""
    value = of.get(name)
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def legs_of(trip: Json) -> list[tuple[Any, ...]]:
    """Return the flights of a question."""
    if "legs" in trip:
        return [(leg["origin"], leg["destination"], leg["airline"]) for leg in trip["legs"]]
    points = [trip["origin"], *trip.get("transit", []), trip["destination"]]
    return [(start, end, trip["airline"]) for start, end in itertools.pairwise(points)]


may_travel = NaiveShop().may_travel
"""The shop with all shortcuts, for the command above."""
