"""What begins later by itself: nothing of it changes any answer before that day."""

import datetime
from typing import Any

import pytest
from msgspec.structs import replace

from rules.publishing.begin_later import first_day
from rules.publishing.selection import Key, Versions
from tests.support.factories import a_device, a_rule, a_source

TODAY = datetime.date(2026, 11, 23)
MARCH, APRIL = datetime.date(2027, 3, 1), datetime.date(2027, 4, 1)
RULE = a_rule()
NEW = replace(RULE, effective_from=MARCH)
ENDING = replace(RULE, effective_until=datetime.date(2027, 3, 31))


def of_rule(old: Any, new: Any) -> tuple[Key, Versions]:
    return ("rules", RULE.rule_id), (old, new)


PAGE: tuple[Key, Versions] = ("sources", "northwing-page"), (None, a_source())


@pytest.mark.parametrize(
    ("changes", "day"),
    [
        ([of_rule(None, NEW)], MARCH),
        ([of_rule(None, NEW), PAGE], MARCH),
        ([of_rule(RULE, ENDING)], APRIL),
        ([of_rule(ENDING, RULE)], APRIL),
        ([of_rule(None, NEW), of_rule(RULE, ENDING)], MARCH),
        ([of_rule(None, RULE)], None),
        ([of_rule(None, replace(RULE, effective_from=TODAY))], None),
        ([of_rule(RULE, NEW)], None),
        ([of_rule(RULE, None)], None),
        ([of_rule(RULE, replace(ENDING, summary="Other words."))], None),
        ([of_rule(RULE, replace(RULE, effective_until=TODAY - datetime.timedelta(days=1)))], None),
        ([of_rule(None, NEW), (("devices", "lynx-10k"), (None, a_device()))], None),
        ([PAGE], None),
        ([], None),
    ],
)
def test_the_first_day_is_that_of_the_first_change_and_none_if_anything_changes_at_once(
    changes: list[tuple[Key, Versions]], day: datetime.date | None
) -> None:
    assert first_day(changes, TODAY) == day
