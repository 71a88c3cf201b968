"""What the answers about policies depend on beside the release: how far its history is worked out.

Called by the views that tell of changes.
"""

from dataclasses import dataclass

from compliance.api.caching import Beside
from compliance.api.views import Reading
from rules.corpus import Published
from rules.selectors import policy_history
from rules.selectors.policy_history import History, HistoryEntry


@dataclass(frozen=True)
class PolicyState(Beside):
    """The history of a release as far as it is known; none while the database is away and never told.

    `newest` are the newest entries of the airline that was asked for.
    """

    history: History | None = None
    newest: tuple[HistoryEntry, ...] = ()


def policy_state(published: Published, airline: str | None = None) -> PolicyState:
    """Return the state of the history of a release, with the newest entries of an airline."""
    found = policy_history.history(published)
    newest = () if airline is None else policy_history.newest(published, airline)
    if found is None or newest is None:
        return PolicyState(order="away")
    return PolicyState(order=str(found.sequence), moved_at=found.moved_at, history=found, newest=newest)


def policy_state_of(reading: Reading) -> PolicyState:
    """Return the state from which a request is answered."""
    if not isinstance(reading.beside, PolicyState):
        raise TypeError("this view does not say what its answers depend on")
    return reading.beside
