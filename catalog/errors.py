"""Why a verb refuses a record. Every refusal names the record and gives its reason in one sentence.

Raised by the verbs of `catalog`, `recalls` and `rules`; a form, a command or a test shows the text as it is.
"""


class Refused(ValueError):
    """A record that is not written. `record_id` says which one, `reason` why."""

    def __init__(self, record_id: str, reason: str) -> None:
        super().__init__(f"{record_id}: {reason}")
        self.record_id = record_id
        self.reason = reason


class AlreadyRecorded(Refused):
    """There is such a record, and verbs that record never overwrite one."""


class NotRecorded(Refused):
    """The record refers to another one that is not there, or is itself to be changed and not there."""


class Unfit(Refused):
    """The record breaks a rule of its own table."""


class WrongState(Refused):
    """The record is in a state in which this cannot be done to it."""


class OwnWork(Refused):
    """Somebody tries to approve what they wrote themselves."""


class StillReferred(Refused):
    """Somebody tries to delete what other records refer to."""


class ReasonMissing(Refused):
    """Somebody sets a record aside without saying why."""
