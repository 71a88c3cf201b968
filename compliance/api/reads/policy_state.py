"""The state that answers about policies depend on apart from the release: its history, and the watch.

Called by the views that show changes.
"""

from dataclasses import dataclass, replace

from compliance.api.protocol.caching import ExtraState
from compliance.api.protocol.views import Reading
from rules.corpus import Published
from rules.policy_history import selectors
from rules.policy_history.selectors import History, HistoryEntry
from rules.watch import selectors as watch
from rules.watch.selectors import WatchState


@dataclass(frozen=True)
class PolicyState(ExtraState):
    """The known history of a release; none if the database is not available and the history was never read.

    `newest` are the newest entries of the requested airline. `watch` is the present state of the watch.
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
    """Return a state together with the watch's: only its figures are shown or, with `in_full`, every page.

    A cursor is valid while the same signals are open.
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
    if not isinstance(reading.extra_state, PolicyState):
        raise TypeError("this view does not say what its answers depend on")
    return reading.extra_state
