"""`python -m battery_travel_kit` tests a program. Its exit status is 0 if it found nothing, else 1."""

import argparse
import json
import sys
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack

from battery_travel_kit import report
from battery_travel_kit.levels import DEFAULT, LEVELS, is_within
from battery_travel_kit.playing import play
from battery_travel_kit.scenes import OPERATIONS, Scene, all_is_well, outcomes, scenes
from battery_travel_kit.stage import Stage
from battery_travel_kit.subjects import (
    DEFAULT_GREEN,
    EndpointSubject,
    FunctionSubject,
    Subject,
    function_named,
)

PORT = 8899
PATIENCE_SECONDS = 45.0
NOTHING_FOUND, FOUND = 0, 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Test a program; return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    with ExitStack() as stack:
        stage: Stage | None = None
        if options.sandbox:
            played, base_url = _listed(options.sandbox), options.sandbox
        else:
            played = scenes()
            stage = stack.enter_context(Stage(options.port, *all_is_well(played)))
            base_url = stage.base_url
        subject: Subject
        if options.function:
            try:
                function = function_named(options.function)
            except ValueError as error:
                parser.error(str(error))
            subject = FunctionSubject(function, base_url, options.patience)
        else:
            field, _, value = options.green.partition("=")
            subject = EndpointSubject(options.endpoint, (field, value), options.patience)
        chosen = [
            scene
            for scene in played
            if scene.reason not in options.skip
            and scene.operation in (options.only or OPERATIONS)
            and is_within(scene.demand.level, options.level)
        ]
        if not chosen:
            parser.error("there is nothing to play")
        results = list(play(chosen, subject, stage))
    print(
        report.document(results)
        if options.json
        else "\n".join(report.lines(results, verbose=options.verbose))
    )
    return NOTHING_FOUND if all(result.finding == "good" for result in results) else FOUND


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("battery_travel_kit", description=__doc__)
    tested = parser.add_mutually_exclusive_group(required=True)
    tested.add_argument(
        "--function",
        metavar="MODULE:NAME",
        help="a function that takes (request, base_url) and returns a bool",
    )
    tested.add_argument(
        "--endpoint", metavar="URL", help="an address that takes the request by POST and answers with JSON"
    )
    parser.add_argument(
        "--green",
        metavar="FIELD=VALUE",
        default="=".join(DEFAULT_GREEN),
        help="which field and value is the green light in the endpoint's answer (%(default)s)",
    )
    parser.add_argument("--port", type=int, default=PORT, help="the port of the stage (%(default)s)")
    parser.add_argument(
        "--sandbox",
        metavar="URL",
        help="use no stage: your program asks this sandbox, such as https://example.org/sandbox",
    )
    parser.add_argument(
        "--level",
        choices=LEVELS,
        default=DEFAULT,
        help="contract: what the documentation demands; paranoid: also answers that the service does not "
        "give, but a cache, a proxy, a fault or a wrong clock may (%(default)s)",
    )
    parser.add_argument(
        "--only",
        action="append",
        choices=OPERATIONS,
        help="play only questions for this operation, such as verify; may be repeated",
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE_SECONDS,
        help="how many seconds a decision may take (%(default)s)",
    )
    parser.add_argument(
        "--skip",
        metavar="REASON",
        action="append",
        default=[],
        help="leave out scenes with this reason, such as clock_in_doubt",
    )
    parser.add_argument("--json", action="store_true", help="report as JSON")
    parser.add_argument("--verbose", action="store_true", help="also list the scenes without a finding")
    return parser


def _listed(sandbox: str) -> tuple[Scene, ...]:
    """Return the outcomes of a running sandbox."""
    # The person who runs the kit gives the address.
    with urllib.request.urlopen(f"{sandbox}/api/outcomes", timeout=30) as answer:  # noqa: S310
        return outcomes(json.load(answer))


if __name__ == "__main__":
    sys.exit(main())
