"""What each stage of POST /api/verify costs, measured inside whole requests without a server.

A stage that runs alone, repeatedly, has everything in the processor's caches and seems twice as fast. So
whole requests are sent, each asking for a receipt, with a clock around the functions of each stage. For each
question the fastest round counts: no other load on the machine has slowed it down.
"""

import gc
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any
from unittest.mock import patch

from bench.http.in_process import ASKING_FOR_MORE, call
from bench.http.requests import VERIFY, bodies
from bench.report import Line
from rules.engine.document import Content

ROUNDS, QUESTIONS = 60, 60
ASKING = ASKING_FOR_MORE["with_receipt"]

STAGES = {
    "identify": "compliance.api.protocol.views.identify",
    "count": "compliance.api.protocol.limits.count",
    "read": "compliance.api.verdicts.verify.read_object",
    "question": "compliance.api.verdicts.questions.verify_request",
    "engine": "rules.verdicts.evaluate_leg",
    "id": "rules.verdicts._leg_id",
    "words": "compliance.api.verdicts.verify.verify_body",
    "json": "compliance.api.protocol.sending.json_response",
    "receipt": "compliance.api.protocol.sending.put_receipt",
    "record": "compliance.records.verdict_log.recording.record",
    "view": "compliance.api.protocol.views.ServiceView.dispatch",
}
"""The function of each stage, in the module that calls it. `view` contains all the others."""


def measure(content: Content) -> Iterator[Line]:
    """Report the microseconds of each stage and of the whole, the mean over the questions."""
    # The import sets up Django, which needs the settings of the measured release.
    from compliance.wsgi import application
    from rules.corpus import stop_following

    asked = bodies(content)[:QUESTIONS]
    spent: dict[str, float] = {}
    best: list[dict[str, float]] = [{} for _ in asked]
    whole = _timed("request", call, spent)
    patches = [_patched(name, path, spent) for name, path in STAGES.items()]
    gc.disable()
    try:
        for one in patches:
            one.start()
        for _ in range(ROUNDS):
            for fastest, body in zip(best, asked, strict=True):
                spent.clear()
                whole(application, VERIFY, body, ASKING)
                for name, seconds in spent.items():
                    fastest[name] = min(seconds, fastest.get(name, seconds))
    finally:
        gc.enable()
        patch.stopall()
        stop_following()
    stages = {
        name: round(sum(fastest[name] for fastest in best) / len(best) * 1e6, 1)
        for name in ("request", *STAGES)
    }
    yield {"name": "verify_stages_us", "unit": "us", "rounds": ROUNDS, **stages}


def _patched(name: str, path: str, spent: dict[str, float]) -> Any:
    """Return the patch that puts a clock around a function."""
    holder, _, attribute = path.rpartition(".")
    try:
        owner: Any = import_module(holder)
    except ModuleNotFoundError:
        module, _, named = holder.rpartition(".")
        owner = getattr(import_module(module), named)
    return patch.object(owner, attribute, _timed(name, getattr(owner, attribute), spent))


def _timed(name: str, function: Callable[..., Any], spent: dict[str, float]) -> Callable[..., Any]:
    def timed(*args: Any, **named: Any) -> Any:
        began = time.perf_counter()
        try:
            return function(*args, **named)
        finally:
            spent[name] = spent.get(name, 0.0) + time.perf_counter() - began

    return timed
