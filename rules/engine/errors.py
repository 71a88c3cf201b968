"""The reasons why the engine cannot answer a question. Each has the code that an API answer carries."""

import datetime


class Unanswerable(LookupError):
    """The question names something that the release does not cover."""

    code = "NOT_FOUND"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class ModelNotFound(Unanswerable):
    """The model is not in the catalog."""

    code = "MODEL_NOT_FOUND"


class AirlineNotCovered(Unanswerable):
    """The airline is not in the release, or no rule of it is in force on the travel date.

    `next_change` is the first day after today on which one of its rules starts or no longer holds.
    """

    code = "AIRLINE_NOT_COVERED"

    def __init__(self, name: str, next_change: datetime.date | None = None) -> None:
        super().__init__(name)
        self.next_change = next_change


class UnknownCountry(Unanswerable):
    """The country code is not in the release.

    An input error, not a gap: callers check route ends before they ask.
    """

    code = "UNKNOWN_COUNTRY"
