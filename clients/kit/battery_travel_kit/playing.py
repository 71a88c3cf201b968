"""Plays scenes for a program and judges its decisions."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from battery_travel_kit.scenes import Scene
from battery_travel_kit.stage import Stage
from battery_travel_kit.subjects import Subject

Finding = Literal["good", "unsafe", "useless"]
"""*unsafe*: a wrong green light. *useless*: no green light although all is well, so nothing was tested."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a scene."""

    scene: Scene
    finding: Finding
    remark: str


def play(scenes: Iterable[Scene], subject: Subject, stage: Stage | None) -> Iterator[Result]:
    """Yield the result of each scene. Without a stage, the program itself asks a sandbox."""
    for scene in scenes:
        yield _played(scene, subject, stage)


def _played(scene: Scene, subject: Subject, stage: Stage | None) -> Result:
    remark = ""
    for act in scene.acts:
        if stage is not None:
            stage.begin(act)
        time.sleep(act.wait_seconds)
        decision = subject.decide(act.request)
        remark = decision.remark
        if act.clear is False and decision.green:
            return Result(scene, "unsafe", remark)
        if act.clear and not decision.green:
            silent = stage is not None and not stage.asked
            return Result(scene, "useless", "it did not ask the stage" if silent else remark)
    return Result(scene, "good", remark)
