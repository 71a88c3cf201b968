"""Random questions about a real release, like those of travelers."""

import datetime
import random
import string
from collections.abc import Iterator

from rules.engine.document import Content
from rules.engine.facts import Leg, Question, Unit

TRAVEL_WITHIN_DAYS = 60


def today(content: Content) -> datetime.date:
    """Return the day of the newest evidence. With this date, a run in another year measures the same."""
    return max(source.read_on for source in content.sources)


def real_questions(content: Content, seed: int) -> Iterator[Question]:
    """Yield random questions: any model, any covered airline, between countries with curated rules.

    A question names a covered airline and a known model, so each has a verdict. There is no end.
    """
    draw = random.Random(seed)
    day = today(content)
    ends = sorted(
        {place.code for place in content.jurisdictions} & {country.code for country in content.countries}
    )
    airlines = sorted(
        {
            rule.airline
            for rule in content.rules
            if rule.airline and rule.effective_until is None and (rule.effective_from or day) <= day
        }
    )
    model_ids = [device.model_id for device in content.devices]
    while True:
        serial = "".join(draw.choices(string.ascii_uppercase + string.digits, k=12))
        yield Question(
            unit=Unit(
                model_id=draw.choice(model_ids),
                quantity=draw.choice((1, 1, 1, 2, 3)),
                ccc_mark=draw.choice(("unknown", "unknown", "present", "absent")),
                capacity_label=draw.choice(("unknown", "unknown", "legible", "missing")),
                condition=draw.choice(("unknown", "unknown", "intact", "damaged")),
                serial=serial if draw.random() < 0.1 else None,
            ),
            leg=Leg(draw.choice(ends), draw.choice(ends), draw.choice(airlines)),
            travel_date=day + datetime.timedelta(days=draw.randrange(TRAVEL_WITHIN_DAYS)),
            compartment_intent=draw.choice(("carry_on", "carry_on", "carry_on", "on_person", "checked")),
        )
