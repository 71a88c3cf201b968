"""Why the engine cannot answer a question at all. Each names the code that an API answer carries."""


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
    """The airline is not in the release, or none of its rules is in force on the travel date."""

    code = "AIRLINE_NOT_COVERED"


class UnknownCountry(Unanswerable):
    """The country code is not in the release.

    An input error, not a gap: callers check route ends before they ask.
    """

    code = "UNKNOWN_COUNTRY"
