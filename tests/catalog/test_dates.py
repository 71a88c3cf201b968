"""Dates as the desk writes them."""

import datetime

import pytest
from django.template import Context, Template

from catalog.dates import day_words, moment_words, recorded_words

AT = datetime.datetime(2026, 11, 8, 9, 2, 31, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))


def test_a_moment_is_written_in_utc_and_a_day_without_zeros() -> None:
    assert day_words(AT.date()) == "8 November 2026"
    assert moment_words(AT) == "8 November 2026, 07:02 UTC"
    assert moment_words(AT, seconds=True) == "8 November 2026, 07:02:31 UTC"


def test_templates_write_the_same_forms() -> None:
    written = Template('{{ at|date }} · {{ at|date:"DATETIME_FORMAT" }} · {{ at }}').render(
        Context({"at": AT})
    )
    assert written == f"{day_words(AT)} · {moment_words(AT)} · {moment_words(AT)}"


@pytest.mark.parametrize(
    ("recorded", "read"),
    [
        ("2025-06-28", "28 June 2025"),
        ("2025-06", "June 2025"),
        ("2025", "2025"),
        ("2025-13-40", "2025-13-40"),
        ("ek-2025-06-28", "ek-2025-06-28"),
    ],
)
def test_a_day_or_month_of_a_record_is_read_in_words_and_all_else_as_it_is(recorded: str, read: str) -> None:
    assert recorded_words(recorded) == read
