"""Why an action refuses a record. Every refusal names the record and gives its reason in one sentence.

Raised by the actions of `catalog`, `recalls` and `rules`; a form, a command or a test shows the text as it
is.
"""


class Refused(ValueError):
    """A record that is not written. `record_id` names it, `reason` says why."""

    def __init__(self, record_id: str, reason: str) -> None:
        super().__init__(f"{record_id}: {reason}")
        self.record_id = record_id
        self.reason = reason


class AlreadyRecorded(Refused):
    """The record exists already, and actions that record never overwrite one."""


class NotRecorded(Refused):
    """The record refers to another one that does not exist, or should be changed and does not exist."""


class Unfit(Refused):
    """The record breaks a rule of its own table."""


class WrongState(Refused):
    """The state of the record does not permit the action."""


class ChangedSinceSeen(WrongState):
    """The record is no longer what the person saw when they pressed a button: they must look at it again."""


class OwnWork(Refused):
    """A person tries to approve their own work."""


class StillReferred(Refused):
    """A person tries to delete a record that other records refer to."""


class ReasonMissing(Refused):
    """A person sets a record aside without a reason."""
