"""`make soak`: ten minutes of mixed load on the production shape, at 70 % of its capacity.

It starts `make up`, measures how much it can answer, and then sends 0.7 times as many requests for SECONDS
(default 600). Meanwhile a release is published, another one rolls it back, a worker of the jobs is killed,
and the jobs prove the releases. It prints the results. It fails if a request failed, if an answer was wrong
or is missing in the log, or if the memory of the service grew by more than a twentieth. Only the loopback
address is used.

Latencies run from the time at which a request was due, so a server that stops answering also counts as slow.
Where other machines have the processors, no answer is fast: compare runs in which as little was stolen.
"""

import os
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from checks.chaos.__main__ import set_up
from checks.soak.asking import Measurements, ask
from checks.soak.machine import SECONDS_APART, Stolen, megabytes, stolen_time

SHARE = 0.7
SATURATING_SECONDS = 20
MOST_GROWTH = 0.05
MOST_OVER_MEDIAN = 5
SWAP_SECONDS = 10
MOST_IN_SWAP = 30
"""How many times the median the 99th percentile may be while processes take up a release."""

LOADING_SECONDS = 1
"""Processes load a release for so long before the first answer comes from it."""

MOST_SHOWN = 5


class Moment(NamedTuple):
    """An event during the load, at a share of the time."""

    share: float
    name: str
    happen: Callable[[], object]


def main() -> None:
    """Run it, and print the results."""
    seconds = float(os.environ.get("SECONDS") or 600)
    set_up()
    from checks.chaos.judging import judge
    from checks.chaos.oracle import Oracle
    from checks.chaos.trial import Trial, environment_of, lost_rows, running_on, template

    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with template(folder, _say) as (data, calm), running_on(data) as running:
            oracle = Oracle(environment_of(running)["DATABASE_URL"], calm)
            first = oracle.read_releases()
            trial = Trial(running, oracle)
            trial.check_calm("before", limited=False)
            _say("Measuring the capacity")
            most = _rate(ask(running.address, seed=1, seconds=SATURATING_SECONDS), SATURATING_SECONDS)
            _say(f"It answers {most:.0f} requests a second; {SHARE * most:.0f} from now on")

            def memory() -> dict[str, float]:
                parts = ("web", "publisher", "worker-1", "beat")
                return {part: megabytes(running.pids(part)) for part in parts}

            sizes: list[dict[str, float]] = []
            moments = [
                Moment(0.1, "a release is published", lambda: trial.edit("publish")),
                Moment(0.4, "(memory is measured)", lambda: sizes.append(memory())),
                Moment(0.5, "a worker is killed", lambda: running.kill("worker-1")),
                Moment(0.7, "it is rolled back", lambda: trial.edit("back", first)),
            ]
            with stolen_time() as stolen, _happening(moments, seconds):
                measured = ask(running.address, seed=2, seconds=seconds, per_second=SHARE * most)
            sizes.append(memory())
            judgment = judge(measured.kept, oracle, kills=False, limited=False)
            missing = lost_rows(trial, measured.verdict_ids)
            proofs = trial.sql("select state, cells from rules_releaseproof order by id")
            trial.check_calm("afterwards", limited=False)
    _report(measured, seconds, sizes, stolen[0], judgment.complaints, missing, proofs, trial.problems)


def _rate(measured: Measurements, seconds: float) -> float:
    return len(measured.seconds) / seconds


@contextmanager
def _happening(moments: list[Moment], seconds: float) -> Iterator[None]:
    """Run the events while the block continues."""
    timers = [threading.Timer(moment.share * seconds, _happen, [moment]) for moment in moments]
    for timer in timers:
        timer.start()
    yield
    for timer in timers:
        timer.join()


def _happen(moment: Moment) -> None:
    began = time.monotonic()
    moment.happen()
    _say(f"  {moment.name} ({time.monotonic() - began:.1f} s)")


def _report(
    measured: Measurements,
    seconds: float,
    sizes: list[dict[str, float]],
    stolen: Stolen,
    complaints: Counter[str],
    missing: int,
    proofs: list[tuple[str, int]],
    problems: list[str],
) -> None:
    wrong = complaints.total()
    times = sorted(measured.seconds)
    median, slow = statistics.median(times), times[int(len(times) * 0.99)]
    failed = {status: count for status, count in measured.statuses.items() if status not in {"200", "304"}}
    before, after = sizes[0], sizes[-1]
    growth = sum(after.values()) / sum(before.values()) - 1
    _say(
        f"""
requests           {len(times):,} in {seconds:.0f} s, {dict(measured.statuses)}
failed             {sum(failed.values())}
wrong answers      {wrong} of {len(measured.kept):,} that were computed again
lost log rows      {missing} of {len(measured.verdict_ids):,}
median             {median * 1000:.1f} ms
99th percentile    {slow * 1000:.1f} ms, {slow / median:.1f} times the median (at most {MOST_OVER_MEDIAN})
slowest            {times[-1] * 1000:.0f} ms
{_swaps(measured, median)}
stolen             {_share(stolen)}
proofs             {", ".join(f"{state}, {cells:,} cells" for state, cells in proofs) or "none"}
memory             {_sizes(before)}, later {_sizes(after)}: {growth:+.1%} (at most {MOST_GROWTH:.0%})"""
    )
    bad = [
        *[f"{count} requests ended with {status}" for status, count in failed.items()],
        *([f"{wrong} wrong answers"] if wrong else []),
        *(f"  {count} times: {complaint}" for complaint, count in complaints.most_common(MOST_SHOWN)),
        *([f"{missing} answers are not in the log"] if missing else []),
        *(["the service grew"] if growth > MOST_GROWTH else []),
        *problems,
    ]
    if bad:
        sys.exit("\n  ".join(["Not as expected:", *bad]))


def _swaps(measured: Measurements, median: float) -> str:
    """Return a line for each release but the first: how slow answers were while processes took it up."""
    lines = []
    for version, first in sorted(measured.first.items(), key=lambda pair: pair[1])[1:]:
        begin = first - LOADING_SECONDS
        times = measured.between(begin, begin + SWAP_SECONDS)
        slow = times[int(len(times) * 0.99)]
        lines.append(
            f"{version:18} {statistics.median(times) * 1000:.1f} ms, 99th percentile {slow * 1000:.1f} ms, "
            f"{slow / median:.1f} times the median of all (at most {MOST_IN_SWAP}), "
            f"slowest {times[-1] * 1000:.0f} ms"
        )
    return "\n".join(lines)


def _share(stolen: Stolen) -> str:
    worst = f"{stolen.most:.1%} in the worst {SECONDS_APART} s"
    return f"{stolen.average:.1%} of the processors by other machines, {worst}"


def _sizes(parts: dict[str, float]) -> str:
    return ", ".join(f"{name} {size:.0f} MiB" for name, size in parts.items())


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
