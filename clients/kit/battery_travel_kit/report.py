"""Reports the results: as text for people, or as JSON for programs."""

import json
from collections.abc import Iterator, Sequence

from battery_travel_kit.levels import LEVELS
from battery_travel_kit.playing import Result


def lines(results: Sequence[Result], *, verbose: bool) -> Iterator[str]:
    """Return the report, line by line."""
    for result in results:
        remark = f" ({result.remark})" if result.remark else ""
        name = f"{result.scene.name} ({result.scene.demand.level})"
        why = f"{result.scene.why} {result.scene.demand.because}{remark}"
        if result.finding == "unsafe":
            yield f"UNSAFE   {name}: allowed, but must not be. {why}"
        elif result.finding == "useless":
            yield f"USELESS  {name}: not allowed, but should be. {why}"
        elif verbose:
            yield f"good     {name}: {result.scene.demand.because}{remark}"
    unsafe, useless = count(results, "unsafe"), count(results, "useless")
    yield f"{len(results)} scenes: {unsafe} became allowed that must not, {useless} did not that should."
    for level in LEVELS:
        of_level = [result for result in results if result.scene.demand.level == level]
        if of_level:
            yield f"{level}: {count(of_level, 'good')} of {len(of_level)} are good."
    if not unsafe and not useless:
        yield "Nothing became allowed that must not be."


def document(results: Sequence[Result]) -> str:
    """Return the report as JSON."""
    return json.dumps(
        {
            "scenes": len(results),
            "unsafe": count(results, "unsafe"),
            "useless": count(results, "useless"),
            "results": [
                {
                    "scene": result.scene.name,
                    "finding": result.finding,
                    "reason": result.scene.reason,
                    "level": result.scene.demand.level,
                    "because": result.scene.demand.because,
                    "why": result.scene.why,
                    "remark": result.remark,
                }
                for result in results
            ],
        },
        indent=1,
    )


def count(results: Sequence[Result], finding: str) -> int:
    """Return how many scenes have a finding."""
    return sum(result.finding == finding for result in results)
