"""POST /api/verify/batch with a thousand questions against a thousand requests of one question each.

There is no server: the WSGI application is called directly. Both sides get the same questions.
"""

import json
from collections.abc import Callable, Iterator

from bench.http.in_process import Application, call
from bench.http.requests import VERIFY, VERIFY_BATCH, bodies
from bench.report import Line, ratio
from bench.rounds import Work, in_turns
from rules.engine.document import Content

ROUNDS, QUESTIONS = 10, 1000


def measure(content: Content) -> Iterator[Line]:
    """Compare the times for the same questions."""
    # The import sets up Django, which needs the settings of the measured release.
    from compliance.wsgi import application
    from rules.corpus import stop_following

    asked = bodies(content, QUESTIONS)
    together = [b'{"items":[' + b",".join(asked) + b"]}"]
    try:
        answered = json.loads(call(application, VERIFY_BATCH, together[0]).body)
        if answered["counts"]["errors"]:
            raise RuntimeError("a question of the batch has no answer")
        seconds = in_turns(
            {
                "singles": _asking(application, VERIFY, asked),
                "batch": _asking(application, VERIFY_BATCH, together),
            },
            ROUNDS,
        )
    finally:
        stop_following()
    yield ratio(
        "batch_over_singles",
        seconds["batch"],
        seconds["singles"],
        questions=QUESTIONS,
        **{
            f"{name}_us_a_question": round(min(turns) / QUESTIONS * 1e6, 1) for name, turns in seconds.items()
        },
    )


def _asking(application: Application, path: str, asked: list[bytes]) -> Work:
    def timed() -> None:
        for body in asked:
            call(application, path, body)

    def prepare() -> Callable[[], None]:
        return timed

    return prepare
