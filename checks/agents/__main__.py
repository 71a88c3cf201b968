"""`make agents`: are the tools right, and how much does an agent read?

It starts the whole service, asks the tools two hundred questions with known answers and carries out
twenty-one tasks. It prints each wrong answer and the effort in tokens, and fails at a wrong answer. With
BASE=, a commit, it carries out the same tasks with that version as well, and prints both.
"""

import argparse
import contextlib
import datetime
import sys
import tempfile
from pathlib import Path

import django

django.setup()

from checks.agents.endpoint import Send, call, over_http  # noqa: E402 - Django comes first
from checks.agents.questions import questions, wrong  # noqa: E402
from checks.agents.tasks import TASKS, Effort, effort  # noqa: E402
from checks.whole_service import checked_out, environment_of, serving  # noqa: E402
from compliance.services import throwaway  # noqa: E402
from compliance.services.embedded import REPOSITORY  # noqa: E402


def main() -> int:
    """Ask, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("base", nargs="?", help="a commit, a branch or a tag")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="agents-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        send = _service(stack, REPOSITORY, folder / "new.log")
        failed = _ask(send)
        _say("this version", effort(send))
        if given.base:
            base = stack.enter_context(checked_out(given.base, folder / "base"))
            _say(given.base, effort(_service(stack, base, folder / "old.log")))
    return 1 if failed else 0


def _service(stack: contextlib.ExitStack, tree: Path, log: Path) -> Send:
    addresses = stack.enter_context(throwaway.services())
    return over_http(stack.enter_context(serving(environment_of(addresses), log, tree)))


def _ask(send: Send) -> int:
    """Ask all questions; print the wrong answers, and return their number."""
    asked, failed = questions(datetime.datetime.now(datetime.UTC).date()), 0
    for known in asked:
        if differences := wrong(known, call(send, known.tool, known.arguments).result):
            failed += 1
            sys.stdout.write(f"{known.tool} {known.arguments}\n  {known.expected}, but {differences}\n")
    sys.stdout.write(f"{len(asked)} questions, {failed} answered wrongly\n")
    return failed


def _say(version: str, measured: Effort) -> None:
    sys.stdout.write(
        f"{version}: {measured.first} tokens before the first call; results of {len(TASKS)} tasks: "
        f"mean {measured.mean_of_results}, most {max(measured.of_tasks)}; mean of a task {measured.mean}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
