"""Why the engine cannot answer a question at all. Each names the code that an API answer carries."""

import datetime


class Unanswerable(LookupError):
    """A question about something that the release does not hold."""

    code = "NOT_FOUND"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class ModelNotFound(Unanswerable):
    """The model is not in the catalog."""

    code = "MODEL_NOT_FOUND"


class AirlineNotCovered(Unanswerable):
    """The airline is not in the release, or none of its rules is in force on the travel date.

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
