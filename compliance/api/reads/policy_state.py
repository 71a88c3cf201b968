"""What the answers about policies depend on beside the release: its history, and what the watch sees.

Called by the views that tell of changes.
"""

from dataclasses import dataclass, replace

from compliance.api.protocol.caching import Beside
from compliance.api.protocol.views import Reading
from rules.corpus import Published
from rules.policy_history import selectors
from rules.policy_history.selectors import History, HistoryEntry
from rules.watch import selectors as watch
from rules.watch.selectors import WatchState


@dataclass(frozen=True)
class PolicyState(Beside):
    """The history of a release as far as it is known; none while the database is away and never told.

    `newest` are the newest entries of the airline that was asked for. `watch` is what the watch sees now.
    """

    history: History | None = None
    newest: tuple[HistoryEntry, ...] = ()
    watch: WatchState | None = None


def policy_state(published: Published, airline: str | None = None) -> PolicyState:
    """Return the state of the history of a release, with the newest entries of an airline."""
    found = selectors.history(published)
    newest = () if airline is None else selectors.newest(published, airline)
    if found is None or newest is None:
        return PolicyState(order="away")
    return PolicyState(order=str(found.sequence), moved_at=found.moved_at, history=found, newest=newest)


def with_watch(known: PolicyState, *, in_full: bool) -> PolicyState:
    """Return a state together with that of the watch, of which figures are shown or, `in_full`, every page.

    A cursor goes on while the same signals are open.
    """
    found = watch.state()
    if found is None:
        return replace(known, order=f"{known.order} away")
    instants = [one for one in (known.moved_at, found.moved_at) if one is not None]
    return replace(
        known,
        order=f"{known.order} {found.open_signals}",
        shown=found.digest if in_full else found.figures_digest,
        moved_at=max(instants, default=None),
        watch=found,
    )


def policy_state_of(reading: Reading) -> PolicyState:
    """Return the state from which a request is answered."""
    if not isinstance(reading.beside, PolicyState):
        raise TypeError("this view does not say what its answers depend on")
    return reading.beside
