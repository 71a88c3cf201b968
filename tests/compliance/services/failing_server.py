"""The server of `starter_server`, whose verdicts about one model fail with errors that quote what was asked.

`python -m tests.compliance.services.failing_server` runs it.
"""

from typing import Any
from unittest.mock import patch

from compliance.services import ports, web
from tests.support.starter_server import _Server as StarterServer

FAILS_FOR = "anker-a1289"


class _Server(StarterServer):
    def load(self) -> Any:
        application = super().load()
        from rules import verdicts

        answer_from = verdicts.answer_from

        def fail(release: Any, question: Any, **more: Any) -> Any:
            if question.unit.model_id != FAILS_FOR:
                return answer_from(release, question, **more)
            try:
                int(question.unit.serial)
            except ValueError as error:
                raise LookupError(repr(question)) from error

        patch.object(verdicts, "answer_from", fail).start()
        return application


if __name__ == "__main__":
    with ports.claim(0) as listener, patch.object(web, "_Server", _Server):
        web.serve(listener)
