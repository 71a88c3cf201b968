"""`python -m checks.solver [RELEASE.json]` searches for facts that break a promise; see `checks.solver`.

Without a file it takes the starter corpus. It fails if a promise is broken, or if the engine gives another
verdict than the formula.
"""

import argparse
import datetime
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from battery_travel_reference import release_of
from checks.solver.asking import engine_verdict, in_words
from checks.solver.encoding import VERDICTS
from checks.solver.promises import PROMISES, Broken, broken
from checks.solver.sets import rule_sets


def main(arguments: Sequence[str] | None = None) -> int:
    """Search in all sets of rules; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("release", type=Path, nargs="?", help="a release document")
    parser.add_argument(
        "--since",
        type=datetime.date.fromisoformat,
        default=datetime.datetime.now(datetime.UTC).date(),
        metavar="DATE",
        help="the first day of travel (default: today)",
    )
    given = parser.parse_args(arguments)
    document = _starter_corpus() if given.release is None else given.release.read_bytes()
    release = release_of(document)
    named = sorted({name for rule in release.rules for name in rule.when.model or ()})
    started = time.monotonic()
    sets = rule_sets(release, given.since)
    found_sets = f"{len(sets)} distinct sets of rules, {_since(started)}"
    print(f"Release {release.ruleset_version}: {found_sets}", flush=True)
    started = time.monotonic()
    found = [one for rules, flight in sets.items() for one in broken(rules, flight, named)]
    for one in found:
        print(described(one, document, named))
    print(
        f"{len(PROMISES)} promises, {len(sets)} sets: "
        f"{len(found) or 'no'} broken {'promise' if len(found) == 1 else 'promises'}, {_since(started)}"
    )
    return 1 if found else 0


def described(one: Broken, document: bytes, named: list[str]) -> str:
    """Describe facts that break a promise, and what the engine says of them."""
    leg = one.flight.leg
    lines = [f"Broken: {one.promise.says}. {leg.airline} {leg.origin}-{leg.destination} on {one.flight.day}"]
    for facts, strictness in (
        (one.better, one.strictness_of_better),
        (one.worse, one.strictness_of_worse),
    ):
        engine = engine_verdict(document, named, one.flight, facts)
        agrees = "and so by the engine" if engine == VERDICTS[strictness] else f"BUT {engine} by the engine"
        lines.append(f"  {VERDICTS[strictness]} by the formula, {agrees}: {in_words(facts, named)}")
    return "\n".join(lines)


def _since(started: float) -> str:
    return f"{time.monotonic() - started:.1f} s"


def _starter_corpus() -> bytes:
    import django

    django.setup()
    from compliance.starter_corpus.release import RULESET_VERSION, starter_content
    from rules.engine.document import ReleaseDocument
    from rules.releases.ledger import canonical_text

    content = starter_content()
    document = ReleaseDocument(ruleset_version=RULESET_VERSION, predecessor=None, content=content)
    return canonical_text(document).encode()


if __name__ == "__main__":
    sys.exit(main())
