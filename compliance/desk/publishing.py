"""Results of the analysis and the ledger: findings, the current release, guides. Called by `sections`."""

import datetime
from collections.abc import Sequence

from django.urls import reverse

from aeo.guides.admin import guides_checked
from catalog.dates import moment_words
from catalog.sources.evidence_columns import age
from compliance.desk.shapes import FEW, Line, Row, Section, address
from rules.analysis.checks import KINDS, Finding
from rules.analysis.selectors import Seen
from rules.models import Release, SoloRelease
from rules.proof.selectors import newest_finished


def findings(found: Sequence[Finding], present: Seen, now: datetime.datetime) -> Section:
    """Return how many findings of each kind are open."""
    counts = {kind: sum(one.kind == kind for one in found) for kind in KINDS}
    lines = [
        Line(
            count=count,
            what=KINDS[kind].title,
            link=address("desk:findings", kind=kind),
            tone="danger" if kind in ("gap", "contradiction") else "warning",
        )
        for kind, count in counts.items()
    ]
    calm = "No finding is open." if present.report else "The rows have not been analyzed yet."
    return Section(title="Open findings", calm=calm, lines=tuple(lines), note=present.as_sentence(now))


def current_release(
    release: Release | None, present: Seen, now: datetime.datetime, waiting: Sequence[SoloRelease]
) -> Section:
    """Return the current release, and the changes that publishing now would make."""
    rows = []
    if release is not None:
        rows.append(
            Row(
                name=f"{release}, {age(release.published_at.date())}, by {release.published_by}",
                says=release.note,
                link=address("admin:rules_release_change", release.pk),
                at=release.published_at,
            )
        )
    counts = present.report.counts if present.report else {}
    found = [] if release is None else _found_by_the_proof(release)
    alone = [
        Line(
            count=1,
            what=f"Published alone by {one.created_by} on {moment_words(one.created_at)}, needs a "
            "second approval",
            link=address("admin:rules_release_publish"),
            tone="danger",
        )
        for one in waiting
    ]
    lines = (
        found
        + alone
        + [
            Line(
                count=count,
                what=f"{kind.capitalize()} to be {'withdrawn' if change == 'removed' else change}",
                link=address("desk:changes", kind=kind, change=change),
                tone="info",
            )
            for kind, of_kind in counts.items()
            for change, count in of_kind.items()
        ]
    )
    if present.report and present.report.problems:
        lines.append(
            Line(
                count=len(present.report.problems),
                what="Problems that block publishing",
                link=address("desk:changes"),
                tone="danger",
            )
        )
    lines += _blocking_cases(present)
    calm = (
        "Publishing now would change nothing."
        if present.report
        else "The rows have not been compared with it yet."
    )
    return Section(
        title="Current release" if release else "Nothing is published yet",
        calm=calm,
        lines=tuple(lines),
        rows=tuple(rows),
        note=present.as_sentence(now),
    )


def checks_before_publishing() -> str:
    """Return the address of the part of the page “Publish” that says what blocks publishing."""
    return f"{reverse('admin:rules_release_publish')}#checks"


def _blocking_cases(present: Seen) -> list[Line]:
    """Return how many failing cases block every release, and how many only one with milder answers."""
    report = present.report
    if report is None:
        return []
    if report.unreadable:
        what = f"Nothing can be published, because the verdict cases cannot be read: {report.unreadable}"
        return [Line(count=1, what=what, link=checks_before_publishing(), tone="danger")]
    already = sum(one.already for one in report.failing)
    return [
        Line(
            count=len(report.failing) - already,
            what="Failing verdict cases that block every release",
            link=checks_before_publishing(),
            tone="danger",
        ),
        Line(
            count=already,
            what="Failing verdict cases that block a release with less strict answers",
            link=checks_before_publishing(),
            tone="warning",
        ),
    ]


def _found_by_the_proof(release: Release) -> list[Line]:
    proof = newest_finished()
    if proof is None or not proof.findings:
        return []
    return [
        Line(
            count=proof.findings,
            what=f"Disagreements and broken promises in the proof of release {proof.release}",
            link=address("admin:rules_release_change", release.pk),
            tone="danger",
        )
    ]


def guides() -> Section:
    """Return the guides that are not published."""
    withheld = [one for one in guides_checked() if not one.holds]
    return Section(
        title="Guides",
        calm="Every guide agrees with the current release.",
        lines=(
            Line(
                count=len(withheld),
                what="Guides held back",
                link=address("pages:guides"),
                tone="warning",
            ),
        ),
        rows=tuple(
            Row(name=one.guide.slug, says=one.reasons[0], link=address("pages:guides"))
            for one in withheld[:FEW]
        ),
    )
