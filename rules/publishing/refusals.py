"""Why no release was made. Every refusal is a sentence for people, and nothing has changed then."""

import json
from collections.abc import Sequence

from catalog.dates import moment_words
from rules.cases import Failure
from rules.engine.document import Problem
from rules.impact.figures import answers
from rules.impact.second_approvals import MissingApproval
from rules.proof.checking.findings import Found
from rules.releases.models import Release

FEW = 5
"""How many rows and cases the message of a refusal has."""


class ReleaseRefused(Exception):
    """A release that was not published; the message says why. Nothing has changed."""


class NoteMissing(ReleaseRefused):
    """A release without a note, or without a reason where one is asked for."""

    def __init__(self, *, reason: bool = False) -> None:
        needs = "a reason that says why" if reason else "a note that says what is new"
        super().__init__(f"a release needs {needs}")


class NoteUnfit(ReleaseRefused):
    """A note or a reason that is too long, or has characters that are not for readers."""


class NothingToPublish(ReleaseRefused):
    """The approved rows say exactly what the `current` release says."""

    def __init__(self, current: Release) -> None:
        super().__init__(f"nothing has changed since release {current.ruleset_version}")
        self.current = current


class NoChoice(ReleaseRefused):
    """A choice where there is no release to which it could be added."""

    def __init__(self) -> None:
        super().__init__(
            "no release is published that this version of the program can read, so all that is approved is "
            "published together"
        )


class NothingChosen(ReleaseRefused):
    """A choice of nothing."""

    def __init__(self) -> None:
        super().__init__("no revision is ticked, and only what is ticked is published")


class NotPublishable(ReleaseRefused):
    """Rows that a release must not contain, or verdict cases that would fail.

    `milder`: they block it because it makes answers less strict. The message has the first few, `reasons` has
    all of them, and those of cases with their paths.
    """

    def __init__(self, found: Sequence[Problem | Failure], *, milder: bool = False) -> None:
        reasons = [f"{one.where}: {one.reason}" if isinstance(one, Problem) else str(one) for one in found]
        because = ", because answers become less strict" if milder else ""
        first = [
            one.in_short if isinstance(one, Failure) else said
            for one, said in zip(found, reasons, strict=True)
        ]
        more = (
            [f"and {len(first) - FEW:,} more, all of them on the page “Publish”"] if len(first) > FEW else []
        )
        counted = f"these {len(first):,} rows and cases" if more else "these rows and cases"
        super().__init__("\n  ".join([f"{counted} block publishing{because}:", *first[:FEW], *more]))
        self.reasons = tuple(reasons)


class ClockBehindLedger(ReleaseRefused):
    """The date is earlier than that of the current release, so the next version would sort before it."""

    def __init__(self, today: str, current: Release) -> None:
        super().__init__(f"the date is {today}, which is before release {current.ruleset_version}")


class NotMeasured(ReleaseRefused):
    """The change is so large that it must be measured first."""

    def __init__(self, size: int) -> None:
        super().__init__(
            f"answers could change on {size:,} kinds of flights and models, which must be measured, "
            "and this was not done today: see `Measured changes`, then publish"
        )


class SecondApprovalMissing(ReleaseRefused):
    """Records that make answers less strict, with what each of them lacks."""

    def __init__(self, missing: Sequence[MissingApproval]) -> None:
        sentences = [f"{one}." for one in missing]
        super().__init__(
            "\n  ".join(["these make answers less strict, and something is missing:", *sentences])
        )
        self.missing = tuple(missing)


def listed(names: Sequence[str], most: int = 6) -> str:
    """Return names in words, the first few of them."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def counted(count: int) -> str:
    """Return how many answers change, in words. None is about what no single question shows."""
    return answers(count) if count else "some answers"


class MilderAlone(ReleaseRefused):
    """One publisher alone, and answers that become less strict, with the records that make them so."""

    def __init__(self, count: int, names: Sequence[str]) -> None:
        because = f" ({listed(names)})" if names else ""
        super().__init__(
            "one person alone publishes only what makes no verdict less strict, and this makes "
            f"{counted(count)} less strict{because} or cannot be measured"
        )


class TakesAway(ReleaseRefused):
    """One publisher alone, and records that are taken away, loosened or only reworded."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            "one person alone only adds, and this release takes away, loosens or only rewords: "
            f"{listed(names)}. If other people approved that, publish it as usual first"
        )


class UnreadWords(ReleaseRefused):
    """One publisher alone, and words or links that no other person has read."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(
            "travelers would read as official what only one person has read. Let another person approve it, "
            "or change it:" + "".join(f"\n  {one}" for one in words)
        )


class LeftBehind(ReleaseRefused):
    """A choice that is less strict than all that is approved, with the records that have to come along."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"answers would become less strict only because {listed(names)} stays behind: choose it, too"
            if names
            else "this makes answers less strict, and it is not known whether what stays behind keeps them "
            "strict: choose all that is approved, or publish the stricter changes first"
        )
        self.names = tuple(names)


class MilderThanShown(ReleaseRefused):
    """A plan that would make something less strict that was not so when it was made."""

    def __init__(self, worse: Sequence[str]) -> None:
        super().__init__(
            f"this is less strict than what was shown when it was planned: {'; '.join(worse[:6])}"
            f"{f'; and {len(worse) - 6} more' if len(worse) > 6 else ''}. Look at it, and plan it again"
        )
        self.worse = tuple(worse)


class PlanChanged(ReleaseRefused):
    """A plan whose changes are no longer what was approved when it was made."""

    def __init__(self, changes: Sequence[str]) -> None:
        super().__init__(f"{listed(changes)}; so it is no longer what was planned")
        self.changes = tuple(changes)


class OwnEvidence(ReleaseRefused):
    """A publisher who changed sources that the release cites."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"you changed or read what this release cites ({listed(names)}), so another person must "
            "publish it"
        )


class SecondPersonMissing(ReleaseRefused):
    """A roll-back that makes answers less strict, and too few people; the message says who is missing."""


class ApprovalOverdue(ReleaseRefused):
    """An earlier release of one person waits for its second approval for too long."""

    def __init__(self, release: Release, publisher: str) -> None:
        super().__init__(
            f"{publisher} published release {release} alone more than 24 hours ago, and no other person has "
            "approved it; until then nothing less strict is published"
        )


class PromiseBroken(ReleaseRefused):
    """The current release breaks a promise, and this one would make answers less strict."""

    def __init__(self, release: Release, found: Found) -> None:
        question = "" if found.question is None else f"; ask {json.dumps(found.question, sort_keys=True)}"
        super().__init__(
            f"the proof of release {release} found a broken promise ({found.about}){question}; until a "
            "release corrects it, nothing less strict is published"
        )
        self.found = found


class PublishedMeanwhile(ReleaseRefused):
    """Another publisher was faster: `current` came after what was shown."""

    def __init__(self, current: Release) -> None:
        super().__init__(
            f"{current.published_by.get_username()} published release {current.ruleset_version} "
            f"at {moment_words(current.published_at, seconds=True)}, after this was shown"
        )
        self.current = current


class ChangedMeanwhile(ReleaseRefused):
    """The rows are no longer those that were shown."""

    def __init__(self) -> None:
        super().__init__("rows have changed since this page was shown, so something else would be published")


class ChangedAlone(ReleaseRefused):
    """What one person would publish alone is no longer what they were shown. `names` are the revisions."""

    def __init__(self, names: Sequence[str]) -> None:
        ticked = f"{listed(names)}, or what goes along with it, has" if names else "what goes along has"
        super().__init__(f"{ticked} changed after this was shown; look again, then publish")


class NoSuchRelease(ReleaseRefused):
    """There is no release of that version."""

    def __init__(self, version: str) -> None:
        super().__init__(f"there is no release {version}")


class NothingToRollBack(ReleaseRefused):
    """The release says the same as the current one."""

    def __init__(self, version: str, current: Release) -> None:
        super().__init__(
            f"release {version} is the current one"
            if version == current.ruleset_version
            else f"the current release {current} already has the content of release {version}"
        )


class NotRestorable(ReleaseRefused):
    """The release, or its content, cannot be published again; the message says why."""


class NotTrusted(ReleaseRefused):
    """The ledger may not be believed, so nothing is added to it."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the ledger was altered, so nothing is added to it: {why}; see `release verify`")


class KeyMissing(ReleaseRefused):
    """This process has no key to sign with."""

    def __init__(self) -> None:
        super().__init__("this process has no RELEASE_KEY, so it signs no release")
