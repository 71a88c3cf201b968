"""The bytes that we sign are those that a client makes again of what it parsed."""

import datetime
import json
from collections.abc import Iterator
from decimal import Decimal

import msgspec
import pytest
import rfc8785
import time_machine
from django.conf import settings
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import inspect as types

from compliance.api.protocol.bodies import json_response
from compliance.api.verdicts.trips import TripBody, TripDeviceBody, trip_body
from compliance.api.verdicts.verify import VerifyBody, verify_body
from compliance.records.receipts.canonical import canonical
from rules.corpus import Published
from rules.engine.errors import AirlineNotCovered, ModelNotFound
from rules.engine.facts import Leg, Question, TripQuestion, Unit
from tests.rules.engine.starter_questions import Drawer
from tests.support import door
from tests.support.starter import NOW, starter_content

LANGUAGES = [code for code, _ in settings.LANGUAGES]


@pytest.fixture(autouse=True)
def answered_from(starter_release: Published) -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def as_client_makes_it(body: msgspec.Struct) -> bytes:
    """What a client gets that parses the very bytes which leave."""
    return rfc8785.dumps(json.loads(json_response(body).content))


def drawn(count: int) -> Iterator[msgspec.Struct]:
    """Bodies of answers about the starter corpus, legs and trips, in every language in turn."""
    drawer = Drawer(starter_content(), seed=8785)
    for at in range(count):
        question, today, _ = drawer.question()
        now = datetime.datetime.combine(today, datetime.time(12), datetime.UTC)
        language = LANGUAGES[at % len(LANGUAGES)]
        trip = TripQuestion(
            unit=question.unit,
            legs=(question.leg,),
            travel_date=question.travel_date,
            compartment_intent=question.compartment_intent,
        )
        try:
            yield verify_body(door.verify(question, now=now), language)
        except (ModelNotFound, AirlineNotCovered):
            continue
        yield trip_body(door.verify_trip(trip, now=now), language)


def test_of_thousands_of_real_answers_in_every_language() -> None:
    seen = 0
    for body in drawn(4_000):
        assert canonical(body) == as_client_makes_it(body)
        seen += 1
    assert seen > 4_000


def bodies(watt_hour: Decimal | None, text: str) -> Iterator[msgspec.Struct]:
    """Both kinds of body with some number and some text put into them."""
    question = Question(unit=Unit(model_id="anker-a1289"), leg=Leg("JP", "SG", "SQ"), travel_date=NOW.date())
    leg = verify_body(door.verify(question, now=NOW), "en")
    yield msgspec.structs.replace(
        leg,
        summary=text,
        device_resolved=msgspec.structs.replace(leg.device_resolved, watt_hour=watt_hour, model_name=text),
    )
    trip = trip_body(
        door.verify_trip(
            TripQuestion(unit=question.unit, legs=(question.leg,), travel_date=question.travel_date), now=NOW
        ),
        "en",
    )
    yield msgspec.structs.replace(trip, summary=text, device_resolved=TripDeviceBody(text, watt_hour))


@given(
    # A whole number beyond 2^53 could not be published: the text of a release is canonical too.
    watt_hour=st.none() | st.decimals(-(10**12), 10**12),
    text=st.text(),
)
@example(watt_hour=Decimal("99.90"), text="")
@example(watt_hour=Decimal("10.0"), text="")
@example(watt_hour=Decimal("1E+2"), text="")
@example(watt_hour=Decimal("0E-7"), text="")
@example(watt_hour=Decimal("-0.0"), text="")
@example(watt_hour=Decimal("0.0000001"), text="")
@example(watt_hour=Decimal("99.99999999999999999"), text="")
@example(watt_hour=Decimal("123456789012345678.5"), text="")
@example(watt_hour=Decimal("74"), text='"\\\b\f\n\r\t\u0000\u001f\u007f\u0080\u2028\u2029\ufeff\U0001f50b')
def test_whatever_the_number_and_the_text(watt_hour: Decimal | None, text: str) -> None:
    for body in bodies(watt_hour, text):
        assert canonical(body) == as_client_makes_it(body)


def numbers_of(kind: types.Type, path: str = "") -> Iterator[tuple[str, type[types.Type]]]:
    """Where in a type a number stands that is no whole number, or anything that nobody can know."""
    match kind:
        case types.StructType():
            for field in kind.fields:
                assert field.encode_name.isascii()
                yield from numbers_of(field.type, f"{path}.{field.encode_name}")
        case types.Metadata():
            yield from numbers_of(kind.type, path)
        case types.UnionType():
            for one in kind.types:
                yield from numbers_of(one, path)
        case types.ListType() | types.VarTupleType():
            yield from numbers_of(kind.item_type, f"{path}[]")
        case types.IntType() | types.StrType() | types.NoneType() | types.LiteralType() | types.EnumType():
            pass
        case types.BoolType() | types.DateType() | types.DateTimeType():
            pass
        case _:
            yield path, type(kind)


@pytest.mark.parametrize("body", [VerifyBody, TripBody])
def test_the_watt_hours_are_the_only_number_that_is_no_count(body: type[msgspec.Struct]) -> None:
    # And all names are ASCII, where sorting by bytes and by UTF-16, as RFC 8785 does, is the same.
    assert list(numbers_of(types.type_info(body))) == [(".device_resolved.watt_hour", types.DecimalType)]
