"""Why publishing is blocked, in one sentence for each kind of reason. Reads nothing."""

from collections.abc import Collection, Iterator

from rules.publishing.candidate import Candidate


def blocked_by(
    found: Candidate,
    *,
    unreadable: str,
    missing: Collection[str],
    measured: bool,
    milder: bool,
    own: Collection[str] = (),
    refused: str = "",
    waits: bool = False,
    left_behind: str = "",
) -> Iterator[str]:
    """Yield why the candidate cannot be published; nothing if it can.

    `unreadable`: why no case can be run. `missing`: what lacks a second approval. `measured`: whether its
    effects are known. `milder`: whether any answer becomes less strict. `own`: the cited sources that the
    person who looks changed or read. `refused`: why nothing less strict is published now. `waits`: whether
    a request to publish waits already. `left_behind`: why the choice needs more of what is approved.
    """
    if waits:
        yield "A request to publish waits already; look again when it has ended"
    if unreadable:
        yield "The verdict cases cannot be read"
    if found.problems:
        yield f"{_counted(len(found.problems), 'row')} may be in no release"
    failing = [one for one in found.failing if (one.blocks_publishing if milder else one.is_new)]
    if failing:
        fail = "fails" if len(failing) == 1 else "fail"
        yield (
            f"{_counted(len(failing), 'verdict case')} {fail}: correct or take back the cause, "
            "or let two reviewers accept the failure"
        )
    if missing:
        lack = "lacks" if len(missing) == 1 else "lack"
        yield f"{_counted(len(missing), 'change')} {lack} what a less strict answer needs"
    if left_behind:
        yield left_behind[0].upper() + left_behind[1:]
    if milder and refused:
        yield f"Nothing less strict is published now: {refused}"
    if own:
        yield f"You changed or read {_counted(len(own), 'source')} of it, so another person must publish it"
    if not measured:
        yield "The changes are not measured yet"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
