"""`python -m battery_travel_reference RELEASE.json ask | compare | judge`: answers by a release.

The exit status is 0 where there is an answer or all answers are the same, 1 where the release does not cover
the question or an answer differs, and 2 where something cannot be read.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from battery_travel_reference.answering import answer
from battery_travel_reference.comparing import Comparison, UnreadableAnswer, answers_in, compared
from battery_travel_reference.deciding import NotCovered
from battery_travel_reference.decoding import UnreadableRelease, release_of
from battery_travel_reference.judging import Judge
from battery_travel_reference.questions import UnreadableQuestion, question_of
from battery_travel_reference.records import Release

FOUND, DIFFERENT, UNREADABLE = 0, 1, 2

MEANINGS = {
    "same": "the same",
    "different": "different",
    "other_release": "by another release, not compared",
    "by_serial": "decided by a serial number, which exports do not have",
    "unreadable": "unreadable",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer a question or compare answers; return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        release = release_of(options.release.read_bytes())
        if options.command == "ask":
            return _ask(release, options.question, options.on)
        if options.command == "judge":
            return _judge(release)
        return _compare(release, options.answers)
    except (OSError, UnreadableRelease, UnreadableQuestion, UnreadableAnswer) as error:
        print(f"Unreadable: {error}", file=sys.stderr)
        return UNREADABLE


def _ask(release: Release, question: Path | None, on: date) -> int:
    text = sys.stdin.read() if question is None else question.read_text(encoding="utf-8")
    try:
        body = json.loads(text)
    except ValueError as error:
        raise UnreadableQuestion(f"the question is not JSON: {error}") from error
    asked = question_of(body, on)
    if asked.ruleset_version not in (None, release.ruleset_version):
        raise UnreadableQuestion(f"the question is for release {asked.ruleset_version}")
    about = {
        "ruleset_version": release.ruleset_version,
        "release_sha256": release.sha256,
        "asked_on": f"{on}",
    }
    try:
        shown = about | answer(release, asked, on).plain()
    except NotCovered as error:
        print(json.dumps(about | {"error": {"code": error.code, "name": error.name}}, indent=2))
        return DIFFERENT
    print(json.dumps(shown, indent=2, ensure_ascii=False))
    return FOUND


def _judge(release: Release) -> int:
    for answer_line in Judge(release).answers(sys.stdin):
        print(answer_line, flush=True)
    return FOUND


def _compare(release: Release, files: Sequence[Path]) -> int:
    outcomes: Counter[str] = Counter()
    print(f"Release {release.ruleset_version}, SHA-256 {release.sha256}")
    for path in files:
        for one in answers_in(path.read_text(encoding="utf-8")):
            comparison = compared(release, one)
            outcomes[comparison.outcome] += 1
            _show(comparison)
    print(
        "; ".join(f"{outcomes[name]} {meaning}" for name, meaning in MEANINGS.items() if outcomes[name]) + "."
    )
    if outcomes["unreadable"] or not outcomes:
        return UNREADABLE
    return DIFFERENT if outcomes["different"] else FOUND


def _show(comparison: Comparison) -> None:
    if comparison.outcome == "unreadable":
        print(f"{comparison.verdict_id}: {comparison.why}")
    for name, said, found in comparison.differences:
        print(f"{comparison.verdict_id}: {name}\n  answer:       {said}\n  this program: {found}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("battery_travel_reference", description=__doc__)
    parser.add_argument(
        "release", type=Path, metavar="RELEASE.json", help="the release, as it was downloaded"
    )
    commands = parser.add_subparsers(dest="command", required=True)
    ask = commands.add_parser("ask", help="answer a question, in the format of POST /api/verify")
    ask.add_argument("question", type=Path, nargs="?", help="a JSON file (default: standard input)")
    ask.add_argument(
        "--on",
        type=date.fromisoformat,
        default=datetime.now(UTC).date(),
        metavar="DATE",
        help="the day of asking in UTC (default: today)",
    )
    compare = commands.add_parser("compare", help="compare stored answers, or verdicts of an audit export")
    compare.add_argument("answers", type=Path, nargs="+", help="files of JSON or JSON lines")
    commands.add_parser("judge", help="answer JSON lines on standard input, for a program that compares")
    return parser


if __name__ == "__main__":
    sys.exit(main())
